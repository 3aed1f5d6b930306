"""The author's own entries in the section's bibliography."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.compare.check_entries import check_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.records_by_id import Lookup
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.work import Holding, OwnEntry
from citeplug.related.references import SectionReferences, refer
from citeplug.section_file.cite_style import unfit_for_cite
from tests.harness.papers import paper

TODAY = date(2026, 11, 1)
BERG = "@article{berg98,\n author = {Eva Berg}, title = {On Baskets}, journal = {J. of Things}, year = 1998}"
OURS = Paper(ArxivId("lib:berg98"), "On Baskets", "We weave.", ("Eva Berg",), date(1998, 1, 1), date(1998, 1, 1))


@dataclass
class Records:
    """A catalogue of a few papers."""

    known: dict[str, Paper] = field(default_factory=dict)

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        return {value: self.known[value] for value in ids if value in self.known}

    def by_doi(self, dois: Sequence[str]) -> Mapping[str, list[Paper]]:
        return {}

    def by_title(self, title: str, k: int) -> list[Paper]:
        return [each for each in self.known.values() if each.id.on_arxiv and each.title == title][:k]

    def own_works(self) -> list[Paper]:
        return []

    def own_texts(self) -> list[Holding]:
        return []


MANY = "author={Smith, Jane and Doe, John}, title={Attention Is All You Need}, doi={10.1234/x}, year={2017}"


@pytest.mark.parametrize(
    "entry",
    [
        "@inproceedings{vas17, author={Ashish Vaswani}, title={Attention Is All You Need}, year={2017}}",
        "@inproceedings{vas17, author={Ashish Vaswani}, title={Attention Is All You Need}, year={1999}}",
        "@misc{vas17, author={Ashish Vaswani}, title={Attention Is Not Needed}, eprint={1706.03762}, year={2017}}",
        f"@article{{vas17, {MANY}}}",
    ],
)
def test_an_entry_of_the_draft_gets_the_verdict_that_a_check_gives_it(entry: str) -> None:
    found = referred([paper()], {}, draft_bib=entry)
    index = Records({"1706.03762": paper()})
    (checked,) = check_entries(parse_bib(entry), Lookup(index, None, lambda _: False), today=TODAY)
    (verdict,) = [each.check.verdict for each in found.entries if each.check.key == "vas17"] or [checked.verdict]
    assert verdict == checked.verdict


def referred(
    papers: Sequence[Paper], entries: Mapping[str, str], draft_bib: str = "", held: str = "", complete: bool = False
) -> SectionReferences:
    own = {value: OwnEntry(value, parse_bib(text)[0].key, text, Path("/refs.bib")) for value, text in entries.items()}
    index = Records({each.id.value: each for each in papers})
    lookup = Lookup(index, None, lambda _: complete, own_entries=lambda ids: own)
    draft = Draft(Path("/main.tex"), (), "", "", entries=tuple(parse_bib(draft_bib)))
    return refer(papers, draft, lookup, TODAY, parse_bib(held))


def test_a_work_outside_arxiv_is_cited_by_the_author_s_own_entry() -> None:
    found = referred([OURS], {"lib:berg98": BERG})
    assert found.keys == {"lib:berg98": "berg98"}
    assert found.rendered[0].text.strip() == BERG
    (entry,) = found.entries
    assert (entry.origin, entry.check.verdict, entry.check.checked_against) == ("author", "not_arxiv", "library")
    assert entry.check.arxiv_id == "lib:berg98"
    assert "from your library (refs.bib)" in entry.check.message
    assert found.refused() == {}


def test_what_the_draft_defines_is_not_written_again() -> None:
    found = referred([OURS], {"lib:berg98": BERG}, draft_bib=BERG)
    assert (found.keys, found.rendered) == ({"lib:berg98": "berg98"}, ())
    (entry,) = found.entries
    # Its own library is no witness for it.
    assert (entry.check.verdict, entry.check.checked_against) != ("verified", "catalogue")


def test_a_key_that_another_work_has_gets_a_letter() -> None:
    found = referred([OURS], {"lib:berg98": BERG}, draft_bib="@misc{Berg98, author={A B}, title={Other Things}}")
    assert found.keys == {"lib:berg98": "berg98a"}
    assert found.rendered[0].text.startswith("@article{berg98a,")


def test_a_key_that_latex_cannot_cite_gives_way_to_one_as_for_a_new_entry() -> None:
    found = referred([OURS], {"lib:berg98": BERG.replace("berg98", "berg%98")})
    (key,) = found.keys.values()
    assert unfit_for_cite(key) is None
    assert found.rendered[0].text.startswith(f"@article{{{key},")


def test_in_the_section_s_own_file_it_keeps_its_key() -> None:
    found = referred([OURS], {"lib:berg98": BERG}, held=BERG)
    assert found.keys == {"lib:berg98": "berg98"}


def test_a_paper_on_arxiv_is_cited_by_the_author_s_entry_too() -> None:
    published = (
        "@inproceedings{vas17, author={Ashish Vaswani and Noam Shazeer and Niki Parmar},"
        " title={Attention Is All You Need}, booktitle={NIPS}, year={2017}}"
    )
    found = referred([paper()], {"1706.03762": published})
    assert found.keys == {"1706.03762": "vas17"}
    assert found.rendered[0].text.strip() == published
    assert (found.entries[0].check.verdict, found.entries[0].check.checked_against) == ("verified", "catalogue")


def test_an_entry_that_is_another_paper_s_is_not_taken_and_told() -> None:
    wrong = "@misc{x, author={Eva Berg}, title={On Baskets}, eprint={1706.03762}, archiveprefix={arXiv}, year={1998}}"
    found = referred([paper()], {"1706.03762": wrong})
    assert "vaswani" in found.keys["1706.03762"]
    assert [finding.code for finding in found.doubts()] == ["library_entry_unfit"]


def test_an_id_that_does_not_exist_forbids_the_work() -> None:
    claims = BERG.replace("year = 1998", "eprint = {1801.99999}, archiveprefix = {arXiv}, year = 1998")
    found = referred([OURS], {"lib:berg98": claims}, complete=True)
    assert list(found.refused()) == ["lib:berg98"]


def test_a_work_whose_entry_has_gone_is_refused() -> None:
    found = referred([OURS], {})
    assert list(found.refused()) == ["lib:berg98"]
