"""Which entries and PDFs speak of one work."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.bib.library.works import LibraryWork, holding_of_pdf, with_ids, works_of
from citeplug.records.work import Holding

ENTRY = Holding(
    Path("/a.bib"),
    "bib",
    "Learning to Prune Sparse Graphs",
    "mueller2019",
    "@misc{mueller2019}",
    ("Ada Müller", "José García"),
    2019,
    names=("mueller2019",),
)
PAGE = (
    "Learning to Prune\nSparse Graphs\nAda M\u00a8uller\n"
    + "Abstract\n"
    + "We prune all graphs. " * 10
    + "\n1 Introduction\n"
)


def pdf(name: str = "download.pdf", text: str = PAGE, largest: str = "Learning to Prune Sparse Graphs") -> Holding:
    return holding_of_pdf(Path("/papers") / name, text, largest, "")


def grouped(*holdings: Holding) -> list[list[str]]:
    return [[each.key or each.file.name for each in work.holdings] for work in works_of((None, h) for h in holdings)]


def test_entries_of_one_id_or_doi_or_title_and_author_are_one_work() -> None:
    other = replace(ENTRY, file=Path("/b.bib"), key="m19", names=("m19",))
    assert grouped(ENTRY, other) == [["mueller2019", "m19"]]
    assert grouped(replace(ENTRY, doi="10.1/a"), replace(other, title="Pruning", doi="10.1/a")) == [
        ["mueller2019", "m19"]
    ]


def test_what_names_another_id_doi_or_author_is_another_work() -> None:
    other = replace(ENTRY, file=Path("/b.bib"), key="m19", names=("m19",))
    assert len(grouped(replace(ENTRY, doi="10.1/a"), replace(other, doi="10.1/b"))) == 2
    assert len(grouped(replace(ENTRY, arxiv_id="1706.03762"), replace(other, arxiv_id="1706.03763"))) == 2
    assert len(grouped(ENTRY, replace(other, authors=("Eva Berg",)))) == 2
    assert len(grouped(ENTRY, replace(ENTRY, file=Path("/b.bib"), title="Another Title Altogether"))) == 2


def test_a_pdf_belongs_to_the_entry_that_it_is_named_for_or_whose_title_it_prints() -> None:
    assert grouped(pdf(), ENTRY) == [["mueller2019", "download.pdf"]]
    assert grouped(pdf("Mueller2019.pdf", "no title here"), ENTRY) == [["mueller2019", "Mueller2019.pdf"]]
    filed = replace(ENTRY, names=("mueller2019", "Old Scan"))
    assert grouped(filed, pdf("Old Scan.pdf", "nothing of it")) == [["mueller2019", "Old Scan.pdf"]]


def test_a_title_without_its_author_on_the_page_is_no_proof() -> None:
    assert len(grouped(ENTRY, pdf(text=PAGE.replace("M\u00a8uller", "Berg")))) == 2


def test_a_pdf_gives_the_abstract_that_the_entry_lacks_and_no_authors_of_its_own() -> None:
    (work,) = works_of([(None, ENTRY), (None, pdf())])
    paper = work.paper("lib:mueller2019")
    assert paper.abstract.startswith("We prune all graphs.")
    assert (paper.authors, paper.published) == (("Ada Müller", "José García"), date(2019, 1, 1))
    (alone,) = works_of([(None, pdf())])
    assert not alone.paper("lib:download").complete
    assert alone.paper("lib:download").published == date.min


def test_an_arxiv_name_of_a_pdf_is_its_id() -> None:
    assert pdf("1706.03762v5.pdf").arxiv_id == "1706.03762"


def test_a_program_s_title_is_not_taken_for_the_papers() -> None:
    found = holding_of_pdf(Path("/x.pdf"), PAGE, "Learning to Prune Sparse Graphs", "Microsoft Word - final.docx")
    assert found.title == "Learning to Prune Sparse Graphs"
    assert holding_of_pdf(Path("/x.pdf"), PAGE, "VOL 3", "Learning to Prune Sparse Graphs").title == ENTRY.title


def test_a_work_keeps_its_id_and_one_key_for_two_works_gives_two_ids() -> None:
    other = replace(ENTRY, file=Path("/b.bib"), title="Another Title Altogether", names=())
    works = works_of([(None, other), ("lib:mueller2019", replace(ENTRY, names=()))])
    ids = with_ids(works, lambda work: None)
    assert {value: work.holdings[0].title for value, work in ids.items()} == {
        "lib:mueller2019": ENTRY.title,
        "lib:mueller2019-2": "Another Title Altogether",
    }


def test_what_arxiv_has_goes_under_its_id_whatever_it_was_before() -> None:
    works = [LibraryWork([ENTRY], "lib:mueller2019")]
    assert list(with_ids(works, lambda work: "1901.00001")) == ["1901.00001"]


def test_signs_that_a_plan_could_not_hold_are_not_in_an_id() -> None:
    odd = replace(ENTRY, key="a[1];b%c", names=())
    assert list(with_ids(works_of([(None, odd)]), lambda work: None)) == ["lib:a-1-b-c"]


def test_entries_with_their_authors_in_another_order_or_cut_are_one_work() -> None:
    turned = replace(ENTRY, file=Path("/b.bib"), key="g19", names=("g19",), authors=("José García", "Ada Müller"))
    cut = replace(turned, file=Path("/c.bib"), key="m", names=("m",), authors=("A. Müller", "others"))
    assert grouped(ENTRY, turned, cut) == [["mueller2019", "g19", "m"]]
