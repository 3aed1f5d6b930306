"""Facts of a document: headings, citations, title, environments, bibliography commands.

pylatexenc's nodes end where a macro or a file does; these facts cross both, and keep their places in the files.
"""

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from citeplug.latex.cites import read_cite
from citeplug.latex.plain import Math, plain
from citeplug.latex.scan import LatexSource
from citeplug.latex.stream import MOST_FINDINGS, UNFOLD, Stream, too_much
from citeplug.latex.text import Origin, unliteral
from citeplug.latex.vocabulary import SECTIONS, is_cite
from citeplug.records.draft import Cite, DraftSection, Span
from citeplug.records.finding import Finding, Severity
from citeplug.text.tables import Tables

_COMMAND = re.compile(r"\\(?:([A-Za-z@]+)(\*?)|.)", re.DOTALL)
_BODY_COMMAND = re.compile(r"\\(?:([A-Za-z]+)(\*?)|.)", re.DOTALL)
_NAME = re.compile(r"\s*\{\s*([^{}\\]{1,100}?)\s*\}")
_TITLES = frozenset({"title", "icmltitle", "aistatstitle", "Title", "papertitle", "mytitle", "TITLE", "articletitle"})
_PLACEHOLDER = re.compile(r"\[(?:cite|CITE|citation needed|citation|ref|REF|\?)\]")
_ACKNOWLEDGED = ("acks", "acknowledgment", "acknowledgments", "people_thanked", "acknowledgements")
# Environments and commands that end a section: a heading that is put in before them takes none of their text.
_STOPS = ("thebibliography", *_ACKNOWLEDGED)
_STOP_COMMANDS = ("appendix", *_ACKNOWLEDGED)
_MOST_KEYS = 1000  # of the citations that one use of a macro makes, joined to one
_MOST_NOTED = 100_000  # commands of a document that are looked at
_PLAN, _PLAN_END = "{citeplugplan}", "\\end{citeplugplan}"


@dataclass(frozen=True, slots=True)
class Heading:
    """A sectioning command from `start` to `end` in the stream; its title's LaTeX begins at `inner`."""

    level: int
    start: int
    inner: int
    end: int


@dataclass(frozen=True, slots=True)
class EnvironmentSpan:
    """An environment: contents from `inner` to `stop`, all of it from `start` to `end`, in the stream."""

    name: str
    start: int
    inner: int
    stop: int
    end: int


@dataclass(slots=True)
class Facts:
    """Commands, blocks and citations with their places. Positions are code points of the stream's text."""

    stream: Stream
    source: LatexSource
    body: int = 0
    math: Math | None = None  # what mathematics is shown as; None: as it is written
    headings: list[Heading] = field(default_factory=list)
    blocks: list[EnvironmentSpan] = field(default_factory=list)
    cites: list[Cite] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)  # of the citations, in the stream
    titles: list[tuple[int, int, int]] = field(default_factory=list)  # of the command, and of its argument
    commands: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    doubts: Counter[str] = field(default_factory=Counter)  # by their code

    @property
    def string(self) -> str:
        return self.source.string

    def span(self, start: int, end: int) -> Span:
        """The span in the files of a stretch of the stream."""
        text = self.stream.text
        first, last = text.at(start), text.at(max(end - 1, start))
        stop = last.end if last.macro is not None else last.offset + 1
        if first.macro is not None:
            stop = max(first.end, stop) if last.file == first.file else first.end
        if last.file != first.file or stop <= first.offset:
            stop = first.offset + 1
        return Span(first.file, first.offset, stop, self.line(first))

    def line(self, origin: Origin) -> int:
        lines = self.stream.lines.get(origin.file)
        return lines.number(origin.offset) if lines else 1

    def plain(self, start: int, end: int) -> str:
        """The readable text of a stretch of the stream; a finding where its macros stand for too much."""
        return self.made_plain(self.string[start:end], start)

    def made_plain(self, text: str, start: int) -> str:
        """As `plain`, of LaTeX that was made of what stands at `start` and behind it."""
        printed = plain(text, self.stream.macros, self.stream.expansion, self.math)
        self.told(start)
        return printed

    def plain_line(self, start: int, end: int) -> str:
        """The readable text of a stretch of the stream, in one line."""
        return " ".join(self.plain(start, end).split())

    def told(self, start: int) -> None:
        """Say so if macros that are used behind `start` stand for more than was read of them."""
        limit = self.stream.expansion.refused()
        if limit is None:
            return
        message = too_much(limit)
        of_all = limit == self.stream.expansion.limit
        printed = [
            finding.message for finding in (*self.stream.findings, *self.findings) if finding.code == "expansion_limit"
        ]
        if not (of_all and message in printed):
            self.doubt("expansion_limit", message, start, UNFOLD)

    def doubt(self, code: str, message: str, start: int, fix: str | None = None) -> None:
        severity: Severity = "info" if code == "citation_placeholder" else "warning"
        self.doubts[code] += 1
        if self.doubts[code] <= MOST_FINDINGS:
            self.findings.append(self.stream.finding(self.stream.text.at(start), code, severity, message, fix))


