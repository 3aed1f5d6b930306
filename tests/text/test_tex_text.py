import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.tex_text import decode_letters, decode_tex


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


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Paul Erd\H{o}s", "Paul Erdős"),
        (r"Fra\"iss\'e", "Fraïssé"),
        (r"{\L}ukasz \'Swi\k{a}tek", "Łukasz Świątek"),
        (r"Mart{\'\i}n", "Martín"),
        (r"Mart\'{\i}n", "Martín"),
        (r"J. \v Cech", "J. Čech"),
        (r"\v{S}", "Š"),
        (r"\.Ilker \c{C}a\u{g}lar", "İlker Çağlar"),
        (r"S\o ren \O{}rsted", "Søren Ørsted"),
        (r"Stra\ss e", "Straße"),
        (r"Hans {\AA}kesson", "Hans Åkesson"),
        ("{DELPHI}~Collaboration", "DELPHI Collaboration"),
    ],
)
def test_tex_that_is_certain_becomes_unicode(written: str, read: str) -> None:
    assert decode_letters(written) == read


@pytest.mark.parametrize("written", [r"\foo{X}", r"\'{}", r"\mathcal{O}", r"A \& B", "\\"])
def test_tex_that_is_not_certain_stays(written: str) -> None:
    assert decode_letters(written) == written


@given(st.text())
def test_any_text_has_its_letters_decoded(text: str) -> None:
    decode_letters(text)


@given(st.text(alphabet=st.characters(exclude_characters="\\{}~")))
def test_text_without_tex_says_the_same_after_decoding(text: str) -> None:
    assert decode_letters(decode_letters(text)) == decode_letters(text)
