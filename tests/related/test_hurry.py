"""A run that may spend no time on embedding."""

import shutil
from dataclasses import replace
from pathlib import Path

import citeplug.demo
from citeplug.corpus.stores import open_corpus, settings
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.tools import Job

CONTENT = Path(citeplug.demo.__file__).parent


def test_a_section_is_made_though_nothing_may_be_embedded(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "example", tmp_path / "paper")
    chosen = replace(settings(offline=True), home=tmp_path / "home")
    with open_corpus(chosen) as corpus:
        corpus.add([CONTENT / "library.jsonl"])
        job = Job(tmp_path / "paper" / "main.tex", Options(), embed_seconds=0.0)
        done = write_related(job, chosen, online=False, report=lambda stage, number, total: None, corpus=corpus)
        assert corpus.info()["embedded"] == 0
    assert len(done.outcome.shortlist) == 20
    assert done.outcome.papers
