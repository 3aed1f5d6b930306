import time
from pathlib import Path

import pytest

from citeplug.bib.compare.duplicates import DOUBTED, RIGHT, find_duplicates
from citeplug.bibtex.entries import parse_bib

TITLE = "title = {Attention Is All You Need}"
AUTHORS = "author = {Vaswani, Ashish and Shazeer, Noam}"
FIRST = f"@inproceedings{{first, {TITLE}, {AUTHORS}, year = 2017, eprint = {{1706.03762}}, doi = {{10.1000/one}}}}\n"


def codes(second: str, first: str = FIRST) -> list[str]:
    found = find_duplicates(parse_bib(first + f"@article{{second, {second}}}", Path("refs.bib")))
    assert set(found) <= {1}
    assert all("first" in finding.message and "second" in finding.message for finding in found.values())
    return [finding.code for finding in found.values()]


@pytest.mark.parametrize(
    "second",
    [
        "title = {Attention is all you need}, note = {arXiv:1706.03762v5}",
        "title = {Attention is all you need}, doi = {https://doi.org/10.1000/One}",
        f"title = {{{{A}}ttention Is {{\\em All}} You Need}}, {AUTHORS}, year = 2017",
        f"{TITLE}, author = {{A. Vaswani and N. Shazeer}}, year = 2018",
        f"{TITLE}, author = {{Shazeer, Noam and Vaswani, Ashish}}, year = 2017",
        f"{TITLE}, author = {{Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}}, year = 2017",
        f"title = {{Attention Is All You Need (Full Version)}}, {AUTHORS}, year = 2017",
    ],
)
def test_the_same_paper_under_another_key_is_told_of_the_later(second: str) -> None:
    assert codes(second) == ["duplicate_entry"]


@pytest.mark.parametrize(
    "second",
    [
        f"{TITLE}, {AUTHORS}, year = 2017, eprint = {{1706.03763}}",
        f"{TITLE}, {AUTHORS}, year = 2017, doi = {{10.1000/two}}",
        f"{TITLE}, {AUTHORS}, year = 2024",
        f"{TITLE}, author = {{Nobody, Nora}}, year = 2017",
        f"{TITLE}, year = 2017",
        f"title = {{Attention Is Not All You Need}}, {AUTHORS}, year = 2017",
    ],
)
def test_what_may_be_another_work_is_left_alone(second: str) -> None:
    assert codes(second) == []


def test_a_title_of_many_works_tells_no_paper() -> None:
    first = f"@misc{{first, title = {{Editorial}}, {AUTHORS}, year = 2017}}\n"
    assert codes(f"title = {{Editorial}}, {AUTHORS}, year = 2017", first) == []


def test_one_id_under_two_titles_is_no_duplicate_but_a_doubt() -> None:
    assert codes(f"title = {{Dense Passage Retrieval}}, {AUTHORS}, eprint = {{1706.03762}}") == ["shared_id"]
    assert codes(f"title = {{Dense Passage Retrieval}}, {AUTHORS}, doi = {{10.1000/one}}") == ["shared_id"]


def test_a_key_that_is_defined_twice_is_another_matter() -> None:
    assert find_duplicates(parse_bib(FIRST + FIRST, Path("refs.bib"))) == {}


PREPRINT = f"@misc{{preprint, {TITLE}, {AUTHORS}, year = 2017, eprint = {{1706.03762}}}}\n"
PUBLISHED = f"@inproceedings{{published, {TITLE}, {AUTHORS}, year = 2017, booktitle = {{NeurIPS}}}}\n"


def advice(text: str, cited: tuple[str, ...] = (), agreement: dict[int, int] | None = None) -> list[tuple[str, str]]:
    """The key of the entry that each finding is about, and the advice."""
    entries = parse_bib(text, Path("refs.bib"))
    found = find_duplicates(entries, cited, agreement)
    assert all("agrees better" in finding.message for finding in found.values() if agreement)
    return [(entries[number].key, finding.fix or "") for number, finding in sorted(found.items())]


@pytest.mark.parametrize("text", [PREPRINT + PUBLISHED, PUBLISHED + PREPRINT])
def test_the_published_entry_is_advised_wherever_it_stands(text: str) -> None:
    assert advice(text) == [("preprint", "cite published instead, and remove preprint")]
    assert advice(text, ("published",)) == [("preprint", "cite published instead, and remove preprint")]
    assert advice(text, ("published", "preprint")) == [("preprint", "cite published instead, and remove preprint")]


@pytest.mark.parametrize("text", [PREPRINT + PUBLISHED, PUBLISHED + PREPRINT])
def test_the_key_that_the_text_cites_is_kept(text: str) -> None:
    assert advice(text, ("preprint",)) == [
        ("preprint", "give it the fields of published, and remove that one: the text cites preprint")
    ]


def test_of_two_entries_alike_the_cited_one_is_advised() -> None:
    again = PREPRINT.replace("{preprint", "{again")
    assert advice(PREPRINT + again) == [("again", "cite preprint instead, and remove again")]
    assert advice(PREPRINT + again, ("again",)) == [("preprint", "cite again instead, and remove preprint")]


def test_the_entry_that_agrees_best_with_the_record_is_advised() -> None:
    wrong_year = PUBLISHED.replace("2017", "2018")
    fix = [("published", "cite preprint instead, and remove published")]
    assert advice(wrong_year + PREPRINT, agreement={0: DOUBTED, 1: RIGHT}) == fix
    assert advice(PREPRINT + wrong_year, agreement={0: RIGHT, 1: DOUBTED}) == fix


def test_two_titles_under_one_id_that_both_fit_the_record_are_one_paper() -> None:
    renamed = PREPRINT.replace("{preprint", "{renamed").replace("Attention Is All You Need", "Networks of Attention")
    assert codes(f"title = {{Networks of Attention}}, {AUTHORS}, eprint = {{1706.03762}}") == ["shared_id"]
    assert advice(PREPRINT + renamed, agreement={0: RIGHT, 1: DOUBTED}) == [
        ("renamed", "cite preprint instead, and remove renamed")
    ]


def test_an_entry_copied_thousands_of_times_under_one_key_is_compared_with_one_of_them() -> None:
    entries = parse_bib(FIRST * 5_000, Path("refs.bib"))
    began = time.process_time()
    assert find_duplicates(entries) == {}
    assert time.process_time() - began < 10  # with each compared with 200 others it is a minute
