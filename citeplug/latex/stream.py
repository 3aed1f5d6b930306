"""The state of reading one document, and what comes out of it.

pylatexenc reads one string: without what it includes, and without the places of what a macro made.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.files.decode import Decoded
from citeplug.latex.conditionals import Branches
from citeplug.latex.folders import Folders
from citeplug.latex.macros import Environment, Macro, plain_bodies, spelled_out
from citeplug.latex.scan import LatexSource, without_comments
from citeplug.latex.text import Origin, Text, TextBuilder, literal
from citeplug.latex.vocabulary import COMMENT_ENVIRONMENTS, VERBATIM_ENVIRONMENTS
from citeplug.records.finding import Finding, Severity
from citeplug.text.scanning import ExpansionBudget, LineIndex

DEEPEST = 40  # files, macros and branches in each other
LONGEST = 6_000_000  # code points of a document read, its files together
_LONGEST_NAME = 4000
_LINE_END = re.compile(r"\r\n|\r|\n")
MOST_FINDINGS = 1000  # of one code: many of one do not hide another


UNFOLD = "use shorter macros there: they repeat the same text many times"


def too_much(limit: int) -> str:
    """The message where macros expand to more than is read of them."""
    return f"the macros used here expand to more than {limit:,} characters: the rest is left out"


@dataclass(slots=True)
class Package:
    """A loaded package with its options as written."""

    name: str
    options: str


@dataclass(slots=True)
class Stream:
    """The draft in reading order. `files` are in the order read, root first.

    `virtual` are the contents of `filecontents` environments by name; `cite_names` are commands that the
    document declares to cite, with the known command that each is read like. `passed_options` are those
    of `\\PassOptionsToPackage` by package.
    """

    text: Text
    files: list[Path] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    packages: list[Package] = field(default_factory=list)
    passed_options: dict[str, str] = field(default_factory=dict)
    document_class: str | None = None
    virtual: dict[str, Text] = field(default_factory=dict)
    cite_names: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    encoding: str = "utf-8"
    lines: dict[Path, LineIndex] = field(default_factory=dict)
    expansion: ExpansionBudget = field(default_factory=ExpansionBudget)

    def biblatex_options(self) -> str | None:
        """All options given to biblatex or a variant (biblatex-chicago), separated by commas; None without it."""
        options = [loaded.options for loaded in self.packages if loaded.name.startswith("biblatex")]
        return ",".join([self.passed_options.get("biblatex", ""), *options]) if options else None

    def finding(self, origin: Origin, code: str, severity: Severity, message: str, fix: str | None) -> Finding:
        lines = self.lines.get(origin.file)
        line = lines.number(origin.offset) if lines else None
        column = lines.column(origin.offset) if lines else None
        return Finding(code, severity, message, origin.file, line, column, fix)

    def body_of(self, name: str) -> str | None:
        """The body of a macro in the name of a file; None if it has arguments or is not known."""
        if name == "jobname" and self.files:
            return self.files[0].stem
        return plain_bodies(self.macros)(name)


class Frame:
    """One string being read: a file, a macro's expansion, or a branch.

    All before `last` has been dealt with. `mark` is how much had come out before a file began. `waiting`
    holds, for each conditional that is open here, whether its `\\else` is to be skipped. `unclosed` are the
    environments of which no end follows: a search that failed is not repeated.
    """

    __slots__ = ("branches", "file", "last", "mark", "source", "stopped", "string", "text", "unclosed", "waiting")

    def __init__(self, text: Text, file: bool = False, mark: int = 0) -> None:
        self.text = text
        self.string = text.string
        self.source = LatexSource(text.string)
        self.file = file
        self.mark = mark
        self.last = 0
        self.stopped = False
        self.branches: Branches | None = None
        self.waiting: list[bool] = []
        self.unclosed: set[str] = set()


class ReadingState(ABC):
    """The state of reading one document, shared by the handlers of its commands."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.out = TextBuilder()
        self.stream = Stream(Text("", [], []))
        self.switches: dict[str, bool] = {}  # \\newif, by the name of the test
        self.setters: dict[str, tuple[str, bool]] = {}
        self.environments: dict[str, Environment] = {}
        self.verbatim = set(VERBATIM_ENVIRONMENTS)
        self.dropped = set(COMMENT_ENVIRONMENTS)
        self.structural: dict[str, bool] = {}
        self.shorthands: dict[str, str] = {}  # the author's names for \\newcommand and its like
        self.open: list[Path] = []
        self.places: list[Path] = []  # folders of \\import
        self.length = 0  # code points of all files read
        self.doubts: Counter[str] = Counter()  # findings by their code
        self.inputs = 0  # files that were to be included
        self.exhausted = self.cut = False  # whether it was said that a bound was reached
        self.depth = 0
        self.done = False
        self.in_package = False
        self.in_body = False
        self.short = ""
        self.compile()

    @abstractmethod
    def run(self, frame: Frame, active: frozenset[str] = frozenset()) -> None:
        """Read a frame to its end. The macros in `active` are being expanded and are not expanded again."""

    @abstractmethod
    def read_file(self, path: Path, decoded: Decoded) -> None:
        """Read a file in this place."""

    def compile(self) -> None:
        """Fix which characters begin something to be looked at: @ is a letter in the preamble only."""
        letters = "A-Za-z" if self.in_body else "A-Za-z@"
        short = "|[" + re.escape(self.short) + "]" if self.short and self.in_body else ""
        self.pattern = re.compile(rf"%|\\(?:[{letters}]+|.){short}", re.DOTALL)

    def emit(self, frame: Frame, end: int) -> None:
        """Let out what is before `end`."""
        if end > frame.last:
            if not self.in_package:
                self.out.add_text(frame.text, frame.last, end)
            frame.last = end

    def drop(self, frame: Frame, start: int, end: int) -> int:
        """Let out what is before `start` and leave out what is before `end`."""
        self.emit(frame, start)
        frame.last = max(end, frame.last)
        return end

    def put(self, frame: Frame, start: int, end: int, content: tuple[int, int]) -> int:
        """Let out `content`, as verbatim characters, in the place of `start` to `end`."""
        self.emit(frame, start)
        if not self.in_package:
            for string, origin in frame.text.spans(*content):
                self.out.add(literal(string), origin)
        frame.last = end
        return end

    def add_at(self, frame: Frame, start: int, string: str) -> None:
        """Let out a string that is in no file, as if it were at `start`."""
        if not self.in_package:
            origin = frame.text.at(start)
            self.out.add(string, Origin(origin.file, origin.offset, origin.offset + 1, origin.macro or ""))

    def file_name(self, text: str) -> str:
        """A file name with the author's macros in it resolved."""
        name = spelled_out(without_comments(text[:_LONGEST_NAME]), self.stream.body_of, self.stream.expansion)
        return re.sub(r"\\(?:detokenize|string)\s*|[{}]|\\(?=[ _])", "", name).strip()

    def as_allowed(self, path: Path, text: str) -> str:
        """The text of a file, cut where the document becomes longer than the bound."""
        room = LONGEST - self.length
        self.length += min(len(text), room)
        self.stream.expansion.grow(min(len(text), room))
        if len(text) > room and not self.cut:
            self.cut = True
            message = f"the document is longer than {LONGEST:,} characters: what follows here is not read"
            line = len(_LINE_END.findall(text, 0, room)) + 1
            finding = Finding(
                "draft_too_large", "warning", message, path, line, None, "give it only part of the document"
            )
            self.stream.findings.append(finding)
        return text[:room]

    def take(self, frame: Frame, position: int, size: int) -> bool:
        """True if `size` more code points may be put in place of what is at `position`."""
        if self.stream.expansion.take(size):
            return True
        hit = self.stream.expansion.refused()
        if hit and not self.exhausted:
            self.exhausted = True
            self.doubt("expansion_limit", too_much(hit), frame, position, UNFOLD)
        return False

    def doubt(
        self,
        code: str,
        message: str,
        frame: Frame,
        position: int,
        fix: str | None = None,
        severity: Severity = "warning",
    ) -> None:
        """Note a finding about what is at `position`."""
        finding = self.stream.finding(frame.text.at(position), code, severity, message, fix)
        if self.doubts[code] < MOST_FINDINGS and finding not in self.stream.findings[-20:]:
            self.doubts[code] += 1
            self.stream.findings.append(finding)


# From the reading, the frame, and the start and end of the command's name to where reading goes on.
Handler = Callable[[ReadingState, Frame, int, int], int]


def handlers(*groups: tuple[str, Handler]) -> dict[str, Handler]:
    """A table from (names, handler) pairs, the names separated by spaces."""
    return {name: handler for names, handler in groups for name in names.split()}
