from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import print_title
from citeplug.bib.write.splice import Spliced, apply, splice
from citeplug.bib.write.writing import learn_writing
from citeplug.bibtex.entries import read_bib
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import FieldChange
from citeplug.text.folding import fold_title
from citeplug.text.people import compare_authors
from citeplug.text.tex_text import decode_tex
from tests.bib.bib_texts import bib_texts
from tests.harness.papers import person, title


def read(text: str) -> list[BibEntry]:
    return read_bib(text, Path("refs.bib")).entries


def change(text: str, field: str, value: str | None, number: int = 0, engine: str = "bibtex") -> tuple[str, Spliced]:
    """The text with one field changed."""
    entries = read(text)
    dialect = Dialect("biber" if engine == "biber" else "bibtex")
    done = splice(text, entries[number], [FieldChange("code", field, value)], learn_writing(entries, dialect))
    return apply(text, done.edits), done


def changed(text: str, field: str, value: str | None, number: int = 0, engine: str = "bibtex") -> str:
    return change(text, field, value, number, engine)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@misc{a, year = {2016}, note={n}}", "@misc{a, year = {2017}, note={n}}"),
        ('@misc{a, year = "2016"}', '@misc{a, year = "2017"}'),
        ("@misc{a,\r\n  YEAR   =   2016\r\n}\r\n", "@misc{a,\r\n  YEAR   =   2017\r\n}\r\n"),
        ("@misc(a, year={2016} )", "@misc(a, year={2017} )"),
        ("% year = {2016}\n@misc{a,year={2016}}", "% year = {2016}\n@misc{a,year={2017}}"),
        ('@string{y="2016"}@misc{a, year = y, note=y}', '@string{y="2016"}@misc{a, year = {2017}, note=y}'),
        ('@misc{a, year = "20" #\n {16}, note=x}', '@misc{a, year = "2017", note=x}'),
        ("@misc{a, title={T, year = {1999}}, year={2016},}", "@misc{a, title={T, year = {1999}}, year={2017},}"),
    ],
)
def test_one_value_is_replaced_where_it_stands(before: str, after: str) -> None:
    assert changed(before, "year", "2017") == after


NEW = "doi = {10.1000/x}"


@pytest.mark.parametrize(
    ("before", "new", "end"),
    [
        ("@misc{a,\n  title = {T},\n  year = {1}", f",\n  {NEW}", ",\n}"),
        ("@misc{a,\n  title = {T},\n  year = {1}", f",\n  {NEW}", "\n}"),
        ("@misc{a, title={T}, year={1}", ", doi={10.1000/x}", "}"),
        ('@MISC{a,\r\n\tTITLE = "T",\r\n\tYEAR = 1', ',\r\n\tDOI = "10.1000/x"', "\r\n}"),
        ("@misc{a\n  , title = {T}\n  , year = {1}", f"\n  , {NEW}", "\n}"),
        ("@misc{a,\n title  = {T},\n author = {B}", ",\n doi    = {10.1000/x}", "}"),
        ("@misc{a,\n title=  {T},\n author= {B}", ",\n doi=    {10.1000/x}", "}"),
        ("@misc{a", f",\n  {NEW}", "}"),
    ],
)
def test_a_new_field_looks_like_those_beside_it(before: str, new: str, end: str) -> None:
    assert changed(before + end, "doi", "10.1000/x") == before + new + end


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@misc{a,\n  note = {N},\n  year = {1},\n}", "@misc{a,\n  year = {1},\n}"),
        ("@misc{a,\n  year = {1},\n  note = {N},\n}", "@misc{a,\n  year = {1},\n}"),
        ("@misc{a,\n  year = {1},\n  note = {N}\n}", "@misc{a,\n  year = {1}\n}"),
        ("@misc{a\n , year = {1}\n , note = {N}\n }", "@misc{a\n , year = {1}\n }"),
        ("@misc{a, note={N}}", "@misc{a}"),
    ],
)
def test_a_field_is_removed_with_its_comma_and_its_line(before: str, after: str) -> None:
    assert changed(before, "note", None) == after


def test_only_the_words_of_a_title_that_differ_are_written_anew() -> None:
    before = "@misc{a, title = {{Attenton} is\n   {\\emph All} you need}}"
    assert changed(before, "title", "Attention Is All You Need") == before.replace("{Attenton}", "Attention")
    before = "@misc{a, title = {{The BERT Modle of $O(N)$}}}"
    assert changed(before, "title", "The BERT Model of $O(N)$") == before.replace("Modle", "Model")


