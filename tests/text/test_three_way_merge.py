"""Two versions of a sequence, or of a text in pieces, made one."""

from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.three_way_merge import Pieces, merge_pieces, merge_sequences

ITEMS = st.lists(st.sampled_from("abcdefgh"), max_size=10)


def merged(base: str, ours: str, theirs: str) -> str:
    return "".join(merge_sequences(base, ours, theirs, lambda item: item))


def test_changes_in_different_places_are_both_made() -> None:
    assert merged("abcd", "xbcd", "abcy") == "xbcy"
    assert merged("abcd", "bcd", "abc") == "bc"


def test_changes_in_the_same_place_stand_one_after_the_other() -> None:
    assert merged("abc", "axc", "ayc") == "axyc"


def test_the_same_change_is_made_once() -> None:
    assert merged("abc", "axc", "axc") == "axc"


@given(ITEMS, ITEMS)
def test_a_side_that_changed_nothing_gives_way(base: list[str], theirs: list[str]) -> None:
    assert merge_sequences(base, base, theirs, lambda item: item) == theirs
    assert merge_sequences(base, theirs, base, lambda item: item) == theirs


@given(ITEMS, ITEMS, ITEMS)
def test_nothing_that_only_one_side_has_is_lost(base: list[str], ours: list[str], theirs: list[str]) -> None:
    found = merge_sequences(base, ours, theirs, lambda item: item)
    assert (set(ours) | set(theirs)) - set(base) <= set(found)
    assert set(found) <= set(base) | set(ours) | set(theirs)


@given(st.lists(st.sampled_from(["one", "two", "two", "three"]), max_size=6), st.text("ab \n", max_size=8))
def test_pieces_joined_are_the_text_again(names: list[str], between: str) -> None:
    text, places = "", []
    for name in names:
        text += between
        places.append((name, len(text), len(text) + len(name)))
        text += name
    text += between
    pieces = Pieces.cut(text, places)
    assert "".join(pieces.leads[name] + pieces.raws[name] for name in pieces.names) + pieces.tail == text
    free: frozenset[str] = frozenset()
    assert merge_pieces(pieces, pieces, pieces, ours_free=free, theirs_free=free, meet=lambda *_: "") == text
