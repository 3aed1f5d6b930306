"""Files of the section and its entries: those that the document or `citeplug.toml` names, else the default names."""

import os
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import NameTaken
from citeplug.files.project_files import TooMany, as_given, leads_inside, read_bytes, walk
from citeplug.latex.project import read_draft
from citeplug.project.any_draft import is_latex
from citeplug.project.author_files import as_tex_path, read_or_none
from citeplug.project.provenance import read_provenance
from citeplug.project.targets import Targets
from citeplug.records.finding import Finding
from citeplug.records.section import HEADER
from citeplug.section_file.grammar import was_generated
from citeplug.section_file.provenance_tex import tex_record_of
from citeplug.settings.known_settings import BIB, OUT
from citeplug.settings.project_toml import WrongConfiguration, read_configuration

_LARGEST_SOURCE = 5_000_000  # bytes
_MOST_SOURCES = 2_000
_SOURCES = (".tex", ".ltx")


@dataclass(frozen=True, slots=True)
class Named:
    """Files that the project names for the section and its entries; absolute, None: default names."""

    out: Path | None = None
    bib: Path | None = None
    findings: tuple[Finding, ...] = ()


def named_targets(root: Path, held: Mapping[Path, str] | None = None) -> Named:
    """Return the files that the project names for its section. A file outside of the project gives a finding if the
    document names it, and raises WrongConfiguration if `citeplug.toml` does. `held` as in `read_configuration`."""
    configuration = read_configuration(root.parent, held)
    files: dict[str, Path] = {}
    for choice in (OUT, BIB):
        if choice.name in configuration.values and configuration.path is not None:
            path, why = _inside(configuration.path.parent, configuration.values[choice.name], (root,))
            if path is None:
                what = f"{choice.toml} = {configuration.values[choice.name]!r} {why}"
                line = configuration.lines.get(choice.name)
                raise WrongConfiguration(
                    configuration.path, line, what, "choose a file inside the folder of citeplug.toml"
                )
            files[choice.name] = path
    in_document, findings = _named_in_document(root)
    return Named(in_document or files.get(OUT.name), files.get(BIB.name), tuple(findings))


def _named_in_document(root: Path) -> tuple[Path | None, list[Finding]]:
    if not is_latex(root) or not _has_command(root.parent):
        return None, []
    draft = read_draft(root, prose=False)
    name = draft.options.values.get(OUT.name)
    if name is None:
        return None, []
    own = [file for file in (root.parent / part for part in draft.files) if not _is_section(file)]
    path, why = _inside(root.parent, name, own)
    if path is not None:
        return path, []
    span = draft.options.span
    message = f"file={name} {why}; it is ignored"
    fix = "choose a file inside the folder of the main document"
    place = (span.file, span.line) if span else (root, None)
    return None, [Finding("option_invalid", "warning", message, place[0], place[1], fix=fix)]


def _is_section(file: Path) -> bool:
    return was_generated(read_or_none(file) or "")


def _inside(folder: Path, name: str, taken: Iterable[Path]) -> tuple[Path | None, str]:
    """Return the file, links followed, or the reason why it cannot be used."""
    path = folder / name
    try:
        if not path.parent.is_dir():
            return None, f"is in a folder that does not exist: {path.parent}"
        if not path.resolve().is_relative_to(folder.resolve()):
            return None, "leads out of the project"
        if path.is_dir():
            return None, "is a folder"
        file = as_given(path.resolve())
        if any(file == as_given(other.resolve()) for other in taken):
            return None, "is a file of the draft"
    except (OSError, RuntimeError, ValueError):
        return None, "cannot be read"
    return path, ""


def _has_command(folder: Path) -> bool:
    """Return True if a source in the folder may have the command: only then is the document read for it."""
    count = 0
    try:
        for file in walk(folder, lambda name: name.startswith(".") or name == "node_modules"):
            if not file.name.lower().endswith(_SOURCES):
                continue
            count += 1
            if count > _MOST_SOURCES:
                return True
            with suppress(OSError):
                if b"\\citeplugrelated" in read_bytes(file, _LARGEST_SOURCE, within=folder):
                    return True
    except TooMany:
        return True
    return False


