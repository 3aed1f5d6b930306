"""The recorded check of an entry, after the entry was changed."""

from pathlib import Path

import pytest

from citeplug.bibtex.entries import parse_bib
from citeplug.project.find_project import find_project
from citeplug.project.provenance import PROVENANCE, print_provenance
from citeplug.records.provenance import Provenance, RecordedEntry
from citeplug.related.input_digests import entry_digests
from citeplug.related.section.status import state_of

MAIN = r"\documentclass{article}\begin{document}Graphs \cite{gcn}.\bibliography{refs}\end{document}"
REFS = "@misc{gcn, title = {Deep Graph Networks}, author = {Ann Lee}, year = 2016, eprint = {1609.02907}}\n"


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("Deep Graph", "{G}raph", "verified"),
        ("Deep Graph", "Wide Graph", "unchecked"),
        ("Lee", "Loo", "unchecked"),
        ("{Deep Graph Networks}, author = {Ann Lee}", "{Graph Networks}, author = {Ann Loo}", "unchecked"),
        ("02907", "02908", "unchecked"),
        ("Deep", "Deep", "differs"),
    ],
)
def test_an_entry_that_now_says_what_its_record_says_is_verified(
    tmp_path: Path, old: str, new: str, verdict: str
) -> None:
    evidence = (
        {"field": "title", "given": "Deep Graph Networks", "found": "Graph Networks", "verdict": "differs"},
        {"field": "author", "given": "Ann Lee", "found": "Ann Lee", "verdict": "same"},
        {"field": "year", "given": "2016", "found": "2016", "verdict": "same"},
    )
    digest = entry_digests(parse_bib(REFS))["gcn"]
    checked = RecordedEntry("gcn", "1609.02907", "author", "differs", "catalogue", evidence, digest)
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(REFS.replace(old, new))
    (tmp_path / PROVENANCE).parent.mkdir()
    (tmp_path / PROVENANCE).write_bytes(print_provenance(Provenance(citeplug="1", format=1, entries=(checked,))))
    (entry,) = state_of(find_project(tmp_path / "main.tex")).entries
    assert entry.verdict == verdict
    assert entry.checked_against == (None if verdict == "unchecked" else "catalogue")
