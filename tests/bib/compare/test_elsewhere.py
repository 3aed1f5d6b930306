import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.compare.elsewhere import ServiceAnswer, is_asked, judge_elsewhere, settles
from citeplug.bib.compare.verify import without_record
from citeplug.bibtex.entries import parse_bib
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck, FieldChange
from citeplug.records.work import Service, Work
from citeplug.text.compare import entry_doi, entry_title, entry_year
from citeplug.text.folding import split_name
from citeplug.text.people import split_authors
from citeplug.text.tex_text import decode_tex

TODAY = date(2026, 1, 15)
WORK = Work(
    "crossref",
    "Long Short-Term Memory in Practice: A Field Study",
    ("Sepp Hochreiter", "Jürgen Schmidhuber", "Fred A. Gers"),
    1997,
    "article",
    "Neural Computation",
    "9",
    "8",
    "1735-1780",
    doi="10.1162/neco.1997.9.8.1735",
    years=(1997,),
)
OTHER = Work(
    "crossref", "Support-Vector Networks", ("Corinna Cortes", "Vladimir Vapnik"), 1995, "article", "Machine Learning",
    doi="10.1007/bf00994018", years=(1995,),
)  # fmt: skip
RIGHT = {
    "title": "Long Short-Term Memory in Practice: A Field Study",
    "author": 'Hochreiter, Sepp and Schmidhuber, J{\\"u}rgen and Gers, F. A.',
    "journal": "Neural Computation",
    "year": "1997",
}


def entry(kind: str = "article", /, **fields: Any) -> BibEntry:
    given = {**RIGHT, **fields}
    text = "".join(f"  {name} = {{{value}}},\n" for name, value in given.items() if value is not None)
    return parse_bib(f"@{kind}{{key,\n{text}}}\n")[0]


def before(given: BibEntry) -> EntryCheck:
    return without_record(given, against="arxiv", complete=False, today=TODAY)


def said(service: Service, *works: Work, of_doi: Work | None = None, asked_doi: bool = True) -> ServiceAnswer:
    placed = tuple(replace(work, service=service) for work in works)
    return ServiceAnswer(service, placed, replace(of_doi, service=service) if of_doi else None, asked_doi=asked_doi)


def judge(given: BibEntry, *answers: ServiceAnswer) -> EntryCheck:
    return judge_elsewhere(given, before(given), answers, today=TODAY)


def codes(check: EntryCheck) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in check.findings]


# What is right


def test_an_entry_whose_title_authors_and_year_fit_is_verified_and_says_by_whom() -> None:
    check = judge(entry(), said("crossref", OTHER, WORK))
    assert (check.verdict, check.severity, check.checked_against, check.arxiv_id) == (
        "verified",
        "none",
        "crossref",
        None,
    )
    assert [(item.field, item.verdict) for item in check.fields] == [
        ("title", "same"),
        ("author", "same"),
        ("year", "same"),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "{Long Short-Term Memory in Practice}"},
        {"title": "Long short-term memory in practice", "subtitle": "A field study"},
        {"author": "Sepp Hochreiter and others"},
        {"author": "S. Hochreiter and J. Schmidhuber and F. Gers"},
        {"year": "1996"},
        {"year": "1998"},
        {"year": None, "date": "1997-11-15"},
        {"author": None},
        {"doi": "https://doi.org/10.1162/NECO.1997.9.8.1735"},
        {"doi": "10.1162/neco.1997.9.8.1735"},
        {"doi": "10.5281/zenodo.12345"},
        {"journal": "Neural Comput."},
    ],
    ids=lambda changes: next(iter(changes.items()))[0] + str(next(iter(changes.values()))),
)
def test_what_authors_write_of_a_right_entry_is_right(changes: dict[str, str | None]) -> None:
    assert judge(entry(**changes), said("crossref", WORK)).verdict == "verified"


def test_a_year_between_online_and_print_is_right() -> None:
    slow = replace(WORK, years=(1994, 1999), year=1999)
    assert [judge(entry(year=y), said("crossref", slow)).verdict for y in ("1993", "1996", "2000", "2002")] == [
        "verified",
        "verified",
        "verified",
        "differs",
    ]


def test_one_record_that_fits_outweighs_others_that_do_not() -> None:
    mangled = replace(WORK, authors=("S. Hochreiter", "N. N."), year=2007, years=(2007,))
    for answers in ([said("crossref", mangled), said("openalex", WORK)], [said("crossref", mangled, WORK)]):
        assert judge(entry(), *answers).verdict == "verified"


