import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeplug.bib.write.merge import MergedBib, Shelf, merge_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.records.section import GeneratedEntry

HEADER = "% Entries.\n\n"


def entry(key: str, year: str = "2017", more: str = "") -> GeneratedEntry:
    text = (
        f"@misc{{{key},\n  title = {{On {key}}},\n  year = {{{year}}},{more}\n  eprint = {{1706.0000{key[-1]}}}\n}}\n"
    )
    return GeneratedEntry(key, text, f"1706.0000{key[-1]}")


OLD = [entry("k1"), entry("k2")]
TEXT = HEADER + "\n".join(each.text for each in OLD)


def merge(
    text: str | None,
    new: list[GeneratedEntry],
    cited: set[str] | None = None,
    elsewhere: frozenset[str] = frozenset(),
    force: bool = False,
    was_cited: frozenset[str] = frozenset({"k1", "k2"}),
) -> MergedBib:
    shelf = Shelf(text, {each.key: [each] for each in OLD}, Path("related.bib"), force, was_cited)
    wanted = {each.key for each in new} if cited is None else cited
    return merge_entries(shelf, HEADER, new, frozenset(wanted), elsewhere)


@pytest.mark.parametrize("there", [None, "", "\n"])
def test_a_new_file_holds_the_entries(there: str | None) -> None:
    assert merge(there, OLD).text == TEXT


def test_what_did_not_change_stays_byte_for_byte() -> None:
    for text in (TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace("  ", "\t"), "% mine\n" + TEXT + "\n\n"):
        assert merge(text, OLD).text == text


def test_an_entry_that_is_cited_no_more_goes_and_a_new_one_follows() -> None:
    made = merge(TEXT, [entry("k2"), entry("k3")])
    assert made.text == HEADER + entry("k2").text + "\n" + entry("k3").text
    assert {base.key for base in made.bases} == {"k2", "k3"}


def test_an_entry_that_only_the_author_s_sentence_cites_stays() -> None:
    assert merge(TEXT, [entry("k2")], {"k1", "k2"}).text == TEXT


def test_a_generated_entry_is_renewed() -> None:
    assert merge(TEXT, [entry("k1", "2018"), entry("k2")]).text == TEXT.replace("2017", "2018", 1)


def test_fields_of_the_author_s_stay_and_the_others_are_renewed() -> None:
    ours = TEXT.replace("{On k1}", "{About {K1}}")
    made = merge(ours, [entry("k1", "2018"), entry("k2")])
    assert made.text == ours.replace("2017", "2018", 1)
    assert not made.findings
    theirs = GeneratedEntry("k1", OLD[0].text.replace("On k1", "Of k1"), "1706.00001")
    made = merge(ours, [theirs, OLD[1]])
    assert made.text == ours
    assert [finding.code for finding in made.findings] == ["entry_offer"]
    assert "Of k1" in made.findings[0].message


def test_a_field_that_the_author_deleted_stays_deleted_and_a_new_one_is_added() -> None:
    ours = TEXT.replace("  year = {2017},\n", "", 1)
    assert merge(ours, [entry("k1"), entry("k2")]).text == ours
    made = merge(ours, [entry("k1", more="\n  doi = {10.1/x},"), entry("k2")])
    assert "doi" in parse_bib(made.text)[0].fields
    assert "year" not in parse_bib(made.text)[0].fields


def test_entries_of_the_author_s_are_not_touched() -> None:
    own = "@article{own, title = {Mine},}\n@string{me = {Me}}\nremarks of mine\n"
    assert merge(TEXT + own, []).text == HEADER + own
    assert merge(TEXT + own, OLD).text == TEXT + own


def test_an_entry_that_was_moved_to_the_draft_s_own_bibliography_goes() -> None:
    made = merge(TEXT, [OLD[1]], {"k1", "k2"}, frozenset({"k1"}))
    assert made.text == HEADER + OLD[1].text


def test_a_deleted_entry_that_is_cited_comes_back_and_is_told_of() -> None:
    made = merge(HEADER + OLD[1].text, [OLD[1]], {"k1", "k2"})
    assert [each.key for each in parse_bib(made.text)] == ["k2", "k1"]
    assert [finding.code for finding in made.findings] == ["entry_restored"]
    assert not merge(HEADER + OLD[1].text, [OLD[1]]).findings


def test_an_entry_that_went_with_its_citation_comes_back_with_it_in_silence() -> None:
    made = merge(HEADER + OLD[1].text, OLD, {"k1", "k2"}, was_cited=frozenset({"k2"}))
    assert [each.key for each in parse_bib(made.text)] == ["k2", "k1"]
    assert not made.findings


def test_nothing_is_put_into_an_entry_that_is_not_closed() -> None:
    torn = TEXT.rstrip().removesuffix("}")
    made = merge(torn, [*OLD, entry("k3")])
    assert made.text == torn
    assert [finding.code for finding in made.findings] == ["entry_blocked"]


def test_force_gives_up_the_author_s_fields_and_keeps_the_author_s_entries() -> None:
    ours = TEXT.replace("{On k1}", "{About}") + "@misc{own, title={x}}\n"
    assert merge(ours, OLD, force=True).text == TEXT + "@misc{own, title={x}}\n"


_WORDS = st.sampled_from(
    ["Zq1q", "@misc{own,\n title = {Zq2q}}\n", "{", "}", '"', ",\n note = {Zq3q}", "% Zq4q\n", "@", "\r\n", " = "]
)


@settings(max_examples=int(os.environ.get("CITEPLUG_LONG") or 100), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), _WORDS), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_no_word_that_the_author_typed_is_lost(typed: list[tuple[int, str]], cited: bool, newer: bool) -> None:
    text = TEXT
    for at, words in typed:
        text = text[: at % (len(text) + 1)] + words + text[at % (len(text) + 1) :]
    new = [entry("k1", "2018" if newer else "2017"), entry("k3")] if cited else []
    made = merge(text, new)
    for word in ("Zq1q", "Zq2q", "Zq3q", "Zq4q"):
        assert made.text.count(word) == text.count(word), text
