from pathlib import Path

import pytest

from tests.latex.projects import codes, keys, read, spanned


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\cite{a}", ["a"]),
        (r"\cite{a,}", ["a"]),
        (r"\cite{ a , b }", ["a", "b"]),
        ("\\cite{a,%\n% old,\n b,\n  c}", ["a", "b", "c"]),
        ("\\citep\n[see][p.~3]{key}", ["key"]),
        (r"\citep[see][p. 3, Eq.~(2)]{key}", ["key"]),
        (r"\cite{a:b, c+d, o’neil, x_y/z.1}", ["a:b", "c+d", "o’neil", "x_y/z.1"]),
        (r"\citet*{a}", ["a"]),
        (r"\Citet{a}\citeauthor{b}\citeyearpar{c}", ["a", "b", "c"]),
        (r"\textcite{a}\autocite[3]{b}\footcite{c}\parencite*{d}", ["a", "b", "c", "d"]),
        (r"\cites[a][b]{k1}[c]{k2}{k3} and more", ["k1", "k2", "k3"]),
        (r"\textcites(see)(etc.)[3]{a}{b}", ["a", "b"]),
        (r"\url{http://a.b/{c}%20\cite{d}} \cite{e}", ["e"]),
        (r"\cite<see>[p. 3]{apa}", ["apa"]),
        (r"\cite{a,*b,*[note]c}", ["a", "b", "c"]),
        (r"\nocite{*}", ["*"]),
        (r"\nocite{a,b}", ["a", "b"]),
        (r"\onlinecite{a}\citeonline{b}\shortcite{c}", ["a", "b", "c"]),
        (r"\defcitealias{a}{Paper I} \citetalias{a}", ["a", "a"]),
        (r"\footnote{See \cite{a}.} \textbf{\cite{b}} {\cite{c}}", ["a", "b", "c"]),
        (r"$x = y$ \cite{a} \[ \text{by \cite{b}} \]", ["a", "b"]),
        (r"\section{On \cite{a}} \caption{From \cite{b}}", ["a", "b"]),
    ],
)
def test_keys_are_read_however_the_citation_is_written(tmp_path: Path, latex: str, expected: list[str]) -> None:
    assert keys(read(tmp_path, latex)) == expected


@pytest.mark.parametrize(
    "latex",
    [
        r"% \cite{a}",
        r"100\%% \cite{a}",
        r"\verb|\cite{a}|",
        r"\lstinline!\cite{a}!",
        "\\begin{verbatim}\n\\cite{a}\n\\end{verbatim}",
        "\\begin{lstlisting}\n% x\n\\cite{a}\n\\end{lstlisting}",
        r"\begin{comment}\cite{a}\end{comment}",
        r"\iffalse\cite{a}\fi",
        r"\if0\cite{a}\fi",
        r"\citestyle{acmauthoryear}\setcitestyle{numbers}",
        r"\bibcite{a}{1}",
        r"\citation",
        r"\excite{a} \incite{b}",
        r"\cite{}",
        r"\cite{ , }",
        r"\cite {\undefinedmacro}",
    ],
)
def test_what_does_not_cite_has_no_keys(tmp_path: Path, latex: str) -> None:
    assert keys(read(tmp_path, latex)) == []


