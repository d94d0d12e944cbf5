from __future__ import annotations

from robodyn_check.sdk.chains import path_to, tip_link
from robodyn_check.sdk.readback import JointReadback, Readback

ROBOT = Readback(
    joints=(
        JointReadback(name="weld_tool", kind="fixed", parent="arm", child="tool"),
        JointReadback(name="weld_side", kind="fixed", parent="arm", child="side"),
        JointReadback(name="swing", kind="revolute", parent="base", child="arm"),
        JointReadback(name="weld_tip", kind="fixed", parent="tool", child="tip"),
    )
)


def test_the_tip_lies_along_the_first_fixed_joints_after_the_last_moving_one():
    assert tip_link(ROBOT) == "tip"


def test_a_path_leads_from_the_root_and_leaves_sides_out():
    assert [joint.name for joint in path_to("tip", ROBOT)] == ["swing", "weld_tool", "weld_tip"]
    assert path_to("base", ROBOT) == ()
