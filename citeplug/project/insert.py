"""Edits that make a draft read its section and bibliography. Pure: texts in, edits out."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from citeplug.errors import UsageError
from citeplug.latex.live import live
from citeplug.latex.related_work import CONCLUSION, FEWEST_WORKS
from citeplug.latex.resources import BEGIN, END, resource_edits, resource_findings
from citeplug.latex.vocabulary import SECTIONS
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.finding import Finding, TextEdit
from citeplug.text.file_names import is_device
from citeplug.text.scanning import newline_of

HEADING = re.compile(r"\\(part|chapter|section|subsection|subsubsection)\*?\s*[\[{]")
STOP = re.compile(
    r"\\bibliographystyle\b|\\bibliography\b|\\printbibliography\b|\\begin\s*\{thebibliography\}|\\appendix\b"
    r"|\\begin\s*\{(?:acks|acknowledg\w*|appendi\w+|CJK\*?)\}|\\acknowledg\w*|\\end\s*\{document\}|\\endinput\b"
    r"|\\input\s*\{[^{}]*\.bbl\}"
)
_APPENDIX = re.compile(r"\\appendix(?![A-Za-z])|\\begin\s*\{appendi\w+\}")
INCLUDED = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists|(?:sub)?import\*?\s*\{([^{}]*)\})"
    r"(?:\s*\{([^{}]*)\}|\s+([^\s{}\\%]+)|([^\s{}\\%A-Za-z][^\s{}\\%]*))"
)
_OWN = re.compile(r"\\citeplugrelated(?![A-Za-z@])\s*(?:\[([^\]]*)\])?")
_OWN_FILE = re.compile(r"(?:^|,)\s*file\s*=\s*\{?([^,{}]*)")
_INTRODUCTION = re.compile(r"\bintroduction\b|\beinleitung\b|\bmotivation\b", re.IGNORECASE)
# Text between two sections that belongs to the second.
_OPENED = re.compile(r"\\begin\s*\{(?!document\})[^{}]*\}\s*(?:\[[^\]]*\]\s*)?$")
_SPACING = re.compile(
    r"\s*\\(?:newpage|clearpage|cleardoublepage|pagebreak|medskip|bigskip|smallskip|vspace\*?\s*\{[^{}]*\})\s*$"
)
_LONGEST_SPACING = 200  # characters: each is looked for behind these, not in all of the file
# A bar at the beginning starts a program; \bibliography takes a comma for the end of a name, and BibTeX no spaces.
_UNFIT = re.compile(r"[\\{}%#~^&$\"|\x00-\x1f\x7f]")
_UNFIT_BIB = re.compile(rf"{_UNFIT.pattern}|[,\s]")


def insertion_edits(draft: Draft, texts: Mapping[Path, str], tex_name: str, bib_name: str) -> list[TextEdit]:
    """The edits that bring the section and its entries into the draft, each once; none if they are there.

    `texts` holds the decoded text of the draft's files, `tex_name` and `bib_name` the paths as LaTeX writes
    them. The `\\input` goes to the end of the author's own related work, else into a new section after the
    introduction, before the conclusion or before the bibliography. Comments, verbatim text and definitions
    are not looked at. Raises UsageError for a name that LaTeX cannot read.
    """
    check_names(tex_name, bib_name)
    commands = {file: live(text) for file, text in texts.items()}
    edits: list[TextEdit] = []
    if not any(_reads(text, tex_name) for text in commands.values()):
        edits += _section_edit(draft, commands, texts, PurePosixPath(tex_name).with_suffix("").as_posix())
    edits += resource_edits(draft, commands, texts, bib_name)
    return _in_order(edits)


def check_names(tex_name: str, bib_name: str) -> None:
    """Raise UsageError unless LaTeX reads the section by the one name, and BibTeX its entries by the other."""
    for name, suffix, option, unfit in (
        (tex_name, ".tex", "--out", _UNFIT),
        (bib_name, ".bib", "--bib", _UNFIT_BIB),
    ):
        if PurePosixPath(name).suffix != suffix:
            message = f"{name!r} does not end in {suffix}, so LaTeX would read another file instead"
            raise UsageError(message, f"name a {suffix} file with {option}")
        if any(map(is_device, PurePosixPath(name).parts)):
            raise UsageError(f"Windows has no file named {name!r}", f"name another one with {option}")
        if sign := unfit.search(name):
            raise UsageError(
                f"LaTeX cannot read a file named {name!r}, because of the {sign[0]!r} in it",
                f"name another one with {option}",
            )


def insertion_findings(draft: Draft, texts: Mapping[Path, str], tex_name: str, bib_name: str) -> list[Finding]:
    """Doubts about these edits: no place for them, the author's own related work, or a second list of references."""
    commands = {file: live(text) for file, text in texts.items()}
    findings = []
    if (own := own_related_work(draft, texts, tex_name)) is not None:
        findings.append(own)
    if not any(_reads(text, tex_name) for text in commands.values()) and _place(draft, commands, texts) is None:
        message = f"found no place for \\input{{{tex_name}}}: the draft has no \\end{{document}}"
        findings.append(Finding("no_place_for_section", "warning", message, draft.root, fix="add the line yourself"))
    return findings + resource_findings(draft, commands, bib_name)


