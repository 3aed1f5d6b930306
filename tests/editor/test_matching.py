"""Which entries fit what is typed: an index says what looking at each of them says."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeplug.editor.matching import Index, _score, _wanted, entry_words
from citeplug.records.draft import BibEntry, Span
from citeplug.text.folding import fold

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


def one_by_one(entries: list[BibEntry], cited: dict[str, int], typed: str) -> list[str]:
    wanted, prefix = _wanted(typed), fold(typed).lower().strip()
    ranked = []
    for number, each in enumerate(entries):
        score = _score(entry_words(each), prefix, wanted) if wanted else 1
        if score:
            ranked.append((-score, -cited.get(each.key, 0), number))
    return [entries[number].key for _, _, number in sorted(ranked)[:50]]


@given(ENTRIES, TYPED, st.integers(0, 5))
def test_an_index_finds_what_each_entry_by_itself_would_be_found_for(
    entries: list[BibEntry], typed: str, often: int
) -> None:
    cited = {each.key: number % 3 + 1 for number, each in enumerate(entries[:often])}
    index = Index(entries, cited)
    assert [each.key for each in index.matches(typed)] == one_by_one(entries, cited, typed)
    assert {each.key for each in index.having(typed)} <= {each.key for each in entries}


@given(ENTRIES, ENTRIES, st.integers(0, 30), TYPED)
def test_what_was_known_before_changes_nothing(
    before: list[BibEntry], new: list[BibEntry], kept: int, typed: str
) -> None:
    moved = [entry(each.key, each.fields, number + 7) for number, each in enumerate(before[:kept])]
    index = Index([*new, *moved], {}, Index(before))
    assert index.matches(typed) == Index([*new, *moved]).matches(typed)
