from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.compare.check_entries import check_entries
from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import render_entry
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.draft import BibEntry, Span
from citeplug.records.entry_check import EntryCheck, FieldChange
from citeplug.records.paper import ArxivId, Paper
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.arxiv_server import ArxivServer, FastClock, Fault
from tests.harness.papers import paper

TODAY = date(2026, 1, 15)
DIALECT = Dialect("bibtex", "note")
RIGHT = """@inproceedings{a, title={Attention Is All You Need}, eprint={1706.03762},
  author={Vaswani, Ashish and Shazeer, Noam and Parmar, Niki}, year={2017}}"""


def check(text: str, lookup: Lookup) -> list[EntryCheck]:
    return check_entries(parse_bib(text), lookup, today=TODAY)


def version(number: int, **fields: object) -> Paper:
    """A version of the paper that `RIGHT` cites."""
    return replace(paper(), id=ArxivId("1706.03762", number), **fields)  # type: ignore[arg-type]


@contextmanager
def catalogue(home: Path, *papers: Paper, complete: bool = False) -> Iterator[Lookup]:
    """A lookup in a real catalogue that holds these papers, and nothing else to ask."""
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    try:
        corpus.add_papers(papers)
        yield Lookup(corpus, None, lambda _: complete)
    finally:
        corpus.close()


@pytest.fixture
def nothing(tmp_path: Path) -> Iterator[Lookup]:
    with catalogue(tmp_path) as lookup:
        yield lookup


@pytest.fixture
def online(nothing: Lookup, tmp_path: Path, arxiv_server: ArxivServer) -> Lookup:
    """A lookup in an empty catalogue and at the test server."""
    nothing.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
    return nothing


def test_a_source_that_answers_with_another_title_gives_differs(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1, title="Another Paper Altogether", authors=("Somebody Else",)))
    (found,) = check(render_entry(paper(), "k", DIALECT), online)
    assert (found.verdict, found.severity, found.checked_against) == ("differs", "error", "arxiv")


def test_the_first_version_is_asked_for_where_the_latest_was_retitled(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1), version(3, title="A Quite Different Name of the Thing"))
    (found,) = check(render_entry(paper(), "k", DIALECT), online)
    assert found.verdict == "verified"
    assert arxiv_server.asked_ids()[0] == ["1706.03762"]


def test_a_title_that_the_paper_has_no_more_is_told_of(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1), version(3, title="A Quite Different Name of the Thing"))
    preprint = RIGHT.replace("@inproceedings", "@misc")
    published = RIGHT.replace("{a,", "{b, booktitle={Advances in Neural Information Processing Systems},")
    found = check(preprint + published, online)
    assert [each.verdict for each in found] == ["verified", "verified"]
    assert [[each.code for each in one.findings if each.code == "title_changed"] for one in found] == [
        ["title_changed"],
        [],
    ]
    assert "A Quite Different Name of the Thing" in next(
        each.message for each in found[0].findings if each.code == "title_changed"
    )


RESNET = paper("1512.03385", "Deep Residual Learning for Image Recognition", ("Kaiming He",), date(2015, 12, 10))
MIXED = RIGHT.replace("Attention Is All You Need", "Deep residual learning for image recognition")


def test_the_title_of_another_paper_beside_the_right_id_and_authors_is_an_error(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper(), RESNET) as lookup:
        (found,) = check(MIXED, lookup)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "error", "1706.03762")
    assert "the title is that of arXiv:1512.03385" in found.message


def test_the_title_of_another_paper_beside_the_right_id_authors_and_doi_is_an_error(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper(doi="10.1000/att"), RESNET) as lookup:
        (found,) = check(MIXED.replace("year", "doi={10.1000/att}, year"), lookup)
    assert (found.verdict, found.severity) == ("differs", "error")


def test_the_other_paper_that_has_the_title_is_looked_for_at_arxiv_too(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1))
    arxiv_server.add(RESNET)
    (found,) = check(MIXED, online)
    assert (found.verdict, found.severity) == ("differs", "error")


