"""Places of a file at which LaTeX takes a sentence as part of a paragraph.

pylatexenc's nodes know no arguments of an author's macros, and nothing of where a broken file goes on.
"""

import re
from collections import Counter

from citeplug.latex.live import live
from citeplug.latex.scan import Source
from citeplug.latex.vocabulary import DROPPED_ENVIRONMENTS, MATH_ENVIRONMENTS

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
    begin = _BEGIN.search(source)
    if begin is not None and begin.end() > at:
        return "in the preamble"
    return _enclosing(Source(source), at)


def _enclosing(source: Source, at: int) -> str | None:
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


def _end_of_argument(source: Source, opening: int) -> int | None:
    """The place of the bracket that closes the one at `opening`; None if none does."""
    if source.string[opening] == "{":
        return source.closing(opening)
    option = source.option(opening)
    return option[1] if option is not None else None
