"""Mathematics as it is read: signs for commands, and still LaTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.macros import Macro, Parameter
from citeplug.latex.math import readable_math
from citeplug.text.tex_math import harmless_math


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"$\alpha_i \in \mathbb{R}^n$", "$α_i ∈ ℝ^n$"),
        (r"\(a\leq b\)", "$a ≤ b$"),
        (r"\begin{align}\label{a} x &= \frac{a+b}{2} \\ y &\leq \sqrt{x}\nonumber\end{align}", "$x = (a+b)/2; y ≤ √x$"),
        (r"$$E = mc^2.$$", "$E = mc^2.$"),
        (r"$\left\{ x \,\middle|\, \hat{x}=1\right\}$", r"$\{x | x̂=1\}$"),
        (r"$\mathcal L_{\mathrm{KL}}\left(q \| p\right)$", "$L_{KL}(q ‖ p)$"),
        (r"$\begin{pmatrix} 1 & 2\\3&4\end{pmatrix}$", "$(1 2; 3 4)$"),
        (r"$O(n\log n)$", "$O(n log n)$"),
        (r"$\unknown{x} + \another$", "$unknown {x} + another$"),
        (r"$\text{if $x$ then}$", "$if x then$"),
        ("$ $", ""),
    ],
)
def test_what_is_written_is_read_as(written: str, read: str) -> None:
    assert readable_math(written) == read


def test_the_author_s_macros_are_written_out_and_never_without_end() -> None:
    macros = {
        "vec": Macro("vec", r"\mathbf{#1}", (Parameter("m"),)),
        "loop": Macro("loop", r"\loop \loop"),
    }
    assert readable_math(r"$\vec{x}+\loop$", macros) == "$x+ loop loop$"


@given(st.text(alphabet="$\\{}^_&%a1 \n[]().|abcfrqtle", max_size=200))
def test_no_mathematics_is_too_odd_to_be_read(text: str) -> None:
    read = readable_math(f"${text}$")
    assert read == "" or (read[0] == read[-1] == "$" and "$" not in read[1:-1] and "\n" not in read)


@given(st.text(alphabet="αβx12+=^_{}", max_size=30))
def test_what_latex_prints_it_still_prints(text: str) -> None:
    if harmless_math(text) is not None:
        assert harmless_math(readable_math(f"${text}$")[1:-1]) is not None
