"""The letters and signs that TeX writes with commands, in both directions.

Everything here works in the kernel's OT1 encoding without a package, save what stands in the T1 tables.
"""

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip
T1_ACCENTS = frozenset("k")

LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "dag": "†", "ddag": "‡",
    "textregistered": "®", "texttrademark": "™",
}  # fmt: skip
T1_LETTERS = {
    "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "quotedblbase": "„", "guillemotleft": "«", "guillemotright": "»",
}  # fmt: skip

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ",
    "upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip

# Signs that the kernel has in math alone.
SIGNS = {
    "times": "×", "div": "÷", "pm": "±", "mp": "∓", "cdot": "·", "circ": "∘", "bullet": "•", "ast": "∗",
    "leq": "≤", "geq": "≥", "neq": "≠", "ll": "≪", "gg": "≫", "sim": "∼", "simeq": "≃", "approx": "≈", "cong": "≅",
    "equiv": "≡", "propto": "∝", "infty": "∞", "partial": "∂", "nabla": "∇", "in": "∈", "ni": "∋", "notin": "∉",
    "subset": "⊂", "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖",
    "emptyset": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "wedge": "∧", "vee": "∨", "oplus": "⊕",
    "otimes": "⊗", "perp": "⊥", "parallel": "∥", "mid": "∣", "to": "→", "leftarrow": "←", "leftrightarrow": "↔",
    "uparrow": "↑", "downarrow": "↓", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "mapsto": "↦",
    "sum": "∑", "prod": "∏", "int": "∫", "oint": "∮", "surd": "√", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ",
    "aleph": "ℵ", "wp": "℘", "angle": "∠", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋",
    "lceil": "⌈", "rceil": "⌉", "star": "⋆", "prime": "′", "vdash": "⊢", "models": "⊨", "top": "⊤",
    "triangle": "△", "diamond": "⋄", "clubsuit": "♣", "heartsuit": "♥", "spadesuit": "♠", "sharp": "♯", "flat": "♭",
    "natural": "♮", "ldots": "…", "prec": "≺", "succ": "≻", "asymp": "≍", "odot": "⊙", "ominus": "⊖",
}  # fmt: skip
SIGN_SYNONYMS = {
    "le": "≤", "ge": "≥", "ne": "≠", "rightarrow": "→", "gets": "←", "land": "∧", "lor": "∨", "lnot": "¬", "owns": "∋",
    "longrightarrow": "→", "Longrightarrow": "⇒", "dots": "…", "cdots": "…", "textellipsis": "…", "dagger": "†",
    "ddagger": "‡", "textdagger": "†", "bot": "⊥", "lbrace": "{", "rbrace": "}", "vert": "|", "Vert": "‖",
    "square": "□", "leqslant": "≤", "geqslant": "≥", "varnothing": "∅", "vdots": "…", "ddots": "…",
}  # fmt: skip

# Text commands that stand for what no accent or letter is.
TEXT_SIGNS = {
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textless": "<",
    "textgreater": ">", "textbar": "|", "textbraceleft": "{", "textbraceright": "}", "textdollar": "$",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
    "textquotedbl": '"', "textquotesingle": "'", "textendash": "–", "textemdash": "—", "textdegree": "°",
    "textmu": "μ", "textmultiply": "×", "texttimes": "×", "textpm": "±", "texteuro": "€", "textbullet": "•",
    "textperiodcentered": "·", "textasteriskcentered": "*", "textsection": "§", "textparagraph": "¶",
    "textexclamdown": "¡", "textquestiondown": "¿", "textcopyright": "©", "slash": "/",
    "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX",
    "quad": " ", "qquad": " ", "space": " ", "thinspace": " ", "nobreakspace": " ", "newline": " ", "enspace": " ",
    "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "aa": "å", "percent": "%", "sp": "^", "sb": "_",
}  # fmt: skip

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