def test_new_words_of_a_title_keep_their_capitals_in_every_style() -> None:
    assert changed("@misc{a, title = {Bret in nets}}", "title", "BERT in nets") == "@misc{a, title = {{BERT} in nets}}"
    assert "{$O(N)$}" in changed("@misc{a, title = {Things}}", "title", "Sums of $O(N)$ things")


def test_authors_who_are_right_stay_as_they_are_written() -> None:
    before = "@misc{a, author = {A. Vaswani and\n  Shazeer, N. and Wrong, X.}}"
    after = changed(before, "author", "Ashish Vaswani and Noam Shazeer and Niki Parmar")
    assert after == before.replace("Wrong, X.", "Parmar, Niki")


def test_names_follow_the_order_of_the_field_where_bibtex_still_reads_them() -> None:
    before = "@misc{a, author = {Jane Doe and Wrong Man and Other Man}}"
    after = changed(before, "author", "Jane Doe and Aaron van den Oord and John Smith Jr.")
    assert after == "@misc{a, author = {Jane Doe and Aaron van den Oord and Smith, Jr., John}}"


@pytest.mark.parametrize(
    ("field", "written", "same"),
    [
        ("title", "{S{\\^\\i}rbu's {\\emph{Way}} of $\\alpha$}", "Sîrbu’s Way of $\\alpha$"),
        ("author", "Sîrbu, A. and {\\L}o{\\'s}, B.", "Anna Sîrbu and Bob Łoś"),
        ("year", " 2017 ", "2017"),
        ("doi", "https://doi.org/10.1000/AB\\_C", "10.1000/ab_c"),
        ("note", 'see {\\bf M{\\"u}ller}', "see Müller"),
    ],
)
def test_what_says_the_same_in_another_form_is_left(field: str, written: str, same: str) -> None:
    text = f"@misc{{a, {field} = {{{written}}}}}"
    done = change(text, field, same)
    assert done[0] == text
    assert not done[1].made
    assert not done[1].refused


def test_a_file_in_ascii_gets_accents_as_commands_and_one_in_unicode_letters() -> None:
    ascii_file = "@misc{a, author = {Smith, J.}, title={T}}"
    assert r"M{\"{u}}ller, Karl" in changed(ascii_file, "author", "Karl Müller")
    unicode_file = "@misc{a, author = {Łoś, J.}, title={T}}"
    assert "Müller, Karl" in changed(unicode_file, "author", "Karl Müller")
    assert "Müller, Karl" in changed(ascii_file, "author", "Karl Müller", engine="biber")


def test_signs_that_act_in_latex_are_escaped() -> None:
    text = "@misc{a, title = {T}, note = {T}}"
    assert changed(text, "note", "100% of R&D in C#_$") == text.replace(
        "note = {T}", r"note = {100\% of R\&D in C\#\_\$}"
    )
    assert r"100\% of {R\&D} in {C}\#" in changed(text, "title", "100% of R&D in C#")


def test_an_address_keeps_its_form_and_only_the_id_changes() -> None:
    before = "@misc{a, note = {see \\url{http://arxiv.org/abs/1706.03761v2}, again}}"
    said = decode_tex(read(before)[0].fields["note"]).replace("1706.03761v2", "1706.03762")
    assert changed(before, "note", said) == before.replace("1706.03761v2", "1706.03762")
    before = "@misc{a, eprint = {arXiv:1706.03761}, doi={https://dx.doi.org/10.1000/9}}"
    after = changed(changed(before, "eprint", "1706.03762"), "doi", "10.1000/8")
    assert after == before.replace("03761", "03762").replace("/9", "/8")


def test_a_field_with_commands_that_would_be_lost_is_refused() -> None:
    text = "@misc{a, note = {see \\cite{b}}}"
    after, done = change(text, "note", "something else")
    assert after == text
    assert "commands" in done.refused[0].why


def test_a_doi_that_would_stop_latex_is_refused_unless_the_file_has_such_ones() -> None:
    plain = "@misc{a, doi = {10.1000/x}}"
    assert change(plain, "doi", "10.1000/a_b")[1].refused
    assert "{10.1000/a_b}" in changed(plain + "@misc{b, doi={10.1000/c_d}}", "doi", "10.1000/a_b")
    assert r"{10.1000/a\_b}" in changed(plain + r"@misc{b, doi={10.1000/c\_d}}", "doi", "10.1000/a_b")


