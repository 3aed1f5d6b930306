import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibtex.entries import MOST_TEXT, Bibliography, end_of_reading, read_bib, read_cited_beyond
from citeplug.records.draft import BibEntry

HERE = Path("refs.bib")


def only(text: str) -> BibEntry:
    entries = read_bib(text, HERE).entries
    assert len(entries) == 1
    return entries[0]


def found(bibliography: Bibliography) -> list[str]:
    return [finding.code for finding in bibliography.findings]


def test_an_entry_has_its_key_kind_and_raw_fields() -> None:
    entry = only('@Article{Key:1,\n  Title = {A {B} \\"o}, year = 1999, note = "x {"} y", month = jan,\n}\n')
    assert (entry.key, entry.kind) == ("Key:1", "article")
    assert entry.fields == {"title": 'A {B} \\"o', "year": "1999", "note": 'x {"} y', "month": "jan"}


def test_parentheses_may_delimit_an_entry() -> None:
    assert only("@BOOK (knuth, title = {A (b) c})").fields == {"title": "A (b) c"}


def test_string_macros_and_joins_are_resolved() -> None:
    text = '@string{jml = "J. Mach. Learn."}\n@string(r = {Research})\n@misc{a, journal = jml # " " # r # {!}}'
    assert only(text).fields == {"journal": "J. Mach. Learn. Research!"}


def test_keys_with_odd_characters_are_kept() -> None:
    entries = read_bib("@misc{a:b, x=1}\n@misc{c+d/e.f, x=1}\n@misc{o’neil2010, x=1}", HERE).entries
    assert [entry.key for entry in entries] == ["a:b", "c+d/e.f", "o’neil2010"]


def test_a_span_covers_the_entry_and_its_line_is_right() -> None:
    text = "% é\r\n\r\n@misc{a,\r\n  title={x}}\r\njunk @misc{b, title={y}}"
    first, second = read_bib(text, HERE).entries
    assert text[first.span.start : first.span.end] == "@misc{a,\r\n  title={x}}"
    assert text[second.span.start : second.span.end] == "@misc{b, title={y}}"
    assert (first.span.line, second.span.line) == (3, 5)


def test_a_duplicate_key_is_kept_and_reported() -> None:
    bibliography = read_bib("@misc{a, x=1}\n@misc{a, x=2}\n@misc{A, x=3}", HERE)
    assert [entry.fields["x"] for entry in bibliography.entries] == ["1", "2", "3"]
    assert found(bibliography) == ["duplicate_key", "duplicate_key"]


def test_a_missing_comma_is_reported_and_swallows_nothing() -> None:
    bibliography = read_bib("@misc{a,\n title = {T}\n year = 1999\n}", HERE)
    assert bibliography.entries[0].fields == {"title": "T", "year": "1999"}
    assert found(bibliography) == ["missing_comma"]


def test_a_field_that_is_given_twice_keeps_its_first_value() -> None:
    bibliography = read_bib("@misc{a, title={x}, title={y}}", HERE)
    assert bibliography.entries[0].fields == {"title": "x"}
    assert found(bibliography) == ["duplicate_field"]


@pytest.mark.parametrize("key", ["Zhu&Zhao2019", "O'Neil", 'a"b', "a(b)", "a{b", "a%b", "a[;]", "[1]", "$x$"])
def test_a_key_is_read_as_bibtex_reads_it(key: str) -> None:
    (entry, other) = read_bib(f"@misc{{{key},\n title={{x}}}}\n\n@misc{{b, title={{y}}}}", HERE).entries
    assert (entry.key, other.key) == (key, "b")


def test_a_field_in_the_place_of_the_key_is_none() -> None:
    bib = read_bib("@misc{title={x}, year=2000}\n@misc{b, title={y}}", HERE)
    assert ([entry.key for entry in bib.entries], found(bib)) == (["b"], ["entry_without_key"])


