"""`analyze`: numbers that have a closed form, on arms that have one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.analysis.page import page
from robodyn_check.analysis.pictures import BAR, inertia_axis
from robodyn_check.analysis.study import analyse
from robodyn_check.analysis.terminal import terminal
from robodyn_check.errors import UsageError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.joint_data import Drive, JointData, Payload
from tests.reference.robots import joint, link, robot

if TYPE_CHECKING:
    from robodyn_check.analysis.results import Analysis

M, L = 2.0, 0.5
#: Two unit-like point masses in a vertical plane.
ARM = robot(
    [link("base"), link("upper", M, (L, 0, 0)), link("fore<arm>", M, (L, 0, 0))],
    [
        joint("shoulder", "continuous", "base", "upper", (0, 0, 0), axis=(0, 1, 0)),
        joint("elbow", "continuous", "upper", "fore<arm>", (L, 0, 0), axis=(0, 1, 0)),
    ],
)
DATA = JointData(
    path="arm.joints.toml",
    drives={
        "shoulder": Drive(gear_ratio=100, rotor_inertia=3e-5, torque_limit=40.0),
        "elbow": Drive(motor_inertia=0.1, torque_limit=5.0),
    },
)


def study(data: JointData | None = None, **options: object) -> Analysis:
    return analyse(ARM, build_mechanism(ARM), data, samples=100, **options)  # type: ignore[arg-type]


@cache
def plain() -> Analysis:
    return study()


@cache
def geared() -> Analysis:
    return study(DATA)


def test_the_inertia_of_the_shoulder_is_between_folded_and_stretched():
    shoulder, elbow = plain().joints
    assert M * L**2 <= shoulder.least <= shoulder.most <= M * L**2 + M * (2 * L) ** 2 + 1e-12
    assert elbow.least == pytest.approx(M * L**2)
    assert elbow.most == pytest.approx(M * L**2)


def test_what_a_joint_feels_is_less_than_it_carries_by_the_coupling():
    shoulder = plain().joints[0]
    assert 0 < shoulder.felt < shoulder.most
    assert 0 < shoulder.coupling < 1


def test_the_largest_gravity_torque_is_that_of_the_stretched_arm_at_most():
    gravity = plain().gravity
    assert gravity is not None
    most = 9.81 * (M * L + M * 2 * L)
    assert 0.7 * most < abs(gravity.torque) <= most
    assert gravity.joint == "shoulder"
    assert gravity.upper_bound is not None
    assert gravity.norm <= gravity.upper_bound


def test_rotors_bound_the_smallest_eigenvalue_and_mend_the_condition():
    found = geared().conditioning
    assert found is not None
    assert found.lower_bound == pytest.approx(0.1)
    assert found.reflected is not None
    assert found.reflected < found.condition


def test_the_tip_is_heaviest_along_the_direction_it_cannot_move_in():
    (tip,) = geared().tips
    assert tip.link == "fore<arm>"
    assert tip.least_mass is not None
    assert tip.most_mass is None
    assert tip.least_mass_with_rotors is not None
    assert tip.least_mass_with_rotors > tip.least_mass


def test_a_payload_counts_whole_in_the_static_estimate():
    data = JointData(path="x", drives={}, payload=Payload(link="fore<arm>", mass=1.0))
    (tip,) = study(data).tips
    assert tip.static_estimate == pytest.approx((2 * M - 1.0) / 2 + 1.0)  # this mechanism was built without it


def test_runge_kutta_loses_less_energy_than_euler_and_with_its_order():
    runge_kutta, euler = plain().drift
    assert runge_kutta.errors[0] / runge_kutta.errors[1] == pytest.approx(16, rel=0.2)
    assert euler.errors[0] / euler.errors[1] == pytest.approx(2, rel=0.2)
    assert runge_kutta.errors[0] < euler.errors[-1]


def test_the_planar_arm_has_its_published_number_of_base_parameters():
    # point masses in a vertical plane: two inertias and two first moments a link, less what the first one absorbs
    found = plain().parameters
    assert found is not None
    assert found.rank == 6
    assert {name for name, _ in found.absorbed} <= {f"{l}.{p}" for l in ("upper", "fore<arm>") for p in PLANAR}


PLANAR = ("m", "mx", "mz", "yy")


def test_a_tool_that_does_not_exist_is_refused_with_the_nearest_name():
    with pytest.raises(UsageError, match=r"--tool uper: the model has no such link\. Did you mean 'upper'\?"):
        study(tools=["uper"])


def test_a_robot_without_moving_joints_says_so():
    still = robot([link("base", 1.0), link("post", 1.0)], [joint("weld", "fixed", "base", "post")])
    found = analyse(still, build_mechanism(still), None)
    assert found.notes == ("the robot has no joint that moves",)
    assert "no joint that moves" in terminal(found)


def test_the_page_says_the_same_as_the_terminal_and_escapes_names():
    found = geared()
    written = page(found)
    assert "fore<arm>" not in written
    assert "fore&lt;arm&gt;" in written
    assert written.count("<svg") >= 2 * 2 + 3 * 3
    assert "https://" not in written


def test_the_inertia_bars_stand_on_whole_decades():
    axis = inertia_axis(plain())
    assert [tick.label for tick in axis] == ["0.1", "1", "10"]
    assert [tick.place for tick in axis] == [0.0, BAR / 2, BAR]
    assert ">0.1</text>" in page(plain())


def test_rotors_are_in_the_captions_only_where_they_are_known():
    assert "Dashed: with rotors" in page(geared())
    assert "Dashed: with rotors" not in page(plain())


def test_the_terminal_page_fits_80_columns_and_is_there_in_ascii():
    lines = terminal(geared()).splitlines()
    assert max(len(line) for line in lines) <= 80
    assert any("effective mass" in line and "without end" in line for line in lines)
    assert terminal(geared(), ascii_only=True).isascii()


def test_the_same_seed_gives_the_same_numbers():
    assert study(seed=3) == study(seed=3)
    assert not np.isclose(study(seed=3).joints[0].least, study(seed=4).joints[0].least, rtol=1e-9)