def usual_or_written(root: Path, written: Mapping[str, str], suffix: str) -> Path | None:
    """The file of this kind that was written before, where one of the author's has the usual name; None: the usual.

    `written` are the files that were written, by their names in the record.
    """
    is_taken = _is_taken(root.parent / f"related{suffix}", root.parent, written)
    return (is_taken and written_once(written, root.parent, suffix)) or None


def entries_beside(out: Path, root: Path, written: Mapping[str, str]) -> Path | None:
    """The file of the entries of a section that the user named: beside it, by its name.

    None if the section was written before, with its entries in another file: documents read that one. `written` as in
    `usual_or_written`.
    """
    bib = out.absolute().parent / f"{out.stem}.bib"
    before, beside = (as_tex_path(file, root.parent) in written for file in (out.absolute(), bib))
    return None if before and not beside else bib


def need_free_names(
    root: Path, written: Mapping[str, str], tex: Path, bib: Path | None, command: str, more: Iterable[str] = ()
) -> None:
    """Raise NameTaken, with a command that names free files, if `tex` or `bib` is a file of the author's that has the
    usual name, or `bib` that of the section. `written` as in `usual_or_written`; `more` are options of the `command` to
    be repeated."""
    unnamed = (root.parent / "related.tex", root.parent / "related.bib", tex.with_suffix(".bib"))
    files = [file for file in (tex, bib) if file and file in unnamed and _is_taken(file, root.parent, written)]
    suffixes = [file.suffix for file in files]
    if not suffixes:
        return
    free = {suffix: _free(root.parent, suffix) for suffix in suffixes}
    words = ["citeplug", command, seen_from_here(root)]
    for suffix, option in ((".tex", "--out"), (".bib", "--bib")):
        words += [option, seen_from_here(free[suffix])] if suffix in free else []
    listed = " and ".join(map(str, files))
    raise NameTaken(
        f"{listed} {'were' if len(suffixes) > 1 else 'was'} not written by citeplug; nothing was changed",
        f"run '{shlex.join([*words, *more])}', {_in_project(free)}or use --force (a copy is kept as .bak)",
        free.get(".tex"),
        free.get(".bib"),
    )


def _in_project(free: Mapping[str, Path]) -> str:
    """Return how the project itself can name a file, for users of an editor."""
    if ".tex" in free:
        return f"or write \\citeplugrelated[file={free['.tex'].name}] in the draft, "
    return f'or bib = "{free[".bib"].name}" below [related] in citeplug.toml, '


def written_once(written: Mapping[str, str], folder: Path, suffix: str) -> Path | None:
    """The only file of this kind that was written and is there, None for the usual name.

    The record came with the project, so files outside of the project are ignored.
    """
    if f"related{suffix}" in written:
        return None
    files = [folder / name for name in written if name.endswith(suffix)]
    inside = [file for file in files if file.is_file() and leads_inside(file, folder)]
    return inside[0] if len(inside) == 1 else None


def seen_from_here(path: Path) -> str:
    """Return a path for a shell in the current folder."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)
    return str(path) if relative.startswith(os.pardir + os.sep + os.pardir) else relative


def generated_files(where: Targets) -> tuple[Path, ...]:
    """Those files of the section that are citeplug's, or free for it; an author's own one is a part of the draft."""
    written = read_provenance(where.provenance).written
    return tuple(file for file in (where.tex, where.bib) if not _is_taken(file, where.project, written))


def _is_taken(file: Path, folder: Path, written: Mapping[str, str]) -> bool:
    text = read_or_none(file) or ""
    if not text.strip() or as_tex_path(file, folder) in written:
        return False
    return not (was_generated(text) if file.suffix == ".tex" else HEADER.split("\n")[0] in text)


def _free(folder: Path, suffix: str) -> Path:
    names = (f"citeplug-related{number or ''}{suffix}" for number in (0, *range(2, 100)))
    return next(path for name in names if not (path := folder / name).exists() and not tex_record_of(path).exists())
