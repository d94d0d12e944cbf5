"""The reference engine: one algorithm per file, named and laid out as the equations."""