AUTHOR_COMMANDS = frozenset({"author", "icmlauthor", "aistatsauthor", "coltauthor", "Author"})
# Commands whose places are kept for those who look for them later.
_PLACES = AUTHOR_COMMANDS | Tables(__name__).words("places")
_NOTED = frozenset({"begin", "end"}) | frozenset(SECTIONS) | _TITLES | _PLACES


def find_facts(stream: Stream) -> Facts:
    """Walk the stream once and note what stands where."""
    facts = Facts(stream, LatexSource(stream.text.string))
    string = facts.string
    match = re.search(r"\\begin\s*\{document\}", string)
    facts.body = match.end() if match else 0
    opened: list[tuple[str, int, int]] = []
    label_end = plan_end = noted = 0
    keys: deque[tuple[int, int]] = deque()  # of the citation read last: what stands in them is no citation
    for name, star, start, end in _commands(string, facts.body):
        if start < plan_end:
            continue  # a plan is any text (document_options.py)
        noted += name in _NOTED or name in stream.cite_names or is_cite(name)
        if noted > _MOST_NOTED:
            message = f"there are more than {_MOST_NOTED:,} headings, citations and environments: the rest are not read"
            facts.doubt("draft_too_large", message, start, "give it only part of the document")
            break
        if name == "begin" and string.startswith(_PLAN, end):
            plan_end = string.find(_PLAN_END, end)
        if name in ("begin", "end"):
            _environment(facts, name, start, end - len(star), opened)
        elif name in SECTIONS:
            if start >= facts.body:  # in the preamble \titlespacing\section{0pt}... only names it
                _heading(facts, name, start, end)
        elif name in _TITLES:
            _title(facts, start, end)
        elif start < label_end:
            continue  # a \bibitem's label may hold commands that look like citations
        elif name in stream.cite_names or is_cite(name):
            while keys and keys[0][1] <= start:
                keys.popleft()
            if not keys or start < keys[0][0]:
                keys.extend(_cite(facts, name, star, start, end))
        elif name in _PLACES:
            facts.commands.setdefault(name, []).append((start, end - len(star)))
            if name == "bibitem" and (label := facts.source.option(end)):
                label_end = label[1]
    for name, start, inner in opened:
        if name != "document":
            facts.doubt("unclosed_environment", f"\\begin{{{name}}} has no \\end{{{name}}}", start)
        if "abstract" in name.lower():
            facts.blocks.append(EnvironmentSpan(name, start, inner, inner, inner))
    facts.blocks.sort(key=lambda block: block.start)
    for placeholder in _PLACEHOLDER.finditer(string, facts.body):
        text = f"{placeholder.group()} marks a missing citation"
        facts.doubt("citation_placeholder", text, placeholder.start(), "cite a paper, or remove it")
    return facts


def _commands(string: str, body: int) -> Iterator[tuple[str, str, int, int]]:
    # In the preamble @ may be a letter; in the body it never is.
    for pattern, start, stop in ((_COMMAND, 0, body), (_BODY_COMMAND, body, len(string))):
        for match in pattern.finditer(string, start, stop):
            if match[1]:
                yield match[1], match[2], match.start(), match.end()


def _environment(facts: Facts, command: str, start: int, end: int, opened: list[tuple[str, int, int]]) -> None:
    match = _NAME.match(facts.string, end)
    if match is None:
        return
    name = match[1]
    if command == "begin":
        opened.append((name, start, match.end()))
        return
    # An environment that was never closed inside this one stays open: it is reported, the rest is right.
    for index in range(len(opened) - 1, max(len(opened) - 30, -1), -1):
        if opened[index][0] == name:
            _, begin, inner = opened.pop(index)
            facts.blocks.append(EnvironmentSpan(name, begin, inner, start, match.end()))
            return


def _heading(facts: Facts, name: str, start: int, end: int) -> None:
    source = facts.source
    option = source.option(end)
    group = source.group(option[1] + 1 if option else end)
    if group is None or (group[1] - group[0] > 500 and facts.string.find("\n\n", *group) >= 0):
        return
    if facts.headings and start < facts.headings[-1].end:
        return  # LaTeX takes no heading within another, and n of them would be read n times
    facts.headings.append(Heading(SECTIONS[name], start, group[0], group[1] + 1))


def _title(facts: Facts, start: int, end: int) -> None:
    source = facts.source
    option = source.option(end)
    argument = source.argument(option[1] + 1 if option else end)
    if argument and not (facts.titles and start < facts.titles[-1][2]):
        facts.titles.append((start, argument[0], argument[1]))


