"""Putting macros in place that carry structure: citations, headings, further files, conditionals.

Other macros stay as written; `plain.py` expands those where their text is wanted.
"""

import re

from citeplug.latex.macros import Macro, Piece
from citeplug.latex.stream import DEEPEST, Frame, Reading
from citeplug.latex.text import Origin, TextBuilder
from citeplug.latex.vocabulary import KNOWN_CITES, STRUCTURE, is_cite

_COST = 100  # what each counts beside its text: it takes as long as reading so much
_WORDS = re.compile(r"\\([A-Za-z@]+)")
_OPENS = re.compile(r"\\begin\s*\{[^{}]*(?:abstract|thebibliography)", re.IGNORECASE)
_HEADS = re.compile(r"\\(?:bf|bfseries|textbf|textsc|centerline)\b[^A-Za-z]{0,20}(?:Abstract|ABSTRACT)\b")
_CLOSES = re.compile(r"\\end\s*\{[^{}]*abstract", re.IGNORECASE)


def _carries(reading: Reading, frame: Frame, start: int, body: str, seen: frozenset[str]) -> bool:
    if not reading.take(frame, start, len(body)):
        return False
    for name in _WORDS.findall(body):
        if name in STRUCTURE or is_cite(name) or name in reading.stream.cite_names:
            return True
        if name.startswith("if") and name not in ("iff",):
            return True
        macro = reading.stream.macros.get(name)
        if macro is not None and name not in seen and len(seen) < 20:
            if name not in reading.structural:
                reading.structural[name] = _carries(reading, frame, start, macro.body, seen | {name})
            if reading.structural[name]:
                return True
    return any(pattern.search(body) for pattern in (_OPENS, _CLOSES, _HEADS))


def use_macro(reading: Reading, frame: Frame, start: int, position: int, active: frozenset[str]) -> int:
    macro = reading.stream.macros[frame.string[start + 1 : position]]
    if macro.program or reading.depth > DEEPEST:
        return position
    name = macro.name
    if name not in reading.structural:
        reading.structural[name] = _carries(reading, frame, start, macro.body, frozenset({name}))
    cites = is_cite(name) and name not in KNOWN_CITES
    if not reading.structural[name] and not cites and not (macro.parameters and macro.discards()):
        return position
    found = macro.arguments(frame.source, position)
    if found is None:
        return position
    arguments, end = found
    if not reading.structural[name] and not cites:
        if not reading.take(frame, start, end - position):
            return position
        written = frame.string[position:end]
        if not any(is_cite(word) or word in STRUCTURE for word in _WORDS.findall(written)):
            return position
    return _expand(reading, frame, start, end, macro, arguments, active | {name})


def use_environment(reading: Reading, frame: Frame, start: int, position: int, macro: Macro) -> int:
    if macro.program or reading.depth > DEEPEST or not _carries(reading, frame, start, macro.body, frozenset()):
        return position
    found = macro.arguments(frame.source, position)
    if found is None:
        return position
    return _expand(reading, frame, start, found[1], macro, found[0], frozenset())


def _expand(
    reading: Reading,
    frame: Frame,
    start: int,
    end: int,
    macro: Macro,
    arguments: list[Piece],
    active: frozenset[str],
    written: str = "",
) -> int:
    """Read the macro's text in the place of `start` to `end`. `written` is the name there, if not the macro's."""
    if not reading.take(frame, start, macro.length(arguments) + _COST):
        return end
    name = written or macro.name + ("*" if "*" in arguments[:1] else "")
    reading.emit(frame, start)
    first, last = frame.text.at(start), frame.text.at(max(end - 1, start))
    if first.macro is not None:
        use = first
    else:
        stop = last.offset + 1 if last.macro is None and last.file == first.file else first.offset + end - start
        use = Origin(first.file, first.offset, max(stop, first.offset + 1), name)
    builder = TextBuilder()
    for part in macro.pieces():
        argument = part if isinstance(part, str) else arguments[part - 1]
        if isinstance(argument, str):
            builder.add(argument, use)
        else:
            builder.add_text(frame.text, *argument)
    expansion = builder.build()
    if macro.primitive:
        if not reading.in_package:
            reading.out.add_text(expansion, 0, len(expansion.string))
    elif expansion.string:
        alias = macro.synonym
        if alias and alias in reading.stream.macros and alias not in active and not arguments:
            return _alias(reading, frame, start, end, reading.stream.macros[alias], active | {alias}, name)
        reading.run(Frame(expansion), active)
    frame.last = end
    return end


def _alias(
    reading: Reading, frame: Frame, start: int, end: int, macro: Macro, active: frozenset[str], written: str
) -> int:
    # \newcommand{\A}{\B}: the arguments of \B come behind \A.
    found = macro.arguments(frame.source, end)
    if found is None or macro.program:
        frame.last = end
        return end
    return _expand(reading, frame, start, found[1], macro, found[0], active, written)
