"""Elastic joints and elastic links, in the same shape as reference/."""
