"""Edits of the section's file: what they name changes, and no other byte."""

import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import UsageError
from citeplug.section_file import edit
from citeplug.section_file.grammar import read_related

SECTION = r"""% citeplug: 2
Words of mine.
% citeplug:begin p1 sentences=2 words=50
% citeplug:heading Sampling
% citeplug:1 describe sampling [1706.02216]
% citeplug:2 relate to the draft
\paragraph{Sampling.}
% citeplug:note close wording: eight or more words in a row are from arXiv:1706.02216; rephrase or quote
Hamilton et al.~\cite{hamilton2017} sample neighbours.
We sample, too. % as they do
% citeplug:end p1 sha256=9c1b22ad

% between the two
% citeplug:begin p2 sentences=1 words=25
% citeplug:heading Attention
% citeplug:1 introduce attention [1710.10903]
\paragraph{Attention.}
Attention weighs neighbours.
% citeplug:end p2 sha256=12345678
"""
SAMPLE = r"Hamilton et al.~\cite{hamilton2017} sample neighbours."


def names(text: str) -> list[str]:
    return [block.id for block in read_related(text).blocks]


def test_a_moved_paragraph_takes_its_text_and_what_is_between_stays_there() -> None:
    moved = edit.move_paragraph(SECTION, "p2", -1)
    assert names(moved) == ["p2", "p1"]
    assert moved.index("Attention weighs") < moved.index("% between the two") < moved.index("We sample, too.")
    assert moved.startswith("% citeplug: 2\nWords of mine.\n% citeplug:begin p2")
    assert edit.move_paragraph(moved, "p2", 1) == SECTION == edit.move_paragraph(moved, "p1", -1)


@pytest.mark.parametrize(("name", "by"), [("p1", -1), ("p2", 1), ("p9", 1)])
def test_a_paragraph_without_a_place_to_go_is_refused(name: str, by: int) -> None:
    with pytest.raises(UsageError):
        edit.move_paragraph(SECTION, name, by)


def test_a_paragraph_without_its_end_mark_is_refused() -> None:
    torn = SECTION.replace("% citeplug:end p1 sha256=9c1b22ad\n", "")
    for name in ("p1", "p2"):
        with pytest.raises(UsageError, match="end mark"):
            edit.move_paragraph(torn, name, 1 if name == "p1" else -1)
    with pytest.raises(UsageError, match="end mark"):
        edit.delete_paragraph(torn, "p1")


def test_a_deleted_paragraph_leaves_the_words_around_it() -> None:
    left = edit.delete_paragraph(SECTION, "p1")
    assert names(left) == ["p2"]
    assert left.startswith("% citeplug: 2\nWords of mine.\n% between the two\n")
    assert edit.delete_paragraph(left, "p2") == "% citeplug: 2\nWords of mine.\n% between the two\n"


def test_a_new_paragraph_comes_last_with_a_name_of_its_own() -> None:
    more = edit.add_paragraph(SECTION, "Depth", "say how deep [1801.10247]")
    assert names(more) == ["p1", "p2", "p3"]
    assert more.startswith(SECTION.rstrip("\n"))
    plan = read_related(more).blocks[-1].plan
    assert (plan.heading, plan.lines[0].intent, plan.lines[0].cites) == ("Depth", "say how deep", ("1801.10247",))
    assert not read_related(more).blocks[-1].text.strip()
    assert names(edit.add_paragraph("", "Depth", "say how deep")) == ["p1"]


def test_plan_lines_are_changed_moved_added_and_deleted_with_numbers_in_order() -> None:
    text = edit.set_line(SECTION, "p1", 1, "topic: sampling", "describe sampling [1706.02216]")
    text = edit.move_line(text, "p1", 2, -1)
    text = edit.add_line(text, "p1", "3D graphs [1801.10247]")
    block = read_related(text).blocks[0]
    assert [(line.intent, line.kind, line.cites) for line in block.plan.lines] == [
        ("relate to the draft", None, ()),
        ("sampling", "topic", ()),
        ("3D graphs", None, ("1801.10247",)),
    ]
    assert [said.split()[0] for said in block.directives[2:]] == ["1", "2", "3"]
    assert block.text == read_related(SECTION).blocks[0].text
    text = edit.delete_line(edit.delete_line(text, "p1", 3), "p1", 1)
    assert edit.plan_lines(text, read_related(text).blocks[0]) == ["topic: sampling"]
    with pytest.raises(UsageError):
        edit.delete_line(text, "p1", 1)


