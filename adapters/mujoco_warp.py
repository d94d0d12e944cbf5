# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "mujoco-warp>=3.5"]
# ///
"""MuJoCo Warp: the model that MuJoCo compiled, in single precision on Warp's processor device."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import Layout  # noqa: TC001 - adapters read annotations at run time
from robodyn_check.sdk.readback import Readback  # noqa: TC001 - the same
from robodyn_check.sdk.sibling import sibling


class MujocoWarp(Adapter):
    """Answers are copied back into a MjData, of which MuJoCo's adapter reads the same fields.

    Kernels are compiled once, for minutes, and kept beside the interpreter that runs them.
    """

    name = "mujoco-warp"
    library = "mujoco-warp"
    homepage = "https://github.com/google-deepmind/mujoco_warp"
    formats = ("urdf", "mjcf")
    precision = "single"
    cost = 3000.0
    chunk = 50
    profiles: ClassVar[dict[str, str]] = {
        "": "as the adapter of MuJoCo loads it: smooth dynamics only",
        "default": "as a first-time user loads it: damping, friction, limits act in qacc and qfrc_inverse",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "MjModel.from_xml_path gives a URDF no floating base (profile default)",
        "world_link": "a root link named 'world' is MuJoCo's own world body, which does not float",
        "warp_feature": "features that MuJoCo Warp documents as not implemented",
    }

    def version(self) -> str:
        import mujoco_warp  # noqa: F401 - is it there?

        return version("mujoco-warp")

    def load(self, source: Source) -> Layout:
        import mujoco
        import mujoco_warp
        import warp

        warp.config.quiet = True
        warp.config.kernel_cache_dir = str(Path(sys.prefix) / "warp-kernels")
        self.mujoco, self.mjw = mujoco, mujoco_warp
        host: Any = sibling(__file__, "mujoco", "MuJoCo")()
        layout: Layout = host.load(source)
        self.host = host
        try:
            self.model = mujoco_warp.put_model(host.model)
        except NotImplementedError as error:
            raise Unsupported("warp_feature", f"{self.limits['warp_feature']}: {error}") from error
        self.data = mujoco_warp.put_data(host.model, host.data, nworld=1)
        return layout

    def readback(self) -> Readback:
        held: Readback = self.host.readback()
        return held

    def _ask(self, step: Any, **given: Any) -> Any:
        """Run one step at a state, zero where nothing is given, and return its results as a MjData."""
        for name in ("qpos", "qvel", "qacc", "qfrc_applied"):
            field = getattr(self.data, name)
            field.assign(np.asarray(given.get(name, np.zeros(field.shape[1])), dtype=np.float32)[None])
        step(self.model, self.data)
        self.mjw.get_data_into(self.host.data, self.host.model, self.data)
        return self.host.data

    def link_poses(self, q: Any) -> Any:
        data = self._ask(self.mjw.kinematics, qpos=q)
        return [np.column_stack([data.xmat[k].reshape(3, 3), data.xpos[k]]) for k in self.host.bodies]

    def mass_matrix(self, q: Any) -> Any:
        data = self._ask(self.mjw.fwd_position, qpos=q)
        out = np.zeros((self.host.model.nv, self.host.model.nv))
        self.mujoco.mj_fullM(self.host.model, data, out)
        return out

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._ask(self.mjw.forward, qpos=q, qvel=v).qfrc_bias.copy()

    def gravity_vector(self, q: Any) -> Any:
        return self._ask(self.mjw.forward, qpos=q).qfrc_bias.copy()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self._ask(self.mjw.inverse, qpos=q, qvel=v, qacc=a).qfrc_inverse.copy()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self._ask(self.mjw.forward, qpos=q, qvel=v, qfrc_applied=tau).qacc.copy()