def test_a_title_that_nobody_has_beside_the_right_id_and_authors_is_a_changed_one(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        (found,) = check(MIXED, lookup)
    assert (found.verdict, found.severity) == ("differs", "warning")
    assert "'Deep residual learning for image recognition'" in found.message
    assert "'Attention Is All You Need'" in found.message


def test_a_title_that_many_papers_may_have_is_nobody_s(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper(), replace(RESNET, title="Deep Learning Methods")) as lookup:
        (found,) = check(RIGHT.replace("Attention Is All You Need", "Deep Learning Methods"), lookup)
    assert (found.verdict, found.severity) == ("differs", "warning")


def test_every_entry_is_checked_in_its_order(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1))
    third = RIGHT.replace("{a,", "{c,").replace("1706.03762", "1706.03763").replace("Attention", "Distraction")
    text = RIGHT + "\n@book{b, title={B}}\n" + third
    assert [(c.key, c.verdict) for c in check(text, online)] == [
        ("a", "verified"),
        ("b", "not_arxiv"),
        ("c", "not_found"),
    ]


def test_an_id_that_does_not_exist_is_corrected_where_title_authors_and_year_fit_one_record(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1))
    (found,) = check(RIGHT.replace("1706.03762", "1706.03763"), online)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "error", "1706.03762")
    assert found.changes == (FieldChange("id_differs", "eprint", "1706.03762"),)


def test_an_outage_is_no_verdict(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.http(503))
    (found,) = check(RIGHT, online)
    assert found.verdict == "unchecked"
    assert online.outage is not None
    assert [finding.code for finding in online.findings] == ["source_unavailable"]


def test_the_catalogue_answers_in_an_outage(tmp_path: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.http(503))
    with catalogue(tmp_path, paper()) as lookup:
        lookup.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
        (found,) = check(RIGHT, lookup)
    assert (found.verdict, found.checked_against) == ("verified", "catalogue")


def test_what_arxiv_says_it_does_not_have_is_not_found_whatever_the_catalogue_holds(
    tmp_path: Path, arxiv_server: ArxivServer
) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        lookup.source = ArxivSource(Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0), clock=FastClock())
        (found,) = check(RIGHT, lookup)
    assert (found.verdict, found.severity, found.checked_against) == ("not_found", "error", "arxiv")


def test_a_month_to_come_has_no_papers(nothing: Lookup) -> None:
    (found,) = check(RIGHT.replace("1706.03762", "2612.00001"), nothing)
    assert (found.verdict, found.arxiv_id) == ("not_found", "2612.00001")
    assert ArxivId("2612.00001").month > TODAY


# The traps of arXiv's API and of bibliographies, by name


def twins() -> tuple[Paper, Paper]:
    """Two records of one title and the same authors, as 1611.03019 and 1610.04405 are."""
    first = paper("1610.04405", "Online Control of Some Queues", published=date(2016, 10, 14))
    return first, replace(first, id=ArxivId("1611.03019"), published=date(2016, 11, 9), updated=date(2016, 11, 9))


def written(record: Paper, **fields: str) -> str:
    """An entry without an id; `fields` are added."""
    more = "".join(f", {name}={{{value}}}" for name, value in fields.items())
    authors = " and ".join(record.authors)
    return f"@article{{k, title={{{record.title}}}, author={{{authors}}}, year={{{record.published.year}}}{more}}}"


def test_trap_3_a_batch_drops_unknown_ids_and_has_its_own_order(online: Lookup, arxiv_server: ArxivServer) -> None:
    known = [
        paper(f"1501.{number:05}", f"Rings of the {number}th Kind", published=date(2015, 1, 3))
        for number in range(1, 6)
    ]
    arxiv_server.add(*(replace(each, id=ArxivId(each.id.value, 1)) for each in known))
    missing = paper("1501.00009", "Fields of Nobody", ("Nemo Nobody",), published=date(2015, 1, 3))
    text = "".join(
        render_entry(each, f"k{each.id.value[-1]}", DIALECT) for each in [known[3], missing, known[0], known[4]]
    )
    assert [(c.key, c.verdict) for c in check(text, online)] == [
        ("k4", "verified"), ("k9", "not_found"), ("k1", "verified"), ("k5", "verified"),
    ]  # fmt: skip


