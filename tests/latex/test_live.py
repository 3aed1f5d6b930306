"""Places at which a sentence becomes part of a paragraph, and those at which it would not; `|` is the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.live import why_no_text


def why(marked: str, before: str = "") -> str | None:
    at = marked.index("|")
    return why_no_text(marked.replace("|", "", 1), at, before)


@pytest.mark.parametrize(
    "text",
    [
        "We sample.| We draw.",
        r"\begin{document}| We sample.",
        r"\section{Method}| We sample.",
        r"We use $x$ and \(y\).| Then $z$.",
        r"\begin{itemize}\item One.|\end{itemize}",
        r"\begin{equation}x\end{equation}|",
        r"\begin{table}x\end{table} We sample.|",
        r"{\small We sample.| We draw.}",
        "A price of $5 and nothing more.\n\nWe sample.|",
        "A price of $5 and nothing more.\r\n\r\nWe sample.|",
        "\\textbf{never closed\n\nWe sample.|",
        r"One \par [0,1) is open.|",
        r"One\\|[never closed",
        r"\end{figure} We sample.|",
        r"The sum \[x\] is large.|",
        r"\emph{Never.}| We sample.",
        "",
    ],
)
def test_text_of_a_paragraph_is_a_place(text: str) -> None:
    assert why(text or "|") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("We sample. % a| remark", "not printed"),
        ("\\begin{verbatim}\n|\n\\end{verbatim}", "not printed"),
        (r"\verb+a|b+", "not printed"),
        (r"\iffalse | \fi", "not printed"),
        (r"\end{document}|", "not printed"),
        (r"\newcommand{\x}{We |sample}", "not printed"),
        ("|\\documentclass{article}\n\\begin{document}", "preamble"),
        (r"\begin{docu|ment}", "preamble"),
        (r"\begin{cen|ter}", "within a command"),
        (r"\caption{We |sample.}", r"argument of \caption"),
        (r"\caption[We |sample.]{Long}", r"argument of \caption"),
        (r"\mine[a]{b} {We |sample.}", r"argument of \mine"),
        (r"\cite{a,|b}", r"argument of \cite"),
        (r"\footnote{See $x$. |}", r"argument of \footnote"),
        (r"\section|{Method}", "between a command"),
        (r"\cite[p. 1]|{a}", "between a command"),
        (r"\sec|tion{Method}", "within a command"),
        (r"One \|& two", "within a command"),
        (r"We use $x| + y$.", "mathematics"),
        (r"We use \(x| + y\).", "mathematics"),
        (r"\[x| + y\]", "mathematics"),
        (r"$$x| + y$$", "mathematics"),
        (r"\begin{align*}x &= y\\|\end{align*}", "mathematics"),
        ("\\begin{figure}[t]\n|\n\\caption{C}\\end{figure}", "environment figure"),
        (r"\begin{table*}\begin{tabular}{ll}a & b\\ |\end{tabular}\end{table*}", "environment table"),
        (r"\begin{tabular}{l|l}a\end{tabular}", "argument of tabular"),
        (r"\begin{itemize}|\item One.\end{itemize}", "first item"),
    ],
)
def test_what_is_no_text_is_none_and_the_reason_is_said(text: str, reason: str) -> None:
    found = why(text)
    assert found is not None and reason in found


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("We sample. % for good reasons|\nWe draw.", True),
        ("We sample\\\\|\nWe draw.", True),
        ("\\section|\n{Method}", False),
        ("\\caption{We|\nsample.}", False),
        ("\\begin{tabular}{ll}|\na & b\\end{tabular}", False),
    ],
)
def test_a_line_of_its_own_is_another_place_than_one_within_a_line(text: str, free: bool) -> None:
    assert (why(text, "\n  ") is None) == free


@given(st.text("\\begin{itmz}docu[]$%()\n ax", max_size=60), st.integers(0, 60), st.sampled_from(["", " ", "\n"]))
def test_any_text_has_an_answer(text: str, at: int, before: str) -> None:
    found = why_no_text(text, min(at, len(text)), before)
    assert found is None or found
