# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy"]  # and your library
# ///
"""Start here: copy this file, wrap your library. It is complete: models/cart_pole, in closed form.

Try it:  robodyn-check conform ./template.py        or   robodyn-check robot.urdf --adapter ./template.py
Methods take one state in your library's own coordinates; `Layout` says how they are ordered. Leave out what your
library does not compute. All that may be offered: robodyn_check/sdk/adapter.py. Other languages: PROTOCOL.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout

CART, POLE, LENGTH, INERTIA = 2.0, 0.3, 0.5, 0.005  #: kg, kg, m, kg m²


class Template(Adapter):
    """A cart along x, a pole hanging from it that turns about -y."""

    name = "template"
    limits = {"model": "this one robot only"}  # noqa: RUF012 - a literal, so that it is read without importing

    def version(self) -> str:
        return "1.0"  # import your library here, return its version

    def load(self, source: Source) -> Layout:
        if source.joints != ("slider", "hinge"):  # a documented limit is a skip; any other exception is a refusal
            raise Unsupported("model", self.limits["model"])
        self.gravity = source.gravity  # m/s², in any direction
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(source.joints))
        return Layout(joints=joints, links=(), nq=2, nv=2)

    def mass_matrix(self, q: Any) -> Any:
        coupling = POLE * LENGTH * np.cos(q[1])
        return [[CART + POLE, coupling], [coupling, POLE * LENGTH**2 + INERTIA]]

    def bias_force(self, q: Any, v: Any) -> Any:  # C v + g, on the left-hand side: M a + bias = tau
        gx, _, gz = self.gravity
        weight = -POLE * LENGTH * (gx * np.cos(q[1]) + gz * np.sin(q[1]))
        return [-POLE * LENGTH * np.sin(q[1]) * v[1] ** 2 - (CART + POLE) * gx, weight]

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return np.array(self.mass_matrix(q)) @ a + self.bias_force(q, v)