def test_trap_4_an_id_written_as_an_address_is_normalised_before_it_is_asked_for(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    arxiv_server.add(version(1))
    texts = ["arXiv:1706.03762", " 1706.03762", "https://arxiv.org/abs/1706.03762v1", "1706.03762V1"]
    for written_id in texts:
        (found,) = check(RIGHT.replace("{1706.03762}", "{" + written_id + "}"), online)
        assert found.verdict == "verified", written_id
    assert {value for ids in arxiv_server.asked_ids() for value in ids} == {"1706.03762"}


def test_trap_7_too_many_requests_is_no_verdict(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.too_fast())
    (found,) = check(RIGHT, online)
    assert (found.verdict, online.outage is not None) == ("unchecked", True)


def test_trap_12_a_title_with_tex_and_accents_is_found_by_its_other_words(
    online: Lookup, arxiv_server: ArxivServer
) -> None:
    record = paper(title=r"Homogeneous Fra\"iss\'e limits of $\kappa$-chromatic tournaments")
    arxiv_server.add(replace(record, id=ArxivId("1706.03762", 1)))
    (found,) = check(written(record, journal="arXiv preprint").replace(r"Fra\"iss\'e", "Fraïssé"), online)
    assert (found.verdict, found.arxiv_id) == ("verified", "1706.03762")
    assert arxiv_server.asked_queries() == ["(ti:homogeneous AND ti:tournaments AND ti:limits)"]


def test_trap_13_a_later_version_than_the_one_named_is_told(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(1), version(5, updated=date(2019, 3, 1)))
    (found,) = check(RIGHT.replace("1706.03762", "1706.03762v1"), online)
    assert found.verdict == "verified"
    assert [(each.code, each.severity) for each in found.findings] == [("newer_version", "info")]


def test_trap_14_the_year_of_arxiv_s_export_is_right(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(3, updated=date(2020, 1, 1)))
    assert check(RIGHT.replace("year={2017}", "year={2020}"), online)[0].verdict == "verified"
    assert check(RIGHT.replace("year={2017}", "year={2021}"), online)[0].verdict == "differs"


def test_trap_15_an_id_that_passed_through_a_float_is_mended(tmp_path: Path) -> None:
    record = paper("1403.5970", published=date(2014, 3, 24))
    with catalogue(tmp_path, record) as lookup:
        (found,) = check(written(record, eprint="1403.597", archivePrefix="arXiv"), lookup)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "warning", "1403.5970")
    assert found.changes == (FieldChange("id_malformed", "eprint", "1403.5970"),)


@pytest.mark.parametrize(
    "fields",
    [
        {"journal": "CoRR", "volume": "abs/1706.03762"},
        {"url": "http://arxiv.org/pdf/1706.03762v2.pdf"},
        {"note": "arXiv:1706.03762 [cs.CL]"},
        {"doi": "10.48550/arXiv.1706.03762"},
        {"howpublished": r"\url{https://arxiv.org/abs/1706.03762}"},
        {"journal": "ArXiv e-prints", "eid": "arXiv:1706.03762"},
    ],
)
def test_trap_16_the_eprint_hides_in_many_fields(tmp_path: Path, fields: dict[str, str]) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        (found,) = check(written(paper(), **fields), lookup)
    assert (found.verdict, found.arxiv_id) == ("verified", "1706.03762")


def test_trap_18_a_dirty_doi_of_the_record_is_the_entry_s_clean_one(tmp_path: Path) -> None:
    for number, dirty in enumerate(["10.1000/Abc.", "10.1000/abc#sthash.x", "10.1000/first 10.1000/abc"]):
        record = paper(doi=dirty)
        with catalogue(tmp_path / str(number), record) as lookup:
            text = (
                "@article{k, title={Renamed on Its Way: Attention}, doi={10.1000/abc}, author={A. Vaswani and others}}"
            )
            (found,) = check(text, lookup)
        assert found.arxiv_id == "1706.03762", dirty


def test_trap_19_of_two_records_with_one_title_none_is_named(tmp_path: Path) -> None:
    first, second = twins()
    with catalogue(tmp_path, first, second) as lookup:
        (found,) = check(written(first, journal="Operations Research"), lookup)
        assert (found.verdict, found.arxiv_id, found.changes) == ("verified", None, ())
        assert first.id.value in found.message and second.id.value in found.message
        for each in twins():
            (found,) = check(written(each, eprint=each.id.value, archivePrefix="arXiv"), lookup)
            assert (found.verdict, found.arxiv_id) == ("verified", each.id.value)


