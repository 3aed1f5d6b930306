"""`citeplug fix` and `citeplug cite`, as a user runs them."""

import os
import shlex
from pathlib import Path

import pytest

from tests.e2e.conftest import Run

WRONG = """% my papers
@misc{a,
  title = {Gated Graph Sequense Neural Networks},
  author = {Li, Yujia and Tarlow, Daniel and Brockschmidt, Marc and Zemel, Richard},
  eprint = {1511.05493},
  year = {2015}
}
"""
RIGHT = WRONG.replace("Sequense", "Sequence")


@pytest.fixture
def bib(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "refs.bib"
    path.write_bytes(WRONG.encode())
    return path


def test_fix_says_what_it_fixed_and_what_remains(run: Run, bib: Path) -> None:
    bib.write_bytes((WRONG + "@misc{b, title={X}, eprint={1511.05493}, author={Nobody}, year=2015}\n").encode())
    done = run("fix", bib, "--offline")
    assert "title = Gated Graph Sequence Neural Networks (by arXiv:1511.05493) [title_differs]" in done.out
    assert "fixed 1 problem in 1 entry of refs.bib\nnext: citeplug check" in done.out
    assert "left to you" in done.err and "is another paper" in done.err
    assert bib.read_bytes().startswith(RIGHT.encode())
    assert run("fix", bib, "--offline", "--fail-on", "never").code == 0


@pytest.mark.parametrize("option", ["--diff", "--dry-run"])
def test_a_trial_writes_nothing(run: Run, bib: Path, option: str) -> None:
    done = run("fix", "--offline", option)
    assert done.code == 0
    assert bib.read_bytes() == WRONG.encode()
    if option == "--diff":
        assert "-  title = {Gated Graph Sequense Neural Networks},\n+  title = {Gated Graph Sequence" in done.out
        assert all(line[:1] in " +-@" for line in done.out.splitlines())


def test_fix_as_json_is_one_document(run: Run, bib: Path) -> None:
    found = run("fix", "--offline", "--json", "--only", "year_differs").json
    assert found["written"] is False
    assert [finding["code"] for finding in found["remaining"]] == ["title_differs"]
    found = run("fix", "--offline", "--json").json
    assert found["written"] is True
    assert [(each["key"], each["code"], each["field"]) for each in found["fixed"]] == [("a", "title_differs", "title")]
    assert found["files"][0]["changed"] is True


def test_with_nothing_to_fix_no_file_is_touched(run: Run, bib: Path) -> None:
    bib.write_bytes(RIGHT.encode())
    os.utime(bib, (1, 1))
    done = run("fix", "--offline")
    assert done.code == 0
    assert "nothing to fix" in done.out


def test_fix_of_what_is_not_there_is_a_clear_message(run: Run, bib: Path) -> None:
    done = run("fix", "none.bib", "--offline")
    assert done.code == 2
    assert "does not exist" in done.err


def test_cite_prints_an_entry_and_appends_one(run: Run, bib: Path) -> None:
    done = run("cite", "1506.05163", "--offline", "--bib", bib)
    assert done.code == 0
    assert done.out.startswith(
        "@misc{henaff2015deep,\n  title = {Deep Convolutional Networks on Graph-Structured Data}"
    )
    assert bib.read_bytes() == WRONG.encode()
    assert run("cite", "1506.05163", "--offline", "--append").code == 0
    assert bib.read_bytes() == (WRONG + "\n" + done.out).encode()


def test_cite_refuses_what_is_there_and_names_its_key(run: Run, bib: Path) -> None:
    done = run("cite", "arXiv:1511.05493", "--append", bib, "--offline")
    assert "refs.bib:2" in done.err and "cite a" in done.err
    assert bib.read_bytes() == WRONG.encode()


def test_an_id_behind_append_is_no_file(run: Run, bib: Path) -> None:
    assert run("cite", "--offline", "--append", "1506.05163").code == 0
    assert b"henaff2015deep" in bib.read_bytes()


def test_cite_of_something_unknown_says_how_to_go_on(run: Run, bib: Path) -> None:
    done = run("cite", "No Paper Has This Title At All", "--offline")
    assert "not found" in done.err and "--online" in done.err
    found = run("cite", "No Paper Has This Title At All", "1506.05163", "--offline", "--json").json
    assert [each["status"] for each in found] == ["not_found", "new"]
    assert found[1]["arxiv_id"] == "1506.05163"


def test_cite_of_nothing_is_wrong_usage(run: Run) -> None:
    assert run("cite", "--offline").code == 2


def test_an_outage_is_no_verdict_on_a_title(run: Run, bib: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("cite", "2905.00001")
    assert done.code == 3
    assert "arXiv could not be queried" in done.err


def test_where_nothing_is_certain_the_next_command_shows_the_title_and_then_takes_it(run: Run, bib: Path) -> None:
    done = run("fix", bib, "--offline", "--diff", "--only", "year_differs")
    fix = f"next: citeplug fix {shlex.quote(str(bib))} --only title_differs"
    assert done.out == "" and f"{fix} --diff --offline    shows the change" in done.err
    assert (
        f"{fix} --offline    writes this correction"
        in run("fix", bib, "--offline", "--diff", "--only", "title_differs").err
    )


def test_a_code_that_no_finding_has_is_refused_with_the_one_that_was_meant(run: Run, bib: Path) -> None:
    done = run("fix", bib, "--offline", "--only", "titel_differs")
    assert done.code == 2 and "no finding has the code titel_differs; did you mean title_differs?" in done.err
    assert bib.read_bytes() == WRONG.encode()


def test_a_title_that_differs_a_little_is_shown_as_a_change_and_made_on_request(run: Run, bib: Path) -> None:
    bib.write_text(RIGHT.replace("Gated Graph", "Gated Deep Graph"), encoding="utf-8")
    assert (
        f"next: citeplug fix {shlex.quote(str(bib))} --only title_differs --diff --offline"
        in run("check", bib, "--offline").out
    )
    assert run("fix", bib, "--offline", "--only", "title_differs").code == 0
    assert bib.read_text(encoding="utf-8") == RIGHT
