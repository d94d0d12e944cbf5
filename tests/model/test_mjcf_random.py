from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.mjcf_compare import compare_with_compiled
from robodyn_check.model.write_mjcf import write_mjcf
from tests.model.mjcf_texts import compiled
from tests.model.translations import difference

JOINTS: tuple[tuple[str, ...], ...] = (
    (),
    ("hinge",),
    ("slide",),
    ("ball",),
    ("slide", "hinge"),
    ("hinge", "hinge"),
    ("hinge", "ball"),
)
CLASSES = ("main", "arm", "finger", "leg")
DEFAULTS = """<default><joint armature="0.5" damping="1" pos="0.1 0 0"/>
<default class="arm"><default class="finger"><joint range="-3 4" axis="0 3 4"/></default>
<joint axis="1 1 0" ref="0.2"/></default>
<default class="leg"><joint armature="0.25" frictionloss="2"/></default></default>"""


class Writer:
    """Writes a random MJCF in which every way to place something occurs."""

    def __init__(self, seed: int) -> None:
        """Start the stream of choices."""
        self.stream = random.Random(seed)  # noqa: S311 - robots, not secrets
        self.count = 0

    def numbers(self, count: int, low: float = -2.0, high: float = 2.0) -> str:
        return " ".join(f"{self.stream.uniform(low, high):.4g}" for _ in range(count))

    def orientation(self) -> str:
        angles = f' euler="{self.numbers(3)}"'
        turns = ("", angles, f' axisangle="{self.numbers(4)}"', f' quat="{self.numbers(4)}"')
        return self.stream.choice((*turns, f' xyaxes="{self.numbers(6)}"', f' zaxis="{self.numbers(3)}"'))

    def place(self) -> str:
        return self.stream.choice(("", f' pos="{self.numbers(3)}"')) + self.orientation()

    def framed(self, content: str) -> str:
        if self.stream.random() < 0.7:
            return content
        klass = self.stream.choice(("", f' childclass="{self.stream.choice(CLASSES)}"'))
        return f"<frame{self.place()}{klass}>{self.framed(content)}</frame>"

    def inertial(self) -> str:
        mass = f'pos="{self.numbers(3)}" mass="{self.stream.uniform(0.1, 3):.4g}"'
        if self.stream.random() < 0.5:
            return f'<inertial {mass} diaginertia="{self.numbers(3, 1.0, 1.4)}"{self.orientation()}/>'
        return f'<inertial {mass} fullinertia="{self.numbers(3, 1.0, 1.2)} {self.numbers(3, -0.1, 0.1)}"/>'

    def joint(self, kind: str) -> str:
        own = ('armature="0.125"', f'pos="{self.numbers(3)}"', f'axis="{self.numbers(3)}"', f'ref="{self.numbers(1)}"')
        chosen = [part for part in (*own, 'range="-1 1.5"') if self.stream.random() < 0.3 and kind != "ball"]
        klass = self.stream.choice(("", f'class="{self.stream.choice(CLASSES)}"')) if kind != "ball" else 'class="main"'
        return f'<joint type="{kind}" {klass} {" ".join(chosen)}/>'

    def body(self, depth: int) -> str:
        self.count += 1
        name = f' name="b{self.count}"' if self.stream.random() < 0.5 else ""
        klass = self.stream.choice(("", f' childclass="{self.stream.choice(CLASSES)}"'))
        kinds = self.stream.choice(
            ((), ("hinge",), ("slide",), ("ball",), ("slide", "hinge"), ("hinge", "hinge"), ("hinge", "ball"))
        )
        parts = [self.framed(self.joint(kind)) for kind in kinds]
        inertial = self.framed(self.inertial())
        below = [self.framed(self.body(depth - 1)) for _ in range(self.stream.randint(0, 2) if depth else 0)]
        free = "<freejoint/>" if depth == 3 and not kinds and self.stream.random() < 0.5 else ""
        return f"<body{name}{self.place()}{klass}>{inertial}{free}{''.join(parts)}{''.join(below)}</body>"

    def model(self) -> str:
        unit = self.stream.choice(("degree", "radian"))
        letters = "".join(self.stream.choice("xyzXYZ") for _ in range(3))
        head = f'<compiler angle="{unit}" eulerseq="{letters}"/><option gravity="{self.numbers(3)}"/>{DEFAULTS}'
        bodies = "".join(self.framed(self.body(3)) for _ in range(self.stream.randint(1, 2)))
        return f"<mujoco>{head}<worldbody>{bodies}</worldbody></mujoco>"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 100_000))
def test_random_files_are_read_as_mujoco_compiles_them(seed: int):
    text = Writer(seed).model()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        path.write_text(text)
        robot = read_mjcf(path, text.encode())
        results = compare_with_compiled(robot, compiled(path))
    assert [result.message for result in results if result.verdict != "pass"] == []


@pytest.mark.parametrize("seed", range(12))
def test_random_files_move_alike_in_plain_words(seed: int):
    robot = read_mjcf("model.xml", Writer(seed).model().encode())
    translation = write_mjcf(robot)
    assert difference(robot, read_mjcf("model.xml", translation.text.encode()), translation) <= 64
