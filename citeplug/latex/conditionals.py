r"""TeX's conditionals: where their branches lie, and which of them is read where that can be known.

pylatexenc takes `\if` and `\else` for commands like others, and gives the text of both branches.
"""

import re
from collections.abc import Callable, Mapping

from citeplug.latex.macros import Macro
from citeplug.text.tables import Tables

_TOKEN = re.compile(r"\\(?:[A-Za-z@]+|.)|%[^\r\n]*", re.DOTALL)
_TABLES = Tables(__name__)
_PRIMITIVES = _TABLES.words("primitives")
_USUAL = dict.fromkeys(_TABLES.ordered("true"), True) | dict.fromkeys(_TABLES.ordered("false"), False)
_NOT_CONDITIONALS = frozenset({"iff", "ifthenelse", "iftoggle", "ifbool", "ifdef", "ifundef", "ifcsdef", "ifblank"})
_OPERAND = r"(?:-?\d+|\\(?:value|arabic|the)\s*\{?\\?[A-Za-z@]+\}?|\\[A-Za-z@]+|`\\?.)"
_NUMBERS = re.compile(rf"\s*({_OPERAND})\s*([<=>])\s*({_OPERAND})[ \t]?")
_DIMENSIONS = re.compile(r"[^<=>\r\n{}]{0,80}[<=>]\s*(?:-?[\d.]*\s*(?:\\[A-Za-z@]+|[a-z]{2}))[ \t]?")
_ONE_NUMBER = re.compile(rf"\s*({_OPERAND})[ \t]?")
_TWO_TOKENS = re.compile(r"\s*(\\(?:[A-Za-z@]+\s*|.)|[^\s%{}])(\\(?:[A-Za-z@]+\s?|.)|[^%{}])", re.DOTALL)
_NAMED = re.compile(r"\s*([^\\{}]{1,80}?)\s*\\endcsname\s?")
_COMMAND = re.compile(r"\s*\\([A-Za-z@]+|.)\s?", re.DOTALL)


class Branches:
    """The ends of the conditionals of a string, computed in one linear pass.

    `otherwise` and `end` map the position of an opening `\\if...` to that of its `\\else` (if any) and of
    its `\\fi`, each with the position after it; `after` maps that of an `\\else` to the end of its `\\fi`.
    """

    def __init__(self, string: str, switches: Mapping[str, bool]) -> None:
        declared = {match[1] for match in re.finditer(r"\\newif\s*\\(if[A-Za-z@]+)", string)}
        known = _PRIMITIVES | declared | set(_USUAL)

        def sure(name: str) -> bool:
            return name.startswith("if") and (name in known or name in switches)

        self.otherwise: dict[int, tuple[int, int]] = {}
        self.end: dict[int, tuple[int, int]] = {}
        left = self._match(string, sure, guess=True)
        if left:
            # A command that only looks like a conditional may have taken the \fi of a real one.
            taken = Branches.__new__(Branches)
            taken.otherwise, taken.end = {}, {}
            taken._match(string, sure, guess=False)
            for position in left:
                if position in taken.end:
                    self.end[position] = taken.end[position]
                    if position in taken.otherwise:
                        self.otherwise[position] = taken.otherwise[position]
        self.after = {
            here: self.end[opening][1] for opening, (here, _) in self.otherwise.items() if opening in self.end
        }

    def _match(self, string: str, sure: Callable[[str], bool], guess: bool) -> list[int]:
        waiting: list[int] = []
        skip = 0
        for match in _TOKEN.finditer(string):
            name = match.group()[1:]
            if string[match.start()] == "%":
                continue
            if skip:
                skip -= 1
                continue
            if name in ("newif", "let", "def", "newcommand", "renewcommand", "providecommand"):
                skip = {"newif": 1, "let": 2}.get(name, 1)
            elif name == "fi":
                if waiting:
                    self.end[waiting.pop()] = match.span()
            elif name == "else":
                if waiting:
                    self.otherwise.setdefault(waiting[-1], match.span())
            elif sure(name) or (guess and looks_conditional(name, string, match.end())):
                waiting.append(match.start())
        return waiting