def _cite(facts: Facts, name: str, star: str, start: int, end: int) -> Sequence[tuple[int, int]]:
    """Note a citation; returns where its keys stand."""
    stream = facts.stream
    meaning = stream.cite_names.get(name)
    if meaning is None:
        macro = stream.macros.get(name)
        synonym = macro.synonym if macro is not None else None
        meaning = synonym.rstrip("*") if synonym and is_cite(synonym.rstrip("*")) else name
    read = read_cite(facts.source, meaning, end, stream.macros, stream.expansion)
    facts.told(start)
    if read is None:
        return []
    if read.unclosed:
        facts.doubt("unclosed_citation", f"\\{name} has no closing brace", start, "close the brace")
        return []
    origin = stream.text.at(start)
    if not read.keys:
        if not re.search(r"[\\#]", facts.string[end : read.end]):
            facts.doubt("empty_citation", f"\\{name} cites nothing", start, "give a key, or remove the command")
        return read.groups
    span = facts.span(start, read.end)
    command = name + star
    if origin.macro:
        starred = star and stream.text.at(start + len(name) + 1).macro is None
        command = origin.macro + ("*" if starred else "")
    keys = tuple(unliteral(key) for key in read.keys)
    if (
        origin.macro
        and facts.cites
        and facts.cites[-1].span.start == span.start
        and facts.cites[-1].span.file == span.file
        and len(facts.cites[-1].keys) < _MOST_KEYS
    ):
        # One use of a macro that cites several times is one citation.
        before = facts.cites.pop()
        keys = before.keys + tuple(key for key in keys if key not in before.keys)
        span = Span(span.file, span.start, max(span.end, before.span.end), span.line)
        start = facts.places.pop()[0]
    facts.places.append((start, read.end))
    facts.cites.append(Cite(keys, command, span))
    return read.groups


def read_sections(facts: Facts, left_out: list[tuple[int, int]], *, prose: bool = True) -> tuple[DraftSection, ...]:
    """The headings with their plain text; the stretches `left_out` (the abstract) are no part of any.

    Without `prose` only the headings are read.
    """
    sections = []
    for heading, stop in bodies(facts, left_out):
        text = prose_between(facts, heading.end, stop, left_out) if prose else ""
        title = facts.plain_line(heading.inner, heading.end - 1)
        sections.append(DraftSection(heading.level, title, text, facts.span(heading.start, heading.end)))
    return tuple(sections)


def bodies(facts: Facts, left_out: list[tuple[int, int]]) -> Iterator[tuple[Heading, int]]:
    """The headings outside of `left_out`, each with the place where the text below it ends."""
    limits = sorted(
        [heading.start for heading in facts.headings]
        + [block.start for block in facts.blocks if block.name in _STOPS]
        + [start for name in _STOP_COMMANDS for start, _ in facts.commands.get(name, ())]
        + [len(facts.string)]
    )
    for heading in facts.headings:
        if not any(start <= heading.start < end for start, end in left_out):
            yield heading, limits[bisect_left(limits, heading.end)]


def prose_between(facts: Facts, here: int, stop: int, left_out: list[tuple[int, int]]) -> str:
    """The plain text of a stretch of the stream, without what of it is `left_out`."""
    parts, began = [], here
    for start, end in left_out:
        if here < end and start < stop:
            parts.append(facts.string[here : max(start, here)])
            here = max(here, end)
    parts.append(facts.string[here : max(stop, here)])
    return "\n\n".join(part for part in (facts.made_plain(piece, began) for piece in parts) if part)


def read_title(facts: Facts) -> str:
    """The title: the last `\\title` before the first `\\maketitle`, else what stands in its place."""
    made = [start for start, _ in facts.commands.get("maketitle", [])]
    before = [(inner, stop) for start, inner, stop in facts.titles if not made or start < made[0]]
    after = [(inner, stop) for start, inner, stop in facts.titles]
    for inner, stop in [*reversed(before), *after]:
        title = facts.plain_line(inner, stop)
        if title:
            return title
    for _, end in facts.commands.get("hypersetup", []):
        group = facts.source.group(end)
        match = re.search(r"pdftitle\s*=\s*", facts.string[group[0] : group[1]]) if group else None
        if match and group:
            value = facts.source.group(group[0] + match.end())
            title = facts.plain_line(*value) if value else ""
            if title:
                return title
    return _large_title(facts)


def read_date(facts: Facts) -> str:
    """The text of the last `\\date`."""
    for _, end in reversed(facts.commands.get("date", [])):
        group = facts.source.group(end)
        if group:
            return facts.plain_line(*group)
    return ""


def _large_title(facts: Facts) -> str:
    # Without \title: the first words in a large size before the first heading.
    stop = facts.headings[0].start if facts.headings else len(facts.string)
    stop = min(stop, facts.body + 5000)
    for match in re.finditer(r"\\(?:Huge|huge|LARGE|Large)\b", facts.string[facts.body : stop]):
        position = facts.body + match.end()
        group = facts.source.group(position)
        if group is None:
            opening = facts.string.rfind("{", facts.body, position)
            closing = facts.source.closing(opening) if opening >= 0 else None
            if closing is None or closing < position:
                end = facts.string.find("\\end{", position, position + 1000)
                closing = end if end >= 0 else position
            group = (position, closing)
        title = facts.plain_line(*group) if group[1] - group[0] <= 5000 else ""
        if len(title) <= 300 and re.search(r"[^\W\d_]{3}", title):
            return title
    return ""
