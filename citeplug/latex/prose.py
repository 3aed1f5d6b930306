"""The running text of a draft's files, with the places at which it stands there.

The full reading of a draft (`include.py`) expands and reorders; a finding needs lines of the file as it is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from citeplug.latex.folders import DISK, Files
from citeplug.latex.live import live
from citeplug.latex.plain import plain_line
from citeplug.latex.vocabulary import DROPPED_ENVIRONMENTS, MATH_ENVIRONMENTS, VERBATIM_ENVIRONMENTS
from citeplug.records.draft import Cite, Draft
from citeplug.records.prose import ProseCite, ProseParagraph, ProseSentence
from citeplug.text.scanning import LineIndex, blank, replace_stretches
from citeplug.text.sentences import split_sentences

_BODY = re.compile(r"\\begin\s*\{document\}")
_NO_PROSE = sorted(DROPPED_ENVIRONMENTS | VERBATIM_ENVIRONMENTS | {"abstract"})
_OPENING = re.compile(rf"\\begin\s*\{{({'|'.join(map(re.escape, [*_NO_PROSE, *sorted(MATH_ENVIRONMENTS)]))})\}}")
_HEADING = r"\\(?:chapter|(?:sub)*section|(?:sub)?paragraph)(?![A-Za-z])\*?[ \t]*(?:\[[^\[\]]*\][ \t]*)?"
_BREAK = re.compile(
    r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?=\r|\n)"
    rf"|{_HEADING}\{{(?P<heading>(?:[^{{}}]|\{{[^{{}}]*\}}){{0,300}})\}}"
    r"|\\(?:item|begin|end|bibliography|printbibliography|maketitle|input|include|par)(?![A-Za-z])"
    r"(?:[ \t]*\[[^\[\]]*\])?(?:[ \t]*\{[^{}]*\})?"
)
_QUOTATION = re.compile(r"\\(?P<what>begin|end)[ \t]*(?:\[[^\[\]]*\][ \t]*)?\{(?:quote|quotation|displayquote)\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 5  # of a paragraph
_MOST_CITES = 10  # of a sentence whose places are kept
_LARGEST = 3_000_000  # code points of a file


def read_prose(draft: Draft, files: Files = DISK) -> list[ProseParagraph]:
    """Return the paragraphs of a draft's files in the order read, without its preamble, abstract, floats and displays.

    A file that cannot be read, or is larger than 3 million characters, has none; the draft's findings name it.
    """
    found: list[ProseParagraph] = []
    cites_of: dict[Path, list[Cite]] = {}
    for cite in draft.cites:
        cites_of.setdefault(cite.span.file, []).append(cite)
    for file in draft.files:
        path = draft.root.parent / file
        try:
            text = files.read(path).text
        except OSError:
            continue
        if len(text) <= _LARGEST:
            found += _paragraphs(path, text, sorted(cites_of.get(path, ()), key=lambda cite: cite.span.start))
    return found


def _paragraphs(path: Path, text: str, cites: Sequence[Cite]) -> Iterator[ProseParagraph]:
    bare = live(text)
    if body := _BODY.search(bare):
        bare = blank(bare[: body.end()]) + bare[body.end() :]
    # In a sentence a display is a word, so that it stays one sentence.
    bare = replace_stretches(bare, _OPENING, _closing, blank)
    lines = LineIndex(text)
    starts = [cite.span.start for cite in cites]
    heading, position, quotation = "", 0, False
    for match in _BREAK.finditer(bare):
        if not match[0].strip() and text[match.start() : match.end()].strip():
            continue  # a comment, or a display: no blank line
        for found in _paragraph(path, heading, bare, position, match.start(), cites, starts, lines):
            yield replace(found, quotation=quotation)
        if environment := _QUOTATION.match(match[0]):
            quotation = environment["what"] == "begin"
        if match["heading"] is not None:
            heading = plain_line(match["heading"])
        position = match.end()
    yield from _paragraph(path, heading, bare, position, len(bare), cites, starts, lines)


def _paragraph(
    path: Path,
    heading: str,
    bare: str,
    start: int,
    end: int,
    cites: Sequence[Cite],
    starts: Sequence[int],
    lines: LineIndex,
) -> Iterator[ProseParagraph]:
    """Yield the paragraph in `bare[start:end]`, if it is one."""
    part = bare[start:end]
    if len(_WORD.findall(part)) < _FEWEST_WORDS:
        return
    sentences = []
    for first, last in split_sentences(part):
        inside = cites[bisect_left(starts, start + first) : bisect_left(starts, start + last)]
        keys = tuple(dict.fromkeys(key for cite in inside for key in cite.keys))
        if said := plain_line(part[first:last]):
            placed = tuple(
                ProseCite(cite.keys, plain_line(part[first : cite.span.start - start])) for cite in inside[:_MOST_CITES]
            )
            sentences.append(ProseSentence(said, lines.number(start + first), keys, placed))
        elif keys and sentences:
            # A citation behind the full stop belongs to what stands before it.
            before = sentences[-1]
            placed = tuple(ProseCite(cite.keys, before.text) for cite in inside[:_MOST_CITES])
            both = tuple(dict.fromkeys((*before.keys, *keys)))
            sentences[-1] = replace(before, keys=both, cites=(*before.cites, *placed)[:_MOST_CITES])
    if sentences:
        yield ProseParagraph(path, heading, tuple(sentences))


def _closing(opening: re.Match[str]) -> re.Pattern[str]:
    return re.compile(rf"\\end\s*\{{{re.escape(opening[1])}\}}")
