from typing import Any

import pytest

from citeplug.records.work import Work
from citeplug.sources.crossref import read_list, read_one
from citeplug.sources.work_service import BadReply

ITEM: dict[str, Any] = {
    "DOI": "10.1109/5.771073",
    "type": "journal-article",
    "title": ["Toward unique identifiers"],
    "author": [
        {"given": "N.", "family": "Paskin", "sequence": "first", "affiliation": []},
        {"given": "Gabriel", "family": "García Márquez", "sequence": "additional", "affiliation": []},
        {"name": "The ATLAS Collaboration", "sequence": "additional", "affiliation": []},
        {"family": "Madonna", "sequence": "additional"},
    ],
    "container-title": ["Proceedings of the IEEE", "Proc. IEEE"],
    "issued": {"date-parts": [[1998, 12]]},
    "published-online": {"date-parts": [[1998, 12]]},
    "published-print": {"date-parts": [[1999, 7]]},
    "volume": "87",
    "issue": "7",
    "page": "1208-1227",
    "publisher": "Institute of Electrical and Electronics Engineers (IEEE)",
}


def one(**changes: Any) -> Work:
    return read_one({"status": "ok", "message": {**ITEM, **changes}})[0]


def test_a_journal_article_is_read_whole() -> None:
    work = one()
    assert (work.kind, work.title, work.doi) == ("article", "Toward unique identifiers", "10.1109/5.771073")
    assert (work.venue, work.volume, work.number, work.pages) == ("Proceedings of the IEEE", "87", "7", "1208-1227")
    assert work.url == "https://doi.org/10.1109/5.771073"


def test_the_year_is_that_of_print_and_all_years_are_kept() -> None:
    assert (one().year, one().years) == (1999, (1998, 1999))


def test_people_without_given_names_and_collaborations_are_authors() -> None:
    assert one().authors == ("N. Paskin", "Gabriel García Márquez", "The ATLAS Collaboration", "Madonna")


def test_a_surname_of_two_words_is_told_apart() -> None:
    assert one().surnames == ("", "García Márquez", "", "")


@pytest.mark.parametrize("parts", [[[None]], [], [[]], None, [[0]], "soon"])
def test_a_date_of_nulls_gives_no_year(parts: object) -> None:
    nothing = {"date-parts": parts}
    assert one(issued=nothing, **{"published-print": nothing, "published-online": None}).years == ()


def test_the_subtitle_is_added_unless_the_title_has_it() -> None:
    assert one(title=["Main"], subtitle=["A story"]).title == "Main: A story"
    assert one(title=["Main: A Story"], subtitle=["A story"]).title == "Main: A Story"


def test_a_chapter_of_proceedings_is_a_conference_paper_in_the_book_and_not_in_the_series() -> None:
    containers = ["Lecture Notes in Computer Science", "Advances in Cryptology – CRYPTO 2019"]
    chapter = {"type": "book-chapter", "container-title": containers}
    assert (one(**chapter).kind, one(**chapter, event={"name": "CRYPTO"}).kind) == ("incollection", "inproceedings")
    assert one(**chapter).venue == "Advances in Cryptology – CRYPTO 2019"


def test_a_book_without_authors_has_its_editors() -> None:
    book = one(type="edited-book", author=None, editor=[{"given": "A.", "family": "Editor"}])
    assert (book.kind, book.authors) == ("book", ("A. Editor",))


@pytest.mark.parametrize("kind", ["retraction", "withdrawal", "removal"])
def test_a_work_updated_by_a_retraction_is_retracted(kind: str) -> None:
    assert one(**{"updated-by": [{"type": kind, "DOI": "10.1/notice"}]}).retracted


def test_a_correction_and_the_notice_itself_are_no_retracted_works() -> None:
    assert not one(**{"updated-by": [{"type": "correction"}, {"type": "expression_of_concern"}]}).retracted
    assert not one(title=["Retraction: Toward X"], **{"update-to": [{"type": "retraction"}]}).retracted


def test_a_title_that_says_retracted_is_read_without_saying_so() -> None:
    work = one(title=["RETRACTED ARTICLE: Toward unique identifiers"])
    assert (work.title, work.retracted) == ("Toward unique identifiers", True)


def test_works_without_a_title_are_left_out_of_a_list() -> None:
    assert len(read_list({"message": {"items": [ITEM, {**ITEM, "title": []}, None, 5]}})) == 1


@pytest.mark.parametrize("document", [None, [], {}, {"message": []}, {"message": {"items": {}}}, {"status": "ok"}])
def test_another_document_is_no_answer(document: object) -> None:
    for read in (read_one, read_list):
        with pytest.raises(BadReply):
            read(document)
