from datetime import date
from pathlib import Path

from citeplug.bib.compare.check_entries import check_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.records.work import SERVICES
from citeplug.settings.environment import read_settings
from citeplug.sources.works import open_sources
from tests.bib.compare.test_check_entries import RIGHT, catalogue
from tests.harness.arxiv_server import FastClock, Fault
from tests.harness.papers import paper
from tests.harness.work_server import WorkServer, published

JOURNAL = """@article{b, title={Toward Unique Identifiers}, author={Lovelace, Ada and Babbage, Charles},
  journal={Journal of Tests}, year={2015}}"""
TODAY = date(2026, 1, 15)


def test_other_services_are_asked_for_what_is_not_on_arxiv_and_for_nothing_else(tmp_path: Path) -> None:
    with WorkServer(published("Toward Unique Identifiers")).serve() as server, catalogue(tmp_path, paper()) as lookup:
        assert isinstance(server, WorkServer)
        sources = open_sources(SERVICES, read_settings({"CITEPLUG_HOME": str(tmp_path), **server.environment()}))
        checks = check_entries(parse_bib(RIGHT + JOURNAL), lookup, today=TODAY, others=sources)
        asked = server.asked("crossref")
    assert [(check.key, check.checked_against) for check in checks] == [("a", "catalogue"), ("b", "crossref")]
    assert len(asked) == 1
    assert "Attention" not in asked[0]


def test_without_sources_such_an_entry_is_not_arxiv(tmp_path: Path) -> None:
    with catalogue(tmp_path) as lookup:
        assert [check.verdict for check in check_entries(parse_bib(JOURNAL), lookup, today=TODAY)] == ["not_arxiv"]


def test_an_outage_of_a_service_is_told_with_those_of_arxiv(tmp_path: Path) -> None:
    with WorkServer().serve() as server, catalogue(tmp_path) as lookup:
        assert isinstance(server, WorkServer)
        server.fail_always(Fault.http(503))
        settings = read_settings({"CITEPLUG_HOME": str(tmp_path), **server.environment()})
        sources = open_sources(["dblp"], settings, clock=FastClock())
        checks = check_entries(parse_bib(JOURNAL), lookup, today=TODAY, others=sources)
    assert [check.verdict for check in checks] == ["not_arxiv"]
    assert [finding.code for finding in lookup.findings] == ["source_unavailable"]
    assert lookup.outage is not None
