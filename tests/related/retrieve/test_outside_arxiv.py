from citeplug.records.outcome import OutsideWork
from citeplug.records.passage import Reference
from citeplug.related.retrieve.graph_candidates import outside_arxiv
from tests.related.retrieve.drafts import entry


def listed(title: str | None, doi: str | None = None, year: int | None = 1999) -> Reference:
    return Reference(1, None, title or "", title=title, doi=doi, year=year)


def test_a_work_in_two_lists_is_named_as_printed_with_who_cites_it() -> None:
    lists = {
        "b": [listed("The nature of statistical learning theory")],
        "a": [listed("The Nature of Statistical Learning {T}heory."), listed("Cited by one alone here")],
    }
    (work,) = outside_arxiv(lists)
    assert work == OutsideWork("The Nature of Statistical Learning {T}heory.", 1999, None, ("a", "b"))


def test_works_are_one_by_their_doi_and_those_of_most_lists_come_first() -> None:
    lists = {
        "a": [listed("A long enough title", "10.1/x"), listed("Another title of note")],
        "b": [listed("Short", "10.1/x"), listed("Another title of note")],
        "c": [listed("Another title of note")],
    }
    assert [(work.title, work.doi, work.cited_by) for work in outside_arxiv(lists)] == [
        ("Another title of note", None, ("a", "b", "c")),
        ("A long enough title", "10.1/x", ("a", "b")),
    ]


def test_titles_that_tell_nothing_and_what_the_draft_has_an_entry_for_are_left_out() -> None:
    lists = {name: [listed("Deep learning"), listed(None), listed("A book that is cited")] for name in "ab"}
    assert outside_arxiv(lists, [entry("k", "A {Book} that is cited")]) == ()
    assert len(outside_arxiv(lists)) == 1


def test_one_list_that_names_a_work_twice_counts_once() -> None:
    assert outside_arxiv({"a": [listed("A book that is cited")] * 3}) == ()
