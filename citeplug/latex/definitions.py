"""Definitions: what the author's own commands and environments will mean."""

import re

from citeplug.latex import macros
from citeplug.latex.macros import Macro
from citeplug.latex.stream import Frame, Reading, handlers
from citeplug.latex.vocabulary import KNOWN_CITES, STRUCTURE
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_KEPT_AS_KNOWN = STRUCTURE | _TABLES.words("kept_as_known")
_ARGUMENTS = _TABLES.numbers("arguments")
_WITH_OPTION_BEHIND = ("newtheorem", "spnewtheorem")
_WITH_SHORTHANDS = _TABLES.words("with_shorthands")


def _remember(reading: Reading, macro: Macro) -> None:
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


def _newcommand(reading: Reading, frame: Frame, start: int, position: int) -> int:
    found = macros.read_newcommand(frame.source, position)
    if found is None:
        return position
    command = frame.string[start + 1 : position]
    if not (command == "providecommand" and found[0].name in reading.stream.macros):
        _remember(reading, found[0])
    return reading.drop(frame, start, found[1])


def _def(reading: Reading, frame: Frame, start: int, position: int) -> int:
    found = macros.read_def(frame.source, position)
    if found is None:
        return position
    if found[0].name == "input@path":
        for name in re.findall(r"\{([^{}]*)\}", found[0].body):
            reading.folders.inputs.append(reading.folders.base / name)
    _remember(reading, found[0])
    return reading.drop(frame, start, found[1])


def _document_command(reading: Reading, frame: Frame, start: int, position: int) -> int:
    found = macros.read_document_command(frame.source, position)
    if found is None:
        return position
    _remember(reading, found[0])
    return reading.drop(frame, start, found[1])


def _let(reading: Reading, frame: Frame, start: int, position: int) -> int:
    found = macros.read_let(frame.source, position)
    if found is None:
        return position
    name, other, end = found
    target = reading.stream.macros.get(other[1:])
    if other.startswith("\\") and other[1:] in reading.switches and name.startswith("if"):
        reading.switches[name] = reading.switches[other[1:]]
    elif target is not None:
        _remember(reading, target.renamed(name))
    else:
        _remember(reading, Macro(name, other, primitive=other.startswith("\\")))
    return reading.drop(frame, start, end)


def _newif(reading: Reading, frame: Frame, start: int, position: int) -> int:
    match = re.compile(r"\s*\\if([A-Za-z@]+)").match(frame.string, position)
    if match is None:
        return position
    name = match[1]
    reading.switches.setdefault("if" + name, False)
    reading.setters[name + "true"] = ("if" + name, True)
    reading.setters[name + "false"] = ("if" + name, False)
    return reading.drop(frame, start, match.end())


def _new_environment(reading: Reading, frame: Frame, start: int, position: int) -> int:
    document = "DocumentEnvironment" in frame.string[start:position]
    found = macros.read_environment(frame.source, position, document)
    if found is None:
        return position
    environment = found[0]
    if re.search(r"\\(?:verbatim|lstnewenvironment|Verbatim\b|minted|VerbatimEnvironment)", environment.begin.body):
        reading.verbatim.add(environment.name)
    elif re.search(r"\\comment\b|\\setbox\s*0|\\begin\{comment\}", environment.begin.body):
        reading.dropped.add(environment.name)
    elif environment.name.lower() != "abstract":
        reading.environments[environment.name] = environment
    return reading.drop(frame, start, found[1])


def _cite_command(reading: Reading, frame: Frame, start: int, position: int) -> int:
    match = re.compile(r"\*?\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))").match(frame.string, position)
    if match is None:
        return position
    many = "Multi" in frame.string[start:position]
    reading.stream.cite_names[match[1] or match[2]] = "cites" if many else "cite"
    end = match.end()
    while (option := frame.source.option(end)) or (option := frame.source.group(end)):
        end = option[1] + 1
    return reading.drop(frame, start, end)


def _newcites(reading: Reading, frame: Frame, start: int, position: int) -> int:
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


def _other_definition(reading: Reading, frame: Frame, start: int, position: int) -> int:
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
    ("DeclareCiteCommand DeclareMultiCiteCommand", _cite_command),
    ("newcites", _newcites),
    (" ".join(_ARGUMENTS), _other_definition),
)
