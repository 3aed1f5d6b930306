"""LaTeX to plain text: markup dropped, the author's macros expanded, math kept as written.

pylatexenc's `latex2text` expands no macros, writes `<cit.>` for a citation, ends in a RecursionError at 3,000 nested
braces, and takes 6 s for 120,000 characters that take 0.4 s here.
One file: every kind of token pushes onto the same stack of inputs.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from citeplug.latex.macros import COST, Macro, is_remark
from citeplug.latex.scan import BLANK_LINE, LatexSource, without_comments
from citeplug.latex.text import unliteral
from citeplug.latex.vocabulary import (
    DIMENSIONS,
    DROPPED_ARGUMENTS,
    DROPPED_ENVIRONMENTS,
    ENVIRONMENT_ARGUMENTS,
    KEEPS_FIRST,
    LAYOUT,
    MATH_ENVIRONMENTS,
    QUOTING_CITES,
    SECTIONS,
    cites_many_times,
    is_cite,
)
from citeplug.text.scanning import ExpansionBudget
from citeplug.text.tex_text import ACCENTS, accented, meaning

_TOKEN = re.compile(r"\\(?:[A-Za-z@]+\*?|.|\Z)|[{}$~]|---?|``|''|[ \t]*(?:\r\n|\r|\n)[\s]*", re.DOTALL)
_ENVIRONMENT = re.compile(r"\s*\{([^{}]{0,80})\}")
_DIMENSION = re.compile(
    r"\s*=?\s*-?\s*(?:[\d.,]*\s*(?:\\[A-Za-z@]+|(?:true\s?)?(?:pt|cm|mm|in|em|ex|bp|pc|sp|dd|cc|mu)\b)|-?\d+)"
    r"(?:\s*(?:plus|minus)\s*-?[\d.]+\s*(?:pt|cm|mm|in|em|ex|fil+))*"
)
_SIZE = re.compile(r"\s*\{\s*[-\d.]*\s*(?:cm|mm|in|pt|em|ex|\\[A-Za-z]+)?\s*\}")
_ENDS_MATH = {"\\(": "\\)", "\\[": "\\]"}
_SPACES = frozenset(" ,;:>!")
_DEEPEST = 60
# Marks for what was dropped: they stay until all of the text is there and tells what space is left.
GONE, XSPACE = "\x00", "\x01"
# Repetitions are bounded, so that long runs of what was dropped take linear time.
_CLOSING = (
    (re.compile(r"\x00(?:[ \t]?\x00)+"), GONE),
    # "(see \cite{a})" leaves nothing to say in brackets.
    (re.compile(r" ?[(\[](?:see|see also|cf\.?|e\.g\.,?|i\.e\.,?|and|[\s,;:\x00]){0,8}\x00[\s,;.\x00]{0,40}[)\]]"), ""),
    (re.compile(r" ?\x00[\x00 ,]{0,40}(?=[.,;:!?)\]])"), ""),
    (re.compile(r"\x00"), ""),
    (re.compile(r"\x01(?=[^\s.,;:!?/)\-'’”\]}~–—])"), " "),
    (re.compile(r"\x01"), ""),
)


# Called with mathematics and its delimiters, the macros, and what is left for expanding them.
Math = Callable[[str, Mapping[str, Macro], ExpansionBudget], str]


def plain(
    text: str,
    macros: Mapping[str, Macro] | None = None,
    expansion: ExpansionBudget | None = None,
    math: Math | None = None,
) -> str:
    """The readable text of a stretch of LaTeX. Paragraphs are separated by blank lines.

    Mathematics is kept as it is written, or as `math` returns it.

    Never raises on any input, takes time linear in it, and expands macros only to a bounded length, and no further
    than `expansion`, the whole document's, allows; it tells whether some were left out.
    """
    if not text.isprintable() or any(mark in text for mark in "\\{}$~%-`'"):
        text = re.sub(r"[ \t]{2,}", " ", without_comments(text))
        text = _Writer(macros or {}, ExpansionBudget(200_000 + 4 * len(text), within=expansion), math).write(text)
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n[ \t]*\n\s*", text))
    return unliteral("\n\n".join(part for part in paragraphs if part))


def plain_line(text: str, macros: Mapping[str, Macro] | None = None, expansion: ExpansionBudget | None = None) -> str:
    return " ".join(plain(text, macros, expansion).split())


@dataclass(slots=True)
class _Input:
    """A string being read from `position` on; macro expansions are further ones on top of it."""

    string: str
    name: str = ""
    position: int = 0
    missing: set[str] = field(default_factory=set)
    source: LatexSource = field(init=False)

    def __post_init__(self) -> None:
        self.source = LatexSource(self.string)

    def find(self, wanted: str, position: int) -> int:
        """Like str.find, but a search that failed once is not repeated: unclosed math is not quadratic."""
        if wanted in self.missing:
            return -1
        at = self.string.find(wanted, position)
        if at < 0:
            self.missing.add(wanted)
        return at


class _Writer:
    def __init__(self, macros: Mapping[str, Macro], expansion: ExpansionBudget, math: Math | None = None) -> None:
        self._macros = macros
        self._expansion = expansion
        self._math_text = math
        self._out: list[str] = []
        self._inputs: list[_Input] = []

    def write(self, text: str) -> str:
        self._inputs = [_Input(text)]
        while self._inputs:
            top = self._inputs[-1]
            match = _TOKEN.search(top.string, top.position)
            if match is None:
                self._out.append(top.string[top.position :])
                self._inputs.pop()
                continue
            if match.start() > top.position:
                self._out.append(top.string[top.position : match.start()])
            top.position = match.end()
            self._token(top, match.group(), match.start())
        return _close_gaps("".join(self._out))

    def _token(self, top: _Input, token: str, start: int) -> None:
        if token[0] == "\\":
            if len(token) > 1 and ((token[1].isalpha() and token[1].isascii()) or token[1] == "@"):
                self._word(top, token[1:], start)
            else:
                self._sign(top, token, start)
        elif token == "$":
            self._math(top, start)
        elif token[0] in "-`'":
            self._out.append({"--": "–", "---": "—", "``": "“", "''": "”"}[token])
        elif token == "~":
            self._out.append(" ")
        elif token == "}":
            # Two arguments in a row are two words.
            if top.string.startswith("{", top.position):
                self._out.append(" ")
        elif token != "{":
            self._out.append("\n\n" if BLANK_LINE.search(token) else " ")

    # -- math ---------------------------------------------------------------------------------------

    def _math(self, top: _Input, start: int) -> None:
        double = top.string.startswith("$$", start)
        wanted = "$$" if double else "$"
        stop = start + len(wanted)
        while True:
            stop = top.find(wanted, stop)
            if stop < 0 or top.string[stop - 1] != "\\" or top.string[stop - 2 : stop] == "\\\\":
                break
            stop += 1
        if stop < 0 or (not double and BLANK_LINE.search(top.string, start, stop)):
            top.position = start + len(wanted)
            return
        self._keep(top, start, stop + len(wanted))

    def _keep(self, top: _Input, start: int, stop: int) -> None:
        self._put_math(BLANK_LINE.sub("\n", top.string[start:stop]))
        top.position = stop

    def _put_math(self, written: str) -> None:
        shown = written if self._math_text is None else self._math_text(written, self._macros, self._expansion)
        self._out.append(shown)

    # -- control symbols ----------------------------------------------------------------------------

    def _sign(self, top: _Input, token: str, start: int) -> None:
        if token in _ENDS_MATH:
            stop = top.find(_ENDS_MATH[token], top.position)
            if stop >= 0:
                self._keep(top, start, stop + 2)
        elif token == "\\\\":
            match = re.compile(r"\*?[ \t]*(?:\[[^\]\r\n]{0,40}\])?").match(top.string, top.position)
            top.position = match.end() if match else top.position
            self._out.append(" ")
        elif len(token) < 2 or token[1].isspace() or token[1] in _SPACES:
            self._out.append("" if token == "\\!" else " ")
        elif token[1] in ACCENTS:
            self._accent(top, token[1])
        elif token[1] not in "-/@()[]":
            self._out.append(token[1])

    def _accent(self, top: _Input, accent: str) -> bool:
        accent_read = accented(top.string, top.source.skip(top.position), accent)
        if accent_read is None:
            return False
        letter, top.position = accent_read
        self._out.append(letter)
        return True

    # -- control words ------------------------------------------------------------------------------

    def _word(self, top: _Input, name: str, start: int) -> None:
        star = name.endswith("*")
        bare = name.rstrip("*")
        if bare in ("begin", "end"):
            top.position -= star
            self._environment(top, bare, start)
        elif bare in ("verb",):
            self._out.append(" ")
        elif is_cite(bare) and bare not in self._macros:
            self._skip_cite(top, bare)
            if bare in QUOTING_CITES:
                self._skip_options(top)
                self._quote(top)
        elif bare in SECTIONS or bare in ("paragraph", "subparagraph", "minisec"):
            self._skip_options(top)
            self._out.append("\n\n")
            self._keep_first(top, " ")
        elif bare in ("frac", "nicefrac", "sfrac", "tfrac", "dfrac", "xfrac"):
            self._keep_first(top, "/")
        elif bare == "ensuremath":
            self._in_math(top)
        elif bare in ("enquote", "textquote", "blockquote") or (bare == "say" and bare not in self._macros):
            self._skip_options(top)
            self._quote(top)
        elif bare in self._macros and self._expand(top, self._macros[bare], star):
            return
        elif bare in DIMENSIONS:
            match = _DIMENSION.match(top.string, top.position)
            top.position = match.end() if match else top.position
        elif bare in DROPPED_ARGUMENTS:
            self._drop(top, bare, DROPPED_ARGUMENTS[bare])
        elif bare in KEEPS_FIRST:
            self._keep_first(top, None)
        elif bare == "xspace":
            self._out.append(XSPACE)
        else:
            self._symbol(top, bare, star)

    def _symbol(self, top: _Input, name: str, star: bool) -> None:
        if name in ACCENTS and len(name) == 1 and self._accent(top, name):
            return
        text = LAYOUT.get(name) or meaning(name)
        if star:
            top.position -= 1 if text is not None else 0
        if text is not None:
            self._out.append(text)
            if name == "item":
                self._skip_options(top)
        else:
            self._out.append(GONE)
            if top.string.startswith("[", top.position):
                self._skip_options(top)
        self._gobble(top)

    def _gobble(self, top: _Input) -> None:
        # TeX swallows spaces after a control word, but not a paragraph's end.
        match = re.compile(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*(?![ \t\r\n]))?").match(top.string, top.position)
        if match:
            top.position = match.end()

    def _skip_options(self, top: _Input) -> None:
        option = top.source.option(top.position)
        while option and not BLANK_LINE.search(top.string, top.position, option[0]):
            top.position = option[1] + 1
            option = top.source.option(top.position) if top.string.startswith("[", top.position) else None

    def _drop(self, top: _Input, name: str, count: int) -> None:
        position = top.position
        option = top.source.option(position)
        while option:
            position = option[1] + 1
            option = top.source.option(position)
        for _ in range(count):
            group = top.source.group(position)
            if group is None:
                break
            position = group[1] + 1
            top.position = position
        if position > top.position and top.string.startswith("[", top.position):
            top.position = position
        if name in ("footnotemark", "thanks", "footnote", "ref") or name.endswith("ref"):
            self._out.append(GONE)

    def _skip_cite(self, top: _Input, name: str) -> None:
        self._out.append(GONE)
        many = cites_many_times(name)
        while True:
            position = top.position
            angle = re.compile(r"\s*<[^<>{}\r\n]{0,100}>").match(top.string, position)
            position = angle.end() if angle else position
            while option := top.source.option(position):
                position = option[1] + 1
            group = top.source.group(position)
            if group is None:
                break
            top.position = group[1] + 1
            if not many or not re.compile(r"\s*[\[{]").match(top.string, top.position):
                break

    def _in_math(self, top: _Input) -> None:
        argument = top.source.argument(top.position)
        if argument:
            self._put_math("$" + top.string[argument[0] : argument[1]] + "$")
            top.position = argument[2]

    def _quote(self, top: _Input) -> None:
        group = top.source.group(top.position)
        if group and self._may_push(group[1] - group[0]):
            top.position = group[1] + 1
            self._inputs.append(_Input("“" + top.string[group[0] : group[1]] + "”"))

    def _keep_first(self, top: _Input, between: str | None) -> None:
        """Write the first argument, then `between` and go on; with None the second argument is left out."""
        self._skip_options(top)
        first = top.source.group(top.position)
        if first and self._may_push(first[1] - first[0]):
            second = top.source.group(first[1] + 1) if between is None else None
            top.position = second[1] + 1 if second else first[1] + 1
            self._inputs.append(_Input(top.string[first[0] : first[1]] + (between or "")))

    def _may_push(self, length: int) -> bool:
        """True if a text of this length may be read in between; else the text goes on as it is written."""
        return len(self._inputs) < _DEEPEST and self._expansion.take(length + COST)

    def _expand(self, top: _Input, macro: Macro, star: bool) -> bool:
        if star and not (macro.parameters and macro.parameters[0].kind == "s"):
            top.position -= 1
        if any(frame.name == macro.name for frame in self._inputs) or len(self._inputs) >= _DEEPEST:
            return False
        if macro.program:
            return False
        if not self._expansion.take(len(macro.body) + COST):
            return False
        if macro.primitive:
            self._inputs.append(_Input(macro.body + " ", macro.name))
            return True
        read = macro.arguments(top.source, top.position)
        if read is None:
            return False
        arguments, top.position = read
        if not macro.parameters:
            self._gobble(top)
        if is_remark(macro):
            return True
        if self._expansion.take(macro.length(arguments)):
            texts = [a if isinstance(a, str) else top.string[a[0] : a[1]] for a in arguments]
            self._inputs.append(_Input(macro.expand(texts), macro.name))
        return True

    # -- environments -------------------------------------------------------------------------------

    def _environment(self, top: _Input, command: str, start: int) -> None:
        match = _ENVIRONMENT.match(top.string, top.position)
        if match is None:
            return
        name = match[1].strip()
        top.position = match.end()
        if command == "begin" and name in MATH_ENVIRONMENTS:
            stop = top.find(f"\\end{{{name}}}", top.position)
            if stop >= 0:
                self._keep(top, start, stop + len(name) + 6)
                return
        elif command == "begin" and (name in DROPPED_ENVIRONMENTS or name.rstrip("*") in DROPPED_ENVIRONMENTS):
            stop = top.find(f"\\end{{{name}}}", top.position)
            if stop >= 0:
                top.position = stop + len(name) + 6
                self._out.append("\n\n")
                return
        elif command == "begin":
            self._skip_options(top)
            for _ in range(ENVIRONMENT_ARGUMENTS.get(name, 0)):
                group = top.source.group(top.position)
                top.position = group[1] + 1 if group else top.position
            if name not in ENVIRONMENT_ARGUMENTS and (size := _SIZE.match(top.string, top.position)):
                top.position = size.end()
        self._out.append("\n\n")


def _close_gaps(text: str) -> str:
    """`text` without its marks: no space before a full stop, no brackets around nothing."""
    for pattern, replacement in _CLOSING:
        text = pattern.sub(replacement, text)
    return text
