"""Where `\\input{related}` and the bibliography resource go in a draft. Pure: texts in, edits out."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from citeplug.records.draft import Draft, DraftSection
from citeplug.records.review import TextEdit

_VERBATIM = r"verbatim\*?|Verbatim\*?|lstlisting|minted|comment|filecontents\*?"
_DEAD = re.compile(
    rf"\\begin\{{(?P<env>{_VERBATIM})\}}.*?\\end\{{(?P=env)\}}"
    r"|\\verb\*?(?P<mark>[^A-Za-z\s*]).*?(?P=mark)"
    r"|\\iffalse\b.*?\\fi\b"
    r"|(?<!\\)(?:\\\\)*%[^\r\n]*",
    re.DOTALL,
)
_HEADING = re.compile(r"\\(part|chapter|section)\*?\s*[\[{]")
_STOP = re.compile(
    r"\\bibliographystyle\b|\\bibliography\b|\\printbibliography\b|\\begin\s*\{thebibliography\}|\\appendix\b"
    r"|\\begin\s*\{(?:acks|acknowledg\w*|appendi\w+)\}|\\acknowledg\w*|\\end\s*\{document\}|\\endinput\b"
)
_END = re.compile(r"\\end\s*\{document\}")
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_BIBLIOGRAPHY = re.compile(r"\\bibliography\s*\{([^{}]*)\}")
_RESOURCE = re.compile(r"\\add(?:bibresource|globalbib)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_INCLUDED = re.compile(r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists)\s*(?:\{([^{}]*)\}|([^\s{}\\%]+))")
_INTRODUCTION = re.compile(r"\bintroduction\b|\beinleitung\b|\bmotivation\b", re.IGNORECASE)
_CONCLUSION = re.compile(r"\bconclu\w+|\bdiscussion\b|\bsummary\b|\bfuture work\b|\boutlook\b", re.IGNORECASE)


def insertion_edits(draft: Draft, texts: Mapping[Path, str], tex_name: str, bib_name: str) -> list[TextEdit]:
    """The edits that bring the section and its entries into the draft, each once; none if they are there.

    `texts` holds the decoded text of the draft's files, `tex_name` and `bib_name` the paths as LaTeX writes
    them. The `\\input` goes to the end of the related-work section, else into a new section after the
    introduction, before the conclusion or before the bibliography. Commented and verbatim text is not looked at.
    """
    live = {file: _without_dead(text) for file, text in texts.items()}
    edits: list[TextEdit] = []
    if not any(_reads(text, tex_name) for text in live.values()):
        place = _place(draft, live)
        if place is not None:
            file, at, new_section = place
            edits.append(
                _line_at(file, texts[file], at, PurePosixPath(tex_name).with_suffix("").as_posix(), new_section)
            )
    edits += _resource(draft, live, texts, bib_name)
    return edits


def _without_dead(text: str) -> str:
    """`text` with comments and verbatim blanked out, every offset kept."""
    return _DEAD.sub(lambda m: re.sub(r"[^\r\n]", " ", m[0]), text)


def _reads(live: str, tex_name: str) -> bool:
    wanted = PurePosixPath(tex_name).with_suffix("").as_posix()
    for match in _INCLUDED.finditer(live):
        name = (match[1] or match[2] or "").strip().strip('"').removeprefix("./")
        if name.removesuffix(".tex") == wanted:
            return True
    return False


def _place(draft: Draft, live: Mapping[Path, str]) -> tuple[Path, int, bool] | None:
    """File, offset, and whether a heading of its own is wanted."""
    related = draft.related_work
    if related is not None and related.span.file in live:
        text = live[related.span.file]
        return related.span.file, _end_of_section(text, related), False
    top = [
        s for s in draft.sections if s.level <= 1 and s.span.file in live and _is_body(live[s.span.file], s.span.start)
    ]
    for number, section in enumerate(top[:-1]):
        if _INTRODUCTION.search(section.title):
            return _before(top[number + 1], live)
    for section in reversed(top):
        if _CONCLUSION.search(section.title):
            return _before(section, live)
    root = live.get(draft.root, "")
    begin = _BEGIN.search(root)
    stop = _STOP.search(root, begin.end() if begin else 0)
    return (draft.root, stop.start(), True) if stop else None


def _before(section: DraftSection, live: Mapping[Path, str]) -> tuple[Path, int, bool]:
    """In front of the section; in front of the `\\input` that brings it, if a file of its own starts with it."""
    file, at = section.span.file, _heading_near(live[section.span.file], section.span.start)
    for _ in live:
        if live[file][:at].strip():
            break
        brought = [(o, place) for o, text in live.items() if (place := _included_at(text, o, file)) is not None]
        if not brought:
            break
        file, at = brought[0]
    return file, at, True


def _included_at(text: str, file: Path, wanted: Path) -> int | None:
    """Where `text` of `file` reads the file `wanted`, by its name: paths are relative to a folder not known here."""
    for match in _INCLUDED.finditer(text):
        name = PurePosixPath((match[1] or match[2] or "").strip().strip('"'))
        if (
            file != wanted
            and name.name.removesuffix(".tex") == wanted.stem
            and wanted.parts[-len(name.parts) : -1] == (name.parts[:-1])
        ):
            return match.start()
    return None


def _heading_near(text: str, start: int) -> int:
    """The heading's own backslash, or the start of the line that leads to it."""
    return start if text.startswith("\\", start) else max(text.rfind("\n", 0, start) + 1, 0)


