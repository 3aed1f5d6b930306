"""Which records are of what the draft cites, over the real catalogue."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.records.draft import BibEntry, Cite
from citeplug.related.retrieve.cited_papers import cited_authors, cited_papers, works_of_draft
from tests.related.retrieve.drafts import HERE, draft, entry
from tests.related.retrieve.memory_index import paper

WALKS = replace(paper("1901.00001", "Random walks on large graphs", authors=("Ada Lovelace",)), doi="10.1000/walks")
OTHER = paper("1902.00001", "Random walks on large graphs", authors=("Charles Babbage",))


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    made = Corpus(tmp_path, lambda: open_embedder(None), lambda model: ChromaStore(tmp_path, model))
    made.add_papers([WALKS, OTHER])
    yield made
    made.close()


@pytest.mark.parametrize(
    "entry",
    [
        entry("walks", "", "1901.00001"),
        BibEntry("walks", "article", {"title": "Anything"}, HERE, None, "10.1000/walks"),
        BibEntry("walks", "article", {"title": "Random {W}alks on Large Graphs", "author": "Lovelace, A."}, HERE),
        BibEntry(
            "walks",
            "bibitem",
            {"text": "A. Lovelace, Random walks on large graphs, 2019", "title": "Random walks on large graphs"},
            HERE,
        ),
    ],
)
def test_an_entry_is_known_by_id_by_doi_or_by_title_and_people(corpus: Corpus, entry: BibEntry) -> None:
    found = cited_papers(draft("Mine", entries=(entry,), cited=("walks",)), corpus, corpus)
    assert {key: one.id.value for key, one in found.items()} == {"walks": "1901.00001"}


def test_a_title_alone_and_an_entry_that_is_not_cited_are_nobody(corpus: Corpus) -> None:
    alone = entry("alone", "Random walks on large graphs")
    unused = entry("unused", "", "1901.00001")
    assert cited_papers(draft("Mine", entries=(alone, unused), cited=("alone",)), corpus, corpus) == {}


def test_the_authors_of_what_is_cited_are_those_of_the_record_or_else_of_the_entry() -> None:
    known = entry("walks", "", "1901.00001")
    book = BibEntry("book", "book", {"title": "A Book", "author": "Turing, Alan and Hopper, Grace"}, HERE)
    unused = BibEntry("unused", "book", {"title": "B", "author": "Nobody, A."}, HERE)
    mine = draft("Mine", entries=(known, book, unused), cited=("walks", "book"))
    assert cited_authors(mine, {"walks": WALKS}) == [("Ada Lovelace",), ("Turing, Alan", "Hopper, Grace")]


def test_a_work_s_text_is_the_abstract_in_its_entry_or_else_what_the_draft_says_of_it() -> None:
    people = {"author": "Turing, Alan"}
    entries = (
        BibEntry("told", "book", {"title": "A Book", **people, "year": "1950"}, HERE),
        BibEntry(
            "own", "book", {"title": "B", **people, "abstract": "We ask whether machines can think at all."}, HERE
        ),
        BibEntry("named", "book", {"title": "C", **people}, HERE),
        BibEntry("nobody", "book", {"title": "D"}, HERE),
    )
    said = "Introduction: Our test is that of [*], in which a machine imitates people."
    cites = (
        *(Cite((key,), "cite", HERE, said) for key in ("told", "own", "nobody")),
        Cite(("named",), "cite", HERE, "Experiments: see [*]."),
    )
    works = works_of_draft(replace(draft("Mine", entries=entries), cites=cites))
    assert {value: (work.abstract_kind, work.abstract) for value, work in works.items()} == {
        "lib:told": ("draft", said),
        "lib:own": ("abstract", "We ask whether machines can think at all."),
    }
    assert works["lib:own"].quoted_text == f"the abstract in {HERE.file.name}"
    assert (works["lib:told"].authors, works["lib:told"].published.year) == (("Alan Turing",), 1950)