@pytest.mark.parametrize(
    "text",
    [
        "@misc{a, title = {T} year = {2016}}",
        "@misc{a, title = {T}, year = {2016}, year = {2015}}",
        "@misc{a, title = {T}, % year\n year = {2016}}",
        "@misc{a, title = {T}, year = 2016",
    ],
)
def test_an_entry_that_bibtex_stumbles_over_is_left_alone(text: str) -> None:
    after, done = change(text, "year", "2017")
    assert after == text
    assert done.refused


def test_the_second_of_two_entries_with_one_key_is_found() -> None:
    text = "@misc{a, year={2016}}\n@misc{a, year={2016}}"
    assert changed(text, "year", "2017", number=1) == "@misc{a, year={2016}}\n@misc{a, year={2017}}"


def test_a_quote_in_a_quoted_value_is_put_in_braces() -> None:
    after = changed('@misc{a, title = "T", note={x}}', "title", 'The 5" disk')
    assert fold_title(read(after)[0].fields["title"]) == "the 5 disk"


def test_what_other_writers_lose_stays_in_the_file() -> None:
    """The harm that bibtexparser, pybtex and bibtex-tidy did to real files (bibtex.md)."""
    text = """% a comment of mine
@string{tods = "Transactions"}
@comment{kept, for = {later}}
@article{One, journal = tods # ", " #
   { part 2}, title = {R\\&D of 100\\% x_1 \\url{http://a.b/c_d%20e}}, year = 2001, Year-Seen = {x}}
@article{One, title = {The same key again}, year = 2016}
@preamble{"\\newcommand{\\x}{y}"}
   @misc{two, title = {T}, year = {2016}}   trailing words
"""
    assert changed(text, "year", "2017", number=2) == text.replace("{2016}", "{2017}")
    assert changed(text, "year", "2017", number=1) == text.replace("= 2016", "= 2017")
    assert changed(text, "title", "A new title", number=2) == text.replace("{T}", "{A new title}")


def test_a_key_is_never_changed() -> None:
    text = "@misc{Müller:2016+x, title = {T}, year = {2016}}"
    assert changed(text, "year", "2017") == text.replace("2016}}", "2017}}")


_change = st.one_of(
    st.tuples(st.just("title"), title),
    st.tuples(st.just("author"), st.lists(person, min_size=1, max_size=3).map(" and ".join)),
    st.tuples(st.just("year"), st.integers(1990, 2030).map(str)),
    st.tuples(st.sampled_from(["doi", "note", "journal"]), st.sampled_from(["10.1000/182", "arXiv 1706.03762"])),
    st.tuples(st.sampled_from(["note", "year", "journal", "abstract"]), st.none()),
)


@settings(max_examples=80, deadline=None)
@given(bib_texts(), st.data(), _change)
def test_one_change_touches_nothing_else_and_is_read_again(
    text: str, data: st.DataObject, what: tuple[str, str | None]
) -> None:
    before = read(text)
    assume(before)
    field, value = what
    number = data.draw(st.integers(0, len(before) - 1))
    after, done = change(text, field, value, number)
    again = read(after)
    assert [(entry.key, entry.kind) for entry in again] == [(entry.key, entry.kind) for entry in before]
    for index, (old, new) in enumerate(zip(before, again, strict=True)):
        touched = {field} if index == number and done.made else set()
        assert {n: v for n, v in old.fields.items() if n not in touched} == {
            n: v for n, v in new.fields.items() if n not in touched
        }
    if not done.made:
        assert after == text
    elif value is None:
        assert field not in again[number].fields
    elif field == "title":
        assert fold_title(again[number].fields[field]) == fold_title(print_title(value, Dialect()))
    elif field == "author":
        assert compare_authors(again[number].fields[field], value.split(" and ")).degree == "same"
    else:
        assert decode_tex(again[number].fields[field]) == value
    # Applied twice is applied once.
    assert changed(after, field, value, number) == after


@settings(max_examples=40, deadline=None)
@given(bib_texts())
def test_no_change_leaves_every_byte(text: str) -> None:
    for entry in read(text):
        assert not splice(text, entry, [], learn_writing([entry], Dialect())).edits
        same = [FieldChange("c", name, decode_tex(value)) for name, value in entry.fields.items() if name == "year"]
        assert apply(text, splice(text, entry, same, learn_writing([entry], Dialect())).edits) == text