def test_trap_19_an_id_is_not_corrected_where_two_records_fit(tmp_path: Path) -> None:
    with catalogue(tmp_path, *twins(), paper("1705.00001", "Another Paper"), complete=True) as lookup:
        (found,) = check(written(twins()[0], eprint="1705.00001", archivePrefix="arXiv"), lookup)
    assert (found.verdict, found.severity, found.changes) == ("differs", "error", ())


def test_trap_20_a_withdrawn_paper_is_possibly_so(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(version(2, comment="This paper has been withdrawn by the authors due to an error in Lemma 2"))
    (found,) = check(RIGHT, online)
    assert (found.verdict, found.severity) == ("possibly_withdrawn", "warning")
    assert [each.code for each in found.findings] == ["possibly_withdrawn"]


def test_trap_22_an_invented_id_that_exists_is_another_paper(online: Lookup, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(
        paper("math/9501234", "Johann Faulhaber and Sums of Powers", ("Donald E. Knuth",), date(1992, 7, 1))
    )
    text = RIGHT.replace("1706.03762", "math/9501234").replace("year={2017}", "year={1995}")
    (found,) = check(text, online)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "error", "math/9501234")
    assert found.changes == ()


# What is found without an id


def test_a_published_entry_is_verified_by_title_and_authors_and_its_year_is_not_judged(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        (found,) = check(written(paper(), booktitle="NIPS").replace("{2017}", "{2013}"), lookup)
    assert (found.verdict, found.arxiv_id, found.severity) == ("verified", "1706.03762", "none")


def test_a_published_entry_with_that_title_by_other_people_is_another_paper(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        (found,) = check(written(paper(authors=("Jo Doe",)), journal="Nature"), lookup)
    assert (found.verdict, found.severity, found.arxiv_id) == ("not_arxiv", "info", None)


def test_a_published_entry_whose_authors_are_in_another_order_is_not_accused(tmp_path: Path) -> None:
    record = paper("1201.0490", "Scikit-learn: Machine Learning in Python")
    printed = replace(record, authors=record.authors[::-1])
    with catalogue(tmp_path, record) as lookup:
        (found,) = check(written(printed, journal="Journal of Machine Learning Research"), lookup)
    assert found.verdict == "not_arxiv"


def test_a_second_part_that_is_not_on_arxiv_is_not_the_first_one_mangled(tmp_path: Path) -> None:
    record = paper(title="Attention in Deep Networks: Part I")
    with catalogue(tmp_path, record, complete=True) as lookup:
        (found,) = check(written(replace(record, title="Attention in Deep Networks: Part II")), lookup)
    assert found.verdict == "not_arxiv"


def test_a_doi_of_the_record_is_enough_where_the_published_title_is_another(tmp_path: Path) -> None:
    record = paper(doi="10.1000/right")
    with catalogue(tmp_path, record) as lookup:
        text = written(replace(record, title="Attention Is Nearly All You Need"), doi="10.1000/RIGHT", journal="Nature")
        (found,) = check(text, lookup)
    assert (found.verdict, found.arxiv_id) == ("verified", "1706.03762")


def test_a_preprint_without_an_id_that_nobody_wrote_is_not_found(tmp_path: Path) -> None:
    text = written(paper(title="Nobody Wrote This Remarkable Treatise"), journal="arXiv preprint")
    with catalogue(tmp_path / "complete", paper(), complete=True) as lookup:
        assert check(text, lookup)[0].verdict == "not_found"
    with catalogue(tmp_path / "sample", paper()) as lookup:
        assert check(text, lookup)[0].verdict == "unchecked"


def test_without_leave_to_search_no_title_is_sent(online: Lookup, arxiv_server: ArxivServer) -> None:
    online.may_search = False
    arxiv_server.add(version(1))
    (found,) = check(written(paper(), journal="arXiv preprint"), online)
    assert found.verdict == "unchecked"
    assert arxiv_server.requests == []


def test_an_outage_in_the_search_leaves_what_ids_told(online: Lookup, arxiv_server: ArxivServer) -> None:
    unknown = RIGHT.replace("1706.03762", "1706.00001")
    arxiv_server.replay(lambda asked: Fault.http(503) if asked.params.get("search_query") else None)
    (found,) = check(unknown, online)
    assert (found.verdict, found.checked_against, online.outage is not None) == ("not_found", "arxiv", True)


def test_ids_are_asked_for_a_hundred_at_a_time_and_titles_twenty(online: Lookup, arxiv_server: ArxivServer) -> None:
    with_id = [
        paper(f"1501.{n:05}", f"Lattice Tomography of Cuboid{n}", published=date(2015, 1, 2)) for n in range(1, 151)
    ]
    without = [
        paper(f"1502.{n:05}", f"Migration of Herring{n} Shoals", published=date(2015, 2, 2)) for n in range(1, 41)
    ]
    arxiv_server.add(*(replace(each, id=ArxivId(each.id.value, 1)) for each in [*with_id, *without]))
    text = "".join(render_entry(each, f"a{each.id.value}", DIALECT) for each in with_id)
    text += "".join(written(each, journal="arXiv preprint").replace("{k,", f"{{b{each.id.value},") for each in without)
    assert {found.verdict for found in check(text, online)} == {"verified"}
    assert [len(ids) for ids in arxiv_server.asked_ids()] == [100, 50]
    assert len(arxiv_server.asked_queries()) == 2


# Corrections


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("year={2017}", "year={2012}", FieldChange("year_differs", "year", "2017")),
        ("All You Need", "Al You Need", FieldChange("title_differs", "title", "Attention Is All You Need")),
        (
            "Vaswani, Ashish and Shazeer, Noam",
            "Shazeer, Noam and Vaswani, Ashish",
            FieldChange("authors_differ", "author", "Ashish Vaswani and Noam Shazeer and Niki Parmar"),
        ),
        (
            " and Parmar, Niki",
            "",
            FieldChange("authors_differ", "author", "Ashish Vaswani and Noam Shazeer and Niki Parmar"),
        ),
        ("year={2017}", "year={2017}, doi={10.1000/wrong}", FieldChange("doi_differs", "doi", "10.1000/right")),
    ],
)
def test_one_wrong_field_of_a_preprint_has_a_certain_correction(
    tmp_path: Path, old: str, new: str, expected: FieldChange
) -> None:
    with catalogue(tmp_path, paper(doi="10.1000/right")) as lookup:
        (found,) = check(RIGHT.replace(old, new), lookup)
    assert found.verdict == "differs"
    assert found.changes == (expected,)
    assert expected.code in [finding.code for finding in found.findings]


def test_what_a_later_version_may_have_changed_is_no_certain_correction(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper(updated=date(2018, 1, 1))) as lookup:
        (found,) = check(RIGHT.replace(" and Parmar, Niki", ""), lookup)
        assert (found.verdict, found.changes) == ("differs", ())
        (found,) = check(RIGHT.replace("Is All", "Is Truly All"), lookup)
        assert (found.verdict, found.changes) == ("differs", ())


def test_a_published_version_may_have_a_doi_of_its_own(tmp_path: Path) -> None:
    text = RIGHT.replace("year={2017}", "year={2017}, booktitle={NIPS}, doi={10.5555/3295222}")
    with catalogue(tmp_path, paper(doi="10.1000/right")) as lookup:
        (found,) = check(text, lookup)
    assert ([finding.code for finding in found.findings], found.changes) == (["doi_differs"], ())


def test_a_doi_that_another_record_has_is_caught_though_this_one_has_none(tmp_path: Path) -> None:
    other = paper(
        "1512.03385", "Deep Residual Learning", ("Kaiming He",), date(2015, 12, 10), doi="10.1109/CVPR.2016.90"
    )
    with catalogue(tmp_path, paper(), other) as lookup:
        (found,) = check(RIGHT.replace("year={2017}", "year={2017}, doi={10.1109/cvpr.2016.90}"), lookup)
    assert (found.verdict, found.severity) == ("differs", "warning")


def test_an_id_is_corrected_wherever_it_stands(tmp_path: Path) -> None:
    other = paper("1512.03385", "Deep Residual Learning", ("Kaiming He",), date(2015, 12, 10))
    text = written(
        paper(),
        journal="arXiv preprint arXiv:1512.03385v2",
        url="https://arxiv.org/abs/1512.03385",
        eprint="1512.03385",
    )
    with catalogue(tmp_path, paper(), other) as lookup:
        (found,) = check(text, lookup)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "error", "1706.03762")
    assert {change.field: change.value for change in found.changes} == {
        "journal": "arXiv preprint arXiv:1706.03762",
        "url": "https://arxiv.org/abs/1706.03762",
        "eprint": "1706.03762",
    }