def own_related_work(draft: Draft, texts: Mapping[Path, str], tex_name: str) -> Finding | None:
    """The finding that the section would be read beside a related work of the author's own.

    None where that cites next to nothing, or the draft reads the section already.
    """
    related = draft.related_work
    if related is None or draft.related_works < FEWEST_WORKS:
        return None
    if any(_reads(live(text), tex_name) for text in texts.values()):
        return None
    message = (
        f"the draft has its own related work, “{related.title}”, which cites {draft.related_works} works; the"
        " section that citeplug writes comes after it"
    )
    fix = f"or add to yours: citeplug papers {draft.root.name} --missing lists what it does not cite"
    return Finding("own_related_work", "info", message, related.span.file, related.span.line, fix=fix)


def _in_order(edits: list[TextEdit]) -> list[TextEdit]:
    """By file and place; insertions at the same place become one, in the order given."""
    merged: dict[tuple[Path, int, int], TextEdit] = {}
    for edit in edits:
        place = (edit.file, edit.start, edit.end)
        before = merged[place].new_text if place in merged else ""
        merged[place] = TextEdit(edit.file, edit.start, edit.end, before + edit.new_text)
    return sorted(merged.values(), key=lambda edit: (str(edit.file), edit.start))


def _reads(commands: str, tex_name: str) -> bool:
    stem = PurePosixPath(tex_name).with_suffix("").as_posix()
    read = {name for _, name in includes(commands)} | set(_read_by_package(commands))
    return stem in {name.removesuffix(".tex") for name in read}


def _read_by_package(commands: str) -> list[str]:
    """The files that `\\citeplugrelated` reads."""
    names = []
    for match in _OWN.finditer(commands):
        option = _OWN_FILE.search(match[1] or "")
        names.append(option[1].strip().removeprefix("./") if option else "related")
    return names


def includes(commands: str) -> list[tuple[int, str]]:
    """The places at which files are read, and their names as written, folders of `\\import` put in front."""
    return [
        (
            match.start(),
            ((match[1] or "") + (match[2] or match[3] or match[4] or "")).strip().strip('"').removeprefix("./"),
        )
        for match in INCLUDED.finditer(commands)
    ]


# File, offset, and whether a heading of its own is wanted.
_Place = tuple[Path, int, bool]


def _section_edit(draft: Draft, commands: Mapping[Path, str], texts: Mapping[Path, str], name: str) -> list[TextEdit]:
    place = _place(draft, commands, texts)
    if place is None:
        return []
    file, at, new_section = place
    text = texts[file]
    line = newline_of(text)
    if new_section:
        lead = "" if at == 0 or text[at - 1] in "\r\n" else line
        return [TextEdit(file, at, at, f"{lead}\\section{{Related Work}}{line}\\input{{{name}}}{line}{line}")]
    # Behind the author's last line: a comment there must not swallow the command.
    ended = re.compile(r"[^\r\n]*").match(text, at)
    end = ended.end() if ended else len(text)
    if commands[file][at:end].strip():  # the section is ended on its last line
        return [TextEdit(file, at, at, f"{line}{line}\\input{{{name}}}{line}")]
    at = end
    return [TextEdit(file, at, at, f"{line}{line}\\input{{{name}}}")]


