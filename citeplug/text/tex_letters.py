"""The letters and signs that TeX writes with commands. What each stands for pylatexenc's table says.

pylatexenc's converter is not used: it reads by recursion, in Python, and takes `<cit.>` for the text of `\\cite`. Its
table is loaded when the first command is met: that takes 40 ms.
"""

from functools import cache, lru_cache
from typing import Any

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip
T1_ACCENTS = frozenset("k")

# Names of commands without their backslash. All of them are in the kernel's OT1 encoding without a package, save T1's.
LETTERS = frozenset("ss o O l L ae AE oe OE aa AA i j".split())
T1_LETTERS = frozenset("dh DH th TH dj DJ ng NG".split())
MARKS = frozenset("S P copyright pounds dag ddag textregistered texttrademark".split())
GREEK = frozenset(
    """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho
    sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi
    Omega""".split()
)
# Signs that the kernel has in math alone.
SIGNS = frozenset(
    """times div pm mp cdot circ bullet ast leq geq neq ll gg sim simeq approx cong equiv propto infty partial nabla in
    ni notin subset supset subseteq supseteq cup cap setminus emptyset forall exists neg wedge vee oplus otimes perp
    parallel mid to leftarrow leftrightarrow uparrow downarrow Rightarrow Leftarrow Leftrightarrow mapsto sum prod int
    oint surd ell hbar Re Im aleph wp angle langle rangle lfloor rfloor lceil rceil star prime vdash models top
    triangle diamond clubsuit heartsuit spadesuit sharp flat natural ldots prec succ asymp odot ominus""".split()
)
SIGN_SYNONYMS = frozenset(
    """le ge ne rightarrow gets land lor lnot owns longrightarrow Longrightarrow dots cdots textellipsis dagger ddagger
    textdagger bot lbrace rbrace vert Vert square leqslant geqslant varnothing vdots ddots""".split()
)
# What pylatexenc does not know, or writes with a sign that is less usual in text.
_OWN = {
    "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "ddag": "‡", "SS": "ẞ",
    "bullet": "•", "neg": "¬", "mid": "∣", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "prime": "′", "models": "⊨",
    "triangle": "△", "diamond": "⋄", "clubsuit": "♣", "heartsuit": "♥", "spadesuit": "♠",
    "ne": "≠", "gets": "←", "land": "∧", "lor": "∨", "owns": "∋", "longrightarrow": "→", "Longrightarrow": "⇒",
    "cdots": "…", "ddagger": "‡", "bot": "⊥", "leqslant": "≤", "geqslant": "≥", "vdots": "…", "ddots": "…",
    "lbrace": "{", "rbrace": "}", "vert": "|", "lbrack": "[", "rbrack": "]",
}  # fmt: skip

# Text commands that stand for what no accent or letter is.
_TEXT_SIGNS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textless": "<",
    "textgreater": ">", "textbar": "|", "textbraceleft": "{", "textbraceright": "}", "textdollar": "$",
    "textpercent": "%", "textquotedbl": '"', "textquotesingle": "'", "textmu": "μ", "textmultiply": "×",
    "textperiodcentered": "·", "textasteriskcentered": "*", "slash": "/", "checkmark": "✓", "degree": "°", "euro": "€",
    "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX",
    "quad": " ", "qquad": " ", "space": " ", "thinspace": " ", "nobreakspace": " ", "newline": " ", "enspace": " ",
    "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "percent": "%", "sp": "^", "sb": "_",
}  # fmt: skip
TEXT_SIGNS = (
    frozenset(_TEXT_SIGNS)
    | MARKS
    | frozenset(
        """quotedblbase guillemotleft guillemotright textquoteleft textquoteright textquotedblleft textquotedblright
    textendash textemdash textdegree texttimes textpm texteuro textbullet textsection textparagraph textexclamdown
    textquestiondown textcopyright""".split()
    )
)

# Commands that change how their argument looks, not what it says.
STYLES = frozenset(
    """emph textit textbf texttt textsf textsc textrm textsl textup textmd textnormal textsuperscript textsubscript
    mbox hbox text underline uppercase lowercase MakeUppercase MakeLowercase ensuremath mathrm mathbf mathit mathcal
    mathsf mathtt mathbb mathfrak mathscr mathnormal boldsymbol bm operatorname protect em it bf rm sf tt sc sl cal
    itshape bfseries scshape sffamily ttfamily rmfamily upshape mdseries normalfont small large Large footnotesize
    LARGE huge Huge scriptsize tiny normalsize left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle
    limits nolimits xspace relax noopsort nocase enquote mathop mathrel mathbin mathord hspace vspace""".split()
)
# Names of functions print as themselves.
FUNCTIONS = frozenset(
    """log ln lg exp sin cos tan cot sinh cosh tanh arg max min sup inf lim limsup liminf det dim ker deg gcd Pr
    hom""".split()
)


@lru_cache(4096)
def meaning(name: str) -> str | None:
    """The Unicode text that the command `\\name` without arguments prints; None if it is not known to print any."""
    own = _OWN.get(name) or _TEXT_SIGNS.get(name) or (name if name in FUNCTIONS else None)
    if own is not None:
        return own
    spec = _pylatexenc().get_macro_spec(name)
    text = spec.simplify_repl if spec is not None else None
    # Single signs alone: the rest are patterns, and words for what it leaves out.
    return text if isinstance(text, str) and len(text) == 1 and not text.isascii() else None


@lru_cache(16)
def commands_for(names: frozenset[str]) -> dict[str, str]:
    """The commands of these names, without backslash, by the sign that each prints."""
    return {sign: name for name in sorted(names) if (sign := meaning(name)) and not sign.isascii()}


@cache
def _pylatexenc() -> Any:
    from pylatexenc.latex2text import get_default_latex_context_db

    return get_default_latex_context_db()