def test_an_eprint_of_another_archive_is_no_malformed_id(tmp_path: Path) -> None:
    with catalogue(tmp_path, paper()) as lookup:
        (found,) = check(written(paper(), journal="Nature", eprint="2346101", eprinttype="jstor"), lookup)
    assert (found.verdict, found.changes) == ("verified", ())


@pytest.mark.parametrize(("place", "codes"), [("Phys. Rev. D, 2017", []), ("arXiv preprint", ["published_version"])])
def test_a_printed_reference_is_a_preprint_if_it_says_so(tmp_path: Path, place: str, codes: list[str]) -> None:
    record = paper(journal_ref="Phys. Rev. D 96 (2018) 1", doi="10.1000/right")
    text = f"{', '.join(record.authors)}. {record.title}. {place}. arXiv:{record.id.value}."
    entry = BibEntry("it", "bibitem", {"text": text}, Span(Path("main.tex"), 0, 1, 1), record.id.value)
    with catalogue(tmp_path, record) as lookup:
        (found,) = check_entries([entry], lookup, today=TODAY)
    assert [finding.code for finding in found.findings] == codes


def test_a_published_version_is_told_of_and_not_mixed_in(tmp_path: Path) -> None:
    record = paper(journal_ref="Phys. Rev. D 96 (2018) 1", doi="10.1000/right")
    with catalogue(tmp_path, record) as lookup:
        (found,) = check(RIGHT, lookup)
    assert (found.verdict, found.changes) == ("verified", ())
    assert [finding.code for finding in found.findings] == ["published_version"]


