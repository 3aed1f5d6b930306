"""The running text of a draft's files, with the places at which it stands there, and what of it cites nobody.

The full reading of a draft (`include.py`) expands and reorders; a finding needs lines of the file as it is.

That a sentence says what others did is told from its words alone, in English: it is taken for a claim only where it
says so plainly, and only where neither it nor the sentence beside it cites. Most uncited sentences of a related-work
section are about the paper itself, or lead to the citations that follow.
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
from citeplug.records.gaps import OwnSentence
from citeplug.records.prose import ProseCite, ProseParagraph, ProseSentence
from citeplug.text.scanning import LineIndex, blank, replace_spans
from citeplug.text.sentences import split_sentences
from citeplug.text.speaking import FIRST_PERSON
from citeplug.text.tables import Tables

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
_OPENING_WORDS = 6  # by which a sentence of the abstract is found in its file
_LARGEST = 3_000_000  # code points of a file


def read_prose(draft: Draft, files: Files = DISK) -> list[ProseParagraph]:
    """Return the paragraphs of a draft's files in the order read, without its preamble, abstract, floats and displays.

    A file that cannot be read, or is larger than 3 million characters, has none; the draft's findings name it.
    """
    paragraphs: list[ProseParagraph] = []
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
            paragraphs += _paragraphs(path, text, sorted(cites_of.get(path, ()), key=lambda cite: cite.span.start))
    return paragraphs


def sentences_of_draft(draft: Draft, prose: Sequence[ProseParagraph]) -> Iterator[tuple[OwnSentence, tuple[str, ...]]]:
    """The draft's sentences, plain, with their places and the keys that they cite: those of its abstract first.

    `prose` are its paragraphs; of a PDF there are none, and its sections are read.
    """
    for start, end in split_sentences(draft.abstract):
        text = draft.abstract[start:end].strip()
        yield OwnSentence(text, *place_in_files(draft, text)), ()
    for paragraph in prose:
        for sentence in paragraph.sentences:
            yield OwnSentence(sentence.text, paragraph.file, sentence.line, paragraph.heading), sentence.keys
    for section in () if draft.is_latex else draft.sections:
        for start, end in split_sentences(section.text):
            yield OwnSentence(section.text[start:end], draft.root, None, section.title), ()


def place_in_files(draft: Draft, sentence: str) -> tuple[Path, int | None]:
    """The file and line of a sentence of the abstract: those of its first words. Where no file has them, the root's."""
    words = re.findall(r"\w+", sentence)[:_OPENING_WORDS]
    opening = re.compile(r"\W+".join(map(re.escape, words)))
    for file in draft.files if draft.is_latex and words else ():
        path = draft.root.parent / file
        try:
            text = DISK.read(path).text
        except OSError:
            continue
        if (match := opening.search(text)) is not None:
            return path, text.count("\n", 0, match.start()) + 1
    return draft.root, None


def _paragraphs(path: Path, text: str, cites: Sequence[Cite]) -> Iterator[ProseParagraph]:
    bare = live(text)
    if body := _BODY.search(bare):
        bare = blank(bare[: body.end()]) + bare[body.end() :]
    # In a sentence a display is a word, so that it stays one sentence.
    bare = replace_spans(bare, _OPENING, _closing, blank)
    lines = LineIndex(text)
    starts = [cite.span.start for cite in cites]
    heading, position, quotation = "", 0, False
    for match in _BREAK.finditer(bare):
        if not match[0].strip() and text[match.start() : match.end()].strip():
            continue  # a comment, or a display: no blank line
        for paragraph in _paragraph(path, heading, bare, position, match.start(), cites, starts, lines):
            yield replace(paragraph, quotation=quotation)
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
    part = bare[start:end]
    if len(_WORD.findall(part)) < _FEWEST_WORDS:
        return
    sentences = []
    for first, last in split_sentences(part):
        inside = cites[bisect_left(starts, start + first) : bisect_left(starts, start + last)]
        keys = tuple(dict.fromkeys(key for cite in inside for key in cite.keys))
        if text := plain_line(part[first:last]):
            placed = tuple(
                ProseCite(cite.keys, plain_line(part[first : cite.span.start - start])) for cite in inside[:_MOST_CITES]
            )
            sentences.append(ProseSentence(text, lines.number(start + first), keys, placed))
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