def test_a_line_that_was_changed_meanwhile_is_left() -> None:
    with pytest.raises(UsageError, match="changed meanwhile"):
        edit.set_line(SECTION, "p1", 1, "other", "what was there before")


@pytest.mark.parametrize("new", ["end p1", "begin p9", "keep", "heading X", "note new: x", "2", "% citeplug:end p1"])
def test_no_words_of_a_line_end_its_block(new: str) -> None:
    changed = edit.set_line(SECTION, "p1", 1, new)
    assert names(changed) == ["p1", "p2"]
    block = read_related(changed).blocks[0]
    assert (len(block.plan.lines), block.keep, block.plan.heading, block.ended) == (2, False, "Sampling", True)


def test_a_heading_is_changed_and_made() -> None:
    assert read_related(edit.set_heading(SECTION, "p1", "On\nsampling")).blocks[0].plan.heading == "On sampling"
    bare = SECTION.replace("% citeplug:heading Sampling\n", "")
    assert edit.set_heading(bare, "p1", "Sampling") == SECTION


def test_a_sentence_goes_with_its_note_and_no_other_word() -> None:
    left = edit.delete_sentence(SECTION, "p1", SAMPLE)
    assert left == SECTION.replace(SAMPLE + "\n", "").replace(
        "% citeplug:note close wording: eight or more words in a row are from arXiv:1706.02216; rephrase or quote\n", ""
    )


def test_a_sentence_in_the_middle_of_a_line_goes_alone() -> None:
    flowed = SECTION.replace(SAMPLE + "\nWe", SAMPLE.replace(" sample ", "\n  sample ") + " We")
    left = edit.delete_sentence(flowed, "p1", SAMPLE)
    assert "We sample, too. % as they do\n" in left
    assert "Hamilton" not in left


def test_a_sentence_is_put_behind_the_one_that_it_followed() -> None:
    left = edit.delete_sentence(SECTION, "p1", SAMPLE)
    assert f"\\paragraph{{Sampling.}}\n{SAMPLE}\nWe sample" in edit.put_sentence(left, "p1", SAMPLE, [])
    last = edit.put_sentence(left, "p1", SAMPLE, ["not there", "We sample, too."])
    assert last.index("We sample, too.") < last.index("Hamilton") < last.index("citeplug:end p1")


def test_a_sentence_is_reworded_and_the_words_around_it_stay() -> None:
    changed = edit.set_sentence(SECTION, "p1", SAMPLE, "They sample.\n")
    assert changed == SECTION.replace(SAMPLE, "They sample.")
    for new in ("", "  \n", "Two.\n% citeplug:end p1"):
        with pytest.raises(UsageError):
            edit.set_sentence(SECTION, "p1", SAMPLE, new)
    with pytest.raises(UsageError, match="changed meanwhile"):
        edit.set_sentence(SECTION, "p2", SAMPLE, "They sample.")


def test_a_short_sentence_is_not_found_in_a_longer_one() -> None:
    text = SECTION.replace("Attention weighs neighbours.", "Surely attention helps. Attention helps.")
    text = text.replace("Surely attention", "Surely Attention")
    assert "Surely Attention helps. It does." in edit.set_sentence(text, "p2", "Attention helps.", "It does.")


EDITS: list[Callable[[str], str]] = [
    lambda text: edit.move_paragraph(text, "p1", 1),
    lambda text: edit.delete_paragraph(text, "p1"),
    lambda text: edit.add_paragraph(text, "Heading", "line"),
    lambda text: edit.set_heading(text, "p1", "Heading"),
    lambda text: edit.set_line(text, "p1", 1, "line [1706.02216]"),
    lambda text: edit.move_line(text, "p1", 1, 1),
    lambda text: edit.add_line(text, "p1", "line"),
    lambda text: edit.delete_sentence(text, "p1", SAMPLE),
    lambda text: edit.set_sentence(text, "p1", SAMPLE, "They sample."),
]
PIECES = st.sampled_from([*SECTION.splitlines(), "", "Mine. Also mine.", "  indented", "% a remark", "{", "\\begin{x}"])


