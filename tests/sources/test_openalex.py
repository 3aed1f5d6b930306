from typing import Any

import pytest

from citeplug.records.work import Work
from citeplug.sources.openalex import read_list, read_one
from citeplug.sources.work_service import BadReply

ITEM: dict[str, Any] = {
    "id": "https://openalex.org/W2741809807",
    "doi": "https://doi.org/10.7717/PEERJ.4375",
    "display_name": "The state of OA: a large-scale analysis",
    "publication_year": 2018,
    "type": "article",
    "authorships": [
        {"author_position": "first", "author": {"id": "https://openalex.org/A1", "display_name": "Heather Piwowar"}},
        {"author_position": "last", "author": {"display_name": None}, "raw_author_name": "Jason Priem"},
        {"author": {}},
    ],
    "biblio": {"volume": "6", "issue": None, "first_page": "e4375", "last_page": "e4375"},
    "primary_location": {
        "landing_page_url": "https://doi.org/10.7717/peerj.4375",
        "source": {"display_name": "PeerJ", "type": "journal", "host_organization_name": "PeerJ, Inc."},
    },
    "locations": [{"landing_page_url": "https://arxiv.org/abs/1706.03762v5"}, None],
    "is_retracted": False,
}


def one(**changes: Any) -> Work:
    return read_one({**ITEM, **changes})[0]


def test_a_journal_article_is_read_whole() -> None:
    work = one()
    assert (work.kind, work.venue, work.volume, work.number, work.pages) == ("article", "PeerJ", "6", None, "e4375")
    assert (work.title, work.year) == ("The state of OA: a large-scale analysis", 2018)
    assert work.authors == ("Heather Piwowar", "Jason Priem")


def test_identifiers_come_without_their_resolvers() -> None:
    assert (one().doi, one().arxiv_id) == ("10.7717/peerj.4375", "1706.03762")


def test_a_work_without_a_doi_has_its_page_at_openalex() -> None:
    work = one(doi=None)
    assert (work.doi, work.url) == (None, "https://openalex.org/W2741809807")


@pytest.mark.parametrize(
    ("kind", "source", "read"),
    [
        ("article", "conference", "inproceedings"),
        ("preprint", "repository", "misc"),
        ("article", "repository", "misc"),
        ("book-chapter", "book series", "incollection"),
        ("dissertation", None, "phdthesis"),
        ("something-new", None, "misc"),
    ],
)
def test_the_kind_follows_the_type_and_the_place(kind: str, source: str | None, read: str) -> None:
    place = {"source": {"display_name": "Somewhere", "type": source}} if source else None
    assert one(type=kind, primary_location=place).kind == read


def test_a_list_of_a_hundred_authors_may_be_cut() -> None:
    hundred = [{"author": {"display_name": f"Author {n}"}} for n in range(100)]
    assert one(authorships=hundred).more_authors
    assert one(is_authors_truncated=True).more_authors
    assert not one().more_authors


def test_openalex_says_what_was_retracted() -> None:
    assert one(is_retracted=True).retracted
    assert not one(is_retracted=None).retracted


@pytest.mark.parametrize("document", [None, [], {}, {"results": {}}, {"error": "Invalid", "message": "no"}])
def test_another_document_is_no_answer(document: object) -> None:
    for read in (read_one, read_list):
        with pytest.raises(BadReply):
            read(document)
