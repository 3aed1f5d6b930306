"""Mathematics to text that can be read and is still LaTeX: signs for commands, the author's macros written out.

pylatexenc's converter expands no macros of an author's, and writes what LaTeX could not print again.
"""

import re
import unicodedata
from collections.abc import Mapping

from citeplug.latex.macros import COST, Macro
from citeplug.latex.scan import LatexSource, without_comments
from citeplug.text.scanning import ExpansionBudget
from citeplug.text.tables import Tables
from citeplug.text.tex_text import meaning

_DEEPEST = 40
_TOKEN = re.compile(r"\\(?:[A-Za-z@]+\*?|.|\Z)|[{}&~$]|\s+|[^\\{}&~$\s]+", re.DOTALL)
_NAME = re.compile(r"\s*\{([^{}]{0,40})\}")
_ROW_END = re.compile(r"\*?[ \t]*(?:\[[^\]\r\n]{0,40}\])?")
# Blackboard bold where Unicode has it among its letters; `ℝ` is found by who types R, too.
_BLACKBOARD = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "breve": "\u0306",
    "acute": "\u0301", "grave": "\u0300", "underline": "\u0332", "mathring": "\u030a",
}  # fmt: skip
_TABLES = Tables(__name__)
_KEPT = _TABLES.words("kept")
_SILENT = _TABLES.words("silent")
_DROPPED = _TABLES.numbers("dropped")
_FRACTIONS = frozenset("frac dfrac tfrac cfrac nicefrac sfrac".split())
_BINOMIALS = ("binom", "dbinom", "tbinom")
_STACKS = ("overset", "underset", "stackrel")  # the first argument stands above or below the second
_ARGUMENTS_OF = {"array": 1, "tabular": 1, "alignat": 1, "alignat*": 1, "xalignat": 1, "alignedat": 1, "subarray": 1}
_SIGNS = {"\\{": "\\{", "\\}": "\\}", "\\|": "‖", "\\%": "%", "\\_": "\\_"}
_RELATIONS = "=<>≤≥≪≫≈≡∼≃≅∝∈∉∋⊂⊃⊆⊇×∣→←↦⇒⇐⇔≠∪∩±·∧∨⊕⊗"
# TeX sets its own space around these; in the source it is on both sides, on one, or on none.
_ONE_SIDED = re.compile(rf"\s+([{_RELATIONS}])\s*|([{_RELATIONS}])\s+")
_FENCES = {"pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "Vmatrix": "‖‖"}
_SIMPLE = re.compile(r"[\w.′'!∞]+|\([^()]*\)")


def readable_math(tex: str, macros: Mapping[str, Macro] | None = None, expansion: ExpansionBudget | None = None) -> str:
    r"""Mathematics with its delimiters, `$...$`, `\[...\]` or an environment, as one line `$...$`.

    `\frac{a}{b}` is `a/b`, a matrix's rows and an alignment's lines end in `;`, an unknown command is its name. Scripts
    keep their braces, and `\{` its backslash, so that it can be printed by LaTeX. Empty if there is nothing to read.
    Never raises; macros are expanded no further than `expansion` allows.
    """
    inner = _Converter(macros or {}, expansion or ExpansionBudget(20_000)).convert(without_comments(_within(tex)))
    inner = _ONE_SIDED.sub(lambda match: f" {match[1] or match[2]} ", inner)
    inner = re.sub(r"\s+([,;.)\]}])", r"\1", " ".join(inner.split()))
    inner = re.sub(r"([(\[{])\s+(?=\S)", r"\1", inner).strip(" ;")
    return f"${inner}$" if inner else ""


def _within(tex: str) -> str:
    for opening, closing in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")):
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) >= len(opening) + len(closing):
            return tex[len(opening) : -len(closing)]
    return tex


