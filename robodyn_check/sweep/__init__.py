"""Many models × libraries × versions on an executor."""
