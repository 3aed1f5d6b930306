from typing import Any

import pytest

from citeplug.records.work import Work
from citeplug.sources.semanticscholar import read_list, read_one
from citeplug.sources.work_service import BadReply

ITEM: dict[str, Any] = {
    "paperId": "0e17997cdc00e7011743c8e376f06701a9d91755",
    "externalIds": {"DBLP": "journals/inffus/LiW24", "ArXiv": "2406.10581", "DOI": "10.1016/J.INFFUS.2023.102147"},
    "url": "https://www.semanticscholar.org/paper/0e17997cdc00e7011743c8e376f06701a9d91755",
    "title": "CrossFuse: A novel cross attention mechanism",
    "abstract": "Multimodal visual information fusion\naims to integrate sensors.",
    "venue": "Information Fusion",
    "year": 2024,
    "journal": {"name": "Inf. Fusion", "volume": "103", "pages": "102147"},
    "publicationTypes": ["JournalArticle", "Review"],
    "authors": [{"authorId": "1", "name": "Hui Li"}, {"authorId": None, "name": None}, {"name": "Xiao-Jun Wu"}],
}


def one(**changes: Any) -> Work:
    return read_one({**ITEM, **changes})[0]


def test_an_article_is_read_whole() -> None:
    work = one()
    assert (work.title, work.year, work.kind, work.venue) == (ITEM["title"], 2024, "article", "Information Fusion")
    assert (work.volume, work.pages) == ("103", "102147")
    assert work.authors == ("Hui Li", "Xiao-Jun Wu")
    assert (work.doi, work.arxiv_id) == ("10.1016/j.inffus.2023.102147", "2406.10581")
    assert work.abstract == "Multimodal visual information fusion aims to integrate sensors."


@pytest.mark.parametrize(
    "missing", ["externalIds", "abstract", "venue", "year", "journal", "publicationTypes", "authors"]
)
def test_whatever_is_null_or_of_another_type_leaves_the_rest(missing: str) -> None:
    values: tuple[Any, ...] = (None, 7, [7], {"a": []})
    for value in values:
        assert one(**{missing: value}).title == ITEM["title"]


def test_an_arxiv_doi_is_an_id_at_arxiv() -> None:
    assert one(externalIds={"DOI": "10.48550/arXiv.1706.03762"}).arxiv_id == "1706.03762"


def test_nothing_found_comes_without_a_list() -> None:
    assert read_list({"total": 0, "offset": 0}) == []


@pytest.mark.parametrize(
    "reply", [{}, [], {"total": 7, "offset": 0}, {"total": "7", "data": []}, {"message": "slow down"}]
)
def test_half_a_reply_is_no_answer(reply: Any) -> None:
    with pytest.raises(BadReply):
        read_list(reply)


def test_an_empty_page_behind_the_last_is_an_end() -> None:
    assert read_list({"total": 100, "offset": 100, "data": []}, 100) == []
