"""The whole text of a document, as passages are cut from it."""

from pathlib import Path

from citeplug.latex.full_text import read_full_text
from tests.latex.projects import article, write


def test_abstract_sections_and_captions_are_there_with_readable_mathematics(tmp_path: Path) -> None:
    body = (
        r"\title{On $\lambda$}\maketitle\begin{abstract}We study \sys.\end{abstract}"
        r"\section{Model}Let $\R \ni x$ hold.\begin{figure}\includegraphics{a}"
        r"\caption[short]{The \emph{curve} $y\geq 0$.}\end{figure}"
        r" It \cite{a} ends.\subsection{Deep}More.\begin{table}\begin{tabular}{l}1\end{tabular}"
        r"\caption{Numbers.}\end{table}\appendix\section{Proofs}By induction."
        r"\begin{thebibliography}{9}\bibitem{a} A. Author. A title. 1999.\end{thebibliography}"
    )
    main = write(tmp_path, {"main.tex": article(body, r"\newcommand\sys{Sys}\newcommand\R{\mathbb{R}}")})
    found = read_full_text(main)
    assert found.title == "On $λ$"
    assert [(each.level, each.title, each.text, each.captions) for each in found.sections] == [
        (1, "Abstract", "We study Sys.", ()),
        (1, "Model", "Let $ℝ ∋ x$ hold.\n\nIt ends.", ("The curve $y ≥ 0$.",)),
        (2, "Deep", "More.", ("Numbers.",)),
        (1, "Proofs", "By induction.", ()),
    ]
    assert found.lists and "A. Author" in found.lists[0]


def test_the_text_of_a_letter_without_headings_is_not_lost(tmp_path: Path) -> None:
    words = "We report a measurement of the width of the resonance near threshold. " * 5
    body = rf"\title{{A Letter}}\author{{A}}\maketitle\begin{{abstract}}Short.\end{{abstract}}{words}"
    found = read_full_text(write(tmp_path, {"main.tex": article(body)}))
    assert [(each.title, each.text.split()[:2]) for each in found.sections[1:]] == [("", ["We", "report"])]


def test_the_names_on_a_title_page_are_no_text(tmp_path: Path) -> None:
    body = r"\begin{frontmatter}\title{T}\author{A Long Name of Somewhere Else}\end{frontmatter}\section{One}Text."
    found = read_full_text(write(tmp_path, {"main.tex": article(body)}))
    assert [each.title for each in found.sections] == ["One"]
