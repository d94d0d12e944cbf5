"""Small models on which libraries of today are wrong, each with its right mass matrix in closed form.

The models stand in ``faults/models``; a comment in each derives the value. What a library does wrong is measured,
listed with its reason in ``adapters/known/``, and must show up as a finding on its model.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent / "models"

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallModel:
    """A model with its right mass matrix at q = 0; of a floating base the part of the ``joints`` below it.

    ``mass_matrix`` follows the moving joints in file order, kg m² (kg for prismatic motion).
    """

    name: str
    mass_matrix: Rows
    suffix: Literal[".urdf", ".xml"] = ".urdf"

    @property
    def path(self) -> Path:
        """The model file."""
        return FOLDER / f"{self.name}{self.suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFault:
    """A library, as its spec, that is wrong about a model; ``shows_on`` are codes of which each must be a finding.

    ``known``: ``adapters/known`` excuses it; not so where the model file is at fault as well.
    """

    model: str
    library: str
    shows_on: tuple[str, ...]
    base: Literal["fixed", "floating"] = "fixed"
    known: bool = True


#: Mass and inertia of a body that moves freely, by the row of its mass matrix, kg and kg m².
_FREE = tuple(enumerate((2.0, 2.0, 2.0, 0.02, 0.02, 0.02)))

SMALL_MODELS: tuple[SmallModel, ...] = (
    SmallModel(name="armature_arm", mass_matrix=((2.32,),), suffix=".xml"),
    SmallModel(name="damped_arm", mass_matrix=((2.02,),)),
    SmallModel(name="double_axis", mass_matrix=((2.02,),)),
    SmallModel(name="fixed_link_between_joints", mass_matrix=((8.03, 4.02), (4.02, 2.02))),
    SmallModel(
        name="floating_joint",
        mass_matrix=tuple(tuple(value if row == column else 0.0 for column in range(6)) for row, value in _FREE),
    ),
    SmallModel(name="friction", mass_matrix=((2.02,),)),
    SmallModel(name="impossible_inertia", mass_matrix=((2.1,),)),
    SmallModel(name="massless_between_joints", mass_matrix=((2.02, 0.0), (0.0, 2.02))),
    SmallModel(name="massless_tip", mass_matrix=((2.02,),)),
    SmallModel(name="mimic_pair", mass_matrix=((2.02, 0.0), (0.0, 2.02))),
    SmallModel(name="missing_collision_mesh", mass_matrix=((2.02,),)),
    SmallModel(name="near_quarter_pitch", mass_matrix=((2.02,),)),
    SmallModel(name="negative_axis", mass_matrix=((8.03, -4.02), (-4.02, 2.02))),
    SmallModel(name="oblique_axis", mass_matrix=((0.52,),)),
    SmallModel(name="package_mesh", mass_matrix=((2.02,),)),
    SmallModel(name="planar_joint", mass_matrix=((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 0.02))),
    SmallModel(name="planar_joint_about_y", mass_matrix=((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 0.02))),
    SmallModel(name="point_mass", mass_matrix=((11.02, 3.0), (3.0, 1.0))),
    SmallModel(name="rotated_inertial", mass_matrix=((0.3,),)),
    SmallModel(name="rotated_root_inertial", mass_matrix=((0.01,),)),
    SmallModel(name="shape_without_inertial", mass_matrix=((2.02,),)),
    SmallModel(name="tiny_inertia", mass_matrix=((2.2345678901234567e-12,),)),
    SmallModel(name="upright_arm", mass_matrix=((2.02,),)),
    SmallModel(name="weightless_root", mass_matrix=((2.02,),)),
    SmallModel(name="welded_to_world", mass_matrix=((2.02,),)),
    SmallModel(name="welds_side_by_side", mass_matrix=((4.04,),)),
)

MODEL_FAULTS: tuple[ModelFault, ...] = (
    ModelFault(model="oblique_axis", library="robotics-toolbox", shows_on=("RD454", "RD650", "RD651")),
    ModelFault(model="negative_axis", library="robotics-toolbox", shows_on=("RD250", "RD350")),
    ModelFault(model="fixed_link_between_joints", library="robotics-toolbox", shows_on=("RD250", "RD350")),
    ModelFault(model="welds_side_by_side", library="robotics-toolbox", shows_on=("RD250", "RD350")),
    ModelFault(model="upright_arm", library="robotics-toolbox", shows_on=("RD450", "RD750", "RD901")),
    ModelFault(model="upright_arm", library="robotics-toolbox:canonical", shows_on=("RD450", "RD750")),
    ModelFault(model="planar_joint", library="robotics-toolbox", shows_on=("RD942",)),
    ModelFault(model="floating_joint", library="robotics-toolbox", shows_on=("RD942",)),
    ModelFault(model="package_mesh", library="robotics-toolbox", shows_on=("RD942",)),
    ModelFault(model="friction", library="robotics-toolbox:default", shows_on=("RD453", "RD750")),
    ModelFault(model="upright_arm", library="rbdl", shows_on=("RD942",)),
    ModelFault(model="welded_to_world", library="rbdl", shows_on=("RD943",)),
    ModelFault(model="weightless_root", library="rbdl", shows_on=("RD943",)),
    ModelFault(model="rotated_inertial", library="rbdl", shows_on=("RD942",)),
    ModelFault(model="planar_joint", library="rbdl", shows_on=("RD942",)),
    ModelFault(model="rotated_root_inertial", library="rbdl", shows_on=("RD250",), base="floating"),
    ModelFault(model="double_axis", library="rbdl", shows_on=("RD250", "RD650")),
    ModelFault(model="near_quarter_pitch", library="rbdl", shows_on=("RD650",)),
    ModelFault(model="massless_tip", library="biorbd:default", shows_on=("RD250", "RD550")),
    ModelFault(model="tiny_inertia", library="biorbd", shows_on=("RD250",)),
    ModelFault(model="planar_joint_about_y", library="pinocchio", shows_on=("RD454", "RD650")),
    ModelFault(model="massless_between_joints", library="mujoco", shows_on=("RD942",)),
    ModelFault(model="point_mass", library="mujoco", shows_on=("RD942",)),
    ModelFault(model="damped_arm", library="mujoco:default", shows_on=("RD750",)),
    ModelFault(model="friction", library="mujoco:default", shows_on=("RD750",)),
    ModelFault(model="mimic_pair", library="mujoco:default", shows_on=("RD303",)),
    ModelFault(model="shape_without_inertial", library="mujoco:default", shows_on=("RD250", "RD750")),
    ModelFault(model="missing_collision_mesh", library="mujoco:default", shows_on=("RD942",)),
    ModelFault(model="armature_arm", library="drake", shows_on=("RD250", "RD350")),
    ModelFault(model="impossible_inertia", library="drake", shows_on=("RD250",), known=False),
    ModelFault(model="damped_arm", library="drake:default", shows_on=("RD750",)),
)
