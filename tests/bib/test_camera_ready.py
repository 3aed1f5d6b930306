"""What is to be seen to before a bibliography is printed, and what of it is corrected."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.check import check_bibliography
from citeplug.bib.fixed import FixRequest
from citeplug.settings.environment import Settings
from tests.bib.runs import needs_bibtex
from tests.bib.test_fix_bibliography import catalogue, fix
from tests.harness.papers import paper

STRINGS = paper(
    "1001.0001",
    "Strings on a Sphere",
    ("Ann Berg", "Carl Dahl", "Eva Frey"),
    date(2010, 1, 4),
    journal_ref="Phys. Rev. D 54, 1234-1240 (2011)",
    doi="10.1103/PhysRevD.54.1234",
)
READY = FixRequest(published=True, camera_ready=True)
PRINTED = """@article{berg,
  title = {Strings on a Sphere},
  author = {A. Berg and others},
  journal = {Phys. Rev. D},
  eprint = {1001.0001},
  volume = {54},
  pages = {1234},
  year = {2011}
}
"""


@pytest.fixture
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    with catalogue(tmp_path_factory.mktemp("catalogue"), STRINGS) as settings:
        yield settings


def codes(folder: Path, text: str, chosen: Settings, *, camera_ready: bool = True) -> list[str]:
    (folder / "refs.bib").write_text(text)
    report = check_bibliography(
        [folder / "refs.bib"], chosen, report=lambda *_: None, today=date(2026, 1, 15), camera_ready=camera_ready
    )
    return [f.code for entry in report.entries for f in entry.findings if f.severity in ("warning", "error")]


def test_a_cut_list_of_authors_and_what_the_record_has_more_are_warnings_before_print(
    tmp_path: Path, chosen: Settings
) -> None:
    assert codes(tmp_path, PRINTED, chosen, camera_ready=False) == []
    assert codes(tmp_path, PRINTED, chosen) == ["authors_cut", "doi_missing", "pages_differ"]


def test_they_are_corrected_by_the_record_which_is_named(tmp_path: Path, chosen: Settings) -> None:
    data, done = fix(tmp_path, PRINTED.encode(), chosen, READY)
    expected = PRINTED.replace("A. Berg and others", "A. Berg and C. Dahl and E. Frey").replace("1234}", "1234--1240}")
    assert data.decode().replace("Carl", "C.").replace("Eva", "E.") == expected.replace(
        "{2011}", "{2011},\n  doi = {10.1103/physrevd.54.1234}"
    )
    assert {change.record for change in done.fixed} == {"arXiv:1001.0001"}


@pytest.mark.parametrize(("field", "other"), [("volume = {54}", "volume = {55}"), ("year = {2011}", "year = {2010}")])
def test_nothing_is_taken_from_another_form_of_the_work(
    tmp_path: Path, chosen: Settings, field: str, other: str
) -> None:
    data, _ = fix(tmp_path, PRINTED.replace(field, other).encode(), chosen, READY)
    assert b"doi" not in data and b"pages = {1234}" in data


def test_another_first_page_is_told_and_left_to_the_author(tmp_path: Path, chosen: Settings) -> None:
    text = PRINTED.replace("{1234}", "{999--1003}")
    assert "pages_differ" in codes(tmp_path, text, chosen)
    assert b"999--1003" in fix(tmp_path, text.encode(), chosen, READY)[0]


def test_a_preprint_that_is_published_is_a_warning_before_print(tmp_path: Path, chosen: Settings) -> None:
    text = (
        "@misc{b, title={Strings on a Sphere}, author={A. Berg and C. Dahl and E. Frey}, eprint={1001.0001}, year=2010}"
    )
    assert codes(tmp_path, text, chosen, camera_ready=False) == []
    assert codes(tmp_path, text, chosen) == ["published_version"]


def venues(*names: str) -> str:
    return "\n".join(
        f"@article{{k{n}, title={{T{n}}}, author={{A. B{n}}}, journal={{{name}}}, volume=1, pages={{1--9}}, year=2000}}"
        for n, name in enumerate(names)
    )


@pytest.mark.parametrize(
    "other",
    ["Phys Rev D", "Phys. rev. D", "Physical Review D"],
)
def test_a_venue_that_is_written_in_another_way_than_most_is_told(tmp_path: Path, chosen: Settings, other: str) -> None:
    assert codes(tmp_path, venues("Phys. Rev. D", "Phys. Rev. D", other), chosen) == ["venue_varies"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Phys. Rev. D", "Phys. Rev. B"),
        ("Journal of Physics", "Journal of Physiology"),
        ("Proceedings of ICML 2018", "Proceedings of ICML 2019"),
        ("Nature", "Science"),
    ],
)
def test_two_venues_stay_two(tmp_path: Path, chosen: Settings, one: str, other: str) -> None:
    assert codes(tmp_path, venues(one, one, other), chosen) == []


def test_a_short_form_of_several_venues_is_of_none(tmp_path: Path, chosen: Settings) -> None:
    assert codes(tmp_path, venues("J. Phys.", "Journal of Physics", "Journal of Physiology"), chosen) == []


def test_initials_are_a_way_to_write_a_venue(tmp_path: Path, chosen: Settings) -> None:
    long = "International Conference on Machine Learning"
    assert codes(tmp_path, venues(long, long, "ICML"), chosen) == ["venue_varies"]


def test_only_signs_capitals_and_small_words_are_made_alike(tmp_path: Path, chosen: Settings) -> None:
    text = venues("Phys. Rev. D", "Phys. Rev. D", "Phys Rev D", "Physical Review D")
    data, done = fix(tmp_path, text.encode(), chosen, READY)
    assert data.decode() == text.replace("Phys Rev D", "Phys. Rev. D")
    assert [(change.key, change.code, change.record) for change in done.fixed] == [("k2", "venue_varies", None)]


def test_an_unused_entry_is_a_warning_before_print(tmp_path: Path, chosen: Settings) -> None:
    (tmp_path / "refs.bib").write_text(venues("Nature", "Science"))
    main = tmp_path / "main.tex"
    main.write_text("\\documentclass{article}\\begin{document}A \\cite{k0}.\\bibliography{refs}\\end{document}")
    report = check_bibliography([main], chosen, report=lambda *_: None, camera_ready=True)
    assert [(e.key, f.code, f.severity) for e in report.entries for f in e.findings if f.severity != "info"] == [
        ("k1", "uncited_entry", "warning")
    ]


@needs_bibtex
@pytest.mark.parametrize(("style", "expected"), [("plain", ["authors_cut"]), ("aasjournal", [])])
def test_and_others_is_right_where_the_style_prints_no_more_names(
    tmp_path: Path, style: str, expected: list[str]
) -> None:
    many = paper("1001.0002", "Many Strings", tuple(f"Ann Berg{letter}" for letter in "abcdefgh"), date(2010, 1, 4))
    (tmp_path / "refs.bib").write_text(
        "@misc{berg, title = {Many Strings}, author = {A. Berga and A. Bergb and A. Bergc and others},"
        " eprint = {1001.0002}, year = {2010}}\n"
    )
    main = (
        rf"\documentclass{{article}}\begin{{document}}\cite{{berg}}\bibliographystyle{{{style}}}\bibliography{{refs}}"
    )
    (tmp_path / "main.tex").write_text(main + r"\end{document}")
    with catalogue(tmp_path / "home", many) as settings:
        report = check_bibliography([tmp_path / "main.tex"], settings, report=lambda *_: None, camera_ready=True)
    found = [finding for entry in report.entries for finding in entry.findings if finding.code == "authors_cut"]
    assert [finding.code for finding in found] == expected
    assert all(finding.message.endswith("has 8, and plain prints them all") for finding in found)


ORDERED = "".join(
    f"@misc{{k{n},\n  author = {{A. Berg}},\n  title = {{Work {n}}},\n  year = {{2010}}\n}}\n" for n in range(5)
)
MIXED = '@MISC{odd,  title="A {Title}" ,\n\tYear =2010,\n  author={C. Dahl and\n    E. Frey}, keywords={x}}\n'


def test_fields_come_into_the_order_of_most_entries_each_as_it_is_written(tmp_path: Path, chosen: Settings) -> None:
    data, done = fix(tmp_path, (ORDERED + MIXED).encode(), chosen, READY)
    expected = '@MISC{odd,  author={C. Dahl and\n    E. Frey} ,\n\ttitle="A {Title}",\n  Year =2010, keywords={x}}\n'
    assert data.decode() == ORDERED + expected
    assert [(one.key, one.code, one.field) for one in done.fixed] == [("odd", "field_order", None)]
    assert done.fixed[0].message == "author stands behind title here, and before it in most entries"
    again, _ = fix(tmp_path, data, chosen, READY)
    assert again == data


@pytest.mark.parametrize(
    "entry",
    ["@misc{odd, title={A}, author={B}, title={C}}\n", "@misc{odd, title={A}, author={B}, crossref={k1}}\n"],
)
def test_an_entry_that_is_read_otherwise_in_order_is_left_alone(tmp_path: Path, chosen: Settings, entry: str) -> None:
    data, _ = fix(tmp_path, (ORDERED + entry).encode(), chosen, READY)
    assert data.decode() == ORDERED + entry


def test_where_no_order_is_usual_none_is_made(tmp_path: Path, chosen: Settings) -> None:
    text = ORDERED + ORDERED.replace("{k", "{m").replace("author", "xx").replace("title", "author").replace(
        "xx", "title"
    )
    data, done = fix(tmp_path, text.encode(), chosen, READY)
    assert (data.decode(), done.fixed) == (text, ())
