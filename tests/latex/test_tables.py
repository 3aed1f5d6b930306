"""The rows of LaTeX tables."""

from pathlib import Path

from citeplug.latex.full_text import read_full_text

TABLE = r"""
\begin{table*}[t]\centering
\begin{tabular}{l c@{ }c r} \toprule
& \multicolumn{2}{c}{\textbf{Accuracy}} & \\ \cmidrule(lr){2-3}
Model & MNIST & Cora \cite{a} & Size \\[2pt] \midrule
% Old & 1 & 2 & 3 \\
Graph CNN & 99.14 & {81\,\%} & 5 \& 6 \\ \addlinespace
\multirow{2}{*}{Fully connected} & 98 & -- & \\
& 97 & 70 & 4 \\
\bottomrule
\end{tabular}
\caption{Accuracies of two models. The best of three.}
\end{table*}
"""


def rows(folder: Path, body: str) -> tuple[str, ...]:
    main = folder / "main.tex"
    head = r"\documentclass{article}\begin{document}\section{Results}Some text."
    main.write_text(rf"{head}{body}\end{{document}}", encoding="utf-8")
    return read_full_text(main).sections[-1].rows


def test_each_row_follows_the_caption_with_the_titles_of_its_columns(tmp_path: Path) -> None:
    assert rows(tmp_path, TABLE) == (
        "Table 1 | Accuracies of two models | Graph CNN: 99.14 (Accuracy MNIST), 81 % (Accuracy Cora), 5 & 6 (Size).",
        "Table 1 | Accuracies of two models | Fully connected: 98 (Accuracy MNIST).",
        "Table 1 | Accuracies of two models | Fully connected: 97 (Accuracy MNIST), 70 (Accuracy Cora), 4 (Size).",
    )


def test_two_tables_of_a_float_have_the_caption_of_their_own_part(tmp_path: Path) -> None:
    table = r"\begin{tabularx}{4cm}{lr}A & B \\ \hline x & %s \\ \end{tabularx}"
    part = rf"\begin{{minipage}}{{5cm}}{table}\caption{{%s}}\end{{minipage}}"
    body = r"\begin{table}" + part % (1, "One") + part % (2, "Two") + r"\end{table}"
    assert rows(tmp_path, body) == ("Table 1 | One | x: 1 (B).", "Table 2 | Two | x: 2 (B).")
    assert rows(tmp_path, TABLE + body)[-2:] == ("Table 2 | One | x: 1 (B).", "Table 3 | Two | x: 2 (B).")
    more = r"\appendix\section{More}" + body
    assert rows(tmp_path, more) == ("Table | One | x: 1 (B).", "Table | Two | x: 2 (B).")


def test_broken_tables_give_nothing_or_what_is_there(tmp_path: Path) -> None:
    for body in (
        r"\begin{tabular}{",
        r"\begin{tabular}{l}a & b",
        r"\begin{tabular}{ll}a & b \\ \hline c & {1 \\ \end{tabular}",
    ):
        rows(tmp_path, body)
