import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.latex.macros import Macro, Parameter
from citeplug.latex.plain import plain, plain_line


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\textbf{a} \emph{b} {\it c} \texttt{d}", "a b c d"),
        (r"Fra\"{\i}ss\'e, \v{C}ech, Erd\H{o}s, na\"{\i}ve, \c{c}a, \~n", "Fraïssé, Čech, Erdős, naïve, ça, ñ"),
        (r"\O re, \ss, \aa{}b, \L{}\'od\'z", "Øre, ß, åb, Łódź"),
        ("``a'' `b' a--b c---d", "“a” `b' a–b c—d"),
        (r"5\% of \$3 \& \#1 \_x \{y\}", "5% of $3 & #1 _x {y}"),
        (r"a~b\,c\ d\\e", "a b c d e"),
        (r"\LaTeX{} and \LaTeX\ and \ldots", "LaTeX and LaTeX and …"),
        (r"as $x_1 \le \frac{a}{b}$ shows", r"as $x_1 \le \frac{a}{b}$ shows"),
        (r"by \(\alpha\) and \[ x = 1 \]", r"by \(\alpha\) and \[ x = 1 \]"),
        (r"so \begin{equation} x \end{equation} holds", r"so \begin{equation} x \end{equation} holds"),
        (r"\ensuremath{\alpha}-calculus", r"$\alpha$-calculus"),
        (r"a cost of \$5 and \$6", "a cost of $5 and $6"),
        (r"shown by \citet{a}, and others~\citep[see][]{b}.", "shown by, and others."),
        (r"known (see \cite{a,b}) and new [\cite{c}]", "known and new"),
        (r"Section~\ref{a} and~\eqref{b}.", "Section and."),
        (r"a\footnote{b} c\label{d} e\index{f}", "a c e"),
        (r"\href{http://a.b}{this} and \url{c.d}", "this and c.d"),
        (r"\textcolor{red}{kept} \color{blue}too", "kept too"),
        (r"\SI{5}{\metre} long, \num{7}", "5 long, 7"),
        (r"\nicefrac{1}{2} inch", "1/2 inch"),
        (r"\enquote{a \enquote{b}}", "“a “b””"),
        (r"\texorpdfstring{$\phi$}{phi}-calculus", "phi-calculus"),
        (r"\begin{itemize}\item one \item[x] two\end{itemize}", "one\n\ntwo"),
        (r"a \begin{figure}[t]\caption{c}\end{figure} b", "a\n\nb"),
        (r"\vspace{1em}\noindent\hskip 2pt plus 1pt a\vskip1ex b", "a b"),
        ("a % comment\nb", "a b"),
        ("one\n\ntwo", "one\n\ntwo"),
        (r"\unknown{kept} \another[opt]{too} \alone", "kept too"),
        (r"\replaced{new}{old} \deleted{gone}\added{more}", "new more"),
        (r"1\textsuperscript{st}, H\textsubscript{2}O", "1st, H2O"),
        (r"unclosed $x and {more", "unclosed x and more"),
    ],
)
def test_latex_becomes_what_a_reader_sees(latex: str, expected: str) -> None:
    assert plain(latex) == expected


def test_the_authors_macros_are_expanded() -> None:
    macros = {
        "sys": Macro("sys", r"\textsc{Sys}\xspace"),
        "pair": Macro("pair", "#1 with #2", (Parameter("o", default="x"), Parameter("m"))),
        "drop": Macro("drop", "", (Parameter("m"),)),
    }
    assert plain(r"\sys is \sys, \pair{b} \pair[c]{d} \drop{gone}end", macros) == "Sys is Sys, x with b c with d end"


def test_macros_in_math_are_left_as_written() -> None:
    assert plain(r"$\R^n$", {"R": Macro("R", r"\mathbb{R}")}) == r"$\R^n$"


def test_a_macro_that_uses_itself_ends() -> None:
    assert "x" in plain(r"\a x", {"a": Macro("a", r"\a\a")})


def test_macros_that_multiply_are_cut_off() -> None:
    macros = {chr(97 + n): Macro(chr(97 + n), f"\\{chr(98 + n)} \\{chr(98 + n)} ") for n in range(24)}
    assert len(plain(r"\a", macros | {"y": Macro("y", "laugh")})) < 3_000_000


def test_deep_nesting_is_read() -> None:
    assert plain("{" * 50_000 + "a" + "}" * 50_000) == "a"
    assert plain("\\textbf{" * 5_000 + "a" + "}" * 5_000) == "a"


FRAGMENTS = st.sampled_from(
    [
        *r"""\ { } $ $$ % ~ a B é \cite{a} \( \] \begin{x} \end{x} \begin{equation} \textbf \footnote{ \' \"{ \m [ ]
        `` --
        \item \xspace \enquote{ \textcquote[
        \textcquote{a}{ \frac{ \replaced{ \verb| \section{ \cites{a} * \\ \par \def\x{ \$ \% ''""".split(),
        *("\n", "\n\n", " ", "\r\n", "\x00", "\x01"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=60).map("".join))
def test_any_text_gives_one_line_without_markup_left_over(text: str) -> None:
    line = plain_line(text, {"m": Macro("m", "#1\\m", (Parameter("m"),))})
    assert "\n" not in line and line == line.strip()
    assert "\x00" not in line and "\x01" not in line


# The private planes are where verbatim characters are kept meanwhile.
@given(st.text(st.characters(exclude_categories=("Cs", "Co")), max_size=200))
def test_text_without_markup_stays(text: str) -> None:
    if not set(text) & set("\\{}$~%-`'\x00\x01"):
        assert "".join(plain(text).split()) == "".join(text.split())
