"""What every test shares: hypothesis without a clock, and without chance in continuous integration."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# a shared machine may be slow at any moment; timings live in benchmarks, not in tests
settings.register_profile(
    "project",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")