def _is_body(text: str, start: int) -> bool:
    """Not in the preamble, and not after the end."""
    begin, end = _BEGIN.search(text), _END.search(text)
    return (begin is None or start >= begin.end()) and (end is None or start < end.start())


def _end_of_section(text: str, section: DraftSection) -> int:
    """The offset where the section's text ends in its file, white space before it left out."""
    deeper = r"" if section.level <= 1 else r"|\\subsection\*?\s*[\[{]"
    after = section.span.end
    ends = [
        m.start() for m in (re.compile(_HEADING.pattern + deeper).search(text, after), _STOP.search(text, after)) if m
    ]
    end = min(ends, default=len(text))
    return max(after, len(text[:end].rstrip()))


def _line_at(file: Path, text: str, at: int, name: str, new_section: bool) -> TextEdit:
    """A line of its own at `at`, with the line ends of the file."""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"\\input{{{name}}}"
    if not new_section:
        # Behind the author's last line: a comment there must not swallow the command.
        at = text.find("\n", at) if "\n" in text[at:] else len(text)
        at -= 1 if text[at - 1 : at] == "\r" else 0
        return TextEdit(file, at, at, f"{newline}{newline}{line}")
    lead = "" if at == 0 or text[at - 1] in "\r\n" else newline
    return TextEdit(file, at, at, f"{lead}\\section{{Related Work}}{newline}{line}{newline}{newline}")


def _resource(draft: Draft, live: Mapping[Path, str], texts: Mapping[Path, str], bib_name: str) -> list[TextEdit]:
    bare = bib_name.removesuffix(".bib")
    commands = [(file, m) for file, text in live.items() for m in _BIBLIOGRAPHY.finditer(text)]
    resources = [(file, m) for file, text in live.items() for m in _RESOURCE.finditer(text)]
    named = {
        n.strip().removesuffix(".bib").removeprefix("./") for _, m in (*commands, *resources) for n in m[1].split(",")
    }
    if bare in named:
        return []
    if resources or draft.bib_engine == "biber":
        if resources:
            file, last = resources[-1]
            newline = "\r\n" if "\r\n" in texts[file] else "\n"
            return [TextEdit(file, last.end(), last.end(), f"{newline}\\addbibresource{{{bare}.bib}}")]
        return _before_document(draft, live, texts, f"\\addbibresource{{{bare}.bib}}")
    if commands:
        file, last = commands[-1]
        names = last[1].rstrip()
        at = last.start(1) + len(names)
        return [TextEdit(file, at, at, f",{bare}" if names.strip() else bare)]
    end = _END.search(live.get(draft.root, ""))
    if end is None:
        return []
    newline = "\r\n" if "\r\n" in texts[draft.root] else "\n"
    style = "" if draft.bib_style else f"\\bibliographystyle{{plain}}{newline}"
    return [TextEdit(draft.root, end.start(), end.start(), f"{style}\\bibliography{{{bare}}}{newline}")]


def _before_document(draft: Draft, live: Mapping[Path, str], texts: Mapping[Path, str], line: str) -> list[TextEdit]:
    begin = _BEGIN.search(live.get(draft.root, ""))
    newline = "\r\n" if "\r\n" in texts.get(draft.root, "") else "\n"
    return [TextEdit(draft.root, begin.start(), begin.start(), line + newline)] if begin else []
