from pathlib import Path

import pytest

from citeplug.bibliography.bibtex import parse_bib
from citeplug.bibliography.duplicates import find_duplicates

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
        f"{TITLE}, author = {{Shazeer, Noam and Vaswani, Ashish}}, year = 2017",
        f"{TITLE}, year = 2017",
        f"title = {{Attention Is Not All You Need}}, {AUTHORS}, year = 2017",
    ],
)
def test_what_may_be_another_work_is_left_alone(second: str) -> None:
    assert codes(second) == []


def test_short_titles_tell_no_paper() -> None:
    first = f"@misc{{first, title = {{Editorial}}, {AUTHORS}, year = 2017}}\n"
    assert codes(f"title = {{Editorial}}, {AUTHORS}, year = 2017", first) == []


def test_one_id_under_two_titles_is_no_duplicate_but_a_doubt() -> None:
    assert codes(f"title = {{Dense Passage Retrieval}}, {AUTHORS}, eprint = {{1706.03762}}") == ["shared_id"]
    assert codes(f"title = {{Dense Passage Retrieval}}, {AUTHORS}, doi = {{10.1000/one}}") == ["shared_id"]


def test_a_key_that_is_defined_twice_is_another_matter() -> None:
    assert find_duplicates(parse_bib(FIRST + FIRST, Path("refs.bib"))) == {}
