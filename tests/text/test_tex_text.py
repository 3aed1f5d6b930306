import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.tex_text import decode_tex


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"S{\^\i}rbu Fra\"iss\'e {\L}ukasz \v{S}krda Erd\H os \c{c}", "Sîrbu Fraïssé Łukasz Škrda Erdős ç"),
        (r"{\'{\^a}} {\d{\u{a}}} \'\i \~n \.z", "ấ ặ í ñ ż"),
        (r"\o{}b \ss\ \aa x \AE", "øb ß åx Æ"),
        (r"\emph{a} {\bf b} \textbf{c} \foo{d} \TeX", "a b c food TeX"),
        (r"5\% \& \_ \# \$ \{x\} \textbackslash{}y", r"5% & _ # $ {x} \y"),
        (r"a--b---c ``q'' `s' it's", "a–b—c “q” `s' it's"),
        (r"$\alpha^2_i$ $\mathbb{R}$ $a \to b$", "α2i R a →b"),
        (r"costs $5 and $6", "costs $5 and $6"),
        (r"a\\b\,c~d\ e\-f", "a b c d ef"),
        ("\\", ""),
        (r"\'", ""),
        (r"\'{", ""),
        ("plain é", "plain é"),
    ],
)
def test_tex_says_what_it_prints(tex: str, text: str) -> None:
    assert decode_tex(tex) == text


def test_math_is_kept_where_asked() -> None:
    assert decode_tex(r"\'e $\alpha$ {x} $y", keep_math=True) == r"é $\alpha$ x $y"


@given(st.text("\\{}$~`'-^\"abcoil \n%&", max_size=60))
def test_no_tex_is_too_broken(tex: str) -> None:
    assert "\\" not in decode_tex(tex).replace("\\\\", "") or "textbackslash" in tex