def test_the_works_of_a_cut_list_of_authors_are_compared_as_far_as_it_goes() -> None:
    names = [f"Given{chr(97 + n // 26)} Family{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(120)]
    many = replace(WORK, authors=tuple(names[:100]), more_authors=True)
    assert judge(entry(author=" and ".join(names)), said("openalex", many)).verdict == "verified"


def test_a_book_may_be_cited_in_another_edition_and_by_its_editors() -> None:
    book = replace(WORK, kind="book", venue=None, authors=("Ed Itor",), year=2003, years=(2003,))
    check = judge(entry("book", author=None, editor="Itor, Ed", year="2019", publisher="P"), said("crossref", book))
    assert check.verdict == "verified"


def test_a_preprint_of_the_work_says_nothing_of_its_year() -> None:
    preprint = replace(WORK, kind="misc", venue="CoRR", year=1992, years=(1992,), arxiv_id="cs/9201001")
    assert judge(entry(), said("dblp", preprint)).verdict == "verified"


def test_the_doi_of_the_book_that_a_paper_stands_in_is_no_wrong_doi() -> None:
    book = Work("crossref", "Advances in Neural Things", ("Ed Itor",), 1997, "proceedings", doi="10.1007/3-540-1")
    given = entry("inproceedings", doi="10.1007/3-540-1", booktitle="Advances in Neural Things", journal=None)
    check = judge(given, said("crossref", replace(WORK, doi="10.1007/3-540-1_9"), of_doi=book))
    assert check.verdict == "verified"


def test_the_doi_of_a_book_is_wrong_for_an_article() -> None:
    book = Work("crossref", "Advances in Other Things", ("Ed Itor",), 1997, "book", doi="10.1007/3-540-1")
    check = judge(entry(doi="10.1007/3-540-1"), said("crossref", WORK, of_doi=book))
    assert (check.verdict, check.severity) == ("differs", "error")


# What is wrong


def test_a_stranger_among_the_authors_is_an_error_where_the_doi_or_two_services_say_so() -> None:
    wrong = entry(author="Hochreiter, Sepp and Invented, Ivan and Gers, F. A.")
    alone = judge(wrong, said("crossref", WORK))
    assert (alone.verdict, alone.severity, codes(alone)) == ("differs", "warning", [("authors_differ", "warning")])
    agreed = judge(wrong, said("crossref", WORK), said("dblp", WORK))
    assert (agreed.verdict, agreed.severity) == ("differs", "error")
    by_doi = judge(entry(author=wrong.fields["author"], doi=WORK.doi), said("crossref", of_doi=WORK))
    assert (by_doi.verdict, by_doi.severity) == ("differs", "error")


@pytest.mark.parametrize(
    ("author", "severity"),
    [
        ("Nobody, Nora and Other, Oscar", "error"),
        ("Schmidhuber, J. and Hochreiter, S. and Gers, F.", "warning"),
        ("Schmidhuber, J. and Hochreiter, S. and Gers, F. and Invented, I.", "error"),
        ("Hochreiter, Sepp and Schmidhuber, Jan and Gers, F. A.", "error"),
        ("Hochreiter, Sepp and Gers, F. A.", "warning"),
        ("Hochreiter, Sepp and Schmidhuber, J. and Gers, F. A. and Invented, I.", "error"),
    ],
)
def test_wrong_authors_of_a_right_title_differ_as_at_arxiv(author: str, severity: str) -> None:
    check = judge(entry(author=author), said("crossref", WORK), said("openalex", WORK))
    assert (check.verdict, check.severity) == ("differs", severity)
    assert "authors" in check.message


def test_a_wrong_year_is_a_warning_and_mended_where_two_services_agree() -> None:
    wrong = entry(year="2001")
    alone = judge(wrong, said("crossref", WORK))
    assert (alone.verdict, codes(alone), alone.changes) == ("differs", [("year_differs", "warning")], ())
    agreed = judge(wrong, said("crossref", WORK), said("dblp", WORK))
    assert agreed.changes == (FieldChange("year_differs", "year", "1997"),)


def test_the_doi_of_another_work_is_an_error_and_the_right_one_is_the_correction() -> None:
    check = judge(entry(doi=OTHER.doi), said("crossref", WORK, of_doi=OTHER))
    assert (check.verdict, check.severity) == ("differs", "error")
    assert "Support-Vector Networks" in check.message
    assert check.changes == (FieldChange("doi_differs", "doi", WORK.doi),)


def test_the_doi_of_another_work_is_an_error_where_the_entrys_own_is_not_found() -> None:
    check = judge(entry(title="An Invented Study of Nothing at All", doi=OTHER.doi), said("crossref", of_doi=OTHER))
    assert (check.verdict, check.severity, check.changes) == ("differs", "error", ())
    assert "Support-Vector Networks" in check.message


def test_a_doi_that_its_registrant_never_gave_is_a_warning() -> None:
    check = judge(entry(doi="10.1162/neco.1997.1.1.1"), said("crossref", WORK))
    assert codes(check) == [("doi_differs", "warning")]
    assert check.changes == (FieldChange("doi_differs", "doi", WORK.doi),)


def test_a_doi_of_another_agency_that_nobody_knows_is_not_checked() -> None:
    check = judge(entry(doi="10.5281/zenodo.1"), said("crossref", WORK))
    assert check.fields[-1].verdict == "unchecked"


def test_a_title_with_a_slip_is_a_warning() -> None:
    check = judge(entry(title="Long Short-Term Memories in Practise: A Field Study"), said("crossref", WORK))
    assert codes(check) == [("title_differs", "warning")]


def test_a_short_title_of_other_people_is_another_work() -> None:
    short = replace(WORK, title="Deep Learning", authors=("Ian Goodfellow",))
    given = entry(title="Deep Learning", author="LeCun, Yann")
    assert judge(given, said("crossref", short), said("openalex", short)).verdict in ("not_arxiv", "not_found")


def test_a_long_title_of_other_people_in_another_year_is_another_work() -> None:
    check = judge(entry(author="Nobody, Nora", year="2015"), said("crossref", WORK), said("dblp", WORK))
    assert check.verdict == "not_found"
    assert "Hochreiter" in check.message


# What is not there


def test_what_two_services_do_not_know_is_not_found_with_a_warning_and_nobody_is_accused() -> None:
    check = judge(entry(), said("crossref", OTHER), said("openalex"))
    assert (check.verdict, check.severity, check.checked_against) == ("not_found", "warning", None)
    assert codes(check) == [("not_found", "warning")]
    assert "Crossref and OpenAlex have no such work" in check.message
    assert "fake" not in check.message


def test_the_gap_of_one_service_changes_nothing() -> None:
    check = judge(entry(), said("crossref", OTHER))
    assert (check.verdict, check.severity, check.findings) == ("not_arxiv", "info", ())
    assert "one service's gap" in check.message


def test_without_an_answer_everything_stays_as_it_was() -> None:
    assert judge(entry()) == before(entry())


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("misc", {}),
        ("techreport", {}),
        ("phdthesis", {}),
        ("unpublished", {}),
        ("book", {}),
        ("article", {"note": "To appear"}),
        ("article", {"journal": "Submitted to Nature"}),
        ("article", {"year": "2026"}),
        ("article", {"year": "in press"}),
        ("article", {"year": "1911"}),
        ("article", {"title": "On Groups"}),
        ("article", {"title": "深層学習の入門と応用について 第一部 基礎 編"}),
        ("article", {"author": None}),
    ],
)
def test_no_gap_counts_for_what_the_services_hardly_hold(kind: str, changes: dict[str, str | None]) -> None:
    check = judge(entry(kind, **changes), said("crossref"), said("openalex"), said("dblp"))
    assert (check.verdict, check.severity) == ("not_arxiv", "info")


