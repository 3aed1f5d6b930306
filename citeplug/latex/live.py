"""The parts of a source file that LaTeX reads as commands, or as text of a paragraph, as far as that file alone shows.

The full reading of a draft (`include.py`) expands and reorders; an edit needs offsets of the file as it is.
pylatexenc's nodes know no arguments of an author's macros, and nothing of where a broken file goes on.
"""

import re
from collections import Counter
from collections.abc import Iterator

from citeplug.latex.scan import LatexSource
from citeplug.latex.vocabulary import DROPPED_ENVIRONMENTS, MATH_ENVIRONMENTS
from citeplug.text.scanning import blank, replace_ranges, replace_spans

_VERBATIM = "|".join(
    re.escape(name)
    for name in (
        "verbatim verbatim* Verbatim Verbatim* BVerbatim LVerbatim spverbatim lstlisting minted comment alltt "
        "filecontents filecontents* citeplugplan"
    ).split()
)
_DEAD = re.compile(
    rf"\\begin\s*\{{(?P<env>{_VERBATIM})\}}"
    r"|\\(?:verb|lstinline)\*?(?P<mark>[^A-Za-z\s*{\[])[^\r\n]*?(?P=mark)"
    r"|(?<!\\)(?:\\\\)*%[^\r\n]*"
)
_CONDITIONAL = re.compile(r"\\(?:(?P<open>if[A-Za-z@]*)|(?P<end>fi|else))(?![A-Za-z@])")
_DEFINITION = re.compile(
    r"\\(?:(?P<command>(?:re|provide)?newcommand|DeclareRobustCommand|(?:New|Renew|Provide|Declare)DocumentCommand)\*?"
    r"|(?P<environment>(?:re)?newenvironment)\*?|(?P<plain>[gex]?def))(?![A-Za-z])"
)
_PLAIN_NAME = re.compile(r"\s*\\(?:[A-Za-z@]+|.)[^{}]*")
_NAME = re.compile(r"\s*\\(?:[A-Za-z@]+|.)")
_END = re.compile(r"\\end\s*\{document\}|\\endinput(?![A-Za-z])")


def live(text: str) -> str:
    """`text` with spaces for what is no command of the document, every offset and line end kept.

    That is comments, verbatim text, what `\\iffalse` skips, definitions, and what follows `\\end{document}`.
    """
    bare = _without_false(replace_spans(text, _DEAD, _closing, blank))
    end = _END.search(bare)
    if end:
        bare = bare[: end.end()] + blank(bare[end.end() :])
    return replace_ranges(bare, _definitions(bare), blank)


def _definitions(text: str) -> Iterator[tuple[int, int]]:
    source, position = LatexSource(text), 0
    for match in _DEFINITION.finditer(text):
        if match.start() >= position:  # no definition inside another
            start, stop = _body(source, match)
            if stop > start:
                yield start, stop
                position = stop


def _closing(match: re.Match[str]) -> re.Pattern[str] | None:
    return re.compile(rf"\\end\s*\{{{re.escape(match['env'])}\}}") if match["env"] else None


def _without_false(text: str) -> str:
    """Blank what is between `\\iffalse` and its own `\\fi` or `\\else`."""
    parts: list[str] = []
    position = depth = 0
    for match in _CONDITIONAL.finditer(text):
        if depth == 0 and match["open"] == "iffalse":
            parts.append(text[position : match.start()])
            position, depth = match.start(), 1
        elif depth and match["open"]:
            depth += 1
        elif depth and (match["end"] == "fi" or depth == 1):
            depth -= 1
            if depth == 0:
                parts.append(blank(text[position : match.start()]))
                position = match.start()
    return "".join([*parts, text[position:]])


def _body(source: LatexSource, match: re.Match[str]) -> tuple[int, int]:
    """The range of the bodies of a definition; empty if it is not clear."""
    at = match.end()
    if match["plain"]:
        name = _PLAIN_NAME.match(source.string, at)
        group = source.group(name.end()) if name else None
        return (group[0], group[1]) if group else (at, at)
    named = source.group(at)
    if named:
        at = named[1] + 1
    elif name := _NAME.match(source.string, at):
        at = name.end()
    while option := source.option(at):
        at = option[1] + 1
    wanted = 2 if match["environment"] or "Document" in (match["command"] or "") else 1
    start = end = at
    for number in range(wanted):
        group = source.group(at)
        if group is None:
            break
        start = group[0] if number == 0 else start
        end, at = group[1], group[1] + 1
    return start, end


