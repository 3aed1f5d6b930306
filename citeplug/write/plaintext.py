"""Abstracts carry TeX, from people nobody knows: make plain text of it, and let only harmless math through."""

import re
import unicodedata

# Commands that every LaTeX knows in math, and that do nothing but print.
_CORE = frozenset(
    r"""alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi
    Omega ell hbar partial nabla infty in notin ni subset subseteq supset supseteq cup cap setminus times cdot
    cdots ldots dots vdots pm mp ast star circ bullet oplus otimes wedge vee neg forall exists emptyset to
    rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow mapsto uparrow
    downarrow le leq ge geq ne neq ll gg sim simeq approx cong equiv propto perp parallel mid colon log ln exp
    lg sin cos tan sinh cosh tanh arg max min sup inf lim det dim ker deg gcd Pr hom sum prod int oint bigcup
    bigcap frac sqrt bar hat tilde vec dot ddot widehat widetilde overline underline mathrm mathbf mathcal mathit
    mathsf big Big bigl bigr langle rangle lfloor rfloor lceil rceil vert Vert prime
    dagger ddagger quad qquad not bmod aleph Re Im wp imath jmath vdash models prec succ preceq
    succeq asymp top bot lbrace rbrace backslash angle triangle diamond""".split()
)
_WITH_PACKAGE = {
    "amsmath": frozenset("text tfrac dfrac binom operatorname".split()),
    "amssymb": frozenset("mathbb mathfrak lesssim gtrsim leqslant geqslant varnothing".split()),
    "amsfonts": frozenset("mathbb mathfrak".split()),
}
_PROVIDES = {"mathtools": "amsmath", "empheq": "amsmath", "newtxmath": "amssymb"}

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327", "k": "\u0328",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "i", "j": "j", "dh": "ð", "th": "þ", "S": "§", "P": "¶", "copyright": "©",
    "textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…", "textasciitilde": "~",
}  # fmt: skip

_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]")
_COMMENTARY = re.compile(
    r"\\(?:footnote|cite[a-z]*\*?|ref|label|thanks|footnotemark|footnotetext|index)\s*(?:\[[^\]]*\])*\{[^{}]*\}"
)
_STYLED = re.compile(
    r"\\(?:emph|text(?:it|bf|tt|sc|sf|rm|sl|normal|md|up)|mbox|textsuperscript|textsubscript|underline|uppercase)\s*\{([^{}]*)\}"
)
_SWITCH = re.compile(
    r"\\(?:em|it|bf|tt|sc|sf|rm|sl|itshape|bfseries|scshape|ttfamily|normalfont|small|large|/)(?![A-Za-z])\s*"
)
_ACCENT = re.compile(r"\\([`'^~=.\"])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))")
_ACCENT_WORD = re.compile(r"\\([uvHcrk])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(?<=[a-z])\s+([A-Za-z]))|\\([vcuHrk]) ([A-Za-z])")
_LETTER = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|\s)?")
# A double script, a script with nothing to show, a command without its argument.
_ARGUMENT = r"\s*(?:\w|\{[^{}]*\}|\\[A-Za-z]+)\s*"
_STOPS_TEX = re.compile(
    rf"[\^_]\s*(?:$|[\^_}}&'])|\^{_ARGUMENT}[\^']|_{_ARGUMENT}_"
    r"|\\(?:frac|sqrt|bar|hat|tilde|vec|d?dot|wide\w+|over\w+|under\w+|math\w+|text|operatorname|[bB]ig[lr]?)\s*(?:$|[}^_])"
)
_PLACEHOLDER = "\ue000"


def math_commands(packages: tuple[str, ...] = ()) -> frozenset[str]:
    """Names of the commands that math may contain in a document that loads `packages`."""
    loaded = {_PROVIDES.get(package, package) for package in packages}
    if "newtxmath" in packages or "mathtools" in packages:
        loaded.add("amsmath")
    return _CORE.union(*(commands for package, commands in _WITH_PACKAGE.items() if package in loaded))


def plain_text(tex: str, commands: frozenset[str] = _CORE) -> str | None:
    """The text that `tex` prints, in Unicode, with math kept in `$...$`; None if that cannot be told.

    Nothing outside the math can act as a command once it is escaped; math with any command that is not in
    `commands`, with `^^`, `$$`, comments, alignment, or unbalanced braces makes the answer None.
    """
    math: list[str] = []

    def keep(match: re.Match[str]) -> str:
        math.append(match.group())
        return f"{_PLACEHOLDER}{len(math) - 1}{_PLACEHOLDER}"

    text = tex.replace(_PLACEHOLDER, "").replace(r"\$", "\ue001")
    text = _MATH.sub(keep, text)
    if "$" in text:
        return None
    kept = [_harmless_math(piece, commands) for piece in math]
    if any(piece is None for piece in kept):
        return None
    text = _unstyled(text)
    if "\\" in text or re.search(r"\bhttps?:|www\.", text):
        return None
    text = text.replace("{", "").replace("}", "").replace("\ue001", "$").replace("\ue002", "{").replace("\ue003", "}")
    if "$" in text or "{" in text or "}" in text:  # would read as math, or as a citation marker
        return None
    text = re.sub(rf"{_PLACEHOLDER}(\d+){_PLACEHOLDER}", lambda m: kept[int(m.group(1))] or "", text)
    text = re.sub(r"\s+([,.;:])", r"\1", text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _harmless_math(piece: str, commands: frozenset[str]) -> str | None:
    if piece.startswith(("$$", r"\[")):
        return None
    inner = piece[2:-2] if piece.startswith(r"\(") else piece[1:-1]
    inner = inner.replace("\ue001", r"\$").strip()
    if not inner or "^^" in inner or not inner.isascii() or re.search(r'[%#&~"`@]', inner.replace(r"\%", "")):
        return None
    for name in re.findall(r"\\([A-Za-z]+|.?)", inner):
        if (name.isalpha() and name not in commands) or (not name.isalpha() and name not in tuple(",;:!| {}%")):
            return None
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", inner):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return None
    return None if depth or _STOPS_TEX.search(inner) else f"${inner}$"


def _unstyled(text: str) -> str:
    text = text.replace(r"\{", "\ue002").replace(r"\}", "\ue003")
    text = _COMMENTARY.sub("", text)
    text = _ACCENT.sub(_accented, text)
    text = _ACCENT_WORD.sub(_accented, text)
    text = _LETTER.sub(lambda m: _LETTERS[m.group(1)], text)
    for _ in range(3):
        text = _STYLED.sub(r"\1", text)
    text = _SWITCH.sub("", text)
    text = re.sub(r"\\([%&_#])", r"\1", text)
    text = re.sub(r"\\[,;:! ]|\\\\|~", " ", text).replace(r"\-", "").replace(r"\@", "")
    text = text.replace("---", "—").replace("--", "–")
    text = text.replace("``", "“").replace("''", "”")
    text = re.sub(r"(?<!\w)`(?=\w)", "‘", text)
    return re.sub(r"(?<!\w)\"(?=\S)([^\"]*)(?<=\S)\"(?!\w)", r"“\1”", text)


def _accented(match: re.Match[str]) -> str:
    groups = [group for group in match.groups() if group]
    accent, letter = groups[0], groups[-1].lstrip("\\")
    return unicodedata.normalize("NFC", letter + _ACCENTS[accent])
