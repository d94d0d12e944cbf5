"""One task: one model and one library spec under some settings; and the plan of all tasks of a sweep.

A task's key names everything that its answer depends on: the content of the model, the library's version and profile,
the adapter's text, this tool's version, and the settings that choose states and checks. The same key is never computed
twice. Time-outs and memory limits are not in it: they only ever turn an answer into an error.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.harness.discovery import named_file
from robodyn_check.harness.spec import parse_spec
from robodyn_check.sweep.collect import content_of
from robodyn_check.sweep.versions import MISSING, file_hash, found
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from robodyn_check.settings import Settings

#: Libraries that a worker keeps running side by side; more are asked in further passes over the models.
WARM_LIBRARIES = 6
#: Settings that the answer depends on.
_DECISIVE = ("samples", "seed", "base", "gravity", "certify", "select", "ignore", "strict", "isolated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one worker does in one go, and all it needs for it. ``settings`` names the model and the library."""

    key: str
    model: str
    content: str
    spec: str
    library: str
    profile: str
    version: str
    settings: Settings

    @property
    def adapter_file(self) -> str | None:
        """The adapter that the user named by its file."""
        return self.settings.adapter[0] if self.settings.adapter else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Tasks in the order of work.

    ``copies`` are model files left out because another has the same content, ``absent`` default libraries left out
    because they are not installed.
    """

    tasks: tuple[Task, ...]
    models: tuple[str, ...]
    copies: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def specs_of(settings: Settings) -> tuple[tuple[str, str | None], ...]:
    """Return the library specs of a sweep, each with its adapter file where the user named one.

    Files of --adapter alone replace the default libraries, as in a single run.

    Raises:
        UsageError: An adapter file that cannot be used.
    """
    own = {named_file(Path(file)).name: file for file in settings.adapter}
    named = () if own and not settings.libraries_named else settings.libraries
    specs = {text: own.get(parse_spec(text).name) for text in dict.fromkeys(named)}
    taken = {parse_spec(text).name for text in specs}
    specs.update({name: file for name, file in own.items() if name not in taken})
    return tuple(specs.items())


def make_plan(models: Sequence[str], settings: Settings, version_of: Callable[[str, str | None], str]) -> Plan:
    """Plan one task for every model and library spec.

    Tasks of one model stand together, so that one worker makes its truth once; more than `WARM_LIBRARIES` libraries
    are planned in several passes. Larger files come first: a large robot at the end would leave all other workers idle.

    Args:
        models: Model files.
        settings: Of all tasks; its libraries and adapters are taken apart.
        version_of: The version that a spec (and an adapter file) means where the tasks will run.

    Raises:
        UsageError: A spec that cannot be read, an adapter or profile that does not exist, or nothing installed.
    """
    contents: dict[str, str] = {}
    copies = []
    for model in models:
        content = content_of(model)
        if content in contents:
            copies.append(model)
        contents.setdefault(content, model)
    asked = [(text, file, version_of(text, file)) for text, file in specs_of(settings)]
    absent = [text for text, _, version in asked if version == MISSING and not settings.libraries_named]
    present = [one for one in asked if one[0] not in absent]
    if not present:
        raise UsageError(f"none of {', '.join(absent)} is installed; robodyn-check libs shows how to get them")
    tasks = [
        _task(model, content, text, file, version, settings)
        for first in range(0, len(present), WARM_LIBRARIES)
        for content, model in sorted(contents.items(), key=lambda one: -_size(one[1]))
        for text, file, version in present[first : first + WARM_LIBRARIES]
    ]
    return Plan(tasks=tuple(tasks), models=tuple(contents.values()), copies=tuple(copies), absent=tuple(absent))


def _size(model: str) -> int:
    """Return the bytes of a file, 0 where it cannot be seen: its task will say so."""
    try:
        return Path(model).stat().st_size
    except OSError:
        return 0


def groups(tasks: Sequence[Task]) -> Iterator[tuple[Task, ...]]:
    """Yield neighbours of one model together: one worker does them with one truth."""
    together: list[Task] = []
    for task in tasks:
        if together and (task.content != together[0].content or len(together) >= WARM_LIBRARIES):
            yield tuple(together)
            together = []
        together.append(task)
    if together:
        yield tuple(together)


def _task(model: str, content: str, text: str, file: str | None, version: str, settings: Settings) -> Task:
    spec, adapter = found(text, file)
    own = dataclasses.replace(settings, models=(model,), lib=(text,), adapter=(file,) if file else ())
    known = settings.known_failures
    parts = {
        "content": content,
        "library": adapter.name,
        "profile": spec.profile,
        "python": str(spec.python) if spec.python else None,
        "version": version,
        "adapter": file_hash(str(adapter.path)),
        "tool": __version__,
        "known_failures": file_hash(known) if known and Path(known).is_file() else None,
        **{name: getattr(settings, name) for name in _DECISIVE},
    }
    key = hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).hexdigest()
    return Task(
        key=key,
        model=model,
        content=content,
        spec=text,
        library=adapter.name,
        profile=spec.profile,
        version=version,
        settings=own,
    )