@pytest.mark.parametrize(
    ("preamble", "latex", "expected"),
    [
        (r"\renewcommand\citet{\cite}", r"\citet{a} \citet{b}", ["a", "b"]),
        (r"\newcommand*{\citep}{\parencites}", r"\citep[x]{a}[y]{b}", ["a", "b"]),
        (r"\newcommand*{\citey}{\parencites*}", r"\citey{a}{b}", ["a", "b"]),
        (r"\newcommand{\mycite}[1]{\citep{#1}}", r"\mycite{a,b}", ["a", "b"]),
        (r"\newcommand{\seecite}[2][p]{(see \cite[#1]{#2})}", r"\seecite[p. 3]{a} \seecite{b}", ["a", "b"]),
        (r"\let\oldcite\cite \renewcommand{\cite}[1]{\textbf{\oldcite{#1}}}", r"\cite{a}", ["a"]),
        (r"\def\mc#1;{\cite{#1}}", r"\mc a,b;", ["a", "b"]),
        (r"\NewDocumentCommand{\mc}{s o m}{\cite[#2]{#3}}", r"\mc*[x]{a} \mc{b}", ["a", "b"]),
        (r"\newcommand{\A}{\B}\newcommand{\B}[1]{\cite{#1}}", r"\A{a}", ["a"]),
        (r"\newcommand{\pre}{smith}", r"\cite{\pre:2020}", ["smith:2020"]),
        (r"\DeclareCiteCommand{\notecite}[\mkbibparens]{}{\thefield{title}}{;}{}", r"\notecite[3]{a}", ["a"]),
        (r"\newcites{app}{Appendix}", r"\citeapp{a} \citepapp{b} \nociteapp{c}", ["a", "b", "c"]),
        (r"\let\nc\newcommand \nc\mc[1]{see \citep{#1}}", r"\mc{a}", ["a"]),
        (r"\def\nc{\newcommand}\nc{\mc}[1]{see \citep{#1}}", r"\mc{a}", ["a"]),
        (r"\makeatletter\@ifundefined{citep}{\let\citep\cite}{}\makeatother", r"\citep{a}", ["a"]),
        (r"\def\citeapos#1{\citeauthor{#1}'s (\citeyear{#1})}", r"\citeapos{a}", ["a"]),
        (r"\newcommand{\ignore}[1]{}", r"\ignore{\cite{dead}} \cite{b}", ["b"]),
        (r"\newcommand{\unused}{\cite{dead}}", r"\cite{b}", ["b"]),
        (r"\newcommand{\citefig}[1]{Fig.~\ref{#1}}", r"\citefig{f} \cite{a}", ["a"]),
        (r"\newenvironment{note}{As in \cite{a}: }{}", r"\begin{note}x\end{note}", ["a"]),
        (r"\excludecomment{hidden}", r"\begin{hidden}\cite{a}\end{hidden} \cite{b}", ["b"]),
        (r"\lstnewenvironment{code}{}{}", "\\begin{code}\n\\cite{a}\n\\end{code} \\cite{b}", ["b"]),
    ],
)
def test_the_authors_own_commands_are_understood(
    tmp_path: Path, preamble: str, latex: str, expected: list[str]
) -> None:
    assert keys(read(tmp_path, latex, preamble)) == expected


def test_a_synonym_is_counted_under_its_own_name(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\mycite{a} \mycite{b} \citep*{c}", r"\newcommand{\mycite}[1]{\citep{#1}}")
    assert draft.cite_commands == {"mycite": 2, "citep*": 1}
    assert spanned(draft) == r"\mycite{a}"


@pytest.mark.parametrize(
    ("preamble", "latex", "command"),
    [
        (r"\renewcommand\citet{\cite}", r"\citet*{a}", "citet*"),
        (r"\newcommand*{\citey}{\parencites*}", r"\citey{a}", "citey"),
        (r"\let\cite\citep \renewcommand*{\citep}{\parencites}", r"\cite{a}", "cite"),
        (r"\newcommand*{\citep}{\parencites}\renewcommand{\cite}{\citep}", r"\cite{a}", "cite"),
        (r"\NewDocumentCommand{\mc}{s m}{\cite{#2}}", r"\mc*{a}", "mc*"),
    ],
)
def test_a_command_is_named_as_written(tmp_path: Path, preamble: str, latex: str, command: str) -> None:
    draft = read(tmp_path, latex, preamble)
    assert [(cite.keys, cite.command) for cite in draft.cites] == [(("a",), command)]
    assert spanned(draft) == latex


def test_a_macro_that_cites_cites_where_it_is_used(tmp_path: Path) -> None:
    draft = read(tmp_path, "x\n\\sys\n\n\\sys", r"\newcommand{\sys}{Sys~\cite{sys}}")
    assert [(cite.command, cite.span.line) for cite in draft.cites] == [("sys", 5), ("sys", 7)]
    assert spanned(draft, 1) == "\\sys"


@pytest.mark.parametrize("latex", [r"\cite{a}", "\\citep\n [x] [y]\n {a,\n b}", r"\cites{a}[3]{b}", r"\citet*{a}"])
def test_a_span_goes_from_the_backslash_to_the_last_brace(tmp_path: Path, latex: str) -> None:
    assert spanned(read(tmp_path, f"é 𝒳 {latex} after")) == latex


def test_spans_hold_with_windows_line_ends(tmp_path: Path) -> None:
    body = "text\r\n\\cite{a,\r\n  b}\r\nmore"
    draft = read(tmp_path, body)
    assert keys(draft) == ["a", "b"]
    assert spanned(draft) == "\\cite{a,\r\n  b}"


def test_a_half_typed_citation_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    draft = read(tmp_path, "see \\cite{abc\n\nNext \\cite{b}.")
    assert keys(draft) == ["b"]
    assert "unclosed_citation" in codes(draft)


def test_an_empty_citation_is_reported(tmp_path: Path) -> None:
    assert codes(read(tmp_path, r"\cite{}")) == {"empty_citation"}


def test_a_placeholder_is_reported_and_no_citation(tmp_path: Path) -> None:
    draft = read(tmp_path, "as shown before [cite].")
    assert codes(draft) == {"citation_placeholder"}
    assert keys(draft) == []
