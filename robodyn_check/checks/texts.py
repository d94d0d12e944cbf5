"""The text of every check, read from its source without importing it, so that ``explain`` and ``--help`` stay fast.

Plain Python. The claims are the literal arguments of the `registry.check` decorator; the prose is the docstring, whose
headings are `SECTIONS`.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from robodyn_check.errors import UsageError
from robodyn_check.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Headings of a check's docstring, in order, each followed by a colon.
SECTIONS = ("What it checks", "Why it matters", "Usual causes", "References")
#: First digit of a code -> what the family is about.
FAMILIES: dict[str, str] = {
    "1": "model",
    "2": "mass matrix",
    "3": "inverse dynamics and regressor",
    "4": "Coriolis and gravity",
    "5": "energy and momentum",
    "6": "kinematics, Jacobians, task space",
    "7": "forward dynamics",
    "8": "flexible joints and links",
    "9": "hygiene",
}


class Named(Protocol):
    """What `matches` needs to know of a text."""

    @property
    def code(self) -> str:
        """Its code."""

    @property
    def slug(self) -> str:
        """Its slug."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckText:
    """What a check claims and what its users read.

    ``sections`` pairs each heading of `SECTIONS` with its paragraph. ``module`` and ``name`` say where its class stands
    (both empty for a finding of the model's lint, which is no class). ``integrates``: it follows motions, of
    hundreds of evaluations each.
    """

    code: str
    slug: str
    title: str
    quantities: tuple[str, ...]
    formula: str
    bound: str
    reference: str
    sections: tuple[tuple[str, str], ...] = ()
    module: str = ""
    name: str = ""
    integrates: bool = False

    @property
    def family(self) -> str:
        """The family's name, from the code's first digit."""
        return FAMILIES[self.code[2]]

    @property
    def is_agreement(self) -> bool:
        """True for x50 to x99: the agreement of two subjects."""
        return int(self.code[3:]) >= 50


#: Code -> text of every check whose module was imported; `declare_all` makes it complete.
DECLARED: dict[str, CheckText] = {}


def source_files() -> list[Path]:
    """Return the files in which checks stand."""
    return sorted(Path(__file__).parent.glob("*.py"))


def declare_all() -> None:
    """Import every check: a run does so anyway, and their texts then need no second reading."""
    for path in source_files():
        importlib.import_module(f"{__package__}.{path.stem}")


@cache
def check_texts() -> tuple[CheckText, ...]:
    """Return the texts of all checks that are classes, by code; those not imported are read from their source."""
    read = {
        text.code: text
        for path in source_files()
        if f"{__package__}.{path.stem}" not in sys.modules
        for text in _texts_of(path)
    }
    return tuple(text for _, text in sorted({**read, **DECLARED}.items()))


@cache
def texts() -> tuple[CheckText, ...]:
    """Return every text by code: the checks, what the model's lint can find (family 1), what a run itself reports."""
    return tuple(sorted((*_lint_texts(), *_run_texts(), *check_texts()), key=lambda text: text.code))


def explain(code: str) -> CheckText:
    """Return the text of one check.

    Args:
        code: Its code or slug, in any case.

    Raises:
        UsageError: No such check; names the nearest ones.
    """
    wanted = code.strip()
    alone = _of_code(wanted.upper())
    if alone is not None:
        return alone
    for text in texts():
        if wanted.upper() == text.code or wanted.lower() == text.slug:
            return text
    names = [name for text in texts() for name in (text.code, text.slug)]
    near = get_close_matches(wanted.upper(), names, n=9) or get_close_matches(wanted.lower(), names, n=9, cutoff=0.4)
    # of equally close ones, those that differ in the fewest places: RD2O1 is RD201, not RD421
    near = sorted(near, key=lambda name: -sum(a == b for a, b in zip(wanted.upper(), name.upper(), strict=False)))[:3]
    hint = f" Nearest: {', '.join(near)}." if near else ""
    raise UsageError(f"There is no check '{wanted}'.{hint} `robodyn-check checks` lists all of them.")


