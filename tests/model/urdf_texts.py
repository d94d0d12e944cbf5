"""Small URDFs for tests: one good arm, written so that a test can change one thing."""

from __future__ import annotations

LINK = """  <link name="{name}">
    <inertial>
      <origin xyz="0.1 0 0"/>
      <mass value="1.2"/>
      <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.011" iyz="0" izz="0.012"/>
    </inertial>
  </link>
"""
JOINT = """  <joint name="{name}" type="revolute">
    <origin xyz="0 0 0.3" rpy="0 0 0"/>
    <parent link="{parent}"/>
    <child link="{child}"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="40" velocity="3"/>
  </joint>
"""


def robot(*parts: str) -> str:
    """Wrap links and joints into a robot; its first part starts in line 2."""
    return '<robot name="arm">\n' + "".join(parts) + "</robot>\n"


def link(name: str) -> str:
    """A plausible moving link, 7 lines; its inertial starts in its line 2."""
    return LINK.format(name=name)


def joint(name: str, parent: str, child: str) -> str:
    """A revolute joint, 7 lines."""
    return JOINT.format(name=name, parent=parent, child=child)


BASE = '  <link name="base"/>\n'
#: base - shoulder -> upper_arm - elbow -> forearm
ARM = robot(
    BASE,
    link("upper_arm"),
    link("forearm"),
    joint("shoulder", "base", "upper_arm"),
    joint("elbow", "upper_arm", "forearm"),
)
