"""The entries of the author's own .bib files."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.library.entries import holdings_of_bib, rekeyed
from citeplug.bibtex.entries import parse_bib
from citeplug.records.work import Holding

FILE = Path("/refs.bib")


def read(text: str) -> list[Holding]:
    found, problems = holdings_of_bib(text, FILE)
    assert not problems
    return found


def test_an_entry_is_kept_as_its_author_wrote_it() -> None:
    text = '@ARTICLE (Roe:2001+x,\n\tauthor = "Jane Roe" , title={{On} Trees} ,year=2001)'
    (found,) = read(f"% mine\n{text}\n")
    assert found.entry == text
    assert (found.key, found.title, found.authors, found.year) == ("Roe:2001+x", "On Trees", ("Jane Roe",), 2001)


def test_what_an_entry_says_is_read_as_text() -> None:
    (found,) = read(
        r"@article{a, author = {M{\"u}ller, Ada and van der Berg, Jr., Eva and others}, title = {The {$\alpha$} of it},"
        r" date = {1998-05}, subtitle = {A View}, doi = {https://doi.org/10.1000/XYZ}, eprint = {1706.03762v2},"
        r" archiveprefix = {arXiv}, abstract = {We show \emph{that} $x$ holds.}}"
    )
    assert found.authors == ("Ada Müller", "Eva van der Berg Jr.", "others")
    assert found.title == r"The $\alpha$ of it: A View"
    assert (found.year, found.doi, found.arxiv_id) == (1998, "10.1000/xyz", "1706.03762")
    assert found.abstract == "We show that $x$ holds."


def test_a_macro_of_the_file_is_written_out_and_a_month_is_not() -> None:
    (found,) = read(
        '@string{j = "Journal of " # x}@string{x="Y"}@article{a, author={A B}, title={T}, journal=j, month=JAN}'
    )
    assert "journal = {Journal of x}" in found.entry
    assert "month   = jan," in found.entry


def test_what_an_entry_has_from_its_parent_comes_with_it() -> None:
    (child, parent) = read(
        "@inproceedings{c, author={A B}, title={A Child}, crossref={P}}"
        "@proceedings{P, editor={C D}, title={Proc. of Things}, year=2001, publisher={X}}"
    )
    assert child.year == 2001
    (entry,) = parse_bib(child.entry)
    assert entry.fields["booktitle"] == "Proc. of Things"
    assert entry.fields["title"] == "A Child"
    assert "crossref" not in entry.fields
    assert parent.authors == ("C D",)


def test_parents_that_name_each_other_come_to_an_end() -> None:
    found = read("@inbook{a, author={A}, title={T}, crossref={b}}@book{b, author={B}, title={U}, crossref={a}}")
    assert [each.key for each in found] == ["a", "b"]


def test_paths_notes_and_abstracts_stay_at_home() -> None:
    (found,) = read(
        "@article{a, author={A B}, title={T}, file={:/home/me/Old Papers/b2.pdf:PDF}, year=2001,\n"
        " abstract={Long.}, annote={not good}, bdsk-file-1={x}}"
    )
    (entry,) = parse_bib(found.entry)
    assert set(entry.fields) == {"author", "title", "year"}
    assert found.abstract == "Long."
    assert found.names == ("a", "b2")


def test_what_cannot_be_taken_is_told_and_the_rest_is_taken() -> None:
    text = (
        "@article{a, title={T}, author={A}}@article{a, title={T2}}@misc{n, author={B}}@article{broken key, title={X}}"
    )
    found, problems = holdings_of_bib(text, FILE)
    assert [each.title for each in found] == ["T"]
    assert len(problems) == 3
    assert any("occurs twice" in problem for problem in problems)
    assert any("no title" in problem for problem in problems)


def test_an_entry_is_given_another_key_and_nothing_else() -> None:
    assert rekeyed("@Misc( a.b ,title={a.b})", "a.b", "a.bc") == "@Misc( a.bc ,title={a.b})"


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for found in holdings_of_bib(text, FILE)[0]:
        (entry,) = parse_bib(found.entry)
        assert entry.key == found.key
