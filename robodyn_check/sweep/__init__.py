"""Many robots × libraries × versions: planned, worked off by an executor, kept in a dataset, asked with SQL."""
