"""The author's own macros: how they are defined, what one use of them stands for, and which are for remarks.

Remarks of authors to each other are no part of the text. pylatexenc reads the arguments of macros that it knows, and
expands none that the author defines.
"""

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from citeplug.latex.scan import LatexSource, ends_in_command, without_comments
from citeplug.text.scanning import LONGEST_VALUE, ExpansionBudget

Piece = str | tuple[int, int]
COST = 20  # what each expansion counts beside its text
_TARGET = re.compile(r"\*?\s*(?:\{\s*\\([A-Za-z@]+|.)\s*\}|\\([A-Za-z@]+|[^A-Za-z@\s{}]))", re.DOTALL)
_PARAMETER = re.compile(r"#([1-9])")
_ONE_COMMAND = re.compile(r"\s*\\([A-Za-z@]+\*?)\s*")
_WRITTEN = re.compile(r"\\([A-Za-z@]+)\s*")
_COUNT = re.compile(r"\s*([0-9])\s*\Z")
_XPARSE = re.compile(r"[smotbv]|O\{[^{}]*\}|[rd]\S\S|[RD]\S\S\{[^{}]*\}|e\{[^{}]*\}|g|[+!]|>\{[^{}]*\}")
# Bodies that only TeX itself can run: what they yield cannot be read off.
_PROGRAM = re.compile(
    r"\\(?:@ifnextchar|@ifstar|@dblarg|csname|expandafter|futurelet|@startsection|read\b|write\b|catcode|afterassignment"
    r"|aftergroup|lowercase|uppercase|directlua|ExplSyntaxOn|[a-z]+_[a-z_]+:)"
)
_COLORED = re.compile(r"\\(?:text)?color\b|\\marginpar\b|\\marginnote\b|\\todo\b|\\fbox\b")
_COLOR_OR_COMMAND = re.compile(r"\\(?:text)?color\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|\\[A-Za-z@]+|#\d")
_REMARK_NAME = re.compile(r"(?i)note|comment|todo|fixme|remark|query")
_SPEAKER = re.compile(r"[A-Za-z]{2,}\s*[:\]-]|\[\s*\]|[A-Z]{2,}|<<|>>")


