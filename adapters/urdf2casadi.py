# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "urdf2casadi>=1.0"]
# ///
"""urdf2casadi: URDF by its own parser, symbolic functions of the chain from the root link to one tip."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.chains import path_to, tip_link
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse


class Urdf2Casadi(Adapter):
    """Only links on the chain count."""

    name = "urdf2casadi"
    library = "urdf2casadi"
    homepage = "https://github.com/mahaarbo/urdf2casadi"
    cost = 80.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {"": "the file as it is, by its own parser"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous, prismatic and fixed joints only",
        "branching": "serial chains only",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        import urdf2casadi.urdfparser  # noqa: F401 - is it there?

        return version("urdf2casadi")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        from urdf2casadi.urdfparser import URDFparser

        self.parser = URDFparser()
        self.parser.from_file(str(source.path))
        self.root, self.tip = source.root_link, tip_link(source.mechanism)
        path = path_to(self.tip, source.mechanism)
        make = self.parser
        chain = (self.root, self.tip)
        self.inertia_of = make.get_inertia_matrix_crba(*chain)
        self.coriolis_of = make.get_coriolis_rnea(*chain)
        self.weight_of = make.get_gravity_rnea(*chain, list(source.gravity))
        self.inverse_of = make.get_inverse_dynamics_rnea(*chain, gravity=list(source.gravity))
        self.forward_of = make.get_forward_dynamics_aba(*chain, gravity=list(source.gravity))
        self.chains = [make.get_forward_kinematics(self.root, str(joint.child)) for joint in path]
        names = make.get_joint_info(*chain)[1]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links = tuple(str(joint.child) for joint in path)
        return Layout(joints=joints, links=links, nq=len(names), nv=len(names))

    def link_poses(self, q: Any) -> Any:
        return [chain["T_fk"](q[: len(chain["joint_names"])]).full()[:3] for chain in self.chains]

    def mass_matrix(self, q: Any) -> Any:
        return self.inertia_of(q).full()

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self.coriolis_of(q, v).full()

    def gravity_vector(self, q: Any) -> Any:
        return self.weight_of(q).full()

    def bias_force(self, q: Any, v: Any) -> Any:
        return self.inverse_of(q, v, np.zeros(len(q))).full()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.inverse_of(q, v, a).full()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.forward_of(q, v, tau).full()
