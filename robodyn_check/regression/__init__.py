"""Regressions: version bumps, trends, bisection, baselines, and the comparison of reports."""