def _of_code(code: str) -> CheckText | None:
    """Return the text of a code, reading no other source file than its own; None where no check has it."""
    beside = next((text for text in (*_lint_texts(), *_run_texts()) if text.code == code), DECLARED.get(code))
    if beside is not None:
        return beside
    files = (path for path in source_files() if f'code="{code}"' in path.read_text(encoding="utf-8"))
    return next((text for path in files for text in _texts_of(path) if text.code == code), None)


def chosen(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[CheckText, ...]:
    """Return the texts that a selection keeps.

    Args:
        select: Prefixes of codes ("RD2", "RD201") or whole slugs; empty: everything.
        ignore: The same, taken away afterwards.

    Raises:
        UsageError: An entry that matches no check.
    """
    wanted, unwanted = tuple(select), tuple(ignore)
    for entry in (*wanted, *unwanted):
        if not any(matches(text, entry) for text in texts()):
            explain(entry)
    return tuple(
        text
        for text in texts()
        if (not wanted or any(matches(text, entry) for entry in wanted))
        and not any(matches(text, entry) for entry in unwanted)
    )


def matches(text: Named, entry: str) -> bool:
    """Say whether an entry of --select or --ignore means this check."""
    cleaned = entry.strip()
    is_code = cleaned[:2].upper() == "RD" and (cleaned[2:].isdigit() or len(cleaned) == 2)
    return text.code.startswith(cleaned.upper()) if is_code else text.slug == cleaned.lower()


def _texts_of(path: Path) -> list[CheckText]:
    """Read the texts of one source file."""
    tree = parse_python(path.read_text(encoding="utf-8"), path.name)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [
        make_text(
            ast.get_docstring(node) or "",
            module=f"{__package__}.{path.stem}",
            name=node.name,
            **{keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg},
        )
        for node in classes
        if (call := _decoration(node)) is not None
    ]


def _decoration(node: ast.ClassDef) -> ast.Call | None:
    """Return the ``@check(...)`` call above a class, if there is one."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "check":
            return decorator
    return None


def make_text(docstring: str, **claim: Any) -> CheckText:
    """Join a claim and a docstring to a text: the first line is the title, then the sections."""
    lines = docstring.strip().splitlines() or [""]
    sections: dict[str, list[str]] = {}
    current = ""
    for line in (line.strip() for line in lines[1:]):
        heading = next((name for name in SECTIONS if line.startswith(f"{name}:")), None)
        if heading is not None:
            current, line = heading, line[len(heading) + 1 :].strip()  # noqa: PLW2901 - the heading is taken off
        if current and line:
            sections.setdefault(current, []).append(line)
    paragraphs = tuple((name, " ".join(sections[name])) for name in SECTIONS if name in sections)
    return CheckText(title=lines[0].strip(), sections=paragraphs, **claim)


def _lint_texts() -> tuple[CheckText, ...]:
    """Return the texts of the model's lint, which keeps them beside its rules."""
    if importlib.util.find_spec("robodyn_check.model.lint_texts") is None:
        return ()
    both = importlib.import_module("robodyn_check.model.lint_texts").LINT_TEXTS
    of_mjcf = importlib.import_module("robodyn_check.model.mjcf_texts").MJCF_TEXTS
    return tuple(_lint_text(entry) for entry in (*both, *of_mjcf))


def _run_texts() -> tuple[CheckText, ...]:
    """Return the texts of findings that the pipeline, or the run of ``flex``, makes itself."""
    found: tuple[CheckText, ...] = importlib.import_module("robodyn_check.checks.run_texts").RUN_TEXTS
    elastic: tuple[CheckText, ...] = importlib.import_module("robodyn_check.checks.flexible_texts").FLEXIBLE_TEXTS
    return (*found, *elastic)


def _lint_text(entry: Any) -> CheckText:
    """Bring one text of the lint into the common form."""
    return CheckText(
        code=entry.code,
        slug=entry.slug,
        title=entry.title,
        quantities=(),
        formula=entry.formula,
        bound=entry.bound,
        reference=entry.reference,
        sections=tuple(entry.sections),
    )
