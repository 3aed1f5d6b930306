"""Paragraphs of a draft and of its section, at whose ends a sentence can be put."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import ChangedMeanwhile, UnreadableInput
from citeplug.files.project_files import leads_inside
from citeplug.latex.live import live
from citeplug.latex.project import read_draft
from citeplug.project.author_files import read_exactly
from citeplug.project.find_project import Project
from citeplug.related.section.in_print import readable

_MOST = 500
_FEWEST_WORDS = 5
_SHOWN = 90  # characters
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}")  # what is in one was left out
_BODY = re.compile(r"\\begin\s*\{document\}")
_TOKEN = re.compile(r"\\(?P<way>begin|end)\s*\{(?P<env>[^{}]*)\}|\\.|(?P<brace>[{}])", re.DOTALL)
_HEADING = re.compile(r"\s*\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\[[^\]]*\]\s*)?\{([^{}]*)\}")
_LINE = re.compile(r"\r\n|\r|\n")
_NOT_TEXT = re.compile(
    r"\s*\\(?:end\s*\{document\}"
    r"|(?:bibliography|bibliographystyle|printbibliography|appendix|maketitle|input|include)(?![A-Za-z]))"
)
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class DraftParagraph:
    """A paragraph. `id` is made of its place and its words, so that it names nothing else after a change.

    `line` is its last one, from 1; `heading` that above it; `end` its last words.
    """

    id: str
    file: Path
    line: int
    heading: str
    begin: str
    end: str
    in_section: bool


def paragraphs_of(project: Project) -> list[DraftParagraph]:
    """The paragraphs of the draft's files in the order read, and of the section where the draft reads it."""
    folder = project.root.parent
    paragraphs: list[DraftParagraph] = []
    for name in read_draft(project.root).files:
        path = folder / name
        if not leads_inside(path, folder):
            continue
        try:
            text, _ = read_exactly(path)
        except UnreadableInput:
            continue
        in_section = path.resolve() == project.where.tex.resolve()
        for line, heading, words in _paragraphs(text):
            shown = readable(_ENVIRONMENT.sub("", words))
            begin = shown if len(shown) <= _SHOWN else shown[:_SHOWN].rsplit(" ", 1)[0] + " ..."
            mark = hashlib.sha256(f"{path}\0{line}\0{words}".encode("utf-8", "replace")).hexdigest()[:24]
            paragraphs.append(DraftParagraph(mark, path, line, readable(heading), begin, shown[-_SHOWN:], in_section))
    return paragraphs[:_MOST]


def paragraph_named(project: Project, name: str) -> DraftParagraph:
    """The paragraph with this id. Raises ChangedMeanwhile if it is not there as it was."""
    paragraph = next((paragraph for paragraph in paragraphs_of(project) if paragraph.id == name), None)
    if paragraph is None:
        raise ChangedMeanwhile("this paragraph was changed meanwhile", "choose it again")
    return paragraph


def _paragraphs(text: str) -> Iterator[tuple[int, str, str]]:
    """The last line, the heading above, and the LaTeX of each paragraph that is in no environment and no argument."""
    bare = live(text)
    if body := _BODY.search(bare):
        bare = re.sub(r"[^\r\n]", " ", bare[: body.end()]) + bare[body.end() :]
    parts: list[str] = []
    heading, last, depth = "", 0, 0
    for number, (written, line) in enumerate(zip(_LINE.split(text), _LINE.split(bare), strict=True), 1):
        match = _HEADING.match(line) if depth == 0 else None
        if not written.strip() or match or _NOT_TEXT.match(line):
            if last and depth == 0 and len(_WORD.findall(" ".join(parts))) >= _FEWEST_WORDS:
                yield last, heading, " ".join(parts)
            parts, last = [], 0
        if match:
            heading, line = match[1], line[match.end() :]
        elif _NOT_TEXT.match(line):
            continue
        outside = depth == 0
        for token in _TOKEN.finditer(line):
            if token["way"] or token["brace"]:
                depth = max(0, depth + (1 if token["way"] == "begin" or token["brace"] == "{" else -1))
        if line.strip():
            last = number
            if outside or depth == 0:
                parts.append(line.strip())
    if last and depth == 0 and len(_WORD.findall(" ".join(parts))) >= _FEWEST_WORDS:
        yield last, heading, " ".join(parts)