def test_a_book_with_a_publisher_is_expected_to_be_known() -> None:
    check = judge(entry("book", publisher="Springer", journal=None), said("crossref"), said("openalex"))
    assert check.verdict == "not_found"


def test_an_entry_that_claims_arxiv_stays_not_found_there() -> None:
    given = entry(journal="arXiv preprint")
    check = judge(given, said("crossref"), said("openalex"))
    assert (check.verdict, check.severity) == ("not_found", "error")
    assert judge(given, said("crossref", WORK)).verdict == "verified"


# What was retracted


def test_a_retracted_work_is_possibly_withdrawn_and_says_who_says_so() -> None:
    check = judge(entry(), said("crossref", replace(WORK, retracted=True)))
    assert (check.verdict, check.severity) == ("possibly_withdrawn", "warning")
    assert codes(check) == [("retracted_work", "warning")]
    assert "Crossref says" in check.message


def test_an_entry_that_says_itself_that_it_was_retracted_is_verified() -> None:
    check = judge(entry(note="Retracted in 1999"), said("crossref", replace(WORK, retracted=True)))
    assert (check.verdict, codes(check)) == ("verified", [("retracted_work", "info")])


# Who is asked


@pytest.mark.parametrize(
    ("kind", "changes", "asked"),
    [
        ("article", {}, True),
        ("misc", {}, True),
        ("online", {}, False),
        ("software", {}, False),
        ("software", {"doi": "10.5281/zenodo.1"}, True),
        ("article", {"title": None}, False),
        ("article", {"eprint": "1706.03762", "archiveprefix": "arXiv"}, False),
    ],
)
def test_services_are_asked_for_what_they_may_hold(kind: str, changes: dict[str, str | None], asked: bool) -> None:
    given = entry(kind, **changes)
    check = without_record(given, against="arxiv", complete=True, today=TODAY)
    assert is_asked(given, check) == asked