@given(st.lists(PIECES, max_size=30), st.sampled_from(["\n", "\r\n"]), st.sampled_from(EDITS))
def test_no_line_of_the_author_s_is_lost(lines: list[str], newline: str, change: Callable[[str], str]) -> None:
    text = newline.join(lines)
    try:
        after = change(text)
    except UsageError:
        return
    mine = {"Words of mine.", "Mine. Also mine.", "  indented", "% a remark", "% between the two"}
    before, now = read_related(text), read_related(after)
    outside = Counter(line for line in before.outside.splitlines() if line in mine)
    if all(block.ended for block in before.blocks):
        assert outside == Counter(line for line in now.outside.splitlines() if line in mine)
    else:  # what comes behind a paragraph without an end may be read as part of it
        assert outside <= Counter(after.splitlines())


@given(st.sampled_from(EDITS))
def test_line_ends_stay(change: Callable[[str], str]) -> None:
    assert change(SECTION.replace("\n", "\r\n")) == change(SECTION).replace("\n", "\r\n")


@pytest.mark.parametrize(
    "new", ["<<<<<<< ours\nMine.\n>>>>>>> theirs", "Bell\x07.", "Null\x00.", "Escape \x1b[31m.", "C1 \x85."]
)
def test_a_sentence_with_marks_of_a_merge_or_control_characters_is_refused(new: str) -> None:
    with pytest.raises(UsageError, match="a sentence cannot"):
        edit.set_sentence(SECTION, "p1", SAMPLE, new)


def test_a_comment_at_a_sentence_s_end_takes_nothing_of_the_line_with_it() -> None:
    text = edit.set_sentence(SECTION, "p1", SAMPLE, "Mine. % look again")
    two = text.replace("Mine. % look again", f"{SAMPLE} The next one.")
    assert "Mine. % look again\n" in edit.set_sentence(two, "p1", SAMPLE, "Mine. % look again")
    assert "10\\% The next one." in edit.set_sentence(two, "p1", SAMPLE, "By 10\\%")


def test_what_was_changed_meanwhile_is_neither_deleted_nor_renamed() -> None:
    block = edit.block_named(SECTION, "p2")
    seen = edit.paragraph_hash(SECTION, block)
    assert names(edit.delete_paragraph(SECTION, "p2", seen)) == ["p1"]
    with pytest.raises(UsageError, match="changed meanwhile"):
        edit.delete_paragraph(SECTION.replace("Attention weighs", "Attention counts"), "p2", seen)
    with pytest.raises(UsageError, match="changed meanwhile"):
        edit.set_heading(SECTION, "p2", "New", "not its heading")
    assert "heading New" in edit.set_heading(SECTION, "p2", "New", block.plan.heading)


@given(st.integers(0, 2), st.integers(0, 3), st.booleans())
def test_a_paragraph_is_put_anywhere_with_all_of_it(number: int, place: int, crlf: bool) -> None:
    texts = [f"% citeplug:begin p{n}\n% citeplug:1 say {n}\nText {n}.\n% citeplug:end p{n}\n" for n in range(3)]
    text = "% citeplug: 2\n" + "\nbetween\n".join(texts) + "after\n"
    text = text.replace("\n", "\r\n") if crlf else text
    before = f"p{place}" if place < 3 else None
    after = edit.place_paragraph(text, f"p{number}", before)
    rest = [n for n in range(3) if n != number]
    wanted = {n: [*rest[: rest.index(n)], number, *rest[rest.index(n) :]] for n in rest}
    wanted |= {3: [*rest, number], number: [0, 1, 2]}
    assert [int(each) for each in re.findall(r"begin p(\d)", after)] == wanted[place]
    assert sorted(after.splitlines()) == sorted(text.splitlines()) and after.count("between") == 2
