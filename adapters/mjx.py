# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "mujoco-mjx>=3.3", "jax[cpu]"]
# ///
"""MuJoCo MJX: the model that MuJoCo compiled, on JAX, in double precision on the processor."""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import Layout  # noqa: TC001 - adapters read annotations at run time
from robodyn_check.sdk.readback import Readback  # noqa: TC001 - the same
from robodyn_check.sdk.sibling import sibling

#: Read by JAX when it is imported.
SETTINGS = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}


class Mjx(Adapter):
    """One compiled function, mjx.forward, answers everything; its compilation takes a minute for each robot."""

    name = "mjx"
    library = "mujoco-mjx"
    homepage = "https://mujoco.readthedocs.io/en/stable/mjx.html"
    formats = ("urdf", "mjcf")
    cost = 3000.0
    chunk = 50
    profiles: ClassVar[dict[str, str]] = {
        "": "as the adapter of MuJoCo loads it: smooth dynamics only",
        "default": "as a first-time user loads it: damping, friction, limits act in qacc",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "MjModel.from_xml_path gives a URDF no floating base (profile default)",
        "world_link": "a root link named 'world' is MuJoCo's own world body, which does not float",
        "mjx_feature": "features that MJX documents as not implemented",
    }

    def version(self) -> str:
        os.environ.update(SETTINGS)
        from mujoco import mjx  # noqa: F401 - is it there?

        return version("mujoco-mjx")

    def load(self, source: Source) -> Layout:
        os.environ.update(SETTINGS)
        import jax
        from mujoco import mjx

        self.host: Any = sibling(__file__, "mujoco", "MuJoCo")()
        layout: Layout = self.host.load(source)
        try:
            self.model = mjx.put_model(self.host.model)
        except NotImplementedError as error:
            raise Unsupported("mjx_feature", f"{self.limits['mjx_feature']}: {error}") from error
        blank = mjx.make_data(self.model)

        def forward(q: Any, v: Any, tau: Any) -> Any:
            data = mjx.forward(self.model, blank.replace(qpos=q, qvel=v, qfrc_applied=tau))
            return mjx.full_m(self.model, data), data.qfrc_bias, data.qacc, data.xpos, data.xmat

        self.forward = jax.jit(forward)
        return layout

    def readback(self) -> Readback:
        held: Readback = self.host.readback()
        return held

    def _ask(self, q: Any, v: Any = None, tau: Any = None) -> list[Any]:
        still = np.zeros(self.host.model.nv)
        out = self.forward(q, still if v is None else v, still if tau is None else tau)
        return [np.asarray(one) for one in out]

    def link_poses(self, q: Any) -> Any:
        *_, positions, rotations = self._ask(q)
        return [np.column_stack([rotations[body], positions[body]]) for body in self.host.bodies]

    def mass_matrix(self, q: Any) -> Any:
        return self._ask(q)[0]

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._ask(q, v)[1]

    def gravity_vector(self, q: Any) -> Any:
        return self._ask(q)[1]

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self._ask(q, v, tau)[2]
