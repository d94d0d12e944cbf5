from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_check.faults.in_models import FOLDER
from robodyn_check.known import load_known
from robodyn_check.model.features import FEATURES, features_of
from robodyn_check.model.read import read_model
from robodyn_check.resources import resource_folder

PENDULUM = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"
PLAIN = {
    "urdf",
    "link_without_inertial",
    "massless_link",
    "no_shape",
    "origin_left_out",
    "root_without_inertial",
    "single_joint",
}


def features_with(folder: Path, old: str, new: str) -> frozenset[str]:
    text = PENDULUM.read_text(encoding="utf-8")
    assert old in text
    path = folder / "model.urdf"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return features_of(read_model(path))


def test_a_plain_pendulum_has_the_plain_features() -> None:
    assert features_of(read_model(PENDULUM)) == PLAIN


@pytest.mark.parametrize(
    ("feature", "old", "new"),
    [
        ("oblique_axis", '<axis xyz="0 1 0"/>', '<axis xyz="0 0.6 0.8"/>'),
        ("negative_axis", '<axis xyz="0 1 0"/>', '<axis xyz="0 -1 0"/>'),
        ("non_unit_axis", '<axis xyz="0 1 0"/>', '<axis xyz="0 2 0"/>'),
        ("continuous", 'type="revolute"', 'type="continuous"'),
        ("prismatic", 'type="revolute"', 'type="prismatic"'),
        ("damping", '<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><dynamics damping="0.1"/>'),
        ("rotated_child_inertial", '<origin xyz="0 0 -0.5"/>', '<origin xyz="0 0 -0.5" rpy="0.1 0 0"/>'),
        ("products_of_inertia", 'ixy="0"', 'ixy="0.01"'),
        ("tiny_inertial_offset", '<origin xyz="0 0 -0.5"/>', '<origin xyz="0 7e-13 0"/>'),
        ("inertia_without_mass", '<mass value="2"/>', '<mass value="0"/>'),
    ],
)
def test_one_change_brings_one_feature(feature: str, old: str, new: str, tmp_path: Path) -> None:
    # the turned inertial of any link and of a link that is no root are two features
    assert features_with(tmp_path, old, new) - PLAIN - {"rotated_inertial"} == {feature}


@pytest.mark.parametrize(
    ("model", "feature"),
    [
        ("fixed_link_between_joints", "fixed_link_between_joints"),
        ("friction_alone", "friction_alone"),
        ("missing_collision_mesh", "collision_mesh"),
        ("near_quarter_pitch", "near_quarter_pitch"),
        ("package_mesh", "package_mesh"),
        ("planar_joint", "planar"),
        ("planar_joint_about_y", "planar_axis_not_z"),
        ("no_range", "range_left_out"),
        ("point_mass", "point_mass"),
        ("rotated_root_inertial", "rotated_root_inertial"),
        ("shape_without_inertial", "shape_without_inertial"),
        ("welded_to_world", "root_without_inertial"),
        ("welds_side_by_side", "welds_side_by_side"),
    ],
)
def test_a_small_model_has_its_feature_and_a_plain_pendulum_does_not(model: str, feature: str) -> None:
    assert feature in features_of(read_model(FOLDER / f"{model}.urdf"))
    assert feature not in features_of(read_model(PENDULUM)) or feature in PLAIN


@pytest.mark.parametrize(
    ("model", "feature"),
    [
        ("arm_without_geom", "no_shape"),
        ("arm_on_a_stand", "welded_inertial"),
        ("arm_on_a_turned_bracket", "turned_weld"),
        ("arm_on_a_bracket", "fixed_link_between_joints"),
    ],
)
def test_a_small_mjcf_has_its_feature_and_an_ordinary_arm_does_not(model: str, feature: str) -> None:
    assert feature in features_of(read_model(FOLDER / f"{model}.xml"))
    assert feature not in features_of(read_model(FOLDER / "hanging_arm.xml"))


def test_a_weld_that_displaces_is_not_called_turned() -> None:
    assert "turned_weld" not in features_of(read_model(FOLDER / "arm_on_a_bracket.xml"))


@pytest.mark.parametrize("model", ["welded_to_world", "massless_tip"])
def test_a_weld_without_offset_or_at_the_end_is_not_between_joints(model: str) -> None:
    assert "fixed_link_between_joints" not in features_of(read_model(FOLDER / f"{model}.urdf"))


def test_a_planar_joint_about_z_is_not_turned() -> None:
    assert "planar_axis_not_z" not in features_of(read_model(FOLDER / "planar_joint.urdf"))


every_shipped_list = pytest.mark.parametrize(
    "path", sorted((resource_folder("adapters") / "known").glob("*.toml")), ids=lambda path: path.stem
)


@every_shipped_list
def test_shipped_known_failures_use_features_that_exist(path: Path) -> None:
    for entry in load_known(path, source="shipped"):
        assert not entry.feature or entry.feature in FEATURES, entry
        assert not entry.model


@every_shipped_list
def test_a_shipped_list_speaks_of_the_library_it_is_named_after(path: Path) -> None:
    """A run reads the lists of its own libraries only."""
    assert {entry.library for entry in load_known(path, source="shipped")} == {path.stem}
