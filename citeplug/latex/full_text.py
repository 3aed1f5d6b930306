"""The whole text of a LaTeX document: every section with its captions, mathematics readable, and its own list.

A section has the number that LaTeX prints, where the source alone says what it is.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import as_given, unreadable
from citeplug.latex.contexts import mentions_in
from citeplug.latex.folders import Folders, project_folder
from citeplug.latex.front_matter import find_abstract
from citeplug.latex.include import Reader
from citeplug.latex.math import readable_math
from citeplug.latex.parse import Facts, Heading, bodies, find_facts, prose_between, read_title
from citeplug.latex.tables import table_rows
from citeplug.records.finding import Finding
from citeplug.records.passage import Mention

_CAPTION = re.compile(r"\\(?:captionof\*?\s*\{[a-z]+\}|(?:sub|side)?caption\*?(?![A-Za-z]))")
_FRONT = ("frontmatter", "titlepage", "abstract", "keywords", "keyword", "IEEEkeywords", "CCSXML")
# Findings of the reader where parts of the document are missing from its text.
PARTS_MISSING = (
    "missing_input",
    "input_cycle",
    "input_too_deep",
    "unresolved_input",
    "input_outside_project",
    "draft_too_large",
)
_FEW = 25  # words before the first heading; fewer are what is left of a title page


@dataclass(frozen=True, slots=True)
class WrittenSection:
    """A section as in `DraftSection`, with mathematics readable, and the captions and rows of what floats in it.

    `place` as in `TextSection`.
    """

    level: int
    title: str
    text: str
    captions: tuple[str, ...] = ()
    place: str = ""
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A document's text. `lists` is the LaTeX of its `thebibliography` environments; `findings` are the reader's.

    `mentions` are its citations, each in its sentence.
    """

    title: str
    sections: tuple[WrittenSection, ...]
    lists: tuple[str, ...]
    findings: tuple[Finding, ...]
    mentions: tuple[Mention, ...] = ()


def read_full_text(main: Path) -> WrittenText:
    """Read the document whose root is `main`. Raises UnreadableInput if the root cannot be read."""
    root = as_given(main)
    try:
        stream = Reader(Folders(root.parent, project_folder(root.parent))).read(root)
    except OSError as error:
        raise unreadable(root, error) from error
    except RecursionError:
        raise UnreadableInput(f"{root} is nested too deeply to be read", "read its PDF") from None
    facts = find_facts(stream)
    facts.math = readable_math
    abstract, taken = find_abstract(facts)
    sections = [WrittenSection(1, "Abstract", abstract)] if abstract else []
    below = list(bodies(facts, taken))
    # With a part that is missing the count of sections may be wrong.
    places = {} if any(finding.code in PARTS_MISSING for finding in stream.findings) else section_places(facts)
    sections += _before_headings(facts, below[0][0].start if below else len(facts.string), taken)
    for heading, stop in below:
        title = facts.plain_line(heading.inner, heading.end - 1)
        text = prose_between(facts, heading.end, stop, taken)
        place = places.get(heading.start, "")
        sections.append(_section(facts, heading.level, title, text, heading.end, stop, place))
    lists = tuple(facts.string[b.inner : b.stop] for b in facts.blocks if b.name.startswith("thebibliography"))
    return WrittenText(
        read_title(facts), tuple(sections), lists, (*stream.findings, *facts.findings), mentions_in(facts)
    )


def _before_headings(facts: Facts, first: int, taken: list[tuple[int, int]]) -> list[WrittenSection]:
    """What stands before the first heading and behind the title: all of the text in a letter."""
    begins = [facts.body, *(end for _, end in facts.commands.get("maketitle", ()) if end <= first)]
    begins += [end for _, end in taken if end <= first]
    begins += [block.end for block in facts.blocks if block.name in _FRONT and block.end <= first]
    lists = [block.start for block in facts.blocks if block.name.startswith("thebibliography")]
    begin, stop = max(begins), min([first, *(start for start in lists if start > max(begins))])
    text = prose_between(facts, begin, stop, taken)
    section = _section(facts, 1, "", text, begin, stop)
    return [section] if section.captions or len(text.split()) >= _FEW else []


def _section(facts: Facts, level: int, title: str, text: str, start: int, stop: int, place: str = "") -> WrittenSection:
    captions = _captions(facts, start, stop)
    rows = table_rows(facts, start, stop, captions)
    return WrittenSection(level, title, text, tuple(caption for _, caption in captions), place, rows)


