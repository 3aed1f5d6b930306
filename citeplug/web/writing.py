"""What a form says of the section that is to be written, and changes of the author's files, to take them back."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from citeplug.bib.cite import cite_papers
from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.files.atomic import Change, write_atomically, write_together
from citeplug.latex.project import read_draft
from citeplug.project.any_draft import is_latex
from citeplug.project.author_files import bytes_or_none, encoded, one_at_a_time, read_exactly
from citeplug.project.find_project import Project
from citeplug.records.finding import TextEdit
from citeplug.records.outcome import Options
from citeplug.related.section.review import ReviewedSection
from citeplug.settings.environment import Settings
from citeplug.settings.known_settings import OF_A_RUN, read_value
from citeplug.web.section_prose import prose_of

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


def sentences_in(section: ReviewedSection) -> dict[str, str]:
    """The sentences of a section as they read in print, by their LaTeX."""
    pieces = [piece for paragraph in section.paragraphs for piece in paragraph.pieces]
    return {
        piece.tex: "".join(text for text, _ in prose_of(piece.shown, section, piece.tex))
        for piece in pieces
        if piece.kind in ("generated", "own")
    }


def changes_in_words(new: int, gone: int) -> str:
    """How many sentences a run wrote and took out."""
    if not (new or gone):
        return "No sentence changed."
    are_new = f"{new or 'No'} {'sentence is' if new == 1 else 'sentences are'} new{', on green' if new else ''}"
    return f"{are_new}; {gone or 'none'} {'is' if gone < 2 else 'are'} gone."


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


def new_entry(arxiv_id: str, bib: Path, settings: Settings) -> tuple[Path, Callable[[str], str]] | None:
    """The .bib file and the change that puts the entry of a paper into it; None if it is there. Raises UsageError."""
    citing = cite_papers([arxiv_id], settings, bib=bib)
    (cited,) = citing.cited
    if cited.status == "exists":
        return None
    if cited.status != "new":
        raise UsageError(cited.message, cited.fix or "")
    file = citing.file
    assert file is not None  # `bib` is one
    return bib, lambda now: citing.after if now == file.text else _refuse(bib)


def rewrite(
    file: Path, change: Callable[[str], str], project: Project, place: Path, home: Path
) -> Callable[[], object]:
    """Change the text of a file of the author's in the folder `place`; returns what takes that back.

    Both raise ChangedMeanwhile if another program writes it meanwhile.
    """
    with one_at_a_time(home, file):
        data = bytes_or_none(file)
        text, encode = read_exactly(file, project.encoding)
        after = change(text)

        def need_same() -> None:
            if bytes_or_none(file) != data:
                _refuse(file)

        write_atomically(file, encoded(after, file, encode), within=place, check=need_same)
    return lambda: rewrite(file, lambda now: text if now == after else _refuse(file), project, place, home)


def _refuse(file: Path) -> NoReturn:
    raise ChangedMeanwhile(f"{file.name} was changed since, by another program", "change it by hand")


def line_with(edit: TextEdit) -> str:
    """The line of the file with the edit made, or the lines that come between others."""
    text, _ = read_exactly(edit.file)
    begin = text.rfind("\n", 0, edit.start) + 1
    rest = "" if edit.new_text.endswith("\n") else text[edit.end :].partition("\n")[0]
    return (text[begin : edit.start] + edit.new_text + rest).strip()
