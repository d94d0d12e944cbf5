"""What a run found (results.py) and how it is shown (one renderer a file)."""
