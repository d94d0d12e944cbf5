# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "mujoco"]
# ///
"""An adapter as it was written for MuJoCo 3.9: one of its calls took other arguments later."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import JointLayout, Layout


class MuJoCoOf39(Adapter):
    """Hinge joints only."""

    name = "mujoco-of-3.9"
    library = "mujoco"
    formats = ("urdf", "mjcf")

    def version(self) -> str:
        """Return the version."""
        import mujoco  # noqa: PLC0415 - an adapter imports its library inside

        return str(mujoco.__version__)

    def load(self, source: Source) -> Layout:
        """Load a robot without shapes."""
        import mujoco  # noqa: PLC0415 - an adapter imports its library inside

        self.mujoco = mujoco
        spec = mujoco.MjSpec.from_file(str(source.path))
        spec.compiler.fusestatic = False
        spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
        self.model = spec.compile()
        self.model.opt.gravity[:] = source.gravity
        self.data = mujoco.MjData(self.model)
        names = [self.model.joint(k).name for k in range(self.model.njnt)]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links = tuple(self.model.body(k).name for k in range(1, self.model.nbody))
        return Layout(joints=joints, links=links, nq=self.model.nq, nv=self.model.nv)

    def mass_matrix(self, q: Any) -> Any:
        """Return M by the call that changed."""
        self.data.qpos[:] = q
        self.mujoco.mj_forward(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, M, self.data.qM)
        return M

    def bias_force(self, q: Any, v: Any) -> Any:
        """Return h."""
        self.data.qpos[:], self.data.qvel[:] = q, v
        self.mujoco.mj_forward(self.model, self.data)
        return self.data.qfrc_bias.copy()
