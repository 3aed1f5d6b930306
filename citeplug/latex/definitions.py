"""The author's own commands and environments: their definitions, and uses that carry structure put in place.

Structure is citations, headings, further files and conditionals. Other macros stay as written; `plain.py` expands those
where their text is wanted.
"""

import re

from citeplug.latex import macros
from citeplug.latex.macros import Macro, Piece
from citeplug.latex.stream import DEEPEST, Frame, ReadingState, handlers
from citeplug.latex.text import Origin, TextBuilder
from citeplug.latex.vocabulary import KNOWN_CITES, STRUCTURE, is_cite
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_KEPT_AS_KNOWN = STRUCTURE | _TABLES.words("kept_as_known")
_ARGUMENTS = _TABLES.numbers("arguments")
_WITH_OPTION_BEHIND = ("newtheorem", "spnewtheorem")
_WITH_SHORTHANDS = _TABLES.words("with_shorthands")


def _remember(reading: ReadingState, macro: Macro) -> None:
    if reading.in_package and (macro.name in KNOWN_CITES or "@" in macro.name):
        return
    if macro.name in _KEPT_AS_KNOWN:
        return
    if macro.name.startswith("if") and macro.synonym in ("iftrue", "iffalse"):
        reading.switches[macro.name] = macro.synonym == "iftrue"
        return
    if macro.synonym in _WITH_SHORTHANDS:
        reading.shorthands[macro.name] = macro.synonym
    reading.stream.macros[macro.name] = macro
    reading.structural.clear()


