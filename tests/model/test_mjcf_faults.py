from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import AdapterMissing, AdapterRefused, ModelError
from robodyn_check.model.mjcf import read_mjcf
from tests.model.mjcf_texts import INERTIAL, mjcf

if TYPE_CHECKING:
    from pathlib import Path

I = INERTIAL  # the tables are read more easily with short rows


def faults(text: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "model.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_mjcf(path, path.read_bytes())
    return [f"{fault.line}: {fault.message}" for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (mjcf("\n<joint/>"), "2: <joint> stands in the worldbody, which cannot move"),
        (mjcf(f"\n{I}"), "2: <inertial> stands in the worldbody"),
        (mjcf(f'<body>\n<joint type="revolute"/>{I}</body>'), "2: joint type 'revolute' is not known. MJCF says"),
        (mjcf(f'<body>\n<joint type="hing"/>{I}</body>'), "2: joint type 'hing' is not known. Did you mean 'hinge'?"),
        (mjcf(f'<body>\n<joint type="fixed"/>{I}</body>'), "in MJCF a body without a joint is welded"),
        (mjcf(f'<body>\n<joint tpye="hinge"/>{I}</body>'), "2: joint 'body#1/joint#0' has the attribute 'tpye'"),
        (mjcf(f'<body><joint\n armatur="1"/>{I}</body>'), "2: joint 'body#1/joint#0' has the attribute 'armatur'"),
        (mjcf(f"<body>\n<jiont/>{I}</body>"), "2: <jiont> cannot stand in <body>. Did you mean 'joint'?"),
        (mjcf(f'<body><joint\n axis="0 0 0"/>{I}</body>'), "2: the axis of joint 'body#1/joint#0' is zero"),
        (mjcf(f'<body><joint\n axis="0 0"/>{I}</body>'), "2: axis of joint 'body#1/joint#0': has 2 ('0 0')"),
        (mjcf(f'<body\n pos="nan 0 0">{I}</body>'), "2: pos of body 'body#1': 'nan' is not a finite number"),
        (mjcf(f'<body\n pos="0x10 0 0">{I}</body>'), "2: pos of body 'body#1': '0x10' is hexadecimal"),
        (mjcf(f'<body\n quat="0 0 0 0">{I}</body>'), "2: quat='0 0 0 0' of body 'body#1' has no direction"),
        (mjcf(f'<body\n xyaxes="1 0 0 2 0 0">{I}</body>'), "2: xyaxes='1 0 0 2 0 0' of body 'body#1' has no direction"),
        (mjcf(f'<body quat="1 0 0 0"\n euler="0 0 1">{I}</body>'), "2: body 'body#1' has quat and euler, expected one"),
        (mjcf(f'<body name="a">{I}</body>\n<body name="a">{I}</body>'), "2: body 'a' exists twice (the other is in"),
        (mjcf(f'<body\n name="world">{I}</body>'), "2: body 'world' exists twice (the other is the worldbody)"),
        (
            mjcf(f'<body><joint name="j"/>{I}</body>\n<body><freejoint name="j"/>{I}</body>'),
            "2: joint 'j' exists twice (the other is in line 1)",
        ),
        (mjcf(f'<body\n childclass="z">{I}</body>'), "2: <body> has childclass='z', a default class"),
        (
            mjcf(f'<body><joint\n class="arn"/>{I}</body>', head='<default><default class="arm"/></default>'),
            "2: <joint> has class='arn', a default class that does not exist. Did you mean 'arm'?",
        ),
        (
            mjcf("", head='<default><default class="b"/>\n<default class="b"/></default>'),
            "2: default class 'b' exists twice (the first is in line 1)",
        ),
        (mjcf("", head="<default>\n<default/></default>"), "2: a nested <default> has no class"),
        (mjcf("", head='<default\n class="a"/>'), "2: the top-level <default> is called 'a'"),
        (mjcf("", head="<default><joint/>\n<joint/></default>"), "2: class 'main' has a second <joint>"),
        (mjcf("<body>\n<inertial mass='1'/></body>"), "2: the inertial of body 'body#1' has no 'pos'; it is"),
        (mjcf("<body>\n<inertial pos='0 0 0'/></body>"), "2: the inertial of body 'body#1' has no 'mass'"),
        (mjcf(f"<body>{I}\n{I}</body>"), "2: body 'body#1' has a second <inertial>"),
        (
            mjcf('<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"\n quat="0 1 0 0"/></body>'),
            "2: the inertial of body 'body#1' has fullinertia and quat",
        ),
        (mjcf(f"<body>{I}<body>\n<freejoint/>{I}</body></body>"), "2: the free joint of body 'body#2' is inside body"),
        (mjcf(f"<body><joint/>\n<freejoint/>{I}</body>"), "2: body 'body#1' has a free joint and another joint"),
        (mjcf(f'<body><joint type="ball"/>\n<joint/>{I}</body>'), "2: body 'body#1' has a hinge joint after a ball"),
        (mjcf("<body>" + "<joint/>\n" * 7 + f"{I}</body>"), "7: body 'body#1' has more than 6 degrees of freedom"),
        (mjcf(f'<body><joint limited="true"\n range="1 0"/>{I}</body>'), "is limited but its range is 1 to 0"),
        (
            mjcf(f'<body><joint\n range="0 1"/>{I}</body>', head='<compiler autolimits="false"/>'),
            "2: joint 'body#1/joint#0' has range but not limited, and autolimits is off",
        ),
        (mjcf("", head='<compiler\n angle="rad"/>'), "2: angle='rad' of <compiler> is not known"),
        (mjcf("", head='<compiler\n eulerseq="abc"/>'), "2: eulerseq='abc', expected three letters"),
        (mjcf("", head='<compiler\n coordinate="global"/>'), "2: coordinate='global' was dropped from MJCF"),
        (mjcf("", head='<option\n gravity="0 -1"/>'), "2: gravity of <option>: has 2 ('0 -1'), expected 3"),
        (mjcf("", head="\n<optoin/>"), "2: <optoin> is no section of MJCF. Did you mean 'option'?"),
        (
            mjcf(f'<body><joint name="elbow"/>{I}</body>', tail='<equality><joint\n joint1="elbw"/></equality>'),
            "2: <joint> names joint 'elbw', which does not exist. Did you mean 'elbow'?",
        ),
        (mjcf(f'<body>{I}<body\n mocap="true">{I}</body></body>'), "2: body 'body#2' is a mocap body"),
        ("<mujocoinclude/>", "1: the root element is <mujocoinclude>, expected <mujoco>"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line_and_what_to_do(text: str, words: str, tmp_path: Path):
    told = faults(text, tmp_path)
    assert len(told) == 1
    assert words in told[0]


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path):
    told = faults(mjcf(f'<body pos="a 0 0">\n<joint axis="0 0 0"/>\n<joint type="x"/>{I}</body>\n<joint/>'), tmp_path)
    assert [entry.partition(":")[0] for entry in told] == ["1", "2", "3", "4"]


def test_a_fault_in_a_default_is_told_once(tmp_path: Path):
    text = mjcf(f"<body><joint/>{I}<body><joint/>{I}</body></body>", head='<default>\n<joint damping="x"/></default>')
    assert faults(text, tmp_path) == ["2: damping of the default of <joint>: 'x' is not a number"]


def test_without_mujoco_the_element_that_needs_it_and_the_extra_are_named(tmp_path: Path):
    (told,) = faults(mjcf('\n<body name="a"><geom size="1"/></body>\n<replicate count="2"/>'), tmp_path)
    assert told == (
        "2: body 'a', which has shapes and no <inertial>, gets its numbers from MuJoCo's compiler "
        "(as does another element), "
        'and MuJoCo is not here. Install it: pip install "robodyn-check[mujoco]"'
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            AdapterMissing("cannot import it"),
            "it is not here (cannot import it). Install it: pip install",
        ),
        (AdapterRefused("bad mesh"), "it gives none: bad mesh"),
    ],
)
def test_what_the_compiler_cannot_answer_ends_as_a_fault(error: Exception, words: str, tmp_path: Path):
    text = mjcf('<body name="a"><geom size="1"/></body>')

    def compile_mjcf(_path: Path) -> dict[str, object]:
        raise error

    with pytest.raises(ModelError, match=r"model\.xml:1: body") as caught:
        read_mjcf(tmp_path / "model.xml", text.encode(), compile_mjcf=compile_mjcf)
    assert words in str(caught.value)
