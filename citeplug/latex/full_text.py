"""The whole text of a LaTeX document: every section with its captions, mathematics readable, and its own list."""

import re
from dataclasses import dataclass
from pathlib import Path

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import as_given, unreadable
from citeplug.latex.abstract import find_abstract
from citeplug.latex.contexts import mentions_in
from citeplug.latex.folders import Folders, project_folder
from citeplug.latex.include import Reader
from citeplug.latex.math import readable_math
from citeplug.latex.parse import Facts, bodies, find_facts, prose_between, read_title
from citeplug.latex.section_numbers import section_places
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
    """A section as in `DraftSection`, with mathematics readable, and the captions of what floats in it.

    `place` as in `TextSection`.
    """

    level: int
    title: str
    text: str
    captions: tuple[str, ...] = ()
    place: str = ""


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
    places = {} if any(each.code in PARTS_MISSING for each in stream.findings) else section_places(facts)
    sections += _before_headings(facts, below[0][0].start if below else len(facts.string), taken)
    for heading, stop in below:
        title = facts.plain_line(heading.inner, heading.end - 1)
        text = prose_between(facts, heading.end, stop, taken)
        captions, place = _captions(facts, heading.end, stop), places.get(heading.start, "")
        sections.append(WrittenSection(heading.level, title, text, captions, place))
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
    captions = _captions(facts, begin, stop)
    return [WrittenSection(1, "", text, captions)] if captions or len(text.split()) >= _FEW else []


def _captions(facts: Facts, start: int, stop: int) -> tuple[str, ...]:
    found: list[str] = []
    end = start
    for match in _CAPTION.finditer(facts.string, start, stop):
        option = facts.source.option(match.end())
        group = facts.source.group(option[1] + 1 if option else match.end())
        if match.start() >= end and group is not None and group[1] <= stop:
            end = group[1]
            found.append(facts.plain_line(*group))
    return tuple(filter(None, found))
