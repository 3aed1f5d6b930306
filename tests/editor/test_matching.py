"""Which entries fit what is typed."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeplug.editor.matching import Index
from citeplug.records.draft import BibEntry, Span

WORDS = st.sampled_from(["graph", "graphs", "Müller", "mueller", "2019", "net", "a", "attention", "ne", "x:y"])
FIELDS = st.fixed_dictionaries(
    {"title": st.lists(WORDS, max_size=4).map(" ".join), "author": st.lists(WORDS, max_size=2).map(" and ".join)},
    optional={"year": st.sampled_from(["2019", "1998"])},
)
KEYS = st.lists(WORDS, min_size=1, max_size=3).map("".join)


def entry(key: str, fields: dict[str, str], line: int) -> BibEntry:
    return BibEntry(key, "misc", fields, Span(Path("/r.bib"), line, line + 1, line))


ENTRIES = st.lists(st.tuples(KEYS, FIELDS), max_size=30).map(
    lambda given: [entry(f"{key}{number}", fields, number) for number, (key, fields) in enumerate(given)]
)
TYPED = st.lists(st.one_of(WORDS, st.text("aegmnty2:\n ", max_size=3)), max_size=3).map(" ".join)


@given(ENTRIES, ENTRIES, st.integers(0, 30), TYPED)
def test_what_was_known_before_changes_nothing(
    before: list[BibEntry], new: list[BibEntry], kept: int, typed: str
) -> None:
    moved = [entry(each.key, each.fields, number + 7) for number, each in enumerate(before[:kept])]
    index = Index([*new, *moved], {}, Index(before))
    assert index.matches(typed) == Index([*new, *moved]).matches(typed)


@given(ENTRIES, TYPED, st.integers(0, 5))
def test_of_equal_matches_the_most_cited_come_first(entries: list[BibEntry], typed: str, often: int) -> None:
    cited = {each.key: 3 for each in entries[-often:]} if often else {}
    with_counts, without = Index(entries, cited).matches(typed), Index(entries).matches(typed)
    assert {each.key for each in with_counts} == {each.key for each in without}
    ranks = [(each.key in cited, without.index(each)) for each in with_counts]
    assert [rank for is_cited, rank in ranks if is_cited] == sorted(rank for is_cited, rank in ranks if is_cited)
    assert {each.key for each in Index(entries).having(typed)} <= {each.key for each in entries}


def test_entries_are_ranked_by_the_rare_words_that_their_titles_share_with_a_sentence() -> None:
    titles = {"a": "Alpine Glaciers", "b": "Deep Networks on Graphs", "c": "Deep Networks for Text", "d": "A Survey"}
    index = Index([entry(key, {"title": title}, number) for number, (key, title) in enumerate(titles.items())])
    assert [found.key for found in index.sharing("On graphs, deep networks are trained with care")] == ["b", "c"]
    assert [found.key for found in index.sharing("The glacier melts")] == ["a"]
    assert index.sharing("This is of the and") == []
