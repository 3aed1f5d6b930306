"""One test of sameness: what the author's bibliography has, in whatever writing, is not cited under a second key."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citeplug.corpus.stores import settings
from citeplug.records.outcome import Options
from citeplug.related.papers import list_for_draft
from citeplug.related.tools import Job
from tests.e2e.conftest import Run

BRUNA = "Spectral Networks and Locally Connected Networks on Graphs"
PUBLISHED = """@inproceedings{%s,
  title = {%s},
  author = {Joan Bruna and Arthur Szlam and Wojciech Zaremba and Yann LeCun},
  booktitle = {Proceedings of the 2nd International Conference on Learning Representations},
  year = {2014}
}
"""
PREPRINT = """@misc{%s,
  title = {%s},
  author = {Bruna, Joan and Zaremba, Wojciech and Szlam, Arthur and LeCun, Yann},
  eprint = {1312.6203}, archivePrefix = {arXiv}, year = {2013}
}
"""


def related(run: Run, project: Path, *entries: str, text: str = "") -> Any:
    """The outcome for a draft with these entries, whose section is asked to discuss the paper."""
    (project.parent / "refs.bib").write_text("".join(entries), "utf-8")
    project.write_text(project.read_text("utf-8").replace("We conclude.", text + "\nWe conclude."), "utf-8")
    done = run("related", project, "--offline", "--pin", "1312.6203", "--json")
    assert done.code == 0, done.err
    return done.json


def keys_of(document: Any, arxiv_id: str = "1312.6203") -> set[str]:
    sentences = [s for p in document["section"]["paragraphs"] for s in p["sentences"]]
    return {cite["key"] for s in sentences for cite in s["cites"] if cite["arxiv_id"] == arxiv_id}


def titles(bib: str) -> Sequence[str]:
    return re.findall(r"title\s*=\s*\{(.*)\}", bib)


def test_an_entry_without_an_id_and_with_authors_in_another_order_is_not_doubled(
    run: Run, home: Path, project: Path
) -> None:
    document = related(run, project, PUBLISHED % ("bruna2014spectral", BRUNA))
    assert keys_of(document) == {"bruna2014spectral"}
    assert not any("spectral" in title.lower() for title in titles(document["bib_content"]))


def test_of_two_entries_of_a_paper_the_section_takes_the_one_that_the_text_cites(
    run: Run, home: Path, project: Path
) -> None:
    both = PREPRINT % ("bruna2013", BRUNA), PUBLISHED % ("bruna2014", BRUNA)
    document = related(run, project, *both, text="Others did \\citep{bruna2014}.")
    assert keys_of(document) == {"bruna2014"}


def test_a_paper_that_was_renamed_since_the_author_cited_it_is_cited_with_a_warning(
    run: Run, home: Path, project: Path
) -> None:
    old = "Harmonic Analysis for Deep Learning on Irregular Domains"
    document = related(run, project, PREPRINT % ("bruna2013", old))
    assert keys_of(document) == {"bruna2013"}
    (entry,) = [entry for entry in document["entries"] if entry["key"] == "bruna2013"]
    assert entry["verdict"] == "differs"
    (said,) = [finding for finding in document["findings"] if finding["code"] == "title_differs"]
    assert said["severity"] == "warning"
    assert old in said["message"] and BRUNA in said["message"]


def test_the_papers_view_shows_the_key_that_the_text_cites(home: Path, project: Path) -> None:
    both = PREPRINT % ("bruna2013", BRUNA) + PUBLISHED % ("bruna2014", BRUNA)
    (project.parent / "refs.bib").write_text(both, "utf-8")
    job = Job(project, Options(), given={"pin": ("1312.6203",)})

    def key() -> str | None:
        papers = list_for_draft(job, settings(offline=True), online=False, report=lambda *_: None).papers
        return next(listed.key for listed in papers if listed.paper.id.value == "1312.6203")

    assert key() == "bruna2013"
    project.write_text(project.read_text("utf-8").replace("We conclude.", "As \\citep{bruna2014}."), "utf-8")
    assert key() == "bruna2014"


def test_cite_names_the_entry_that_the_text_cites(run: Run, home: Path, project: Path) -> None:
    both = PREPRINT % ("bruna2013", BRUNA) + PUBLISHED % ("bruna2014", BRUNA)
    (project.parent / "refs.bib").write_text(both, "utf-8")
    project.write_text(project.read_text("utf-8").replace("We conclude.", "As \\citep{bruna2014}."), "utf-8")
    done = run("cite", "1312.6203", "--bib", project.parent / "refs.bib", "--offline", "--json")
    assert [one["key"] for one in done.json] == ["bruna2014"], done.out


def test_check_advises_the_entry_that_agrees_with_the_record(run: Run, home: Path, project: Path) -> None:
    wrong = (PREPRINT % ("wrong2009", BRUNA)).replace("2013", "2009")
    bib = project.parent / "refs.bib"
    bib.write_text(wrong + PREPRINT % ("bruna2013", BRUNA), "utf-8")
    found = [f for e in run("check", bib, "--offline", "--json").json for f in e["findings"]]
    (said,) = [finding for finding in found if finding["code"] == "duplicate_entry"]
    assert said["fix"] == "cite bruna2013 instead, and remove wrong2009"