def test_an_entry_whose_key_has_a_space_says_nothing_that_could_be_relied_on() -> None:
    bib = read_bib("@misc{a b, title={x}}\n@misc{c, title={y}}", HERE)
    assert [(entry.key, entry.fields) for entry in bib.entries] == [("a", {}), ("c", {"title": "y"})]
    assert found(bib) == ["broken_entry"]


def test_many_bare_values_in_a_long_file_take_time_linear_in_its_length() -> None:
    began = time.process_time()
    read_bib("@misc{a, year = 2000, month = jan}\n" * 10_000 + "x" * 9_000_000, HERE)
    assert time.process_time() - began < 8  # with a copy of the rest of the file for each value it is 16 s


def test_an_entry_without_key_is_reported() -> None:
    assert found(read_bib("@Manual{,\n title={x}}\n@misc{b, title={y}}", HERE)) == ["entry_without_key"]


def test_an_unclosed_entry_keeps_what_can_be_read_and_loses_no_other() -> None:
    bibliography = read_bib("@misc{a, title={x},\n note={unclosed\n\n@misc{b, title={y}}\n", HERE)
    assert [entry.key for entry in bibliography.entries] == ["a", "b"]
    assert bibliography.entries[0].fields["title"] == "x"
    assert "broken_entry" in found(bibliography)


def test_comments_and_preambles_are_no_entries() -> None:
    text = '@comment{@misc{a, x=1}}\n@preamble{"\\newcommand{\\x}{y}"}\nsome@mail.org\n@misc{b, x=1}'
    assert [entry.key for entry in read_bib(text, HERE).entries] == ["b"]


@given(
    st.lists(
        st.sampled_from(["@misc{", "@article(", "a", ",", "=", "{", "}", '"', "#", "\n", "%", "@", "x", " "]),
        max_size=80,
    )
)
def test_any_text_is_read_and_spans_point_at_entries(parts: list[str]) -> None:
    text = "".join(parts)
    for entry in read_bib(text, HERE).entries:
        assert text[entry.span.start] == "@"
        assert text[entry.span.start : entry.span.end].strip()


@pytest.mark.parametrize(
    "text",
    [
        "@book\n(\n knuth\n ,\n title = {A (b)}\n)",
        "@ book {knuth, title = {A (b)}}",
        "text @book{knuth, title = {A (b)}} text",
        "%@book{knuth, title = {A (b)}}",
        "@BOOK(knuth,\r\n title = {A (b)},\r\n)",
    ],
)
def test_space_and_text_around_an_entry_do_not_matter(text: str) -> None:
    bibliography = read_bib(f"@misc{{a, x=1}}\n{text}\n@misc{{z, x=1}}", HERE)
    assert [entry.key for entry in bibliography.entries] == ["a", "knuth", "z"]
    assert bibliography.entries[1].fields == {"title": "A (b)"}
    assert bibliography.findings == []


def test_a_comma_that_is_missing_after_the_key_loses_no_field() -> None:
    entry = only("@misc{key\n title={x},\n y=2}\n")
    assert (entry.key, entry.fields) == ("key", {"title": "x", "y": "2"})


def test_an_address_in_a_comment_is_no_entry() -> None:
    assert read_bib("Write to me @ home (or else)\n@misc{a, x=1}", HERE).entries[0].key == "a"


def test_an_entry_that_goes_over_the_bound_and_those_behind_it_are_read_where_they_are_cited() -> None:
    first, long = "@misc{a, title = {A}}\n", "@misc{b, title = {%s}}\n" % ("x" * MOST_TEXT)
    text = f"{first}{long}@misc{{c, title = {{C}}}}\n@misc{{d, title = {{D}}}}\n"
    assert end_of_reading(text) == len(first)
    read = read_bib(text, HERE)
    assert [entry.key for entry in read.entries] == ["a"]
    assert [(finding.code, finding.line) for finding in read.findings] == [("bibliography_too_large", 2)]
    beyond = read_cited_beyond(text, HERE, {"c"}, {})
    assert [(entry.key, entry.fields["title"], entry.span.line) for entry in beyond] == [("c", "C", 3)]
