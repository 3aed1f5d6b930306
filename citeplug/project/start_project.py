"""`citeplug init`: look at a project, and write a commented citeplug.toml for it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import read_bytes
from citeplug.latex.project import read_draft
from citeplug.project.author_files import copy_kept, read_or_none
from citeplug.project.find_project import Project, find_project
from citeplug.project.section_targets import generated_files
from citeplug.project.targets import insertion
from citeplug.records.draft import Draft
from citeplug.records.setting import Setting
from citeplug.settings.known_settings import ROOT, SETTINGS, read_value
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration
from citeplug.text.tables import Tables

_COMMENTS: Mapping[str, str] = Tables(__name__).values("comments")
_EXAMPLES: Mapping[str, str] = Tables(__name__).values("examples")


@dataclass(frozen=True, slots=True)
class Started:
    """Facts about a project, and the files that were written. `settled` is the citeplug.toml that applies; `kept`: it
    existed and was not changed. `remote` has no secrets. `records` is the size of the catalogue, None without one.
    `reads_section`: the draft reads its section and the section's entries."""

    draft: Draft
    settled: Path
    kept: bool
    written: tuple[Path, ...]
    section: Path | None
    remote: str | None
    records: int | None
    reads_section: bool = False
    notes: tuple[str, ...] = field(default_factory=tuple)


def start_project(start: Path | None, home: Path, *, force: bool = False, sty: bool = False) -> Started:
    """Look at the project of a folder or file, and write citeplug.toml beside its main document.

    An existing file stays, except with `force`; then a copy is kept as .bak. With `sty` the LaTeX package is written
    beside the draft too. Raises UnreadableInput without a main document or on an invalid citeplug.toml; CannotWrite.
    """
    project = find_project(start)
    draft = read_draft(project.root, skip=generated_files(project.where))
    folder = project.root.parent
    there = find_configuration(folder)
    target = folder / FILE
    changes: list[Change] = []
    notes: list[str] = []
    if there is None or force:
        changes += _put(target, _template(project.root.name).encode(), force=force)
        there = target
    else:
        read_configuration(folder)
    if sty:
        from citeplug.latex.sty import package_file

        package, data = folder / "citeplug.sty", package_file().read_bytes()
        added = _put(package, data, force=force)
        changes += added
        if not added and not _is(package, data):
            notes.append("citeplug.sty exists in another version; --force replaces it (a copy is kept as .bak)")
    write_together(changes)
    written = tuple(change.path for change in changes if change.path in (target, folder / "citeplug.sty"))
    section = project.where.tex if project.where.tex.is_file() else None
    return Started(
        draft,
        there,
        there not in written,
        written,
        section,
        _remote(folder),
        _records(home),
        _reads(draft, project),
        tuple(notes),
    )


def latex_engine(draft: Draft) -> str:
    """Guess the LaTeX engine of the draft."""
    text = read_or_none(draft.root) or ""
    for line in text.splitlines()[:20]:
        bare = line.replace(" ", "").lower()
        for engine in ("lualatex", "xelatex", "pdflatex"):
            if bare.startswith("%!tex") and bare.endswith(f"={engine}"):
                return engine
    return "xelatex or lualatex" if {"fontspec", "unicode-math", "polyglossia"} & set(draft.packages) else "pdflatex"


def _reads(draft: Draft, project: Project) -> bool:
    try:
        edits, doubts = insertion(draft, project.where)
    except CiteplugError:
        return False
    return not edits and not doubts


def _put(path: Path, data: bytes, *, force: bool) -> list[Change]:
    if path.exists() or path.is_symlink():
        if not force or _is(path, data):
            return []
        return [copy_kept(path), Change(path, data)]
    return [Change(path, data)]


def _is(path: Path, data: bytes) -> bool:
    try:
        return read_bytes(path) == data
    except OSError:
        return False


def _template(root: str) -> str:
    lines = [
        "# Settings of citeplug in this project, for everybody who works on it. Each line shows the default, or an",
        "# example; remove the # to set it. The document's own settings and the command line override this file.",
        "# What is sent over the network, and which language model is used, cannot be set here: docs/configuration.md.",
        "",
        f"{'' if _is_valid_root(root) else '# '}root = {_toml(root)}",
    ]
    tables: dict[str, list[Setting]] = {"": []}
    for setting in SETTINGS:
        if setting.toml and setting is not ROOT:
            tables.setdefault(setting.toml.rpartition(".")[0], []).append(setting)
    for table, settings in tables.items():
        lines += [*(["", f"[{table}]"] if table else []), *_lines(settings)]
    return "\n".join(lines) + "\n"


def _is_valid_root(root: str) -> bool:
    try:
        read_value(ROOT, root)
    except ValueError:
        return False
    return True


def _lines(settings: list[Setting]) -> Iterator[str]:
    for setting in settings:
        assert setting.toml is not None
        key = setting.toml.rpartition(".")[2]
        value = _EXAMPLES.get(setting.name) or _toml(setting.default)
        yield f"# {f'{key} = {value}':34} # {_COMMENTS[setting.name]} ({setting.range})"


def _toml(value: Any) -> str:
    if isinstance(value, str):
        escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in value)
        return f'"{escaped}"'
    return str(value)


def _remote(folder: Path) -> str | None:
    """Return the address of the git remote `origin`, without secrets; None without git or a remote."""
    from citeplug.project.git import Git
    from citeplug.project.git_addresses import redacted

    try:
        ran = Git(folder).run("remote", "get-url", "origin", may_fail=True, seconds=5.0)
    except CiteplugError:
        return None
    address = ran.text.strip()
    return redacted(address) if address and not ran.code else None


def _records(home: Path) -> int | None:
    import sqlite3
    from contextlib import closing

    file = home / "corpus" / "catalogue.sqlite3"
    if not file.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=4)) as db:
            return int(db.execute("SELECT count(*) FROM papers").fetchone()[0])
    except sqlite3.Error:
        return None
