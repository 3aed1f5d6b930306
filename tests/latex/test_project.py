import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeplug.errors import UnreadableInput
from citeplug.latex.project import read_draft
from citeplug.latex.report import draft_as_json, draft_as_text
from tests.latex.projects import article, write


def test_a_root_that_does_not_exist_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput) as error:
        read_draft(tmp_path / "gone.tex")
    assert error.value.hint


def test_what_citeplug_wrote_itself_is_left_out_where_asked(tmp_path: Path) -> None:
    root = write(tmp_path, {"main.tex": article("\\cite{a}\\input{related}"), "related.tex": "\\cite{b}"})
    assert len(read_draft(root).cites) == 2
    around = tmp_path / "elsewhere" / ".."
    (tmp_path / "elsewhere").mkdir()
    assert len(read_draft(around / "main.tex", skip=[around / "related.tex"]).cites) == 1
    draft = read_draft(root, skip=[tmp_path / "related.tex"])
    assert [cite.keys for cite in draft.cites] == [("a",)]
    assert not [finding for finding in draft.findings if finding.code == "missing_input"]


TOKENS = st.sampled_from(
    [
        *r"""\begin{document} \end{document} \documentclass{article} \input{main} \input{part} \include{ \cite{a}
        \cite{a, \cites{a}[ \citep[ ] [ { } $ $$ \section{A} \section{ \begin{abstract} \end{abstract} \abstract{
        \title{T}
        \newcommand{\m}[1]{#1} \newcommand{\m} \m{x} \m \def\d#1.{#1\cite{#1}} \d \let\a\b \a \iffalse \iftrue \else
        \fi \newif\ifz \ztrue \ifz \ifx \ifnum \ifthenelse{ \verb| | \begin{verbatim} \end{verbatim} \bibitem{a}
        \begin{lstlisting}[x] \bibitem[ \bibliography{r} \begin{thebibliography}{9} \endinput \url{ % \% \\ \# #1
        \begin{x} \end{x} \renewcommand\cite{\cite} \let\cite\citep \newenvironment{e}{\begin{abstract}}{\end{abstract}}
        \begin{e} \end{e} \MakeShortVerb{\|} \usepackage{ \addbibresource{r.bib} \makeatletter \x@y {\bf Abstract}
        \newcommand{\n}{\cite{q}\n\m} \n \begin{filecontents}{part.tex} \end{filecontents}""".split(),
        *(" ", "\n", "\n\n", "\r\n", "é", "word", "\x00", "\f", "𝒳"),
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(TOKENS, max_size=40), wrapped=st.booleans(), part=st.lists(TOKENS, max_size=8))
def test_any_text_is_read_and_spans_point_at_what_they_say(
    tmp_path: Path, parts: list[str], wrapped: bool, part: list[str]
) -> None:
    body = "".join(parts)
    root = write(tmp_path, {"main.tex": article(body) if wrapped else body, "part.tex": "".join(part), "r.bib": body})
    draft = read_draft(root)
    texts = {path: path.read_bytes().decode("utf-8") for path in (root, tmp_path / "part.tex")}
    for span in [cite.span for cite in draft.cites] + [section.span for section in draft.sections]:
        text = texts[span.file]
        assert text[span.start : span.end].startswith("\\")
        assert span.line == len(text[: span.start].replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert all(key == key.strip() and key for cite in draft.cites for key in cite.keys)
    assert draft_as_text(draft)
    assert draft_as_json(draft)["root"] == str(root)


@pytest.mark.parametrize(
    "unit",
    r"{|}|[|%|\cite{|\cite[|$|\(|\begin{a}|\begin{verbatim}|\iffalse|\newcommand{|\section{|\textbf{|{\bf Abstract}"
    r"|\abstract{|\input a |(see \cite{a}| |\footnote{".split("|"),
)
def test_time_is_linear_in_hostile_text(tmp_path: Path, unit: str) -> None:
    start = "\\documentclass{article}\\begin{document}\\begin{abstract}We do it.\\end{abstract}\\section{A}"
    root = write(tmp_path, {"main.tex": start + unit * (100_000 // len(unit))})
    before = time.process_time()
    assert read_draft(root).abstract == "We do it."
    assert time.process_time() - before < 3


def test_a_project_of_200_kilobytes_is_read_cold_within_a_second(tmp_path: Path) -> None:
    paragraph = (
        "Some words on \\emph{things} and $x^2$, as \\citet{key%d} says~\\cite[p.~3]{a%d,b}. \\textbf{More} text. " * 5
    )
    files: dict[str, str | bytes] = {
        "main.tex": article("".join(f"\\input{{s{n}}}" for n in range(10)) + "\\bibliography{r}")
    }
    for number in range(10):
        text = "".join(paragraph % ((line,) * 10) + "\n\n" for line in range(31))
        files[f"s{number}.tex"] = f"\\section{{Part {number}}}\n{text}"
    files["r.bib"] = "".join(
        f"@article{{key{n}, title={{A title}}, author={{A. Author}}, year=2020}}\n" for n in range(600)
    )
    root = write(tmp_path, files)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) > 190_000
    code = (
        "import sys; from pathlib import Path; from citeplug.latex.project import read_draft; "
        "d = read_draft(Path(sys.argv[1])); import time; print(len(d.cites), time.process_time())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    cites, seconds = done.stdout.split()
    assert cites == "3100"
    assert float(seconds) < 1.5  # processor time, with room for a slow machine; measured: 0.5


def test_reading_a_draft_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys, citeplug.latex.project, citeplug.latex.report; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "chromadb", "numpy", "rich", "requests", "sklearn"} & set(done.stdout.split())
