"""Right entries in the styles of many tools stay verified, wrong ones are caught: over the records of the demo."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.entry_corruptions import CORRUPTIONS
from benchmarks.entry_styles import STYLES, write
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.entry_check import EntryCheck
from citeplug.records.paper import Paper
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.snapshot import SnapshotReader
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.arxiv_server import ArxivServer, FastClock

TODAY = date(2026, 1, 1)
LIBRARY = Path(__file__).parents[3] / "citeplug" / "demo" / "library.jsonl"
# Some with what journals add to a record, which the demo's records do not have.
PAPERS = [
    replace(paper, doi=f"10.1000/journal.{number}") if number % 4 == 0 else paper
    for number, paper in enumerate(SnapshotReader(LIBRARY))
    if paper.complete
]
papers = st.sampled_from(PAPERS)


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lookup]:
    """A complete catalogue of the demo's records."""
    corpus = Corpus(tmp_path_factory.mktemp("corpus"), embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add_papers(PAPERS)
    yield Lookup(corpus, None, lambda _: True)
    corpus.close()


@pytest.fixture(scope="module")
def online(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lookup]:
    """An empty catalogue, and a server that has the demo's records."""
    home = tmp_path_factory.mktemp("online")
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    with ArxivServer(*PAPERS).serve() as server:
        source = ArxivSource(Settings(home, server.url, arxiv_delay=0.0), clock=FastClock())
        yield Lookup(corpus, source, corpus.complete_for)
    corpus.close()


def check(text: str, lookup: Lookup) -> EntryCheck:
    (found,) = check_entries(parse_bib(text), lookup, today=TODAY)
    return found


@settings(max_examples=150)
@given(record=papers, style=st.sampled_from([*STYLES]), seed=st.integers(0, 10**6))
def test_a_right_entry_in_any_style_is_verified_against_a_complete_catalogue(
    offline: Lookup, record: Paper, style: str, seed: int
) -> None:
    if style.startswith("DOI") and record.doi is None:
        style = "published, with eprint"
    draft = write(record, random.Random(seed), style)
    # Three years before the preprint are more than the entry's own word can carry.
    draft.year = max(draft.year, record.published.year - 2)
    text = draft.text("key")
    found = check(text, offline)
    assert found.verdict == "verified", (found.message, text)
    assert found.arxiv_id == record.id.value
    assert found.changes == ()


@settings(max_examples=40)
@given(record=papers, style=st.sampled_from([*STYLES]), seed=st.integers(0, 10**6))
def test_a_right_entry_that_names_arxiv_is_verified_by_its_api(
    online: Lookup, record: Paper, style: str, seed: int
) -> None:
    if style.startswith("DOI"):
        style = "arXiv without an id"
    draft = write(record, random.Random(seed), style)
    draft.year = max(draft.year, record.published.year - 2)
    found = check(draft.text("key"), online)
    if style == "arXiv without an id" and found.verdict == "unchecked":
        assert len(record.title.split()) < 4  # too little to ask for
        return
    # What claims nothing is not asked for a second time, and may be cut to a single everyday word.
    assert found.verdict == "verified" or (not draft.claims and found.verdict == "not_arxiv"), found.message


@pytest.mark.parametrize("kind", [*CORRUPTIONS])
def test_a_single_corruption_is_caught(offline: Lookup, kind: str) -> None:
    rng = random.Random(kind)
    missed = []
    count = 0
    while count < 12:
        record, *others = rng.sample(PAPERS, 31)
        draft = CORRUPTIONS[kind](record, others, rng)
        # A published version may have its own title beside the right DOI, and its own year where none is known.
        if draft is None or (draft.published and record.doi and kind in _OF_THE_PREPRINT):
            continue
        count += 1
        found = check(draft.text("key"), offline)
        if found.verdict not in ("differs", "not_found") or found.severity not in ("warning", "error"):
            missed.append((found.verdict, found.message, draft.text("key")))
    assert missed == []


_OF_THE_PREPRINT = ("year off by 3 or 4", "one word of the title wrong")


@pytest.mark.parametrize("kind", [*CORRUPTIONS])
def test_a_correction_of_a_corrupted_entry_makes_it_right(offline: Lookup, kind: str) -> None:
    rng = random.Random(kind + "!")
    for _ in range(12):
        record, *others = rng.sample(PAPERS, 31)
        draft = CORRUPTIONS[kind](record, others, rng)
        if draft is None:
            continue
        (entry,) = parse_bib(draft.text("key"))
        (found,) = check_entries([entry], offline, today=TODAY)
        if not found.changes:
            continue
        fields = {**entry.fields, **{change.field: change.value or "" for change in found.changes}}
        text = (
            "@" + entry.kind + "{key,\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items()) + "}"
        )
        again = check(text, offline)
        assert again.verdict == "verified", (kind, found.changes, again.message, text)
        assert check(text, offline).changes == ()
