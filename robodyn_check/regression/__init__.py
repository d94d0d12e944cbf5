"""Baselines, comparison of reports, version bumps."""