LONG = "Stratified Sampling of Distant Neighbours on Sparse Heterogeneous Multigraphs"


def swapped(title: str = LONG, authors: str = "Ann Brown and Ben Other", year: int = 2017) -> str:
    return f"@inproceedings{{a, title={{{title}}}, author={{{authors}}}, booktitle={{NeurIPS}}, year={{{year}}}}}"


def test_a_long_title_with_none_of_its_authors_is_a_warning_that_names_the_record(tmp_path: Path) -> None:
    with catalogue(tmp_path, version(1, title=LONG)) as lookup:
        (found,) = check(swapped(), lookup)
    assert (found.verdict, found.severity, found.arxiv_id) == ("differs", "warning", "1706.03762")
    assert found.message == "arXiv:1706.03762 has this title, and none of these authors"


@pytest.mark.parametrize("title", ["Graph Sampling", f"Discussion of {LONG}", f"{LONG} Revisited"])
def test_a_title_that_two_papers_may_have_accuses_nobody(tmp_path: Path, title: str) -> None:
    with catalogue(tmp_path, version(1, title=LONG if "Revisited" in title else title)) as lookup:
        (found,) = check(swapped(title), lookup)
    assert found.verdict == "not_arxiv"


def test_a_year_that_is_still_to_come_is_a_warning_without_any_record(nothing: Lookup) -> None:
    (late, soon) = check(swapped(year=TODAY.year + 2) + swapped(year=TODAY.year + 1), nothing)
    assert (late.verdict, late.severity, late.message) == ("differs", "warning", "the year 2028 is still to come")
    assert soon.verdict == "not_arxiv"


def printed(text: str) -> BibEntry:
    return BibEntry("[1]", "bibitem", {"text": f"{text} arXiv:1706.03762, 2017."}, Span(Path(), 0, 0, 1), "1706.03762")


def test_a_printed_entry_whose_id_is_another_paper_s_is_told_by_its_text(tmp_path: Path) -> None:
    texts = ["Ann Brown. Sampling of neighbours.", "A. Vaswani. Other words.", "Ann Brown. Attention is all you need."]
    with catalogue(tmp_path, version(1)) as lookup:
        found = check_entries([printed(text) for text in texts], lookup, today=TODAY)
    assert [(each.verdict, each.severity) for each in found] == [
        ("differs", "error"),
        ("unchecked", "info"),
        ("differs", "warning"),
    ]


def test_a_printed_entry_most_of_whose_authors_are_invented_is_a_warning(tmp_path: Path) -> None:
    invented = "Ashish Vaswani, Ann Brown, Ben Other, and Carl Third. Attention is all you need."
    with catalogue(tmp_path, version(1)) as lookup:
        (found,) = check_entries([printed(invented)], lookup, today=TODAY)
    assert (found.severity, found.message) == ("warning", "the authors differ: Brown, Other, Third are not among them")