def _place(draft: Draft, commands: Mapping[Path, str], texts: Mapping[Path, str]) -> _Place | None:
    related = draft.related_work
    if related is not None and related.span.file in commands:
        return related.span.file, _end_of_text(draft, commands[related.span.file], related), False
    inside = {file: _body(text) for file, text in commands.items()}
    top = [s for s in draft.sections if s.level <= 1 and s.span.start in inside.get(s.span.file, ())]
    for number, section in enumerate(top[:-1]):
        if _INTRODUCTION.search(section.title):
            return _before(top[number + 1], commands, texts)
    for section in reversed(top):
        if CONCLUSION.search(section.title):
            return _before(section, commands, texts)
    root = commands.get(draft.root, "")
    begin = BEGIN.search(root)
    stop = STOP.search(root, begin.end() if begin else 0)
    return (draft.root, stop.start(), True) if stop else None


def _heading(commands: str, section: DraftSection) -> re.Match[str] | None:
    """The section's heading, unless a macro makes it; a byte order mark may have moved it by one."""
    start = section.span.start
    return HEADING.match(commands, start) or HEADING.match(commands, start + 1)


def _end_of_text(draft: Draft, commands: str, section: DraftSection) -> int:
    """The offset behind the last thing of the section that is in its file."""
    if section.end is not None:
        return section.end
    heading = _heading(commands, section)
    start = heading.end() if heading else section.span.end
    ends = [match.start() for match in [STOP.search(commands, start)] if match]
    ends += [m.start() for m in HEADING.finditer(commands, start) if SECTIONS[m[1]] <= section.level][:1]
    others = (
        other for other in draft.sections if other.span.file == section.span.file and other.level <= section.level
    )
    ends += [later.span.start for later in others if later.span.start > start][:1]  # those that macros make, too
    end = len(commands[: min(ends, default=len(commands))].rstrip())
    while match := _SPACING.search(commands, max(end - _LONGEST_SPACING, 0), end):
        end = match.start()
    return max(start, end)


def _body(commands: str) -> range:
    """The offsets that are neither in the preamble nor after the end."""
    begin, end = BEGIN.search(commands), END.search(commands)
    return range(begin.end() if begin else 0, end.start() if end else len(commands))


def _before(section: DraftSection, commands: Mapping[Path, str], texts: Mapping[Path, str]) -> _Place:
    """In front of the section; in front of the `\\input` that brings it, if a file of its own starts with it."""
    file = section.span.file
    heading = _heading(commands[file], section)
    at = heading.start() if heading else section.span.start
    if opened := _OPENED.search(commands[file], 0, at):
        at = opened.start()
    for _ in commands:
        if commands[file][:at].strip():
            break
        brought = [
            (other, place) for other in commands if (place := _included_at(commands[other], other, file)) is not None
        ]
        if not brought:
            break
        file, at = brought[0]
    # What follows an introduction may be the appendix already.
    begin = BEGIN.search(commands[file])
    appendix = _APPENDIX.search(commands[file], begin.end() if begin else 0, at)
    if appendix:
        at = appendix.start()
    return file, _above_comments(texts[file], at), True


def _included_at(commands: str, file: Path, wanted: Path) -> int | None:
    """The place at which `file` reads `wanted`, found by its name: paths are relative to a folder not known here."""
    for start, written in includes(commands):
        name = PurePosixPath(written)
        folders = tuple(part for part in name.parts[:-1] if part not in ("..", "/"))
        ends_alike = not folders or wanted.parts[-len(name.parts) : -1] == folders
        if file != wanted and name.name.removesuffix(".tex") == wanted.stem and ends_alike:
            return start
    return None


def _above_comments(text: str, at: int) -> int:
    """The start of the line of `at`, or of the comment lines right above it, which announce what follows."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    if text[start:at].strip():
        return at
    while start > 0:
        end = start - (2 if text.endswith("\r\n", 0, start) else 1)
        line = text.rfind("\n", 0, end) + 1
        line = max(line, text.rfind("\r", line, end) + 1)
        if not text[line:end].lstrip().startswith("%"):
            break
        start = line
    return start
