"""The version of this package, in a file of its own: to name it, nothing else of the package is imported."""

__version__ = "0.1.0"
