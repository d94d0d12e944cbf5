"""``flex`` on a beam: assumed modes against exact roots, and libraries on chains of rigid segments with springs."""

from __future__ import annotations

import dataclasses
import hashlib
import shlex
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.texts import explain
from robodyn_check.errors import AdapterError
from robodyn_check.flexible.beam_chain import chain_mjcf, chain_urdf, spring_stiffnesses
from robodyn_check.flexible.beams import Beam, exact_wave_numbers, mass_condition, natural_frequencies
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.session import Budget, LibrarySession
from robodyn_check.model.beam_data import read_beam
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.report.flexible_results import BeamModes, BeamReport
from robodyn_check.report.results import ModelRecord, ModelReport, Result, SubjectRecord
from robodyn_check.requests import Answer, Request
from robodyn_check.run.assemble import REFERENCE, make_report
from robodyn_check.run.flexible_model import NATIVE_PROFILE
from robodyn_check.run.libraries import MEBIBYTE, Asked, adapters_of
from robodyn_check.run.outcomes import judge_obstacle
from robodyn_check.run.sources import source_for
from robodyn_check.run.truth import answer as reference_answer
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Literal

    from robodyn_check.run.subjects import Answering
    from robodyn_check.settings import Settings

    Say = Callable[[str], None]
    #: (segments, first frequency in rad/s), ...
    Chain = tuple[tuple[int, float], ...]

#: Shape functions that are shown, and the modes of each.
SHOWN, MODES = (3, 4, 6, 8, 10, 14), 3
#: Rigid segments of the chains; the error falls by 4 from one to the next.
SEGMENTS = (8, 16, 32)
_LEAST, _MOST = 3.5, 4.5
#: A hinge's turn at which accelerations are differenced, rad: M changes by its square.
_TURN = 1e-5
_EPS = 2.0**-52


def run_beam(settings: Settings, libraries: Sequence[str], *, progress: Say | None = None) -> BeamReport:
    """Examine a beam.

    Args:
        settings: The file is the first of ``models``.
        libraries: Who is asked when the settings name nobody.
        progress: Called with a line of text at every step.

    Raises:
        ModelError: The file cannot be used.
    """
    say = progress or (lambda _text: None)
    path = Path(settings.models[0])
    values = read_beam(path)
    beam = Beam(**values)
    modes = (_modes(beam, "clamped", clamped=True), _modes(beam, "free hub", clamped=False))
    results = [judge_bounds(found) for found in modes]
    chain = dataclasses.replace(beam, hub_inertia=0.0, tip_mass=0.0)
    exact = float(exact_wave_numbers(1, clamped=True)[0] ** 2 * chain.frequency_unit)
    say("chains of segments")
    chains: list[tuple[str, Chain]] = [(REFERENCE, _chain_frequencies(chain))]
    records = [SubjectRecord(name=REFERENCE, library="robodyn-check", version=__version__, status="ok")]
    for name, found, record in _library_chains(chain, settings, libraries, results, say):
        records.append(record)
        chains += [(name, found)] if found else []
    results += [judge_chain(name, [omega for _, omega in found], exact) for name, found in chains]
    model = ModelRecord(
        path=str(path),
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        format="beam",
        nq=0,
        nv=0,
        joints=(),
    )
    report = make_report(
        [ModelReport(model=model, mechanism={}, states=None, subjects=tuple(records), results=tuple(results))], settings
    )
    command = shlex.join(
        ["robodyn-check", "flex", str(path), *(w for lib in settings.lib or () for w in ("--lib", lib))]
    )
    return BeamReport(
        model=str(path),
        beam=values,
        modes=modes,
        conditions=tuple((n, mass_condition(n, "monomial"), mass_condition(n, "jacobi")) for n in SHOWN),
        chains=tuple(chains),
        report=dataclasses.replace(report, command=command),
    )


def _modes(beam: Beam, end: str, *, clamped: bool) -> BeamModes:
    roots = exact_wave_numbers(
        MODES,
        hub_ratio=beam.hub_inertia / beam.rigid_inertia,
        tip_ratio=beam.tip_mass / (beam.linear_density * beam.length),
        clamped=clamped,
    )
    assumed = tuple((n, tuple(natural_frequencies(beam, n, clamped=clamped)[:MODES].tolist())) for n in SHOWN)
    return BeamModes(end=end, exact=tuple((roots**2 * beam.frequency_unit).tolist()), assumed=assumed)


def judge_bounds(modes: BeamModes) -> Result:
    """Judge that assumed modes lie above the exact ones and fall (RD814)."""
    table = np.array([found for _, found in modes.assumed] + [modes.exact])
    rise = np.diff(table, axis=0) / table[-1]
    bound = 64.0 * SHOWN[-1] * _EPS
    worst = np.unravel_index(int(np.argmax(rise)), rise.shape)
    failed = not rise[worst] <= bound
    what = f"{SHOWN[int(worst[0])]} shape functions"
    return Result(
        code="RD814",
        slug=explain("RD814").slug,
        verdict="fail" if failed else "pass",
        subject=REFERENCE,
        message=f"{modes.end}: mode {int(worst[1]) + 1} with {what} lies below the next better value by "
        f"{rise[worst]:.2g} of itself."
        if failed
        else None,
        error=max(0.0, float(rise[worst])),
        bound=bound,
        margin=max(0.0, float(rise[worst])) / bound,
    )


