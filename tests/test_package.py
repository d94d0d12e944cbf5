from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from robodyn_check import __version__

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path
    for folder in ("robodyn_check", "adapters", "tests", "benchmarks", "reports")
    for path in (ROOT / folder).rglob("*.py")
)
ADAPTERS = sorted((ROOT / "adapters").glob("*.py"))
MODELS = sorted(path.parent for path in (ROOT / "models").glob("*/MODEL.toml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", ADAPTERS, ids=lambda path: path.stem)
def test_an_adapter_imports_the_sdk_numpy_and_its_library_only(path: Path) -> None:
    """At the top: the standard library, numpy, the SDK. The library is imported inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    everywhere = {name for node in ast.walk(tree) for name in _imported(node)}
    ours = {name for name in everywhere if name.partition(".")[0] == "robodyn_check"}
    assert all(name.startswith(("robodyn_check.sdk", "robodyn_check.quantities")) for name in ours), ours
    top = {name.partition(".")[0] for node in tree.body for name in _imported(node)}
    assert top <= {*sys.stdlib_module_names, "numpy", "robodyn_check"}, top


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []


def test_importing_it_changes_nothing_for_its_caller() -> None:
    """The worker of an adapter sets variables of linear algebra; whoever imports the package is no worker."""
    code = "import os; before = dict(os.environ); import robodyn_check.pipeline; assert dict(os.environ) == before"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("folder", MODELS, ids=lambda path: path.name)
def test_every_model_names_its_source_and_licence(folder: Path) -> None:
    facts = tomllib.loads((folder / "MODEL.toml").read_text(encoding="utf-8"))
    assert facts["description"]
    assert facts["source"]["origin"]
    assert (folder / facts["licence"]["text"]).is_file()
    data = (folder / facts["file"]).read_bytes()
    if "sha256" in facts:
        assert hashlib.sha256(data).hexdigest() == facts["sha256"]
    else:
        assert facts["source"]["origin"] == "written for robodyn-check"
    if facts["licence"]["spdx"] == "MIT":
        assert facts["licence"]["notice"] in (folder / facts["licence"]["text"]).read_text(encoding="utf-8")


def test_every_folder_of_models_is_described() -> None:
    folders = {path for path in (ROOT / "models").iterdir() if path.is_dir() and path.name != "LICENSES"}
    assert folders == set(MODELS)


def test_the_lock_names_every_dependency_and_no_host() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--" not in lock
    locked = {line.partition("==")[0].strip() for line in lock.splitlines() if "==" in line}
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        wanted += [one for one in extra if not one.startswith("robodyn-check")]
    names = {_name(one) for one in wanted}
    assert names <= locked, names - locked


def _name(requirement: str) -> str:
    return requirement.partition(">")[0].partition("=")[0].strip().lower().replace("_", "-")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the built wheel and nothing else; dependencies come from the environment of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("robodyn_check-*.whl")
    target = folder / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, text=True)
    return target


def from_wheel(site: Path, empty: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command from the wheel, in an empty folder, with the checkout out of sight."""
    program = "import sys; from robodyn_check.cli import main; print(main.__file__); sys.exit(main.main(sys.argv[1:]))"
    command = [sys.executable, "-P", "-c", program, *words]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, check=False)
    first, _, rest = done.stdout.partition("\n")
    assert first == str(site / "robodyn_check" / "cli" / "main.py"), done.stderr
    return subprocess.CompletedProcess(done.args, done.returncode, rest, done.stderr)


def test_the_wheel_installs_no_top_level_package_but_its_own(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {"bin", "robodyn_check", f"robodyn_check-{__version__}.dist-info"}


def test_the_wheel_runs_the_main_job_from_an_empty_folder(site: Path, tmp_path: Path) -> None:
    model = site / "robodyn_check" / "_data" / "models" / "pendulum" / "model.urdf"
    adapter = ROOT / "tests" / "run" / "pendulum_adapter.py"
    words = [str(model), "--adapter", str(adapter), "--samples", "12", "--format", "json"]
    done = from_wheel(site, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    subjects = json.loads(done.stdout)["models"][0]["subjects"]
    assert [subject["name"] for subject in subjects] == ["reference", "pendulum"]
    assert not list(tmp_path.iterdir())


def test_the_wheel_brings_the_adapters(site: Path, tmp_path: Path) -> None:
    done = from_wheel(site, tmp_path, "libs")
    names = {line.partition(" ")[0].rstrip(":") for line in done.stdout.splitlines() if not line.startswith(" ")}
    assert {path.stem for path in ADAPTERS if path.stem in {"pinocchio", "mujoco", "drake"}} <= names


@pytest.mark.skipif(importlib.util.find_spec("pinocchio") is None, reason="Pinocchio is not installed")
def test_the_wheel_checks_a_real_library_on_a_real_arm(site: Path, tmp_path: Path) -> None:
    model = site / "robodyn_check" / "_data" / "models" / "schunk_lwa4d" / "model.urdf"
    done = from_wheel(site, tmp_path, str(model), "--lib", "pinocchio", "--samples", "20", "--select", "RD2,RD350")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS: pinocchio computes the right dynamics of schunk_lwa4d/model.urdf." in done.stdout


@pytest.fixture(scope="module")
def clean(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new virtual environment with the wheel and a stranger's adapter package; dependencies are borrowed."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    (wheel,) = site.parent.glob("robodyn_check-*.whl")
    words = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(folder), *words], check=True, capture_output=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    shutil.copyfile(ROOT / "tests" / "run" / "pendulum_adapter.py", packages / "their_robots.py")
    facts = packages / "their_robots-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: their-robots\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text("[robodyn_check.adapters]\npendulum = their_robots\n", encoding="utf-8")
    return folder


def in_clean(clean: Path, empty: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the new environment in an empty folder; nothing of the checkout is on its path."""
    hidden = {"PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [str(clean / "bin" / program), *words]
    return subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, check=False)


def test_an_installed_package_s_adapter_is_found_by_its_name(clean: Path, tmp_path: Path) -> None:
    (model,) = clean.glob("lib/python*/site-packages/robodyn_check/_data/models/pendulum/model.urdf")
    done = in_clean(clean, tmp_path, "robodyn-check", str(model), "--lib", "pendulum", "--samples", "8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS: pendulum computes the right dynamics of pendulum/model.urdf." in done.stdout


def test_pytest_finds_the_plug_in_of_the_wheel_by_itself(clean: Path, tmp_path: Path) -> None:
    (model,) = clean.glob("lib/python*/site-packages/robodyn_check/_data/models/pendulum/model.urdf")
    words = ["--robodyn-adapter", "pendulum", "--robodyn-model", str(model), "--robodyn-samples", "4"]
    done = in_clean(clean, tmp_path, "python", "-m", "pytest", "-q", "-rA", "-k", "RD250", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "robodyn-check/pendulum/pendulum::RD250-mass-matrix-agreement" in done.stdout
    assert "1 passed" in done.stdout
