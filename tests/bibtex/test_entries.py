from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bibtex.entries import parse_bib


def test_fields_come_without_delimiters_with_macros_and_joins_resolved() -> None:
    (entry,) = parse_bib(
        '@string{jan = "January"}\n@Article(key1, Title = {A {B} c}, note = "x" # jan # {y}, year = 2001)'
    )
    assert (entry.key, entry.kind) == ("key1", "article")
    assert entry.fields == {"title": "A {B} c", "note": "xJanuaryy", "year": "2001"}


def test_spans_cover_the_entry_from_its_sign_to_its_brace() -> None:
    text = "% c\n\n@misc{a, title={A}}\n\n@misc{b,\n title={B}\n}\n"
    entries = parse_bib(text, Path("x.bib"))
    assert [text[e.span.start : e.span.end][:7] for e in entries] == ["@misc{a", "@misc{b"]
    assert [e.span.line for e in entries] == [3, 5]
    assert all(text[e.span.end - 1] == "}" for e in entries)


def test_an_unreadable_block_hides_no_other_entry() -> None:
    entries = parse_bib("@misc{a, title={A}}\n@misc{broken, title={x\n\n@misc{b, title={B}}\n@misc{a, title={again}}")
    assert [entry.key for entry in entries if entry.key != "broken"] == ["a", "b", "a"]


def test_ids_are_found_where_tools_put_them() -> None:
    for text in ("eprint={1706.03762v5}", "url={http://arxiv.org/abs/1706.03762}", "doi={10.48550/arXiv.1706.03762}"):
        assert parse_bib(f"@misc{{a, {text}}}")[0].arxiv_id == "1706.03762"


@given(st.text('@{}(),="#%\\ \nabmisc', max_size=60))
def test_nothing_is_too_broken_to_be_read(text: str) -> None:
    parse_bib(text)


def test_an_entry_with_a_comma_too_many_or_too_few_is_read() -> None:
    (few, many) = parse_bib("@misc{a, title={A}\n year=2001}\n@misc{b, title={B},, year=2002}")
    assert (few.fields["year"], many.fields["year"]) == ("2001", "2002")


def test_an_entry_with_a_brace_too_many_is_passed_over() -> None:
    assert parse_bib("@misc{a, title={A}}, year=2001}") == parse_bib("@misc{a, title={A}}")
    assert parse_bib("@misc{a, title={A}, year=2001} }\n@misc{b, title={{B}, year=2002}") == parse_bib(
        "@misc{a, title={A}, year=2001}"
    )
