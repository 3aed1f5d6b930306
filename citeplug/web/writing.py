"""What a form says of the section that is to be written, and the files that the run changes, to take them back."""

import json
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.latex.project import read_draft
from citeplug.project.any_draft import is_latex
from citeplug.project.author_files import bytes_or_none, one_at_a_time
from citeplug.project.find_project import Project
from citeplug.records.outcome import Options
from citeplug.settings.known_settings import OF_A_RUN, read_value

_OPTIONS = ("breadth", "depth", "diversity")
Files = Mapping[Path, bytes | None]  # None: there is no such file
Rewritten = Mapping[Path, tuple[bytes | None, bytes | None]]  # before a run and after it


def options_in(form: Mapping[str, str], now: Options) -> dict[str, Any]:
    """The options that a form has, where they are not as they are `now`. Raises UsageError on one out of range."""
    wish = {}
    for choice in OF_A_RUN:
        if choice.name in _OPTIONS and form.get(choice.name, "").strip():
            try:
                value = read_value(choice, json.loads(form[choice.name]))
            except ValueError:
                raise UsageError(f"{choice.name} is out of range", f"give {choice.range}") from None
            if value != getattr(now, choice.name):
                wish[choice.name] = value
    return wish


def files_of_run(project: Project) -> Files:
    """The files that a run may change: those of the section with its record, and those of the draft."""
    where, folder = project.where, project.root.parent
    record = (path for path in sorted(where.provenance.parent.rglob("*")) if path.is_file())
    draft = read_draft(project.root, prose=False) if is_latex(project.root) else None
    own = [*(folder / name for name in draft.files), *draft.bib_files] if draft else []
    return {path: bytes_or_none(path) for path in (where.tex, where.bib, *record, *own)}


def rewritten(project: Project, written: Collection[Path], before: Files) -> Rewritten:
    """What a run changed: the files that it wrote, and its record."""
    after, record = files_of_run(project), project.where.provenance.parent
    return {
        path: (before.get(path), after.get(path))
        for path in {**before, **after}
        if (path in written or path.is_relative_to(record)) and before.get(path) != after.get(path)
    }


def put_back(project: Project, home: Path, changed: Rewritten) -> None:
    """Give the files that a run changed the bytes that they had. Raises ChangedMeanwhile if one has others now."""

    def check(path: Path) -> None:
        if bytes_or_none(path) != changed[path][1]:
            raise ChangedMeanwhile(f"this cannot be undone: {path.name} was changed since", "change it by hand")

    with one_at_a_time(home, project.root):
        write_together([Change(path, before, check=partial(check, path)) for path, (before, _) in changed.items()])
