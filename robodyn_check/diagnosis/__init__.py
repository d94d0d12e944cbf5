"""From a failed check to a named, proven cause."""
