"""The robot as written, and the mechanism that the mathematics needs."""
