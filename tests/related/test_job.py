"""A draft that is saved while its section is made."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import citeplug.demo
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus, settings
from citeplug.errors import WouldOverwrite
from citeplug.files.project_files import read_bytes
from citeplug.project import author_files
from citeplug.project.targets import insertion
from citeplug.records.outcome import Options
from citeplug.related.job import write_plan, write_related
from citeplug.related.tools import Job
from citeplug.settings.environment import Settings

CONTENT = Path(citeplug.demo.__file__).parent


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    return replace(settings(offline=True), home=tmp_path / "home")


@pytest.fixture
def corpus(chosen: Settings) -> Iterator[Corpus]:
    with open_corpus(chosen) as corpus:
        corpus.add([CONTENT / "library.jsonl"])
        yield corpus


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    shutil.copytree(CONTENT / "example", tmp_path / "paper")
    return tmp_path / "paper" / "main.tex"


def job(draft: Path) -> Job:
    return Job(draft, Options(), insert=True, embed_seconds=0.0)


def test_what_is_saved_during_a_run_stays_beside_what_is_inserted(
    chosen: Settings, corpus: Corpus, draft: Path
) -> None:
    remark = "% A remark that moves everything after it.\n"
    told: list[str] = []

    def report(stage: str, number: int, total: int | None) -> None:
        if stage == "print" and "print" not in told:
            draft.write_bytes(remark.encode() * 3 + draft.read_bytes())
        told.append(stage)

    before = draft.read_text("utf-8")
    done = write_related(job(draft), chosen, online=False, report=report, corpus=corpus)
    after = draft.read_text("utf-8")
    assert draft in done.files
    assert after.startswith(remark * 3)
    lines = after.removeprefix(remark * 3).splitlines()
    added = [line for line in lines if line not in before.splitlines()]
    assert r"\input{related}" in added
    assert set(before.splitlines()) - set(lines) <= {r"\bibliography{references}"}


def test_a_draft_that_never_rests_is_left_alone(
    chosen: Settings, corpus: Corpus, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = draft.read_bytes()
    saves = 0

    def and_save(*arguments: object) -> object:
        nonlocal saves
        saves += 1
        draft.write_bytes(first + b"%%%d\n" % saves)
        return insertion(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("citeplug.related.job.insertion", and_save)
    with pytest.raises(WouldOverwrite, match="keep changing"):
        write_related(job(draft), chosen, online=False, report=lambda stage, number, total: None, corpus=corpus)
    assert draft.read_bytes() == first + b"%%%d\n" % saves
    assert not (draft.parent / "related.tex").exists()


def test_the_record_of_the_last_run_is_read_once(
    chosen: Settings, corpus: Corpus, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> None:
        write_related(replace(wanted, dry_run=True), chosen, online=False, report=quiet, corpus=corpus)

    def plan() -> None:
        write_plan(replace(wanted, dry_run=True), chosen, online=False, report=quiet)

    def quiet(stage: str, number: int, total: int | None) -> None:
        pass

    def counted(path: Path, most: int | None = None) -> bytes:
        read.append(path.name)
        return read_bytes(path, most)

    wanted = replace(job(draft), given={}, insert=False)
    write_related(wanted, chosen, online=False, report=quiet, corpus=corpus)
    read: list[str] = []
    monkeypatch.setattr(author_files, "read_bytes", counted)
    for command in (run, plan):
        read.clear()
        command()
        assert read.count("provenance.json") == 1