def _newcommand(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    definition = macros.read_newcommand(frame.source, position)
    if definition is None:
        return position
    command = frame.string[start + 1 : position]
    if not (command == "providecommand" and definition[0].name in reading.stream.macros):
        _remember(reading, definition[0])
    return reading.drop(frame, start, definition[1])


def _def(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    definition = macros.read_def(frame.source, position)
    if definition is None:
        return position
    if definition[0].name == "input@path":
        for name in re.findall(r"\{([^{}]*)\}", definition[0].body):
            reading.folders.inputs.append(reading.folders.base / name)
    _remember(reading, definition[0])
    return reading.drop(frame, start, definition[1])


def _document_command(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    definition = macros.read_document_command(frame.source, position)
    if definition is None:
        return position
    _remember(reading, definition[0])
    return reading.drop(frame, start, definition[1])


def _let(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    definition = macros.read_let(frame.source, position)
    if definition is None:
        return position
    name, other, end = definition
    target = reading.stream.macros.get(other[1:])
    if other.startswith("\\") and other[1:] in reading.switches and name.startswith("if"):
        reading.switches[name] = reading.switches[other[1:]]
    elif target is not None:
        _remember(reading, target.renamed(name))
    else:
        _remember(reading, Macro(name, other, primitive=other.startswith("\\")))
    return reading.drop(frame, start, end)


def _newif(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    match = re.compile(r"\s*\\if([A-Za-z@]+)").match(frame.string, position)
    if match is None:
        return position
    name = match[1]
    reading.switches.setdefault("if" + name, False)
    reading.setters[name + "true"] = ("if" + name, True)
    reading.setters[name + "false"] = ("if" + name, False)
    return reading.drop(frame, start, match.end())


def _new_environment(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    document = "DocumentEnvironment" in frame.string[start:position]
    definition = macros.read_environment(frame.source, position, document)
    if definition is None:
        return position
    environment = definition[0]
    if re.search(r"\\(?:verbatim|lstnewenvironment|Verbatim\b|minted|VerbatimEnvironment)", environment.begin.body):
        reading.verbatim.add(environment.name)
    elif re.search(r"\\comment\b|\\setbox\s*0|\\begin\{comment\}", environment.begin.body):
        reading.dropped.add(environment.name)
    elif environment.name.lower() != "abstract":
        reading.environments[environment.name] = environment
    return reading.drop(frame, start, definition[1])


def _newcites(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    names = frame.source.group(position)
    titles = frame.source.group(names[1] + 1) if names else None
    if names is None or titles is None:
        return position
    for name in re.findall(r"[A-Za-z]+", frame.string[names[0] : names[1]]):
        for kind in ("cite", "nocite", "citet", "citep", "citealp", "citealt", "citeauthor", "citeyear"):
            reading.stream.cite_names[kind + name] = kind
        for kind in ("bibliography", "bibliographystyle"):
            _remember(reading, Macro(kind + name, "\\" + kind, primitive=True))
    return reading.drop(frame, start, titles[1] + 1)


def _other_definition(reading: ReadingState, frame: Frame, start: int, position: int) -> int:
    """Leave out what defines or patches a command, by the number of its arguments; nothing of it is remembered."""
    name = frame.string[start + 1 : position]
    end = position + frame.string.startswith("*", position)
    for _ in range(_ARGUMENTS[name]):
        while option := frame.source.option(end):
            end = option[1] + 1
        argument = frame.source.argument(end)
        if argument is None:
            return position
        end = argument[2]
    if name in _WITH_OPTION_BEHIND and frame.string.startswith("[", end) and (option := frame.source.option(end)):
        end = option[1] + 1
    return reading.drop(frame, start, end)


HANDLERS = handlers(
    ("newcommand renewcommand providecommand DeclareRobustCommand newcommandx renewcommandx", _newcommand),
    ("newcommandtwoopt renewcommandtwoopt newrobustcmd renewrobustcmd DeclareMathOperator", _newcommand),
    ("def gdef edef xdef", _def),
    ("NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand", _document_command),
    ("DeclareDocumentCommand NewExpandableDocumentCommand RenewExpandableDocumentCommand", _document_command),
    ("ProvideExpandableDocumentCommand DeclareExpandableDocumentCommand", _document_command),
    ("let", _let),
    ("newif", _newif),
    ("newenvironment renewenvironment NewDocumentEnvironment RenewDocumentEnvironment", _new_environment),
    ("ProvideDocumentEnvironment DeclareDocumentEnvironment", _new_environment),
    ("newcites", _newcites),
    (" ".join(_ARGUMENTS), _other_definition),
)


_COST = 100  # what each counts beside its text: it takes as long as reading so much
_WORDS = re.compile(r"\\([A-Za-z@]+)")
_OPENS = re.compile(r"\\begin\s*\{[^{}]*(?:abstract|thebibliography)", re.IGNORECASE)
_HEADS = re.compile(r"\\(?:bf|bfseries|textbf|textsc|centerline)\b[^A-Za-z]{0,20}(?:Abstract|ABSTRACT)\b")
_CLOSES = re.compile(r"\\end\s*\{[^{}]*abstract", re.IGNORECASE)


def _carries(reading: ReadingState, frame: Frame, start: int, body: str, seen: frozenset[str]) -> bool:
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


def use_macro(reading: ReadingState, frame: Frame, start: int, position: int, active: frozenset[str]) -> int:
    macro = reading.stream.macros[frame.string[start + 1 : position]]
    if macro.program or reading.depth > DEEPEST:
        return position
    name = macro.name
    if name not in reading.structural:
        reading.structural[name] = _carries(reading, frame, start, macro.body, frozenset({name}))
    cites = is_cite(name) and name not in KNOWN_CITES
    if not reading.structural[name] and not cites and not (macro.parameters and macro.discards()):
        return position
    given_arguments = macro.arguments(frame.source, position)
    if given_arguments is None:
        return position
    arguments, end = given_arguments
    if not reading.structural[name] and not cites:
        if not reading.take(frame, start, end - position):
            return position
        written = frame.string[position:end]
        if not any(is_cite(word) or word in STRUCTURE for word in _WORDS.findall(written)):
            return position
    return _expand(reading, frame, start, end, macro, arguments, active | {name})


def use_environment(reading: ReadingState, frame: Frame, start: int, position: int, macro: Macro) -> int:
    if macro.program or reading.depth > DEEPEST or not _carries(reading, frame, start, macro.body, frozenset()):
        return position
    arguments = macro.arguments(frame.source, position)
    if arguments is None:
        return position
    return _expand(reading, frame, start, arguments[1], macro, arguments[0], frozenset())


def _expand(
    reading: ReadingState,
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
    reading: ReadingState, frame: Frame, start: int, end: int, macro: Macro, active: frozenset[str], written: str
) -> int:
    # \newcommand{\A}{\B}: the arguments of \B come behind \A.
    arguments = macro.arguments(frame.source, end)
    if arguments is None or macro.program:
        frame.last = end
        return end
    return _expand(reading, frame, start, arguments[1], macro, arguments[0], active, written)
