"""The Bode picture: well-formed, every curve there with its sentence, hostile names escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from robodyn_check.report.bode import bode_svg
from robodyn_check.report.flexible_results import CurveRecord

SVG = "{http://www.w3.org/2000/svg}"


def curve(joint: str, output: str, phase: float) -> CurveRecord:
    return CurveRecord(
        pose="zero",
        joint=joint,
        output=output,  # type: ignore[arg-type]
        frequency=(1.0, 10.0, 100.0),
        magnitude=(1e-2, 1e-4, 1e-8),
        phase=(-180.0, phase, phase),
    )


CURVES = (curve("a<b>", "motor", -90.0), curve("a<b>", "link", -360.0), curve("c", "motor", -0.0))


def test_every_curve_is_drawn_with_its_sentence():
    root = ET.fromstring(bode_svg(CURVES, title="arm & tool"))  # noqa: S314 - our own text
    named = [title.text for title in root.iter(f"{SVG}title")]
    assert named[0] == "arm & tool"
    assert "a<b>, link angle / motor torque, phase" in named
    assert len(named) == 1 + 2 * len(CURVES)


def test_everything_lies_inside_the_picture():
    text = bode_svg(CURVES, title="arm")
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', text)[0])
    for path in re.findall(r'<path d="M([^"]+)" stroke="#[^"]+" stroke-width="1.4"', text):
        for point in path.split("L"):
            x, y = map(float, point.split())
            assert 0 <= x <= width
            assert 0 <= y <= height


def test_a_phase_of_minus_360_is_lower_than_one_of_minus_180():
    text = bode_svg(CURVES[:2], title="arm")
    motor, link = (
        [float(point.split()[1]) for point in path.split("L")]
        for path in re.findall(r'<path d="M([^"]+)"[^>]*><title>[^<]*, phase', text)
    )
    assert motor[0] == link[0]
    assert motor[-1] < motor[0] < link[-1]