# In general

PEOPLE = st.lists(st.sampled_from(["Ada Lovelace", "Jürgen Groß", "Li Wei", "Ana de la Cruz", "ATLAS Collaboration"]))
ANY_WORK = st.builds(
    Work,
    service=st.sampled_from(["crossref", "openalex", "dblp"]),
    title=st.sampled_from([WORK.title, OTHER.title, "Long Memory", "?"]) | st.text(min_size=1, max_size=30),
    authors=st.sampled_from([WORK.authors, OTHER.authors]) | PEOPLE.map(tuple),
    year=st.none() | st.integers(1950, 2030),
    kind=st.sampled_from(["article", "misc", "book"]),
    venue=st.none() | st.text(max_size=10),
    doi=st.none() | st.sampled_from([WORK.doi, OTHER.doi]),
    retracted=st.booleans(),
    more_authors=st.booleans(),
)  # fmt: skip
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from([WORK.title, "{O}ther", ""]),
        "author": st.sampled_from([RIGHT["author"], "others", "and and", "{}"]),
        "year": st.sampled_from(["1997", "forthcoming", "20"]),
        "doi": st.sampled_from([str(WORK.doi), str(OTHER.doi), "none"]),
    },
)


@given(FIELDS, st.lists(ANY_WORK, max_size=4), st.none() | ANY_WORK)
def test_every_judgement_is_one_that_the_contract_knows(
    fields: dict[str, Any], works: list[Work], of_doi: Work | None
) -> None:
    given_entry = BibEntry("k", "article", fields, entry().span, None, fields.get("doi"))
    check = judge(given_entry, said("crossref", *works, of_doi=of_doi), said("dblp", *works))
    assert check.verdict in ("verified", "differs", "not_found", "possibly_withdrawn", "not_arxiv", "unchecked")
    assert (check.severity == "none") == (check.verdict == "verified")
    assert check.message or check.verdict == "verified"
    assert check.verdict != "not_found" or check.severity == "warning"
    if settles(check):
        assert check.checked_against is not None
        assert all(item.verdict != "differs" for item in check.fields)


# Of real bibliographies


def shown(name: str) -> str:
    parts = split_name(name)
    return " ".join(filter(None, [parts.given, parts.particles, parts.family, parts.suffix]))


def initials(name: str) -> str:
    parts = split_name(name)
    return " ".join([*(f"{word[0]}." for word in parts.given.split()), parts.surname])


def record_of(given: BibEntry) -> Work:
    """The entry as a service might have it."""
    names = tuple(map(shown, split_authors(given.fields["author"])[0]))
    year = entry_year(given)
    assert year is not None
    title = decode_tex(entry_title(given))
    return Work("crossref", title, names, year, "article", "Journal", doi=entry_doi(given), years=(year,))


STYLES: list[Callable[[Work], Work]] = [
    lambda work: replace(work, authors=tuple(map(initials, work.authors))),
    lambda work: replace(work, title=work.title.split(": ")[0].upper()),
    lambda work: replace(work, authors=tuple(name.upper() for name in work.authors), years=((work.year or 0) + 1,)),
]


def real_entries(shared_data: Path, seed: int) -> list[BibEntry]:
    """A sample of those that services beside arXiv are asked about."""
    entries = [
        found
        for file in sorted((shared_data / "latex").rglob("*.bib"))
        for found in parse_bib(file.read_text("utf-8", "replace"), file)
        if found.arxiv_id is None and entry_title(found) and found.fields.get("author") and entry_year(found)
    ]
    return random.Random(seed).sample(entries, 120)


@pytest.mark.shared_data
def test_of_real_right_entries_at_most_one_in_a_hundred_is_doubted(shared_data: Path) -> None:
    sample = real_entries(shared_data, 7)
    doubted = []
    for real in sample:
        for style in STYLES:
            work = style(record_of(real))
            check = judge(real, said("crossref", work), said("openalex", work))
            if check.verdict != "verified":
                doubted.append((real.key, check.message))
    assert len(doubted) <= 0.01 * len(sample) * len(STYLES), doubted


@pytest.mark.shared_data
def test_of_real_entries_with_other_peoples_names_none_is_verified(shared_data: Path) -> None:
    sample = real_entries(shared_data, 8)
    for real in sample:
        work = record_of(real)
        fields = {**real.fields, "author": "Inventedson, Zacharias and Nobodyová, Nora"}
        check = judge(replace(real, fields=fields), said("crossref", work), said("openalex", work))
        assert check.verdict != "verified"
