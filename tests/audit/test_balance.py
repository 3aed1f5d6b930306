"""Facts on what a draft cites."""

from pathlib import Path

from citeplug.audit.balance import balance_of, rows_of_citations
from citeplug.tex.project import read_draft
from citeplug.tex.prose import read_prose

KEYS = [f"k{number}" for number in range(12)]
BIB = "".join(
    f"@misc{{{key}, title = {{Title {key}}}, author = {{Doe, {'Jane' if n < 3 else 'Al'} and {key.upper()}son, Xe}},"
    f" year = {2000 + n}}}\n"
    for n, key in enumerate(KEYS)
)
BODY = r"""\documentclass{article}\begin{document}\section{A}
%s

It says this and that of them \cite{k0}. It says more. It says yet more of it. It ends here with more \cite{K0}.

It says this and that of it \cite{k1} in short.
\bibliographystyle{plain}\bibliography{refs}\end{document}
"""


def project(folder: Path, text: str) -> Path:
    (folder / "refs.bib").write_text(BIB, "utf-8")
    main = folder / "main.tex"
    main.write_text(BODY % text, "utf-8")
    return main


def test_works_years_authors_and_paragraphs_are_counted(tmp_path: Path) -> None:
    draft = read_draft(project(tmp_path, r"These are the works of this field \cite{k2,k3,k4}."))
    found = balance_of(draft, read_prose(draft))
    assert (found.works, found.years, found.author, found.paragraphs) == (5, (2000, 2002, 2004), ("J. Doe", 3), 3)
    assert found.single == ((tmp_path / "main.tex", 4),)  # k0 and K0 are one key to BibTeX


def test_a_draft_without_citations_has_no_years(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    main.write_text("\\documentclass{article}\\begin{document}Words.\\end{document}", "utf-8")
    draft = read_draft(main)
    found = balance_of(draft, read_prose(draft))
    assert (found.works, found.years, found.author, found.single) == (0, None, None, ())


def test_ten_works_in_a_row_are_a_finding_if_most_are_cited_nowhere_else(tmp_path: Path) -> None:
    row = rf"There are many \cite{{{','.join(KEYS)}}} of them."
    (finding,) = rows_of_citations(read_draft(project(tmp_path, row)))
    assert (finding.code, finding.line) == ("cited_in_row", 2)
    assert finding.message == "12 works are cited in a row, 10 of them nowhere else"
    assert list(rows_of_citations(read_draft(project(tmp_path, f"{row} {row}")))) == []
    assert list(rows_of_citations(read_draft(project(tmp_path, row.replace("cite", "nocite"))))) == []