class _Converter:
    def __init__(self, macros: Mapping[str, Macro], expansion: ExpansionBudget) -> None:
        self._macros = macros
        self._expansion = expansion
        self._open: list[str] = []  # macros that are being expanded, and None for each argument

    def convert(self, text: str) -> str:
        if len(self._open) >= _DEEPEST:
            return text.replace("\\", "")
        self._open.append("")
        source, position, out = LatexSource(text), 0, []
        while match := _TOKEN.match(text, position):
            token, position = match.group(), match.end()
            if token[0] != "\\":
                out.append(self._sign(token))
            elif len(token) > 1 and token[1].isalpha():
                piece, position = self._word(source, token[1:], position)
                out.append(piece)
            elif token == "\\\\":
                out.append("; ")
                end = _ROW_END.match(text, position)
                position = end.end() if end else position
            else:
                out.append(_SIGNS.get(token, "" if token in ("\\!", "\\/") else " "))
        self._open.pop()
        return "".join(out)

    def _sign(self, token: str) -> str:
        if token in "&~" or token.isspace():
            return " "
        # A dollar sign in math closes what a \text has opened, and would be read as the end of all.
        return token if token in "{}" else token.replace("$", "")

    def _word(self, source: LatexSource, name: str, position: int) -> tuple[str, int]:
        """The text of the command `name`, whose arguments stand at `position`, and where they end."""
        bare = name.rstrip("*")
        if bare in ("begin", "end"):
            return self._environment(source, bare, position)
        if bare in self._macros and (expanded := self._expanded(source, self._macros[bare], position)):
            return expanded
        if bare in _FRACTIONS or bare in _BINOMIALS:
            over, position = self._argument(source, position)
            under, position = self._argument(source, position)
            written = f"{_grouped(over)}/{_grouped(under)}" if bare in _FRACTIONS else f"({over} over {under})"
            return written, position
        if bare == "sqrt":
            option = source.option(position)
            inner, position = self._argument(source, option[1] + 1 if option else position)
            return f"√{_grouped(inner)}", position
        if bare == "mathbb" or bare == "Bbb":
            inner, position = self._argument(source, position)
            return "".join(_BLACKBOARD.get(letter, letter) for letter in inner), position
        if bare in _ACCENTS:
            inner, position = self._argument(source, position)
            marked = unicodedata.normalize("NFC", inner.strip() + _ACCENTS[bare])
            return (marked if len(inner.strip()) == 1 else inner), position
        if bare in _STACKS:
            _, position = self._argument(source, position)
            return self._argument(source, position)
        if name in _DROPPED or bare in _DROPPED:
            for _ in range(_DROPPED.get(name, _DROPPED.get(bare, 0))):
                group = source.group(position)
                position = group[1] + 1 if group else position
            return " ", position
        if name in _KEPT or bare in _KEPT:
            return self._argument(source, position)
        if bare in _SILENT:
            # \left. and \right. are fences that nobody sees.
            hidden = bare in ("left", "right") and source.string.startswith(".", position)
            return "", position + hidden
        return self._symbol(source, bare, position)

    def _symbol(self, source: LatexSource, name: str, position: int) -> tuple[str, int]:
        text = meaning(name)
        known = text is not None
        text = name.replace("@", "") if text is None else text
        after = source.string[position : position + 1]
        if text[-1:].isalpha() and text.isascii() and after.isspace() is False and (after.isalnum() or after == "\\"):
            text += " "
        if not known and source.group(position):
            text += " "
        return (f" {text}" if len(text) > 1 and text.isascii() and text[0].isalpha() else text), position

    def _argument(self, source: LatexSource, position: int) -> tuple[str, int]:
        argument = source.argument(position)
        if argument is None:
            return "", position
        return self.convert(source.string[argument[0] : argument[1]]).strip(), argument[2]

    def _expanded(self, source: LatexSource, macro: Macro, position: int) -> tuple[str, int] | None:
        if macro.program or macro.name in self._open or not self._expansion.take(len(macro.body) + COST):
            return None
        if macro.primitive:
            return None if macro.body.strip().lstrip("\\") == macro.name else (self.convert(macro.body), position)
        read = macro.arguments(source, position)
        if read is None or not self._expansion.take(macro.length(read[0])):
            return None
        arguments, position = read
        texts = [a if isinstance(a, str) else source.string[a[0] : a[1]] for a in arguments]
        self._open.append(macro.name)
        text = self.convert(macro.expand(texts))
        self._open.pop()
        return text, position

    def _environment(self, source: LatexSource, command: str, position: int) -> tuple[str, int]:
        match = _NAME.match(source.string, position)
        if match is None:
            return " ", position
        name, position = match[1].strip(), match.end()
        if command == "begin":
            option = source.option(position)
            position = option[1] + 1 if option else position
            for _ in range(_ARGUMENTS_OF.get(name, 0)):
                group = source.group(position)
                position = group[1] + 1 if group else position
        fence = _FENCES.get(name, "  ")
        return fence[0] if command == "begin" else fence[1], position


def _grouped(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"
