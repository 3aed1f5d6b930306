from typing import Any

import pytest

from citeplug.records.work import Work
from citeplug.sources.dblp import read_list
from citeplug.sources.work_service import BadReply

INFO: dict[str, Any] = {
    "authors": {"author": [{"@pid": "69/5011-1", "text": "Wei Wang 0001"}, {"@pid": "1/2", "text": "J&ouml;rg Kien"}]},
    "title": "What is Q&amp;A?",
    "venue": ["NeurIPS", "ICML"],
    "pages": "5998-6008",
    "year": "2017",
    "type": "Conference and Workshop Papers",
    "key": "conf/nips/WangK17",
    "ee": ["https://doi.org/10.1145/1.2", "https://other.example/x"],
    "url": "https://dblp.org/rec/conf/nips/WangK17",
}


def reply(*infos: Any, one_alone: bool = False) -> dict[str, Any]:
    hits: list[Any] = [{"@score": "3", "@id": str(n), "info": info} for n, info in enumerate(infos)]
    found = {"hit": hits[0] if one_alone else hits} if hits else {}
    return {"result": {"status": {"@code": "200", "text": "OK"}, "hits": {"@total": str(len(hits)), **found}}}


def one(**changes: Any) -> Work:
    return read_list(reply({**INFO, **changes}))[0]


def test_a_conference_paper_is_read_whole() -> None:
    work = one()
    assert (work.kind, work.venue, work.pages, work.year) == ("inproceedings", "NeurIPS", "5998-6008", 2017)
    assert (work.doi, work.url) == ("10.1145/1.2", "https://dblp.org/rec/conf/nips/WangK17")


def test_numbers_that_tell_namesakes_apart_are_no_part_of_a_name() -> None:
    assert one().authors == ("Wei Wang", "Jörg Kien")


def test_one_author_and_one_hit_come_without_their_arrays() -> None:
    info = {**INFO, "authors": {"author": {"@pid": "1", "text": "Ada Lovelace"}}}
    assert read_list(reply(info, one_alone=True))[0].authors == ("Ada Lovelace",)
    assert one(authors={"author": "Ada Lovelace"}).authors == ("Ada Lovelace",)


def test_the_stop_at_the_end_of_a_title_is_dblps() -> None:
    assert [one(title=text).title for text in ("Deep learning.", "Why?", "And so on...")] == [
        "Deep learning",
        "Why?",
        "And so on...",
    ]
    assert one().title == "What is Q&A?"


def test_corr_is_arxiv_and_a_preprint() -> None:
    work = one(venue="CoRR", volume="abs/1706.03762", type="Informal and Other Publications")
    assert (work.kind, work.arxiv_id, work.volume) == ("misc", "1706.03762", None)


def test_theses_and_withdrawn_items_are_known_as_such() -> None:
    assert one(type="Books and Theses", key="phd/de/Wang2017").kind == "phdthesis"
    assert one(type="Withdrawn Items").retracted


def test_no_hits_are_an_answer() -> None:
    assert read_list(reply()) == []


@pytest.mark.parametrize("document", [None, {}, {"result": {}}, {"result": {"status": {"@code": "500"}, "hits": {}}}])
def test_another_document_is_no_answer(document: object) -> None:
    with pytest.raises(BadReply):
        read_list(document)
