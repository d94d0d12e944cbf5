"""Whatever a library does costs one chunk of states, names itself, and leaves the rest intact."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.errors import AdapterCrashed, AdapterMissing, AdapterRefused, AdapterUnsupported
from robodyn_check.harness.session import Budget, LibrarySession
from robodyn_check.harness.spec import LibrarySpec
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.sdk.adapter import Source
from robodyn_check.sdk.canonical import CanonicalLink, line_up

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "bad_adapters"
CANONICAL = line_up((("slide", "prismatic"),), (CanonicalLink(name="l", joint="slide"),))
SOURCE = Source(
    path=Path("none.urdf"), format="urdf", base="fixed", gravity=(1.0, 0.0, 0.0), joints=("slide",), links=("l",)
)
STATES = np.array([[0.0], [1.0], [2.0], [13.0], [4.0], [5.0], [6.0]])
MASSES = Request(quantity="mass_matrix", q=STATES)
GRAVITY = Request(quantity="gravity_vector", q=STATES)


def session_of(file: str, profile: str = "", budget: Budget | None = None) -> LibrarySession:
    path = FOLDER / file
    return LibrarySession.start(LibrarySpec(name=path.stem, profile=profile, adapter=path), budget=budget)


def misbehaving(profile: str, budget: Budget | None = None) -> LibrarySession:
    return session_of("misbehaving.py", profile, budget)


def one_chunk_lost(session: LibrarySession) -> Failure:
    """Ask the states with 13 among them; check that only its chunk is lost and that the next request is answered."""
    session.load(SOURCE, CANONICAL)
    answers = session.ask([MASSES, GRAVITY])
    answer = answers[MASSES.key]
    assert isinstance(answer, Answer)
    (failure,) = answer.failures
    assert (failure.kind, failure.states) == ("error", (2, 3))
    good = [0, 1, 4, 5, 6]
    np.testing.assert_array_equal(answer.values[good, 0, 0], 2 + STATES[good, 0])
    assert np.isnan(answer.values[[2, 3]]).all()
    after = answers[GRAVITY.key]
    assert isinstance(after, Answer)
    assert not after.failures
    assert session.restarts == 1
    return failure


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("segfault", ("killed by SIGSEGV", "Segmentation fault", "string_at")),
        ("kill", ("killed by SIGKILL",)),
        ("abort", ("killed by SIGABRT",)),
        ("exit", ("exit code 3",)),
        ("close_pipes", ("closed its pipe",)),
        ("garbage", ("wrote garbage", "segmentation of thoughts")),
    ],
)
def test_a_crash_costs_one_chunk(profile: str, words: tuple[str, ...]):
    with misbehaving(profile) as session:
        failure = one_chunk_lost(session)
    assert failure.message.startswith(f"misbehaving:{profile}: mass_matrix: ")
    assert all(word in failure.message for word in words), failure.message


def test_an_endless_loop_costs_one_chunk():
    with misbehaving("hang", Budget(timeout=1.0)) as session:
        failure = one_chunk_lost(session)
    assert "no answer to evaluate within 1 s; the process was killed (--timeout S gives it more)" in failure.message


def test_ten_gigabytes_are_stopped_at_the_limit():
    with misbehaving("memory", Budget(memory=300 * 2**20)) as session:
        failure = one_chunk_lost(session)
    assert "MiB of memory, the limit is 300 MiB" in failure.message


def test_a_line_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("robodyn_check.harness.frames.MAXIMUM_LINE_BYTES", 8 * 2**20)
    with misbehaving("endless_line") as session:
        failure = one_chunk_lost(session)
    assert "wrote more than 8 MiB without an end of line" in failure.message


def test_megabytes_on_stdout_disturb_nothing():
    with misbehaving("chatter") as session:
        session.load(SOURCE, CANONICAL)
        answer = session.ask([MASSES])[MASSES.key]
        assert isinstance(answer, Answer)
        assert not answer.failures
        assert "and from Python" in session.stderr_tail
        assert len(session.stderr_tail) < 200_000


def test_grandchildren_die_with_their_process():
    with misbehaving("grandchildren") as session:
        failure = one_chunk_lost(session)
    pid = int(failure.message.split("grandchild ")[1].split()[0])
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and Path(f"/proc/{pid}").exists() and "Z" not in state_of(pid):
        time.sleep(0.02)
    assert "Z" in state_of(pid)


def state_of(pid: int) -> str:
    """Return a process's state letter; Z (ended) where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def test_a_quantity_that_kills_twice_is_given_up_and_the_library_after_three_restarts():
    request = Request(quantity="forward_dynamics", q=STATES, v=STATES, tau=STATES)
    with misbehaving("always") as session:
        session.load(SOURCE, CANONICAL)
        answers = session.ask([MASSES, GRAVITY, request])
        assert session.restarts == 3
        again = session.ask([GRAVITY])[GRAVITY.key]
    first, second = answers[MASSES.key], answers[request.key]
    assert isinstance(first, Failure)
    assert isinstance(answers[GRAVITY.key], Answer)
    assert isinstance(second, Failure)
    assert isinstance(again, Failure)
    assert again.message == "misbehaving:always: given up after 3 restarts"


