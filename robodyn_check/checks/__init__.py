"""The catalogue of checks: registry.py and one file per family."""