@dataclass(frozen=True, slots=True)
class Parameter:
    """`kind`: `m` mandatory, `o` in square brackets, `s` star, `d` up to `delimiter`; `default` for `o`."""

    kind: str
    default: str = ""
    delimiter: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro of the author. `body` is without comments and has `#1`, ...; `prefix` must follow the name.

    `primitive`: the body is one command that is meant as it was before any redefinition (`\\let`).
    """

    name: str
    body: str
    parameters: tuple[Parameter, ...] = ()
    prefix: str = ""
    primitive: bool = False
    program: bool = field(init=False, compare=False)
    """True if the body is TeX programming whose outcome cannot be read off."""
    _used: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Once for a definition: uses are many, and the body may be long.
        object.__setattr__(self, "program", _PROGRAM.search(self.body) is not None)
        object.__setattr__(self, "_used", frozenset(_PARAMETER.findall(self.body)))

    def renamed(self, name: str) -> "Macro":
        """The same under another name (`\\let`)."""
        other = copy.copy(self)
        object.__setattr__(other, "name", name)
        return other

    @property
    def synonym(self) -> str | None:
        """The command that this one merely stands for, without backslash."""
        match = _ONE_COMMAND.fullmatch(self.body) if len(self.body) < 200 and not self.parameters else None
        return match[1] if match else None

    def discards(self) -> bool:
        """True if some argument is read and not used."""
        return any(p.kind != "s" and str(n) not in self._used for n, p in enumerate(self.parameters, 1))

    def arguments(self, source: LatexSource, position: int) -> tuple[list[Piece], int] | None:
        """The arguments that follow at `position`, and where they end; None if they are not there.

        An argument is a (start, end) in the source, or a string where none is written.
        """
        pieces: list[Piece] = []
        string = source.string
        if self.prefix:
            if not string.startswith(self.prefix, position):
                return None
            position += len(self.prefix)
        for parameter in self.parameters:
            if parameter.kind == "s":
                star = string.startswith("*", position)
                pieces.append("*" if star else "")
                position += star
            elif parameter.kind == "o":
                option = source.option(position)
                pieces.append(option or parameter.default)
                position = option[1] + 1 if option else position
            elif parameter.kind == "d":
                end = string.find(parameter.delimiter, position, position + 10_000)
                if end < 0:
                    return None
                pieces.append((position, end))
                position = end + len(parameter.delimiter)
            else:
                argument = source.argument(position)
                if argument is None:
                    return None
                pieces.append(argument[:2])
                position = argument[2]
        return pieces, position

    def pieces(self) -> list[str | int]:
        """The body cut at its parameters: strings, and parameter numbers from 1."""
        parts: list[str | int] = []
        for index, part in enumerate(_PARAMETER.split(self.body)):
            if index % 2 and int(part) <= len(self.parameters):
                parts.append(int(part))
            elif part and not index % 2:
                parts.append(part.replace("##", "#"))
        return parts

    def length(self, arguments: Sequence[Piece]) -> int:
        """The cost of a use with these arguments, in code points: its text, and a constant for the work."""
        lengths = [len(argument) if isinstance(argument, str) else argument[1] - argument[0] for argument in arguments]
        return COST + sum(len(part) if isinstance(part, str) else lengths[part - 1] for part in self.pieces())

    def expand(self, arguments: Sequence[str]) -> str:
        parts: list[str] = []
        for part in self.pieces():
            text = part if isinstance(part, str) else arguments[part - 1]
            if parts and text[:1].isalpha() and ends_in_command(parts[-1], len(parts[-1])):
                parts.append(" ")
            parts.append(text)
        return "".join(parts)


def spelled_out(text: str, body_of: Callable[[str], str | None], expansion: ExpansionBudget) -> str:
    """A name or list of keys with the macros in it, ten deep, in place; as it is where they are for too much.

    `body_of` gives what a macro stands for, None if it stays as written.
    """
    here = ExpansionBudget(LONGEST_VALUE, within=expansion)
    for _ in range(10):
        parts: list[str] = []
        done = 0
        for match in _WRITTEN.finditer(text) if "\\" in text else ():
            body = body_of(match[1])
            if body is None:
                continue
            if not here.take(len(body) + COST):
                return text
            parts += [text[done : match.start()], body]
            done = match.end()
        if not parts:
            break
        text = "".join([*parts, text[done:]])
    return text


def plain_bodies(macros: Mapping[str, Macro]) -> Callable[[str], str | None]:
    """For `spelled_out`: the macros without arguments."""

    def body_of(name: str) -> str | None:
        macro = macros.get(name)
        return macro.body if macro is not None and not macro.parameters and not macro.primitive else None

    return body_of


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment of the author, as two macros; the parameters belong to `begin`."""

    name: str
    begin: Macro
    end: Macro


def read_newcommand(source: LatexSource, position: int) -> tuple[Macro, int] | None:
    """`\\newcommand` and its kin, from after the command's name: `*{\\name}[n][default]{body}`."""
    name, position = _target(source, position)
    if name is None:
        return None
    parameters, position = _counted(source, position)
    body = source.argument(position)
    if body is None:
        return None
    return Macro(name, without_comments(source.string[body[0] : body[1]]), parameters), body[2]


def read_def(source: LatexSource, position: int) -> tuple[Macro, int] | None:
    """`\\def` and its kin, from after the command's name: `\\name#1#2{body}`, delimiters included."""
    match = re.compile(r"\s*\\([A-Za-z@]+|[^A-Za-z@\s])([^{}\r\n%]{0,200})").match(source.string, position)
    if match is None:
        return None
    body = source.group(match.end())
    if body is None:
        return None
    prefix, *rest = re.split(r"#[1-9]", match[2])
    parameters = tuple(Parameter("d", delimiter=d) if d.strip() else Parameter("m") for d in rest)
    text = without_comments(source.string[body[0] : body[1]])
    return Macro(match[1], text, parameters, prefix.strip()), body[1] + 1


