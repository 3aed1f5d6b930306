import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citeplug.text.tex_print import to_latex
from citeplug.text.tex_text import decode_tex

NASTY = [
    r"\input{/etc/passwd} and \write18{rm -rf /} and \end{document}",
    "100% of R&D #1 costs $5 and $6, x_1^2 ~ {braces} <b> |c| \\ \\\\ a\\",
    "^^5cinput ^^M %comment\n% another",
    '“curly” ‘single’ "straight" „low“ «guillemets» -- --- – — … ?` !` ,, << >>',
    "Łukasz Sîrbu, Fraïssé, Đặng Văn Ấm, Þórður, Şahin, Çelik, Ångström, Ǻ, ẞ, ﬁne ½ № ™ © ® € £ § ¶ † ‡",
    "α→β ≤ γ, 5°C, 10², H₂O, ∀x∈ℝ ∃y: x≠y ≈ ∞ ∑∏∫√ × ÷ ± − ′ ″ Ω µ ϵ ε ⟨a|b⟩ ℓ ℏ 𝑥",
    "中文 кириллица العربية עברית ❤ 🎉 \u200b\u200d\ufeff\u202eevil\u202c\u00ad\u00a0nbsp\u2009thin",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x00\x01\x08\x7f\x9b1m \x0c\x0b\r\n tabs\t.",
    r"$O(n^2)$ $\frac{a}{b}$ $\mathbb{R}^n$ ${\cal N}=4$ $\sum_{i=1}^n x_i'$ $\alpha\beta$ $\{x\}$ $\big( y \big)$",
    r"$\input{x}$ $\def\x{}$ $x$y$ $$z$$ $a_b_c$ $\frac{a}$ ${$ $}$ $\undefined$ $a & b$ $#1$ $%$ $^^41$ $\left($",
    r"$\sqrt[3]{x}$ $\mathrm x$ $x^\frac12$ $\hat$ $x^$ $_{a}$ $'$ $\not$ $\mbox{$a$}$ $\rm x$ ${\bf v}_i$ $x^{}_{}$",
    "αβγ$x$δ$y$ $a$$b$ -",
]


def unescaped(latex: str) -> str:
    """What is left of ASCII LaTeX when its known harmless parts are taken out."""
    rest = re.sub(r"\\[&%#_$]", "x", latex)
    rest = re.sub(r"\$[^$]+\$", "", rest)
    rest = re.sub(
        r"\{\\(?:[`'^~=.\"uvHrcdbk]\{(?:\\?[A-Za-z]|\\[`'^~=.\"uvHrcdbk]\{\\?[A-Za-z]\})\}|[A-Za-z]{1,14})\}", "", rest
    )
    return re.sub(
        r"\\(?:text(?:backslash|brace(?:left|right)|ascii(?:tilde|circum)|less|greater|bar)|ldots)\{\}|\{\}", "", rest
    )


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% of A&B_c #1", r"50\% of A\&B\_c \#1"),
        ("\\input{x}", r"\textbackslash{}input\textbraceleft{}x\textbraceright{}"),
        ("a ~ b^c", r"a \textasciitilde{} b\textasciicircum{}c"),
        ("naïve café Łódź", "na{\\\"{\\i}}ve caf{\\'{e}} {\\L}{\\'{o}}d{\\'{z}}"),
        ("α → β ≤ 5°", r"$\alpha$ $\to$ $\beta$ $\leq$ 5$^{\circ}$"),
        ('He said "yes" — “no”', "He said ``yes'' --- ``no''"),
        ("a\u00a0b\u2009c\td\n e", "a b c d e"),
        ("\x1b[31mred\x07", "red"),
        ("costs $5 and $6", r"costs \$5 and \$6"),
        ("in $O(n \\log n)$ time", r"in $O(n \log n)$ time"),
        ("$\\undefined{x}$", r"\$\textbackslash{}undefined\textbraceleft{}x\textbraceright{}\$"),
        ("$\\mathbb{R}$", r"$\mathbf{R}$"),
        ("Đặng 中", "D{\\d{\\u{a}}}ng ?"),
        ("What?`s", "What?{}`s"),
        ("––", "--{}--"),
        (" kept ", " kept "),
    ],
)
def test_text_is_written_so_that_it_prints_as_itself(text: str, latex: str) -> None:
    assert to_latex(text) == latex


def test_a_package_brings_its_math() -> None:
    assert to_latex("$\\mathbb{R}$", ("amssymb",)) == "$\\mathbb{R}$"
    assert to_latex("ę þ", ("fontenc",)) == "{\\k{e}} {\\th}"


@pytest.mark.parametrize("text", NASTY)
def test_nothing_that_acts_is_left(text: str) -> None:
    latex = to_latex(text)
    assert latex.isascii()
    assert latex.isprintable()
    assert not re.search(r"[\\{}$&#^_%]", unescaped(latex)), unescaped(latex)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80) | st.text("\\{}$%&#_^~`'\",-<>|a1 αé\n^\x1b[", max_size=40))
@example("$\\&$")
def test_nothing_that_acts_is_left_of_any_text(text: str) -> None:
    test_nothing_that_acts_is_left(text)


_LATIN = "abcXYZ019 .,;:()!?+=*/@éàüñçßøÅłŁőšžčğıæœØ%&#_{}~^<>|\\αΩ→≤—–“”…"


@settings(max_examples=150, deadline=None)
@given(st.text(_LATIN, max_size=40))
def test_what_latex_prints_is_what_was_written(text: str) -> None:
    assert decode_tex(to_latex(text)) == " ".join(text.split())


@pytest.mark.system
@pytest.mark.parametrize("preamble", ["", "\\usepackage[T1]{fontenc}\\usepackage{amsmath,amssymb}"])
def test_a_document_of_nasty_texts_builds(preamble: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    packages = ("fontenc", "amsmath", "amssymb") if preamble else ()
    body = "\n\n".join(to_latex(text, packages) for text in NASTY)
    document = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\nTHE END\n\\end{{document}}\n"
    (tmp_path / "x.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-draftmode", "-no-shell-escape", "x"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    log = done.stdout.decode("utf-8", "replace")
    assert re.findall(r"^! .*|^.*Missing character.*", log, re.MULTILINE) == []
