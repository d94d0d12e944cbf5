from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models" / "pendulum" / "model.urdf"
ADAPTER = ROOT / "tests" / "run" / "pendulum_adapter.py"
PATIENCE = 60.0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupted_run_writes_what_is_done_and_exits_130(number: signal.Signals, tmp_path: Path) -> None:
    marker, output = tmp_path / "hangs", tmp_path / "report.json"
    words = [MODEL, "--adapter", ADAPTER, "--lib", "pendulum:hang", "--samples", "12", "--format", f"json={output}"]
    # SIGINT may be ignored in the tests' own process, and children inherit that
    program = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from robodyn_check.cli.main import run\nrun()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PENDULUM_HANGS": str(marker)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        waited = time.monotonic()
        while not marker.exists() and process.poll() is None and time.monotonic() - waited < PATIENCE:
            time.sleep(0.05)
        assert marker.exists()
        process.send_signal(number)
        _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in error
    report = json.loads(output.read_text(encoding="utf-8"))
    assert report["exit_code"] == 130
    assert report["footer"]["complete"] is False
    assert report["models"][0]["model"]["path"] == str(MODEL)
    assert report["models"][0]["states"]["count"] == 12
