r"""TeX's conditionals: where their branches lie, and which of them is read where that can be known.

pylatexenc takes `\if` and `\else` for commands like others, and gives the text of both branches.
"""

import re
from collections.abc import Callable, Mapping

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
# What is compared, and no part of either branch.
_TESTS = {
    "ifnum": _NUMBERS,
    "ifdim": _DIMENSIONS,
    **dict.fromkeys(("ifodd", "ifcase"), _ONE_NUMBER),
    **dict.fromkeys(("if", "ifx", "ifcat"), _TWO_TOKENS),
    "ifdefined": _COMMAND,
    "ifcsname": _NAMED,
}


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
        self._match(string, sure)
        self.after = {
            here: self.end[opening][1] for opening, (here, _) in self.otherwise.items() if opening in self.end
        }

    def _match(self, string: str, sure: Callable[[str], bool]) -> None:
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
            elif sure(name) or looks_conditional(name, string, match.end()):
                waiting.append(match.start())


def looks_conditional(name: str, string: str, end: int) -> bool:
    """True if a command that nobody declared reads like a conditional: `\\ifname` without an argument."""
    return name.startswith("if") and name not in _NOT_CONDITIONALS and not string.startswith("{", end)


def is_conditional(name: str, switches: Mapping[str, bool], string: str, end: int) -> bool:
    return name in _PRIMITIVES or name in switches or name in _USUAL or looks_conditional(name, string, end)


def decide(name: str, string: str, end: int, switches: Mapping[str, bool]) -> tuple[bool | None, int]:
    """The truth of the test (None: not known), and the position of its end. `end` is after the command's name.

    Known are the switches of `\\newif`, and tests of the engine and of constants. What compares is LaTeX's to decide.
    """
    value = switches.get(name, _USUAL.get(name))
    match = _TESTS[name].match(string, end) if value is None and name in _TESTS else None
    return value, match.end() if match else end
