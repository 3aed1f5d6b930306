"""Which record a reference means."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.index import Corpus
from citeplug.records.passage import Reference, Resolved
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel

LONG = "Massive Language Models Can Be Accurately Pruned in One-Shot"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    store = MemoryStore()
    opened = Corpus(tmp_path / "home", WordModel, lambda model: store)
    day = date(2023, 1, 2)
    opened.add_papers(
        [
            make_paper(
                "2301.00774",
                title=f"SparseGPT: {LONG}",
                authors=("Elias Frantar", "Dan Alistarh"),
                published=day,
                updated=day,
            ),
            make_paper(
                "2304.02643", title="Segment Anything", authors=("Alexander Kirillov",), published=day, updated=day
            ),
            make_paper("2310.06825", title="Mistral 7B Modell", authors=(), published=day, updated=day),
            make_paper(
                "2301.00001",
                title="A Survey of Deep Learning Methods",
                authors=("Eva Berg",),
                published=day,
                updated=day,
            ),
            make_paper(
                "2301.00002",
                title="A Survey of Deep Learning Methods",
                authors=("Jane Roe",),
                published=day,
                updated=day,
            ),
            make_paper(
                "2301.00003", title="Foo: A Thing", doi="10.1000/ABC.1, 10.1000/def", published=day, updated=day
            ),
            make_paper(
                "2301.00004",
                title="Learning with $\\ell_1$-regularised Schrödinger Maps",
                authors=("Jörg Müller",),
                published=day,
                updated=day,
            ),
        ]
    )
    opened.graph.catch_up()
    yield opened
    opened.close()


def resolved(corpus: Corpus, title: str | None, *surnames: str, year: int | None = 2023, **more: Any) -> Resolved:
    reference = Reference(1, "k", f"{' '.join(surnames)}. {title}", title=title, year=year, surnames=surnames, **more)
    return corpus.graph.resolve([reference])[0]


@pytest.mark.parametrize(
    ("title", "surnames", "year", "paper"),
    [
        (f"Sparsegpt: {LONG}", ("Frantar",), 2023, "2301.00774"),
        (LONG, ("Frantar", "Alistarh"), 2023, "2301.00774"),  # the name before the colon is new
        ("SparseGPT", ("Frantar",), 2023, None),  # one word that anybody may use
        (f"SparseGPT: {LONG}", (), None, "2301.00774"),
        (f"SparseGPT: {LONG}", ("Nobody",), 2023, None),  # other people's paper
        (LONG, ("Frantar",), 2009, None),  # long before it
        ("Segment anything", ("Kirillov",), 2023, "2304.02643"),
        ("Segment anything", (), 2023, "2304.02643"),
        ("Segment anything", ("Berg",), 2023, None),
        ("Segment anything", ("Kirillov",), 2007, None),
        ("Mistral 7b Modell", ("Jiang",), 2023, "2310.06825"),  # the record names nobody
        ("Mistral 7b Modell", ("Jiang",), 2015, None),
        ("A survey of deep learning methods", ("Roe",), 2023, "2301.00002"),
        ("A survey of deep learning methods", (), 2023, None),  # two fit alike
        ("SparseGPT: Another paper of the same name and group", ("Frantar",), 2023, None),
        (
            r"Learning with $\ell_1$-regularised Schr{\"o}dinger maps",
            ("Mueller",),
            2022,
            "2301.00004",
        ),
    ],
)
def test_a_title_means_its_record_where_people_and_year_do_not_object(
    corpus: Corpus, title: str, surnames: tuple[str, ...], year: int | None, paper: str | None
) -> None:
    found = resolved(corpus, title, *surnames, year=year)
    assert (found.paper, found.how) == (paper, "title" if paper else "none")


def test_a_doi_comes_before_the_title_and_a_printed_id_before_both(corpus: Corpus) -> None:
    assert resolved(corpus, "Foo: a thing, reprinted", doi="10.1000/def").how == "doi"
    assert resolved(corpus, "Quite another chapter of it", "Nobody", doi="10.1000/abc.1").paper is None
    found = resolved(corpus, LONG, "Frantar", doi="10.1000/def", arxiv_id="1706.03762")
    assert (found.paper, found.how) == ("1706.03762", "printed_id")


def test_a_printed_id_can_be_passed_over(corpus: Corpus) -> None:
    reference = Reference(1, "k", "", "1706.03762", title=f"SparseGPT: {LONG}")
    (found,) = corpus.graph.resolve([reference], printed_ids=False)
    assert (found.paper, found.how) == ("2301.00774", "title")


def test_works_of_the_author_s_library_are_no_arxiv_papers(corpus: Corpus) -> None:
    own = make_paper("lib:berg98", title="Weaving baskets by hand and foot")
    corpus.add_papers([own])
    corpus.graph.catch_up()
    assert resolved(corpus, own.title).paper is None
