from pathlib import Path

import pytest

from citeplug.records.paper import Candidate, Paper
from citeplug.related.retrieve.shortlist import collapse_duplicates, exclude_draft
from tests.related.retrieve.drafts import draft
from tests.related.retrieve.memory_index import paper

ABSTRACT = """We study how water moves through sand under pressure when grains of unlike shape and size are mixed. Using
slow tomography of twelve columns, each packed by hand, we find that round grains let fluid pass along narrow channels
which angular grains close; a simple law relates permeability with roughness. Our experiments reach far beyond
earlier reports, both in duration and in range, and agree with simulations made independently by three groups."""
REVISED = ABSTRACT.replace("slow tomography", "x-ray tomography").replace("three groups", "four groups")
OTHER = """Deep networks generalise although they could memorise their training set. Here is a bound that depends on the
margin alone, with experiments on images, speech and text; it holds for every depth, and shows where stopping early
helps. Further sections treat pruning, noise in labels, adversarial examples, and large batches of data."""


def _candidate(one: Paper) -> Candidate:
    return Candidate(one, 0.5, 0.1, ("lexical",))


def _ids(candidates: list[Candidate]) -> list[str]:
    return [candidate.paper.id.value for candidate in candidates]


A = _candidate(paper("2001.00001", "Flow in Sand", ABSTRACT))
B = _candidate(paper("2001.00002", "Margins of deep networks", OTHER))


def test_the_draft_is_known_by_its_title_whatever_its_case_accents_and_tex() -> None:
    own = _candidate(paper("2001.00003", "On Schr\\\"odinger's {C}at"))
    assert exclude_draft(draft("On Schrödinger’s cat"), [own, B]) == [B]


def test_the_draft_is_known_by_an_abstract_that_has_nearly_the_same_words() -> None:
    assert exclude_draft(draft("A new title", REVISED), [A, B]) == [B]


def test_a_short_abstract_proves_nothing() -> None:
    reply = _candidate(paper("2001.00004", "Reply", "We reply to the comment."))
    assert exclude_draft(draft("Another reply", "We reply to the comment."), [reply]) == [reply]


@pytest.mark.parametrize(
    ("value", "root"),
    [
        ("2001.00001", "/home/ada/arXiv-2001.00001v3/main.tex"),
        ("2001.00001", "/home/ada/2001.00001/main.tex"),
        ("2001.00001", "/home/ada/paper/2001.00001.tex"),
        ("hep-th/9901001", "/home/ada/hep-th9901001/main.tex"),
        ("hep-th/9901001", "/home/ada/arxiv_hep-th_9901001/main.tex"),
    ],
)
def test_the_draft_is_known_by_the_id_that_its_folder_or_file_is_named_by(value: str, root: str) -> None:
    own = _candidate(paper(value, "Some title"))
    assert exclude_draft(draft("Other", root=Path(root)), [own, B]) == [B]


@pytest.mark.parametrize("root", ["/home/ada/paper2001.00001old/main.tex", "/home/ada/2013.99999/main.tex"])
def test_a_folder_whose_name_is_no_id_says_nothing(root: str) -> None:
    assert exclude_draft(draft("Other", root=Path(root)), [A, B]) == [A, B]


def test_a_draft_without_a_title_is_not_taken_for_a_record_without_one() -> None:
    untitled = _candidate(paper("2001.00005", "$$"))
    assert exclude_draft(draft(""), [untitled]) == [untitled]


def test_the_first_of_two_records_of_one_paper_is_kept() -> None:
    again = _candidate(paper("2101.00001", "FLOW IN SAND.", authors=["A. Lovelace", "C. Babbage"]))
    assert collapse_duplicates([A, B, again]) == [A, B]


def test_of_two_records_the_one_that_the_draft_cites_is_kept_in_the_place_of_the_first() -> None:
    again = _candidate(paper("2101.00001", "Flow in sand", authors=["Charles Babbage", "Ada Lovelace"]))
    assert _ids(collapse_duplicates([A, B, again], preferred={"2101.00001"})) == ["2101.00001", "2001.00002"]


def test_papers_of_one_title_by_other_authors_are_both_kept() -> None:
    other = _candidate(paper("2101.00001", "Flow in sand", authors=["Emmy Noether"]))
    assert collapse_duplicates([A, other]) == [A, other]


def test_a_record_without_authors_is_nobodys_duplicate() -> None:
    unknown = _candidate(paper("2101.00001", "Flow in sand", authors=[]))
    assert collapse_duplicates([A, unknown]) == [A, unknown]


def test_titles_of_signs_alone_are_not_the_same_title() -> None:
    first, second = (_candidate(paper(f"2101.0000{n}", title)) for n, title in ((1, "$$"), (2, "!?")))
    assert collapse_duplicates([first, second]) == [first, second]