_LEAST, _MOST = 40, 600  # characters of a sentence's words

_TABLES = Tables(__name__)
_PEOPLE = _TABLES.pattern("people")
_OTHERS = (
    r"(?:(?:previous|prior|earlier|existing|recent|related|past|several|many|most|some|other|various|numerous|extensive"
    r"|considerable|different|few|multiple|much|early|further|subsequent|a\s+(?:large\s+|growing\s+|great\s+)?"
    r"(?:number|body|variety|lot|wealth|range)\s+of|a\s+few)\s+(?:of\s+(?:the\s+|these\s+)?)?(?:[\w-]+\s+){0,2}?"
    + _PEOPLE
    + r")"
)
_DID = _TABLES.pattern("did")
_NAMED = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_OTHERS}\b[^.;:]{{0,80}}?\b(?:(?:has|have|had)\s+(?:also\s+|been\s+|recently\s+)*|also\s+|often\s+|typically\s+)?{_DID}\b",
        r"\b[A-Z][\w-]+\s+et\s+al\b",
        r"\b(?:state[\s-]of[\s-]the[\s-]art|best)\s+(?:[\w-]+\s+){0,3}(?:achiev\w+|reach\w*|report\w*|obtain\w*)\b",
    )
]
_IMPERSONAL = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:has|have)\s+(?:also\s+|recently\s+|often\s+|already\s+|previously\s+|long\s+|widely\s+|extensively\s+)*been\s+"
        r"(?:also\s+|recently\s+|widely\s+|extensively\s+|well\s+|successfully\s+|much\s+|largely\s+)*"
        r"(?:shown|proposed|studied|investigated|demonstrated|proven|proved|reported|explored|developed|observed|suggested"
        r"|introduced|applied|used|examined|analy[sz]ed|addressed|considered|argued|established|devoted|published)\b",
        r"\bit\s+(?:is|was)\s+(?:well[\s-]+)?(?:known|shown|established|proved|proven|reported|demonstrated|argued)\s+that\b",
    )
]
# About the paper itself, about what it does not name, or about what was said before.
_OWN = re.compile(
    rf"\b(?:{FIRST_PERSON}|(?:in\s+)?this\s+(?:paper|work|article|section|study|thesis|chapter|survey|review)|here"
    r"|below|above|section|table|figure|fig|appendix|to\s+the\s+best\s+of|future|the\s+present|the\s+authors?|unlike"
    r"|no\s+(?:previous|prior|existing|other|such|study|work|research)|none|(?<!a\s)(?:few|little)|in\s+contrast)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:(?:however|moreover|furthermore|also|thus|hence|yet|besides|in\s+addition|for\s+example|again|here|there)\W+)?"
    r"(?:they|these|those|such|this|it(?!\s+(?:is|was|has)\b)|the\s+(?:former|latter|same|method|approach|authors?|idea"
    r"|algorithm|model|work)|both|all\s+(?:of\s+)?(?:these|those)|neither|either|his|her|their|its)\b",
    re.IGNORECASE,
)


def is_claim_about_others(words: str, *, impersonal: bool = True) -> bool:
    """Return True if a plain sentence says what others did, and not what its own text or one beside it names.

    With `impersonal` also one that says that something has been done or is known, and not by whom.
    """
    if not _LEAST <= len(words) <= _MOST or _OWN.search(words) or _BACK.match(words):
        return False
    return any(pattern.search(words) for pattern in (*_NAMED, *(_IMPERSONAL if impersonal else ())))