def looks_conditional(name: str, string: str, end: int) -> bool:
    """True if a command that nobody declared reads like a conditional: `\\ifname` without an argument."""
    return name.startswith("if") and name not in _NOT_CONDITIONALS and not string.startswith("{", end)


def is_conditional(name: str, switches: Mapping[str, bool], string: str, end: int) -> bool:
    return name in _PRIMITIVES or name in switches or name in _USUAL or looks_conditional(name, string, end)


def decide(
    name: str, string: str, end: int, switches: Mapping[str, bool], macros: Mapping[str, Macro]
) -> tuple[bool | None, int]:
    """The truth of the test (None: not known), and the position of its end. `end` is after the command's name."""
    if name in switches:
        return switches[name], end
    if name in _USUAL:
        return _USUAL[name], end
    if name == "ifnum":
        return _compare(string, end, macros)
    if name in ("if", "ifx", "ifcat"):
        return _same(name, string, end, macros)
    if name == "ifdefined":
        match = _COMMAND.match(string, end)
        return (_defined(match[1], macros), match.end()) if match else (None, end)
    if name == "ifcsname":
        match = _NAMED.match(string, end)
        return (_defined(match[1], macros), match.end()) if match else (None, end)
    pattern = {"ifdim": _DIMENSIONS, "ifodd": _ONE_NUMBER, "ifcase": _ONE_NUMBER}.get(name)
    match = pattern.match(string, end) if pattern else None
    return None, match.end() if match else end


def _defined(name: str, macros: Mapping[str, Macro]) -> bool | None:
    # A name that is not the author's own may come from a class or package that is not read.
    return True if name in macros else (False if "@" not in name else None)


def _number(text: str, macros: Mapping[str, Macro]) -> int | None:
    if text.startswith("\\"):
        macro = macros.get(text[1:])
        text = macro.body.strip() if macro and not macro.parameters else ""
    try:
        return int(text)
    except ValueError:
        return None


def _compare(string: str, end: int, macros: Mapping[str, Macro]) -> tuple[bool | None, int]:
    match = _NUMBERS.match(string, end)
    if match is None:
        return None, end
    left, right = _number(match[1], macros), _number(match[3], macros)
    if left is None or right is None:
        return None, match.end()
    return {"<": left < right, "=": left == right, ">": left > right}[match[2]], match.end()


def _same(name: str, string: str, end: int, macros: Mapping[str, Macro]) -> tuple[bool | None, int]:
    match = _TWO_TOKENS.match(string, end)
    if match is None:
        return None, end
    left, right = match[1].strip(), match[2].strip() or match[2]
    if name == "ifx":
        return _alike(left, right, macros), match.end()
    expanded = []
    for token in (left, right):
        macro = macros.get(token[1:]) if token.startswith("\\") else None
        if macro is not None and not macro.parameters:
            expanded.append(macro.body)
        elif token.startswith("\\"):
            return None, match.end()
        else:
            expanded.append(token)
    text = "".join(expanded)
    # \if\draft1: the macro's own text is what is compared, as far as it goes.
    if name == "if" and len(text) >= 2 and "\\" not in text[:2]:
        return text[0] == text[1], match.end()
    return None, match.end()


def _alike(left: str, right: str, macros: Mapping[str, Macro]) -> bool | None:
    if not (left.startswith("\\") and right.startswith("\\")):
        return None
    names = left[1:], right[1:]
    for one, other in (names, names[::-1]):
        if one in ("undefined", "@undefined"):
            return False if other in macros else (None if "@" in other else True)
        if one in ("empty", "@empty"):
            macro = macros.get(other)
            return None if macro is None else not macro.body and not macro.parameters
    bodies = [macros.get(name) for name in names]
    if bodies[0] is None or bodies[1] is None:
        return True if names[0] == names[1] else None
    return (bodies[0].body, bodies[0].parameters) == (bodies[1].body, bodies[1].parameters)
