from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from robodyn_check import __version__
from robodyn_check.cli.main import main
from robodyn_check.quantities import QUANTITIES

ROOT = Path(__file__).parents[2]
MODEL = str(ROOT / "models" / "pendulum" / "model.urdf")
ADAPTER = str(ROOT / "tests" / "run" / "pendulum_adapter.py")


def states_file(folder: Path, *states: object, **more: object) -> str:
    path = folder / "states.json"
    path.write_text(json.dumps({"states": states, **more}), encoding="utf-8")
    return str(path)


def test_the_reference_answers_every_quantity_in_closed_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = states_file(tmp_path, {"q": {"swing": 0.5}, "v": [2], "a": {"swing": 1}, "tau": [3]}, {})
    assert main(["eval", MODEL, "--states", states]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1
    assert found["subject"] == {"name": "reference", "version": __version__}
    assert (found["joints"], found["links"], found["nq"], found["nv"]) == (["swing"], ["base", "rod"], 1, 1)
    first, second = found["states"]
    assert set(first) == set(QUANTITIES)
    gravity = 9.81 * math.sin(0.5)  # models/pendulum/MODEL.toml: m γ l = 9.81
    assert first["mass_matrix"] == [[pytest.approx(0.75, rel=1e-14)]]
    assert first["gravity_vector"] == [pytest.approx(gravity, rel=1e-14)]
    assert first["inverse_dynamics"] == [pytest.approx(0.75 + gravity, rel=1e-14)]
    assert first["forward_dynamics"] == [pytest.approx((3 - gravity) / 0.75, rel=1e-14)]
    assert first["kinetic_energy"] == pytest.approx(1.5, rel=1e-14)
    assert second["gravity_vector"] == [0.0]
    assert "failures" not in found


def test_the_file_decides_gravity_and_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    states = states_file(tmp_path, {}, base="floating", gravity=[0, 0, -1])
    assert main(["eval", MODEL, "--states", states, "--quantity", "gravity_vector"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["joints"] == ["floating_base", "swing"]
    assert (found["nq"], found["nv"]) == (8, 7)
    assert found["states"][0]["gravity_vector"][2] == pytest.approx(2.0)


def test_an_adapter_answers_what_it_offers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", MODEL, "--states", states_file(tmp_path, {}), "--adapter", ADAPTER]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["subject"] == {"name": "pendulum", "version": "1.0"}
    assert found["states"][0]["mass_matrix"] == [[0.75]]
    assert "potential_energy" not in found["states"][0]
    assert "failures" not in found


def test_a_quantity_that_is_not_offered_is_explained_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    states = states_file(tmp_path, {})
    assert main(["eval", MODEL, "--states", states, "--adapter", ADAPTER, "--quantity", "potential_energy"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == [{}]
    assert "does not offer potential_energy" in found["failures"]["potential_energy"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--quantity", "mass_matrx"], "there is no quantity 'mass_matrx'. Did you mean 'mass_matrix'?"),
        (["--lib", "pinochio"], "no adapter is called 'pinochio'"),
    ],
)
def test_what_does_not_exist_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", MODEL, "--states", states_file(tmp_path, {}), *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("text", ["", "{", '{"states": [{"q": [NaN]}]}', "[]"])
def test_a_broken_states_file_is_refused_with_its_name(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "states.json"
    path.write_text(text, encoding="utf-8")
    assert main(["eval", MODEL, "--states", str(path)]) == 2
    assert "states.json" in capsys.readouterr().err