def _captions(facts: Facts, start: int, stop: int) -> list[tuple[int, str]]:
    paragraphs: list[tuple[int, str]] = []
    end = start
    for match in _CAPTION.finditer(facts.string, start, stop):
        option = facts.source.option(match.end())
        group = facts.source.group(option[1] + 1 if option else match.end())
        if match.start() >= end and group is not None and group[1] <= stop:
            end = group[1]
            paragraphs.append((match.start(), facts.plain_line(*group)))
    return [(at, text) for at, text in paragraphs if text]


# Classes that number sections 1, 1.1; in the other ones they may be Roman, begin anew, or have no number.
_ARABIC = re.compile(
    r"(?:ext)?(?:article|report|book)|amsart|amsproc|scr(?:artcl|reprt|book)|memoir|acmart|sig-?(?:conf|plan|alternate).*"
    r"|llncs|lncs|svjour3?|svmult|sn-jnl|elsart(?:icle)?|cas-[sd]c|mnras|mn2e|aa|aastex\d*|emulateapj|jmlr.*|eptcs"
    r"|lipics.*|oasics.*|siamart.*|siamltex|imsart|iopart|quantumarticle|scipost|jhep\d*|easychair|ceurart",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"ieeetran|ieeeconf|revtex4(?:-[12])?", re.IGNORECASE)
_UNNUMBERED = re.compile(r"aaai\d*|nature|pnas\w*|titlesec|sectsty", re.IGNORECASE)
_PRINTED = ("thechapter", "thesection", "thesubsection")
# What numbers otherwise from here on.
_CHANGED = re.compile(
    r"\\(?:setcounter|addtocounter|stepcounter|refstepcounter|counterwithin\*?|counterwithout\*?|numberwithin)\s*\{"
    r"(?:chapter|section|subsection)\}"
    r"|\\setcounter\s*\{secnumdepth\}\s*\{\s*(?:-\s*\d|[01])\s*\}"
    r"|\\@addtoreset"
)
_APPENDIX = re.compile(r"\\(?:appendix|appendices)(?![A-Za-z])|\\begin\s*\{(?:sub)?append(?:ix|ices)\}")
_STAR = re.compile(r"\\[A-Za-z]+\s*\*")
_DEEPEST = 2  # subsections: what is below is cited by these
_MOST = 99  # sections; a document with more is no paper


def section_places(facts: Facts) -> dict[int, str]:
    """The places that a citation can name, such as `Sec. 3.2` and `App. B`, by where their headings start.

    A heading without a number has none, and what is below a subsection has that of the subsection.
    """
    string, stream = facts.string, facts.stream
    loaded = [package.name for package in stream.packages]
    if any(name in stream.macros for name in _PRINTED) or any(map(_UNNUMBERED.fullmatch, loaded)):
        return {}
    name = stream.document_class or ""
    roman = _ROMAN.fullmatch(name) is not None
    if not roman and not _ARABIC.fullmatch(name):
        return {}
    # Physical Review Letters prints headings without numbers.
    if roman and re.search(r"\\documentclass\s*\[[^\]]*\bprl\b", string):
        return {}
    changed = _CHANGED.search(string)
    appendix = _APPENDIX.search(string, facts.body)
    numbered = _Numbers(roman, appendix.start() if appendix else len(string))
    headings = sorted(facts.headings, key=lambda heading: heading.start)
    if changed is not None:
        headings = [heading for heading in headings if heading.start < changed.start()]
    return {
        heading.start: numbered.next(heading, _STAR.match(string, heading.start) is not None) for heading in headings
    }


class _Numbers:
    """LaTeX's counters of chapters, sections and subsections."""

    def __init__(self, roman: bool, appendix: int) -> None:
        self._roman = roman
        self._appendix = appendix
        self._counts = [0, 0, 0]
        self._last = ""
        self._begun = False

    def next(self, heading: Heading, starred: bool) -> str:
        level = max(heading.level, 0)
        if level > _DEEPEST:
            return self._last
        behind = heading.start > self._appendix
        if behind and not self._begun:
            self._begun, self._counts = True, [0, 0, 0]
        if starred:
            self._last = ""
            return ""
        self._counts[level] += 1
        self._counts[level + 1 :] = [0] * (_DEEPEST - level)
        self._last = self._shown(level, behind)
        return self._last

    def _shown(self, level: int, behind: bool) -> str:
        counts = self._counts[: level + 1] if self._counts[0] else self._counts[1 : level + 1]
        if not counts or not all(0 < count <= _MOST for count in counts) or level == 0:
            return ""
        if behind:
            letter = chr(ord("A") + counts[0] - 1) if counts[0] <= 26 else ""
            return f"App. {'.'.join([letter, *map(str, counts[1:])])}" if letter else ""
        if self._roman:
            return f"Sec. {_roman(counts[0])}"
        return f"Sec. {'.'.join(map(str, counts))}"


def _roman(number: int) -> str:
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return tens[number // 10] + ones[number % 10]
