"""The parts of a source file that LaTeX reads as commands, as far as that file alone shows.

The full reading of a draft (`include.py`) expands and reorders; an edit needs offsets of the file as it is.
"""

import re

from citeplug.latex.scan import Source
from citeplug.text.stretches import replace_stretches

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
    bare = _without_false(replace_stretches(text, _DEAD, _closing, _blank))
    end = _END.search(bare)
    if end:
        bare = bare[: end.end()] + _blank(bare[end.end() :])
    source = Source(bare)
    position = 0
    parts: list[str] = []
    for match in _DEFINITION.finditer(bare):
        if match.start() < position:
            continue  # a definition inside another
        start, stop = _body(source, match)
        if stop > start:
            parts += [bare[position:start], _blank(bare[start:stop])]
            position = stop
    return "".join([*parts, bare[position:]])


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
                parts.append(_blank(text[position : match.start()]))
                position = match.start()
    return "".join([*parts, text[position:]])


def _body(source: Source, match: re.Match[str]) -> tuple[int, int]:
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


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