@pytest.mark.parametrize(
    ("profile", "words", "states"),
    [
        ("nan", "mass_matrix returned nan in 1 of 2 states (first at index [0, 0])", (3,)),
        ("shape", "ValueError: mass_matrix returned shape (2, 2), expected (1, 1)", (3,)),
    ],
)
def test_a_bad_value_costs_its_state(profile: str, words: str, states: tuple[int, ...]):
    with misbehaving(profile) as session:
        session.load(SOURCE, CANONICAL)
        answer = session.ask([MASSES])[MASSES.key]
    assert isinstance(answer, Answer)
    assert answer.failures == (Failure(kind="error", message=words, states=states),)
    assert np.flatnonzero(np.isnan(answer.values[:, 0, 0])).tolist() == list(states)


@pytest.mark.parametrize(
    ("profile", "error", "words"),
    [
        ("load", AdapterCrashed, "misbehaving:load: closed its pipe (killed by SIGKILL)"),
        ("refuse", AdapterRefused, "misbehaving:refuse: ValueError: mass of link 'l' is 0"),
        ("unsupported", AdapterUnsupported, "misbehaving:unsupported: serial chains only"),
        ("import", AdapterMissing, "cannot import no_such_library: No module named 'no_such_library'. Install it: "),
        ("layout", AdapterRefused, "the library holds the robot without joint 'slide' and with joint 'other'"),
    ],
)
def test_a_load_that_fails_says_why(profile: str, error: type[Exception], words: str):
    with misbehaving(profile) as session, pytest.raises(error) as caught:
        session.load(SOURCE, CANONICAL)
    assert words in str(caught.value)


def test_a_readback_that_fails_is_a_note():
    with misbehaving("readback") as session:
        loaded = session.load(SOURCE, CANONICAL)
    assert loaded.readback is None
    assert loaded.notes == ("readback failed: RuntimeError: no view inside",)


def test_exit_at_import_is_a_crash_with_last_words():
    with session_of("exits_at_import.py") as session, pytest.raises(AdapterCrashed) as caught:
        _ = session.info
    assert "exit code 7" in str(caught.value)
    assert "licence server not found" in str(caught.value)


def test_a_library_missing_at_the_top_of_the_file_is_missing():
    with session_of("imports_at_top.py") as session, pytest.raises(AdapterMissing) as caught:
        _ = session.info
    assert "cannot import no_such_library" in str(caught.value)
    assert "Install it: pip install no-such-library" in str(caught.value)


def test_a_program_may_speak_on_stdin_and_stdout():
    path = FOLDER / "speaks_on_stdout.py"
    with LibrarySession.start(LibrarySpec(name="foo", adapter=path)) as session:
        assert (session.info.name, session.info.version) == ("foo", "3.2")
        loaded = session.load(SOURCE, CANONICAL)
        assert loaded.readback is None
        answer = session.ask([MASSES])[MASSES.key]
        assert "Welcome to LibFoo" in session.stderr_tail
    assert isinstance(answer, Answer)
    np.testing.assert_array_equal(answer.values[:, 0, 0], 2 * STATES[:, 0])
    assert answer.failures == ()


@pytest.fixture(scope="module")
def well_behaved() -> Iterator[LibrarySession]:
    with misbehaving("") as session:
        session.load(SOURCE, CANONICAL)
        yield session


def test_another_gravity_is_answered_by_the_same_process(well_behaved: LibrarySession):
    other = Request(quantity="gravity_vector", q=STATES, gravity=(3.0, 0.0, 0.0))
    answers = well_behaved.ask([GRAVITY, other, GRAVITY])
    values = [answer.values[0, 0] for key in (GRAVITY.key, other.key) if isinstance(answer := answers[key], Answer)]
    assert values == [-2.0, -6.0]
    assert well_behaved.restarts == 0


def test_what_is_not_offered_is_said_so(well_behaved: LibrarySession):
    request = Request(quantity="coriolis_matrix", q=STATES, v=STATES)
    failure = well_behaved.ask([request])[request.key]
    assert failure == Failure(kind="not_offered", message="misbehaving does not offer coriolis_matrix")


def test_a_second_robot_is_loaded_in_the_same_process(well_behaved: LibrarySession):
    loaded = well_behaved.load(SOURCE, CANONICAL)
    assert loaded.info.name == "misbehaving"
    assert loaded.readback is not None
    assert loaded.readback.total_mass == 2.0


def test_no_states_are_an_answer_without_states(well_behaved: LibrarySession):
    request = Request(quantity="mass_matrix", q=np.empty((0, 1)))
    answer = well_behaved.ask([request])[request.key]
    assert isinstance(answer, Answer)
    assert answer.values.shape == (0, 1, 1)


def test_closing_leaves_no_process_and_no_folder():
    session = misbehaving("")
    home, pid = session._process._home, session._process.pid
    assert home.is_dir()
    session.close()
    session.close()
    assert not home.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
