from time import process_time

import pytest

from citeplug.bib.lint.raw_text import raw_signs
from citeplug.latex.live import live

_OPENINGS = [r"\begin{equation}", r"\(", r"\[", r"\cite[", r"\url{a}&", r"\begin{verbatim}"]


@pytest.mark.parametrize("opening", _OPENINGS)
def test_what_is_opened_ten_thousand_times_and_never_closed_is_read_once(opening: str) -> None:
    begun = process_time()
    list(raw_signs("&" + opening * 20_000))
    live(opening * 20_000)
    assert process_time() - begun < 8


def test_math_and_addresses_are_no_text() -> None:
    signs = raw_signs(r"a & \(b_1\) \[c_2\] $d_3$ \begin{align*}e & f\end{align*} \url{g_h} http://i_j k_l")
    assert [(raw.sign, raw.in_address) for raw in signs] == [("&", False), ("_", True), ("_", False)]
