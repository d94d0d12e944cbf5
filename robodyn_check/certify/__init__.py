"""Exact reading, ball arithmetic and a second derivation: the reference's proof of its own answers."""
