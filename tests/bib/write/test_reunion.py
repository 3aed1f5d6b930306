"""Two versions of a file of entries made one."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.write.merge import merge_bib_versions
from citeplug.bibtex.entries import parse_bib

WORDS = [f"Word{number}" for number in range(12)]


def entry(key: str, title: str = "A Title", year: int = 2020) -> str:
    return f"@misc{{{key},\n  title = {{{title}}},\n  year = {year}\n}}\n"


def united(base: str, ours: str, theirs: str, *free: str) -> str:
    return merge_bib_versions(base, ours, theirs, ours_free=frozenset(free), theirs_free=frozenset(free))


def keys(text: str) -> list[str]:
    return [each.key for each in parse_bib(text)]


def test_entries_of_both_sides_are_there_once() -> None:
    base = entry("a")
    assert keys(united(base, base + entry("b"), entry("c") + base)) == ["c", "a", "b"]


def test_an_entry_that_one_side_took_out_stays_while_the_other_has_it() -> None:
    base = entry("a") + entry("b")
    assert keys(united(base, entry("b"), base, "a", "b")) == ["a", "b"]


def test_what_an_author_changed_wins_over_what_was_generated() -> None:
    base = entry("a")
    mine, made = entry("a", "My Title"), entry("a", year=2021)
    for ours, theirs in ((mine, made), (made, mine)):
        ours_free = frozenset({"a"} if ours == made else ())
        theirs_free = frozenset({"a"} if theirs == made else ())
        assert merge_bib_versions(base, ours, theirs, ours_free=ours_free, theirs_free=theirs_free) == mine


def test_fields_that_both_authors_changed_are_merged_and_a_second_version_stands_outside() -> None:
    base = entry("a")
    assert united(base, entry("a", "Mine"), entry("a", year=2021)) == entry("a", "Mine", 2021)
    text = united(base, entry("a", "Mine"), entry("a", "The @ of Theirs"))
    assert keys(text) == ["a"]
    assert parse_bib(text)[0].fields["title"] == "Mine"
    assert "The (at) of Theirs" in text


def test_text_between_the_entries_stays() -> None:
    base = "% head\n" + entry("a")
    assert united(base, "% head\n% mine\n" + entry("a"), base + "\n% theirs\n") == (
        "% head\n% mine\n" + entry("a") + "\n% theirs\n"
    )


SIDES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(WORDS), st.integers(2000, 2009)),
    max_size=5,
    unique_by=lambda e: e[0],
)


@given(SIDES, SIDES, SIDES)
def test_no_word_is_lost_and_each_key_is_defined_once(
    base: list[tuple[str, str, int]], ours: list[tuple[str, str, int]], theirs: list[tuple[str, str, int]]
) -> None:
    texts = ["".join(entry(*each) for each in side) for side in (base, ours, theirs)]
    text = united(*texts)
    assert sorted(keys(text)) == sorted({each[0] for side in (ours, theirs) for each in side})
    old = {each[1] for each in base}
    for side in (ours, theirs):
        assert all(each[1] in text for each in side if each[1] not in old)
