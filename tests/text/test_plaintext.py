import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.plaintext import HOLE, plain_text
from tests.harness.in_proportion import MOST, growth

PIECES = st.lists(
    st.sampled_from(
        r"""a word \input{/etc/passwd} \write18{rm} ^^5c $x^2$ $\alpha$ $\foo$ $$y$$ $ \$ % # & ~ _ ^ { } {{cite:1}}
        \emph{so} \'e \"{o} \cite{key} \def\x{y} \( \) \[ \] " `a' ``b'' --- \\ \$5
        https://x.org/%20 $\frac{1}{2}$""".split()
    ),
    max_size=12,
).map(" ".join)


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"Erd\H{o}s and M\"uller", "Erdős and Müller"),
        (r"a {\em good} \emph{idea} with \textbf{force}", "a good idea with force"),
        (r"``quoted'' --- so", "“quoted” — so"),
        (r"time $O(n \log n)$ suffices", r"time $O(n \log n)$ suffices"),
        (r"as shown \cite{smith}, it works", "as shown, it works"),
        (r"50\% of R\&D", "50% of R&D"),
        ('the "local" case', "the “local” case"),
    ],
)
def test_tex_becomes_the_text_that_it_prints(tex: str, text: str) -> None:
    assert plain_text(tex) == text


@pytest.mark.parametrize(
    "tex",
    [
        r"\input{secret} file",
        r"the \mymacro value",
        r"$\input{x}$",
        "$$x$$",
        "$^^5cinput$",
        "cost $5",
        "at https://x.org",
    ],
)
def test_what_cannot_be_told_gives_none_and_a_hole_where_holes_are_allowed(tex: str) -> None:
    assert plain_text(tex) is None
    told = plain_text(tex, holes=True)
    assert told is None or HOLE in told


def test_two_sums_of_money_are_no_math() -> None:
    assert HOLE in (plain_text("between $5 and $10 a month", holes=True) or "")


def test_a_citation_marker_in_a_source_is_disarmed() -> None:
    assert "{{" not in (plain_text("see {{cite:2001.00001}} there", holes=True) or "")


@given(PIECES)
def test_no_command_survives_outside_the_math_and_none_unknown_inside(tex: str) -> None:
    for text in (plain_text(tex), plain_text(tex, holes=True)):
        if text is not None:
            assert not re.search(r"[\\{}$]", re.sub(r"\$[^$]*\$", "", text))
            assert "^^" not in "".join(re.findall(r"\$[^$]*\$", text))
            assert "input" not in "".join(re.findall(r"\$[^$]*\$", text))


@pytest.mark.parametrize("piece", ["x", "\\(", "\\[", "$$", "\\cite[", "\\x{", "  "])
def test_what_never_ends_takes_time_in_proportion(piece: str) -> None:
    assert growth(lambda count: plain_text("x" + piece * count), 4_000) < MOST