def read_let(source: LatexSource, position: int) -> tuple[str, str, int] | None:
    """`\\let\\name=\\other`: name, other (a command name or one character) and the end."""
    pattern = re.compile(r"\s*\\([A-Za-z@]+|[^A-Za-z@\s])\s*=?\s?(\\(?:[A-Za-z@]+|.)|[^\s\\{}%])", re.DOTALL)
    match = pattern.match(source.string, position)
    return (match[1], match[2], match.end()) if match else None


def read_document_command(source: LatexSource, position: int) -> tuple[Macro, int] | None:
    """`\\NewDocumentCommand` and its kin, from after the command's name: `{\\name}{spec}{body}`."""
    name, position = _target(source, position)
    spec = source.group(position)
    if name is None or spec is None:
        return None
    body = source.argument(spec[1] + 1)
    if body is None:
        return None
    text = without_comments(source.string[body[0] : body[1]])
    return Macro(name, text, _xparse(source.string[spec[0] : spec[1]])), body[2]


def read_environment(source: LatexSource, position: int, document: bool = False) -> tuple[Environment, int] | None:
    """`\\newenvironment` (or with `document` its xparse form), from after the command's name."""
    match = re.compile(r"\*?\s*\{\s*([^{}\\]{1,80}?)\s*\}").match(source.string, position)
    if match is None:
        return None
    name, position = match[1], match.end()
    if document:
        spec = source.group(position)
        if spec is None:
            return None
        parameters, position = _xparse(source.string[spec[0] : spec[1]]), spec[1] + 1
    else:
        parameters, position = _counted(source, position)
    begin = source.argument(position)
    end = source.argument(begin[2]) if begin else None
    if begin is None or end is None:
        return None
    opening = Macro(name, without_comments(source.string[begin[0] : begin[1]]), parameters)
    closing = Macro(name, without_comments(source.string[end[0] : end[1]]))
    return Environment(name, opening, closing), end[2]


def _target(source: LatexSource, position: int) -> tuple[str | None, int]:
    match = _TARGET.match(source.string, source.skip(position))
    return (match[1] or match[2], match.end()) if match else (None, position)


def _counted(source: LatexSource, position: int) -> tuple[tuple[Parameter, ...], int]:
    count = 0
    defaults: list[str] = []
    option = source.option(position)
    if option:
        match = _COUNT.match(source.string[option[0] : option[1]])
        count = int(match[1]) if match else 0
        position = option[1] + 1
        # \newcommandtwoopt has two defaults, \newcommandx writes `1=default`.
        while len(defaults) < 2 and (option := source.option(position)):
            text = source.string[option[0] : option[1]]
            defaults.append(re.sub(r"^\s*1\s*=", "", text))
            position = option[1] + 1
    kinds = [Parameter("o", default=d) for d in defaults[:count]]
    return (*kinds, *(Parameter("m") for _ in range(count - len(kinds)))), position


def _xparse(spec: str) -> tuple[Parameter, ...]:
    parameters = []
    for token in _XPARSE.findall(spec):
        if token == "s":
            parameters.append(Parameter("s"))
        elif token[0] in "oO":
            parameters.append(Parameter("o", default=token[2:-1]))
        elif token[0] in "mbv":
            parameters.append(Parameter("m"))
    return tuple(parameters)


def is_remark(macro: Macro) -> bool:
    r"""True if a macro is one for remarks, as `\newcommand{\ann}[1]{\textcolor{red}{Ann: #1}}` is."""
    if len(macro.parameters) != 1 or not _COLORED.search(macro.body):
        return False
    printed = _COLOR_OR_COMMAND.sub("", macro.body)
    return _REMARK_NAME.search(macro.name) is not None or _SPEAKER.search(printed) is not None
