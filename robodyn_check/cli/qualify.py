"""``robodyn-check qualify``: is the reference right on this machine?"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from robodyn_check.certify.qualify import Proof


def command(
    *,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option("--format", help="terminal or json.", metavar="NAME")
    ] = "terminal",
) -> int:
    """Prove this installation: closed forms, certified values and identities over the bundled models."""
    from robodyn_check.errors import UsageError
    from robodyn_check.resources import resource_folder

    if format not in {"terminal", "json"}:
        raise UsageError(f"--format {format}: qualify prints 'terminal' or 'json'")
    started = time.perf_counter()
    models = resource_folder("models")
    folders = sorted(path.parent for path in models.glob("*/MODEL.toml"))
    if not folders:
        raise UsageError(f"no bundled models found in {models}; install robodyn-check again")
    proofs = list(_proofs(folders))
    seconds = time.perf_counter() - started
    if format == "json":
        _write_json(proofs, seconds)
    else:
        _write_page(proofs, seconds)
    return 0 if all(proof.holds for proof in proofs) else 1


def _proofs(folders: list[Path]) -> Iterator[Proof]:
    """Yield all proofs: closed forms, certificates, and the checks that the reference must pass by its own answers."""
    from robodyn_check.certify.closed_forms import CLOSED_FORMS
    from robodyn_check.certify.qualify import Proof, certificate_proofs, closed_form_proofs, model_file
    from robodyn_check.model.read import read_model
    from robodyn_check.pipeline import check

    yield from closed_form_proofs(folders, read_model)
    yield from certificate_proofs(folders, read_model)
    for folder in folders:
        began = time.perf_counter()
        closed = CLOSED_FORMS.get(folder.name)
        base = closed.base if closed else "fixed"
        report = check(model_file(folder), libraries=[], samples=50, certify=0, base=base)
        judged = [result for model in report.models for result in model.results if result.subject == "reference"]
        wrong = [result for result in judged if result.verdict in {"fail", "error"}]
        passed = [result for result in judged if result.verdict == "pass"]
        yield Proof(
            kind="identity",
            subject=folder.name,
            claim=f"{len(passed) + len(wrong)} properties at 50 states",
            margin=max((result.margin or 0.0 for result in judged), default=0.0),
            holds=bool(passed) and not wrong,
            seconds=time.perf_counter() - began,
            detail="; ".join(f"{result.code} {result.message}" for result in wrong),
        )


def _write_page(proofs: list[Proof], seconds: float) -> None:
    import platform

    import numpy as np

    from robodyn_check.certify.qualify import blas_name

    typer.echo(f"robodyn-check {__version__} on Python {platform.python_version()}, NumPy {np.__version__},")
    typer.echo(f"{blas_name()}, {platform.system()} {platform.machine()}")
    for kind, title in (
        ("closed form", "Textbook equations"),
        ("certificate", "Certified values: two derivations in ball arithmetic against the double reference"),
        ("identity", "Identities that every correct implementation keeps"),
    ):
        typer.echo(f"\n{title} (margin 1 is the bound)")
        for proof in (proof for proof in proofs if proof.kind == kind):
            word = "ok  " if proof.holds else "FAIL"
            typer.echo(f"  {word} {proof.subject:<33} {proof.claim:<40} {proof.margin:9.2g}")
            if proof.detail and not proof.holds:
                typer.echo(f"       {proof.detail}")
    broken = sum(not proof.holds for proof in proofs)
    if broken:
        typer.echo(f"\nNOT QUALIFIED: {broken} of {len(proofs)} proofs do not hold on this machine ({seconds:.0f} s).")
        typer.echo("Do not trust verdicts made here; report this page together with the versions above.")
    else:
        typer.echo(f"\nQualified: {len(proofs)} of {len(proofs)} proofs hold on this machine ({seconds:.0f} s).")


def _write_json(proofs: list[Proof], seconds: float) -> None:
    import dataclasses
    import platform

    import numpy as np

    from robodyn_check.certify.qualify import blas_name

    page = {
        "schema_version": "1.0",
        "tool": {"name": "robodyn-check", "version": __version__},
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": blas_name(),
        "platform": f"{platform.system()} {platform.machine()}",
        "qualified": all(proof.holds for proof in proofs),
        "seconds": round(seconds, 3),
        "proofs": [dataclasses.asdict(proof) for proof in proofs],
    }
    json.dump(page, sys.stdout, indent=1)
    sys.stdout.write("\n")
