import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.tex_math import harmless_math


@pytest.mark.parametrize(
    ("math", "printed"),
    [
        ("O(n \\log n)", "O(n \\log n)"),
        ("x_i^2", "x_i^2"),
        ("x'_i", "x'_i"),
        ("\\frac12", "\\frac{1}{2}"),
        ("\\sqrt{s}=7", "\\sqrt{s}=7"),
        ("\\cal N=4", "\\mathcal{N=4}"),
        ("{\\bf v}_i", "{\\mathbf{v}}_i"),
        ("\\mathbb{R}^n", "\\mathbf{R}^n"),
        ("\\text{if }x", "\\mathrm{if}x"),
        ("α ≤ β", "\\alpha  \\leq  \\beta"),
        ("{x\\ }y|z|", "{x\\ }y|z|"),
        ("x^\\ y", "x^{\\ }y"),
        ("{x\\ }y|z|", "{x\\ }y|z|"),
        ("x^\\ y", "x^{\\ }y"),
        ("f''_i", "f''_i"),
        ("a \\not = b", "a \\not= b"),
        ("\\big( x \\big)", "\\big( x \\big)"),
    ],
)
def test_known_math_is_printed(math: str, printed: str) -> None:
    assert harmless_math(math) == printed


def test_a_package_brings_its_commands() -> None:
    assert harmless_math("\\mathbb{R}", ("amssymb",)) == "\\mathbb{R}"
    assert harmless_math("\\tfrac12", ("mathtools",)) == "\\tfrac{1}{2}"


REFUSED = [
    *(
        "",
        " ",
        "x^2^3",
        "x_1_2",
        "x'_i'",
        "x^",
        "_",
        "\\frac{a}",
        "{x",
        "x}",
        "\\input{x}",
        "\\def\\x{}",
        "a & b",
        "#1",
        "100%",
    ),
    *("^^41", "\\left(", "\\sqrt[3]{x}", "\\not", "\\big x", "\\\\", "\\begin{x}", "x$y", "\\", "é", "\\hat"),
    "{" * 30 + "}" * 30,
]


@pytest.mark.parametrize("math", REFUSED)
def test_what_could_stop_tex_is_refused(math: str) -> None:
    assert harmless_math(math) is None


@given(st.text("\\{}^_'$ abfrcsqt12&#%~|(", max_size=30))
def test_what_passes_passes_again(math: str) -> None:
    once = harmless_math(math)
    if once is not None:
        groups = re.sub(r"\\.", "", once)  # \\{ prints a brace, and opens nothing
        assert groups.count("{") == groups.count("}")
        assert harmless_math(once) is not None
