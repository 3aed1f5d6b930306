"""The demo's library: facts that are arXiv's, summaries that are not."""

import gzip
import json
import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.paper import ArxivId

LIBRARY = Path(__file__).parents[2] / "citeplug" / "demo" / "library.jsonl"
# What the public snapshot has on each line, in its order, and the mark of a summary.
KEYS = [
    *("id", "submitter", "authors", "title", "comments", "journal-ref", "doi", "report-no", "categories", "license"),
    *("abstract", "abstract_kind", "versions", "update_date"),
]
FACTS = ("authors", "title", "comments", "journal-ref", "doi", "report-no", "categories", "versions", "update_date")
FIRST_PERSON = re.compile(r"\b(?:I|we|our|ours|us|my|mine)\b", re.IGNORECASE)
RUN = 8  # words in a row that would be quoting


@cache
def library() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in LIBRARY.read_text("utf-8").splitlines())


@cache
def _sample(path: Path) -> dict[str, dict[str, Any]]:
    """The records of the real data set that the library has too."""
    wanted = {record["id"] for record in library()}
    found = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            # The id comes first on each line; only the wanted ones are worth the parsing.
            if line[8 : line.index('"', 8)] in wanted:
                record = json.loads(line)
                found[record["id"]] = record
    return found


def collapsed(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.lower())
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def test_there_are_about_150_papers() -> None:
    assert 140 <= len(library()) <= 160


def test_every_line_has_the_keys_of_the_snapshot_and_the_mark_of_a_summary() -> None:
    for record in library():
        assert list(record) == KEYS
        assert record["abstract_kind"] == "summary"


def test_every_id_is_an_arxiv_id_without_version_and_occurs_once() -> None:
    ids = [record["id"] for record in library()]
    assert [str(ArxivId.parse(i)) for i in ids] == ids
    assert len(set(ids)) == len(ids)


def test_every_paper_has_a_title_authors_and_categories() -> None:
    for record in library():
        for key in ("title", "authors", "categories"):
            assert record[key] == collapsed(record[key]) != ""


def test_no_title_occurs_twice() -> None:
    titles = [record["title"].casefold() for record in library()]
    assert len(set(titles)) == len(titles)


def test_dates_are_in_order_and_near_the_month_of_the_id() -> None:
    for record in library():
        created = date.fromisoformat(record["versions"][0]["created"])
        assert created <= date.fromisoformat(record["update_date"])
        # Submitted up to some weeks before the id's month (moderation), never after it.
        assert -62 <= (created - ArxivId.parse(record["id"]).month).days <= 30


def test_every_summary_has_30_to_110_words() -> None:
    for record in library():
        assert 30 <= len(record["abstract"].split()) <= 110, record["id"]


def test_no_summary_speaks_in_the_first_person() -> None:
    for record in library():
        assert not FIRST_PERSON.search(record["abstract"]), record["id"]


def test_every_summary_is_plain_prose() -> None:
    for record in library():
        text = record["abstract"]
        assert text == collapsed(text)
        assert not re.search(r"[\\${}<>]|https?:", text), record["id"]
        assert text.endswith(".")


def test_no_two_summaries_share_a_run_of_twelve_words() -> None:
    seen: dict[tuple[str, ...], str] = {}
    for record in library():
        words = re.findall(r"[^\W_]+", record["abstract"].lower())
        for run in {tuple(words[start : start + 12]) for start in range(len(words) - 11)}:
            assert seen.setdefault(run, record["id"]) == record["id"], run


@pytest.mark.shared_data
def test_every_fact_is_that_of_the_real_record(shared_data: Path) -> None:
    sample = _sample(shared_data / "arxiv_sample.jsonl.gz")
    for record in library():
        real = sample[record["id"]]
        assert {key: record[key] for key in FACTS} == {key: collapsed(real[key]) for key in FACTS}


@pytest.mark.shared_data
def test_no_summary_takes_over_eight_words_in_a_row(shared_data: Path) -> None:
    sample = _sample(shared_data / "arxiv_sample.jsonl.gz")
    for record in library():
        taken = runs(record["abstract"]) & runs(sample[record["id"]]["abstract"])
        assert not taken, (record["id"], taken)


@pytest.mark.shared_data
def test_every_number_of_a_summary_stands_in_the_abstract(shared_data: Path) -> None:
    sample = _sample(shared_data / "arxiv_sample.jsonl.gz")
    for record in library():
        given = set(re.findall(r"\d[\d.,]*\d|\d", record["abstract"]))
        real = sample[record["id"]]["title"] + " " + sample[record["id"]]["abstract"]
        assert given <= set(re.findall(r"\d[\d.,]*\d|\d", real)), record["id"]