_BEGIN = re.compile(r"\\begin\s*\{document\}")
_TOKEN = re.compile(
    r"\\(?P<edge>begin|end)\s*\{(?P<environment>[^{}\r\n]{1,60})\}"
    r"|\\(?P<command>[A-Za-z@]+\*?)"
    r"|\\(?P<symbol>.)"
    r"|(?P<blank>[ \t]*(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n])"
    r"|(?P<bracket>[{\[])|(?P<dollar>\$\$?)|(?P<space>\s+)|[}\]]|[^\\{}\[\]$\s]+",
    re.DOTALL,
)
_LISTS = frozenset("itemize enumerate description".split())
_NO_TEXT = DROPPED_ENVIRONMENTS | MATH_ENVIRONMENTS | {"array", "tabularray", "tblr", "longtblr", "NiceTabular"}
_MATH = "in mathematics"


def why_no_text(text: str, at: int, before: str = "") -> str | None:
    """Where the offset `at` is, as "in the preamble", if a sentence there, behind the white space `before`, would be in
    no paragraph; None if it would be in one. An open brace that is never closed encloses nothing.
    """
    probe = live(f"{text[:at]}{before}x{text[at:]}")
    if probe[at + len(before)] != "x":
        return "not printed by LaTeX"
    source = live(text)
    if in_preamble(source, at):
        return "in the preamble"
    return _enclosing(LatexSource(source), at)


def in_preamble(source: str, at: int) -> bool:
    """Return True if the offset `at` of live text is before the document begins; False in a file where none does."""
    begin = _BEGIN.search(source)
    return begin is not None and begin.end() > at


def _enclosing(source: LatexSource, at: int) -> str | None:
    """Where the offset `at` of live text is if that is in no paragraph."""
    environments: list[tuple[str, bool]] = []  # those open, and of lists whether they have an item
    opened: Counter[str] = Counter()
    command = ""  # whose arguments may follow
    math = ""
    position = 0
    while position < at and (match := _TOKEN.match(source.string, position)):
        position = match.end()
        if position > at and match[0][0] == "\\":
            return "within a command"
        if name := match["environment"]:
            command = ""
            if match["edge"] == "begin":
                environments.append((name, name not in _LISTS))
                opened[name] += 1
                command = "" if name == "document" else name
            while opened[name] and match["edge"] == "end":
                closed = environments.pop()[0]
                opened[closed] -= 1
                if closed == name:
                    break
        elif match["command"]:
            command = f"\\{match['command']}"
            if command == "\\item" and environments:
                environments[-1] = (environments[-1][0], True)
        elif match["bracket"] and command:
            end = _end_of_argument(source, match.start())
            if end is not None and end >= at:
                return f"in an argument of {command}"
            position, command = (position, "") if end is None else (end + 1, command)
        elif match["symbol"] in ("(", "["):
            math = match["symbol"]
        elif match["blank"] or match["symbol"] in (")", "]"):
            math = command = ""  # a paragraph ends all math, and what was not closed
        elif match["dollar"]:
            math = "" if math else "$"
        elif not match["space"]:
            command = ""
    if math:
        return _MATH
    for name, begun in environments:
        if name in _NO_TEXT:
            return _MATH if name in MATH_ENVIRONMENTS else f"in the environment {name}"
        if not begun:
            return f"before the first item of {name}"
    follows = source.string.startswith("{", source.skip(at)) or source.string.startswith("[", at)
    return "between a command and its argument" if command and follows else None


def _end_of_argument(source: LatexSource, opening: int) -> int | None:
    """The place of the bracket that closes the one at `opening`; None if none does."""
    if source.string[opening] == "{":
        return source.closing(opening)
    option = source.option(opening)
    return option[1] if option is not None else None
