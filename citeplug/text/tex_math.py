"""Math from texts that nobody here wrote: let through what TeX is sure to print, and nothing else.

No library says which math is harmless; latexencode would escape all of it.
"""

import re

from citeplug.text.tables import Tables
from citeplug.text.tex_text import FUNCTIONS, GREEK, SIGN_SYNONYMS, SIGNS, commands_for

_TABLES = Tables(__name__)
_PLAIN = ((GREEK | SIGNS | SIGN_SYNONYMS | FUNCTIONS) - _TABLES.words("not_plain")) | _TABLES.words("plain")
_ARGUMENTS = dict.fromkeys(_TABLES.ordered("one_argument"), 1) | {"frac": 2}
_SIZES = frozenset("big Big bigl bigr bigg Bigg Bigl Bigr".split())
_SWITCHES = _TABLES.pairs("switches")
_SPACES = frozenset(",;:!| {}%#&_$")
_PACKAGES: dict[str, dict[str, int]] = _TABLES.values("packages")
_LOADS: dict[str, str] = _TABLES.values("loads")
_FALLBACK = _TABLES.pairs("fallback")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s]|\s+", re.DOTALL)
_NAMES = SIGNS | GREEK
_SYNONYMS = SIGN_SYNONYMS & _PLAIN
_MAX = 400  # characters; longer math in a sentence is no sentence


def harmless_math(inner: str, packages: tuple[str, ...] = ()) -> str | None:
    """The contents of a `$...$` fit to be printed in a document that loads `packages` (or class), or None.

    Known commands with all their arguments, balanced braces and single scripts pass; a command of a package
    that is not loaded is replaced by the kernel's nearest. Anything else that could stop or steer TeX does not.
    """
    if not inner.strip() or len(inner) > _MAX or "^^" in inner:
        return None
    loaded = {name for package in packages for name in (package, *_LOADS.get(package, "").split())}
    arguments = {**_ARGUMENTS}
    for package, commands in _PACKAGES.items():
        if package in loaded:
            arguments |= commands
    try:
        return _Printer(_TOKEN.findall(_trimmed(inner)), arguments).formula()
    except ValueError:
        return None


def _trimmed(text: str) -> str:
    r"""Without white space at its ends, but with the space of a final `\ `, which would else escape what follows."""
    return re.sub(r"(?<!\\)\s+$", "", text.lstrip())


class _Printer:
    """Reads a formula by TeX's rules for scripts and arguments, and prints it again; ValueError if it breaks one."""

    def __init__(self, tokens: list[str], arguments: dict[str, int]) -> None:
        self.tokens = tokens
        self.arguments = arguments
        self.position = 0
        self.depth = 0

    def formula(self) -> str:
        printed = self.items()
        if self.position < len(self.tokens):
            raise ValueError("unbalanced brace")
        return printed

    def items(self) -> str:
        """Atoms with their scripts up to a closing brace or the end."""
        self.depth += 1
        if self.depth > 20:
            raise ValueError("nested too deeply")
        out: list[str] = []
        scripts: set[str] = set()
        while self.position < len(self.tokens) and self.tokens[self.position] != "}":
            token = self.tokens[self.position]
            if token.isspace():
                self.position += 1
                out.append(" ")
            elif token in "^_'":
                kind = "^" if token == "'" else token
                if kind in scripts and not (token == "'" and out[-1] == "'"):
                    raise ValueError("double script")
                scripts.add(kind)
                self.position += 1
                out.append(token if token == "'" else token + self.script())
            else:
                scripts = set()
                out.append(self.atom())
        self.depth -= 1
        return _trimmed("".join(out))

    def atom(self) -> str:
        token = self.tokens[self.position]
        if token == "{":
            return self.group()
        self.position += 1
        if token.startswith("\\"):
            return self.command(token[1:])
        if not token.isascii() and (name := commands_for(_NAMES).get(token) or commands_for(_SYNONYMS).get(token)):
            return f"\\{name} "
        if not token.isascii() or not token.isprintable() or token in '%#&~$"`@':
            raise ValueError("not for math")
        return token

    def group(self) -> str:
        self.position += 1
        inner = self.items()
        if self.position >= len(self.tokens):
            raise ValueError("unclosed brace")
        self.position += 1
        return "{" + inner + "}"

    def script(self) -> str:
        argument = self.argument()
        return argument[1:-1] if re.fullmatch(r"\{[A-Za-z0-9*+]\}", argument) else argument

    def argument(self) -> str:
        """One argument, braced in any case."""
        while self.position < len(self.tokens) and self.tokens[self.position].isspace():
            self.position += 1
        if self.position >= len(self.tokens) or self.tokens[self.position] in "}^_'":
            raise ValueError("missing argument")
        if self.tokens[self.position] == "{":
            return self.group()
        return "{" + _trimmed(self.atom()) + "}"

    def command(self, name: str) -> str:
        if len(name) == 1 and not name.isalpha():
            if name in "{}":
                return "\\" + name
            if name not in _SPACES:
                raise ValueError("unknown sign")
            return "\\" + name
        if name not in self.arguments and name not in _PLAIN:
            name = _FALLBACK.get(name, name)
        if name in self.arguments:
            if name == "sqrt" and self.next_is("["):
                raise ValueError("optional argument")
            return "\\" + name + "".join(self.argument() for _ in range(self.arguments[name]))
        if name in _SIZES:
            return f"\\{name}" + self.delimiter()
        if name == "not":
            return self.negated()
        if name in _SWITCHES:
            # Not every class knows the switch; the command with an argument is the kernel's.
            return f"\\{_SWITCHES[name]}{{{self.items()}}}"
        if name not in _PLAIN:
            raise ValueError("unknown command")
        following = self.tokens[self.position] if self.position < len(self.tokens) else ""
        return f"\\{name}" + (" " if following[:1].isalpha() else "")

    def negated(self) -> str:
        while self.next_is(" "):
            self.position += 1
        if self.position >= len(self.tokens) or self.tokens[self.position] in "{}^_'":
            raise ValueError("nothing to negate")
        atom = self.atom()
        return "\\not" + (" " if atom[:1].isalpha() else "") + atom

    def delimiter(self) -> str:
        while self.next_is(" "):
            self.position += 1
        token = self.tokens[self.position] if self.position < len(self.tokens) else ""
        if token not in tuple("()[]|/.") and token not in (r"\{", r"\}", r"\|", r"\langle", r"\rangle"):
            raise ValueError("no delimiter")
        self.position += 1
        return token + (" " if token.startswith("\\") and token[1:].isalpha() else "")

    def next_is(self, sign: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position].startswith(sign)
