import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.write.splice import apply
from citeplug.bibtex.entries import entries_of
from citeplug.bibtex.syntax import read_blocks
from citeplug.bibtex.values import BibBlock
from citeplug.records.draft import BibEntry
from citeplug.records.finding import TextEdit
from tests.bib.runs import needs_bibtex, run_bibtex

FILE = Path("refs.bib")
SIGNS = "@{}(),=#%\"'\\ \n\rabc1_&$é"


def balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0


VALUES = st.text(alphabet='ab {}\\"%&#é\n', max_size=20).filter(balanced)
KEYS = st.text(alphabet="abcXYZ019:-_+./", min_size=1, max_size=8)


def read(text: str) -> list[BibEntry]:
    return entries_of(text, read_blocks(text), FILE)


def only(text: str) -> BibBlock:
    (block,) = read_blocks(text)
    return block


@given(st.text(alphabet=SIGNS, max_size=120))
def test_any_text_is_read_to_its_end(text: str) -> None:
    for percent_comments in (False, True):
        blocks = read_blocks(text, percent_comments=percent_comments)
        assert all(0 <= block.start < block.end <= len(text) for block in blocks)
        assert [block.start for block in blocks] == sorted({block.start for block in blocks})
        assert all(0 <= stumble.at <= len(text) for block in blocks for stumble in block.stumbles)
        entries_of(text, blocks, FILE)


@needs_bibtex
@given(st.lists(st.sampled_from(["@misc{", "a", "b,", "title", "=", "{", "}", '"', ",", " ", "\n", "#", "12", "@"])))
def test_what_reads_without_a_stumble_is_taken_by_bibtex(parts: list[str]) -> None:
    import tempfile

    text = "".join(parts)
    blocks = read_blocks(text)
    keys = [block.key.lower() for block in blocks if block.key is not None]
    if any(block.stumbles for block in blocks) or len(set(keys)) < len(keys):
        return
    with tempfile.TemporaryDirectory() as folder:
        ran = run_bibtex(Path(folder), text.encode(), "unsrt")
    assert not ran.failed, ran.out


@given(st.lists(st.tuples(KEYS, VALUES), max_size=5))
def test_entries_are_read_with_their_values_and_spans(given_entries: list[tuple[str, str]]) -> None:
    text = "".join(f"@misc{{{key},\n  t = {{{value}}},\n  n = 12\n}}\n\n" for key, value in given_entries)
    found = read(text)
    assert [(entry.key, entry.fields["t"]) for entry in found] == [(k, " ".join(v.split())) for k, v in given_entries]
    assert all(text[entry.span.start] == "@" and text[entry.span.end - 1] == "}" for entry in found)
    assert [entry.span.line for entry in found] == [text.count("\n", 0, e.span.start) + 1 for e in found]


def test_names_are_compared_in_lower_case_and_macros_resolved() -> None:
    text = '@STRING{ab = "A B"}\n@Misc{k, TITLE = AB # " and " # {C}, Year = 1999, month = jan}'
    (entry,) = read(text)
    assert (entry.kind, entry.fields) == ("misc", {"title": "A B and C", "year": "1999", "month": "jan"})


def test_the_first_of_two_fields_counts() -> None:
    assert read("@misc{k, title = {A}, title = {B}}")[0].fields == {"title": "A"}


def test_macros_are_handed_from_file_to_file() -> None:
    strings: dict[str, str] = {}
    first = "@string{x = {A}}"
    entries_of(first, read_blocks(first), FILE, strings)
    second = "@misc{k, title = x}"
    assert entries_of(second, read_blocks(second), FILE, strings)[0].fields == {"title": "A"}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("@misc{a, title = {T} @misc{b, title = {U}}", ["a", "b"]),
        ("@misc{a, title = {T\n@misc{b, title = {U}}", ["a", "b"]),
        ('@misc{a, title = "T\n}\n@misc{b, title = "U"}', ["a", "b"]),
        ("@misc{a, = {T}}\n@misc{b, title = {U}}", ["a", "b"]),
        ("@misc{a\n@misc{b, title = {U}}", ["a", "b"]),
        ("@misc{title = {T}}\n@misc{b, title = {U}}", ["b"]),
        ("% @misc{a, title = {T}}\n@misc{b, title = {U}}", ["a", "b"]),
        ("@comment{@misc{a, title = {T}}}\n@misc{b, title = {U}}", ["b"]),
    ],
)
def test_an_entry_behind_a_broken_one_is_read(text: str, keys: list[str]) -> None:
    assert [entry.key for entry in read(text)] == keys


def test_biber_takes_a_line_with_a_percent_sign_for_a_comment() -> None:
    text = "% @misc{a, title = {T}}\n@misc{b,\n % no = {x},\n title = {U}}"
    blocks = read_blocks(text, percent_comments=True)
    assert [(block.key, block.stumbles) for block in blocks] == [("b", ())]
    assert entries_of(text, blocks, FILE)[0].fields == {"title": "U"}


def test_the_other_fields_of_a_broken_entry_are_known() -> None:
    text = "@misc{a,\n title = {T}\n author = {A B},\n year 2000,\n note = {N},\n pages = 1--5\n}"
    assert read(text)[0].fields == {"title": "T", "author": "A B", "note": "N", "pages": "1--5"}


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("@misc{a, b = {1} c = {2}}", "@misc{a, b = {1}, c = {2}}"),
        ("@misc{a, b = {1}\n  c = {2}}", "@misc{a, b = {1},\n  c = {2}}"),
        ("@misc{a b = {1}}", "@misc{a, b = {1}}"),
        ("@misc{a,, b = {1}}", "@misc{a, b = {1}}"),
        ("@misc{a, b = , c = {2}}", "@misc{a, b = {}, c = {2}}"),
        ("@misc{a, b = 1--5, c = {2}}", "@misc{a, b = {1--5}, c = {2}}"),
        ("@misc{a, b = {1}", "@misc{a, b = {1}\n}"),
    ],
)
def test_what_is_certain_is_mended_in_its_place(text: str, mended: str) -> None:
    edits = [
        TextEdit(FILE, stumble.correction.start, stumble.correction.end, stumble.correction.text)
        for stumble in only(text).stumbles
        if stumble.correction
    ]
    after = apply(text, edits)
    assert after == mended or after.replace("  ", " ") == mended
    assert only(after).stumbles == ()


@pytest.mark.parametrize("block", ["@misc{a, t={", '@misc{a, t="\n', "@comment{", '@string{a = "b'])
def test_a_file_in_which_nothing_is_closed_takes_time_linear_in_its_length(block: str) -> None:
    began = time.monotonic()
    read_blocks(block * 5_000)
    assert time.monotonic() - began < 10  # with each brace sought anew it is a minute