def judge_chain(subject: str, found: Sequence[float], exact: float) -> Result:
    """Judge that a subject's chains converge to the beam like 1/n² (RD815)."""
    errors = np.abs(np.array(found) - exact)
    ratios = errors[:-1] / np.where(errors[1:] > 0, errors[1:], np.nan)
    failed = not bool(((ratios > _LEAST) & (ratios < _MOST)).all())
    listed = ", ".join(f"{value:.6g}" for value in found)
    return Result(
        code="RD815",
        slug=explain("RD815").slug,
        verdict="fail" if failed else "pass",
        subject=subject,
        message=f"Chains of {', '.join(map(str, SEGMENTS))} segments have {listed} rad/s, the beam {exact:.6g}: the "
        f"error falls by {', '.join(f'{ratio:.3g}' for ratio in ratios)} where 4 was expected."
        if failed
        else None,
        error=float(np.abs(ratios - 4.0).max()),
        bound=0.5,
        margin=float(np.abs(ratios - 4.0).max() / 0.5),
    )


def first_frequency(beam: Beam, segments: int, answer: Answering, *, native: bool) -> float | str:
    """Return a chain's first frequency from a subject's accelerations, or why there is none.

    Args:
        beam: The beam, clamped.
        segments: How many.
        answer: Answers forward dynamics of the chain.
        native: The subject has the springs itself.
    """
    stiffness = spring_stiffnesses(beam, segments)
    turns = _TURN * np.concatenate([np.eye(segments), -np.eye(segments)])
    torque = np.zeros_like(turns) if native else -stiffness * turns
    request = Request(quantity="forward_dynamics", q=turns, v=np.zeros_like(turns), tau=torque)
    found = answer((request,))[request.key]
    if not isinstance(found, Answer) or not np.isfinite(found.values).all():
        return f"no frequencies: {getattr(found, 'message', 'an acceleration is not finite')}"
    X = -(found.values[:segments] - found.values[segments:]).T / (2.0 * _TURN)  # noqa: N806 - M⁻¹ K
    root = np.sqrt(stiffness)
    balanced = root[:, None] * X / root
    return float(np.sqrt(np.linalg.eigvalsh((balanced + balanced.T) / 2.0)[0]))


def _chain_frequencies(beam: Beam) -> Chain:
    """Return the first frequency of each chain by the reference."""
    found = []
    with tempfile.TemporaryDirectory(prefix="robodyn-check-") as folder:
        for n in SEGMENTS:
            path = Path(folder) / "chain.urdf"
            path.write_text(chain_urdf(beam, n), encoding="utf-8")
            mechanism = build_mechanism(read_model(path), gravity=(0.0, 0.0, 0.0))
            omega = first_frequency(beam, n, partial(reference_answer, mechanism), native=False)
            assert not isinstance(omega, str), "the reference always answers"
            found.append((n, omega))
    return tuple(found)


def _library_chains(
    beam: Beam, settings: Settings, libraries: Sequence[str], results: list[Result], say: Say
) -> Iterator[tuple[str, Chain, SubjectRecord]]:
    """Yield each library's frequencies (none where it has none) and its record; obstacles go into ``results``."""
    unnamed = not settings.libraries_named and not settings.adapter
    wanted = dataclasses.replace(settings, lib=tuple(libraries)) if unnamed else settings
    limits = Budget(timeout=settings.timeout, memory=settings.memory * MEBIBYTE)
    for spec, adapter in adapters_of(wanted).items():
        name = str(spec)
        say(f"{name}: chains")
        record = SubjectRecord(
            name=name, library=adapter.library or adapter.name, version=None, status="ok", profile=spec.profile or None
        )
        try:
            with LibrarySession.start(spec, budget=limits) as session, tempfile.TemporaryDirectory() as folder:
                found = _chains_of(beam, session, Path(folder))
                record = dataclasses.replace(
                    record,
                    version=session.info.version,
                    quantities=("forward_dynamics",),
                    states_checked=2 * sum(SEGMENTS),
                )
        except AdapterError as error:
            asked = Asked(spec=spec, adapter=adapter, error=error)
            obstacle = judge_obstacle(asked, named=settings.libraries_named, lint_faults=[])
            results.append(obstacle)
            status: Literal["skip", "error"] = "skip" if obstacle.verdict == "skip" else "error"
            yield name, (), dataclasses.replace(record, status=status, reason=obstacle.message)
            continue
        if isinstance(found, str):
            slug = explain("RD815").slug
            results.append(Result(code="RD815", slug=slug, verdict="skip", subject=name, message=found))
            found = ()
        yield name, found, record


def _chains_of(beam: Beam, session: LibrarySession, folder: Path) -> Chain | str:
    native = session.spec.profile == NATIVE_PROFILE
    found = []
    for n in SEGMENTS:
        path = folder / f"chain_{n}.{'xml' if native else 'urdf'}"
        path.write_text((chain_mjcf if native else chain_urdf)(beam, n), encoding="utf-8")
        robot = read_model(path)
        mechanism = build_mechanism(robot, gravity=(0.0, 0.0, 0.0))
        source, _ = source_for(robot, mechanism, session.adapter, folder)
        session.load(source, canonical_of(mechanism))
        omega = first_frequency(beam, n, session.ask, native=native)
        if isinstance(omega, str):
            return omega
        found.append((n, omega))
    return tuple(found)
