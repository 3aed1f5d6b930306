"""The date of a draft, by what it says, and papers that are newer."""

import os
import shutil
from datetime import date
from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Paper
from citeplug.related.draft_date import DraftDate, date_findings, date_of_draft, later_than
from tests.harness.git_server import git, identify
from tests.harness.hostile_git import ACCEPTED, HOOKS, REFUSED
from tests.harness.papers import paper

DRAFT = """\\documentclass{%s}
\\usepackage{%s}
%s
\\begin{document}
%s
\\bibliography{refs}
\\end{document}
"""
NEW, OLD = paper("1905.00001", published=date(2019, 5, 1)), paper("1605.00001", published=date(2016, 5, 1))


def draft(
    folder: Path, said: str = "", *, style: str = "article", package: str = "natbib", years: tuple[int, ...] = ()
) -> Path:
    keys = [f"k{number}" for number in range(len(years))]
    cites = f"\\cite{{{','.join(keys)}}}" if keys else "Nothing."
    entries = [f"@misc{{{key}, title = {{T}}, year = {{{year}}}}}\n" for key, year in zip(keys, years, strict=True)]
    (folder / "refs.bib").write_text("".join(entries), "utf-8")
    (folder / "main.tex").write_text(DRAFT % (style, package, said, cites), "utf-8")
    return folder / "main.tex"


def written(main: Path) -> DraftDate | None:
    return date_of_draft(read_draft(main))


def findings(main: Path, *papers: Paper, before: date | None = None) -> list[Finding]:
    return date_findings(read_draft(main), Options(before=before), papers)


def test_work_is_later_than_a_date_that_the_author_gives_and_not_than_what_the_draft_cites(tmp_path: Path) -> None:
    assert later_than(read_draft(draft(tmp_path, "\\date{July 2018}")), (NEW, OLD)) == [NEW]
    assert later_than(read_draft(draft(tmp_path, years=(2015, 2016, 2017, 2018, 2018))), (NEW, OLD)) == []
    assert later_than(read_draft(draft(tmp_path, "\\date{\\today}")), (NEW, OLD)) == []


@pytest.mark.parametrize(
    ("said", "shown", "end"),
    [
        ("\\date{July 2018}", "2018", date(2019, 1, 1)),
        ("\\date{2018-06-30}", "2018-06-30", date(2018, 7, 1)),
        ("\\date{Received 2017; revised 2018}", "2018", date(2019, 1, 1)),
        ("\\date{2018-13-45}", "2018", date(2019, 1, 1)),
    ],
)
def test_the_document_s_date_is_read_by_its_year(tmp_path: Path, said: str, shown: str, end: date) -> None:
    assert written(draft(tmp_path, said)) == DraftDate(shown, "\\date", end)


def test_class_and_packages_name_their_conference_s_year(tmp_path: Path) -> None:
    of_2020 = DraftDate("2020", "the year of its class", date(2021, 1, 1))
    of_2018 = DraftDate("2018", "the year of its package neurips_2018", date(2019, 1, 1))
    assert written(draft(tmp_path, style="iclr2020_conference")) == of_2020
    assert written(draft(tmp_path, package="neurips_2018")) == of_2018


@pytest.mark.parametrize("said", ["", "\\date{}", "\\date{\\today}", "\\date{12345678}", "\\date{"])
def test_a_draft_that_says_no_date_has_none(tmp_path: Path, said: str) -> None:
    assert written(draft(tmp_path, said)) is None


def test_a_draft_is_not_older_than_what_it_cites(tmp_path: Path) -> None:
    years = (2015, 2016, 2017, 2017, 2019)
    of_2019 = DraftDate("2019", "the newest work that your own text cites", date(2020, 1, 1))
    assert written(draft(tmp_path, "\\date{2016}", years=years)) == of_2019
    assert written(draft(tmp_path, years=years)) == of_2019
    assert written(draft(tmp_path, "\\date{2021}", years=years)) == DraftDate("2021", "\\date", date(2022, 1, 1))


def test_a_few_citations_say_nothing_of_the_date(tmp_path: Path) -> None:
    assert written(draft(tmp_path, years=(2015, 2016))) is None


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def commit(monkeypatch: pytest.MonkeyPatch, folder: Path, day: str) -> None:
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
        identify(folder, "A")
    git(folder, "add", "-A")
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T12:00:00Z")
    git(folder, "commit", "-qm", "Text")


@needs_git
def test_the_last_commit_of_the_draft_s_files_dates_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = draft(tmp_path, years=(2012, 2013, 2013, 2013, 2014))
    commit(monkeypatch, tmp_path, "2018-03-04")
    (tmp_path / "other.txt").write_text("later", "utf-8")
    commit(monkeypatch, tmp_path, "2021-01-01")
    assert written(main) == DraftDate("2018-03-04", "its last commit", date(2018, 3, 5))


@needs_git
def test_a_repository_that_would_start_programs_starts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "nt":
        pytest.skip("the mode of a file")
    folder = tmp_path / "paper"
    folder.mkdir()
    main = draft(folder)
    (folder / ".gitattributes").write_text("* filter=x diff=x merge=x\n", "utf-8")
    commit(monkeypatch, folder, "2018-03-04")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/started'\n", "utf-8")
    program.chmod(0o755)
    for hook in HOOKS:
        shutil.copy(program, folder / ".git" / "hooks" / hook)
    own = (folder / ".git" / "config").read_text("utf-8")
    for name, value in (*REFUSED, *ACCEPTED, ("log.showSignature", "true"), ("core.fsmonitor", "{evil}")):
        (folder / ".git" / "config").write_text(own, "utf-8")
        git(folder, "config", "--local", name, value.format(evil=program))
        written(main)
        assert not (tmp_path / "started").exists(), name


@needs_git
def test_a_folder_without_git_and_one_that_git_cannot_read_have_no_commit(tmp_path: Path) -> None:
    main = draft(tmp_path)
    assert written(main) is None
    (tmp_path / ".git").write_text("gitdir: /nowhere\n", "utf-8")
    assert written(main) is None


def test_papers_newer_than_the_draft_are_named_with_the_option_that_leaves_them_out(tmp_path: Path) -> None:
    (found,) = findings(draft(tmp_path, "\\date{2018}"), OLD, NEW)
    assert (found.code, found.severity) == ("newer_than_draft", "info")
    assert found.message == "the draft seems to be from 2018 (\\date): arXiv:1905.00001 is newer"
    assert found.fix is not None and found.fix.endswith("--before 2019-01-01")


def test_where_nothing_is_newer_or_nothing_known_nothing_is_said(tmp_path: Path) -> None:
    assert findings(draft(tmp_path, "\\date{2018}"), OLD) == []
    assert findings(draft(tmp_path, "\\date{2018}")) == []
    assert findings(draft(tmp_path), OLD, NEW) == []


def test_who_gives_a_cut_off_is_told_what_is_planned_in_spite_of_it_and_no_more(tmp_path: Path) -> None:
    main = draft(tmp_path, "\\date{2010}")
    (found,) = findings(main, OLD, NEW, before=date(2018, 1, 1))
    assert (found.code, found.severity) == ("newer_than_before", "warning")
    assert "arXiv:1905.00001" in found.message and "2018-01-01" in found.message
    assert "1605.00001" not in found.message
    assert findings(main, OLD, before=date(2018, 1, 1)) == []
