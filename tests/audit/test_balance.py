"""Facts on what a draft cites."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.audit.balance import balance_of, own_works, rows_of_citations, unlinked_works, venues_of
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.draft import BibEntry, Span
from tests.corpus.records import make_paper

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


def entry(number: int, **fields: str) -> BibEntry:
    return BibEntry(f"k{number}", "article", fields, Span(Path("refs.bib"), 0, 1, 1))


def test_venues_of_two_works_are_counted_in_any_case() -> None:
    entries = [entry(0, journal="J. of {Graphs}"), entry(1, booktitle="j. of Graphs"), entry(2, journal="Nature")]
    assert venues_of(entries) == [("J. of Graphs", 2)]
    assert venues_of([entry(0)]) == []


def test_works_that_share_an_author_with_the_draft_are_counted(tmp_path: Path) -> None:
    main = project(
        tmp_path, r"\title{T}\author{Jane Doe\thanks{Here} \and Ann Other} It cites \cite{k2,k3} in this text."
    )
    draft = read_draft(main)
    found = balance_of(draft, read_prose(draft))
    assert (found.own, found.works) == (3, 4)
    main.write_text(main.read_text("utf-8").replace("Jane Doe", "Anonymous"), "utf-8")
    draft = read_draft(main)
    assert balance_of(draft, read_prose(draft)).own is None


def test_own_works_go_by_whole_names() -> None:
    works = [["Doe, J."], ["Doe"], ["Doe, John"], ["Jane M. Doe", "A. B"], [], ["The Doe Collaboration"]]
    assert own_works(["Jane Doe"], works) == 2
    assert own_works(["Zoë Ruiz"], works) == 0
    assert own_works(["Zoë Ruiz"], [[], []]) is None
    assert own_works([], works) is None


def test_a_work_that_no_later_paper_near_the_draft_cites_is_named() -> None:
    cited = {"linked": make_paper("1701.00001"), "lonely": make_paper("1701.00002"), "new": make_paper("2101.00001")}
    cited["new"] = replace(cited["new"], published=date(2021, 1, 1))
    near = [f"1901.{number:05d}" for number in range(1, 11)]
    lists = {value: ["1701.00001"] for value in near}
    assert unlinked_works(cited, near, lists) == ("lonely",)
    # Of other papers nothing follows, nor from a few.
    assert unlinked_works(cited, near, {**lists, "1801.00009": ["1701.00002"]}) == ("lonely",)
    assert unlinked_works(cited, near, dict(list(lists.items())[:9])) is None
    assert unlinked_works({}, near, lists) is None
