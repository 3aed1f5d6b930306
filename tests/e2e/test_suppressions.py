"""Findings that an author ignores, and a baseline, as `citeplug check` and `citeplug fix` respect them."""

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.e2e.test_check import DRAFT, MIXED, RIGHT, WRONG_YEAR, by_key, codes, write


@pytest.mark.parametrize("place", ["comment", "file", "toml"])
def test_what_is_ignored_is_neither_reported_nor_corrected(run: Run, home: Path, tmp_path: Path, place: str) -> None:
    comment = {"comment": "% citeplug: ignore year_differs -- of the print\n", "file": "", "toml": ""}[place]
    last = "% citeplug: ignore-file year_differs\n" if place == "file" else ""
    file = write(tmp_path, RIGHT + comment + WRONG_YEAR + last)
    if place == "toml":
        write(tmp_path, 'ignore = ["year_differs"]\n', "citeplug.toml")
    found = by_key(run("check", file, "--offline", "--format", "json").json)
    assert (found["late"]["verdict"], found["late"]["severity"], codes(found["late"])) == ("differs", "none", [])
    done = run("check", file, "--offline", "--fail-on", "warning")
    assert (done.code, "1 finding ignored" in done.out, "year_differs" in done.out) == (0, True, False)
    before = file.read_bytes()
    run("fix", file, "--offline")
    assert file.read_bytes() == before


def test_an_ignored_finding_leaves_the_others_of_its_entry(run: Run, home: Path, tmp_path: Path) -> None:
    both = WRONG_YEAR.replace("Inductive Representation Learning on Large Graphs", "A History of Cheese")
    file = write(tmp_path, "% citeplug: ignore year_differs\n" + both)
    done = run("check", file, "--offline", "--json")
    (entry,) = done.json
    assert (codes(entry), entry["severity"], "2011" in entry["message"]) == (["title_differs"], "warning", False)
    file = write(tmp_path, "% citeplug: ignore title_differs, year_differs\n" + both)
    (entry,) = run("check", file, "--offline", "--json").json
    assert (entry["verdict"], codes(entry), entry["severity"], entry["message"]) == ("differs", [], "none", None)


def test_a_citation_of_an_undefined_key_is_ignored_where_it_is(run: Run, home: Path, tmp_path: Path) -> None:
    write(tmp_path, RIGHT)
    main = write(
        tmp_path, DRAFT.replace(r"\cite{nowhere}", r"\cite{nowhere} % citeplug: ignore undefined_key"), "main.tex"
    )
    done = run("check", main, "--offline", "--json")
    assert (done.code, list(by_key(done.json))) == (0, ["grover2016node2vec"])


def test_an_unknown_code_is_a_finding_in_a_comment_and_an_error_in_the_settings(
    run: Run, home: Path, tmp_path: Path
) -> None:
    file = write(tmp_path, RIGHT + "% citeplug: ignore titel_differs\n")
    done = run("check", file, "--offline", "--fail-on", "warning")
    assert (done.code, "no finding called titel_differs to ignore [unknown_code]" in done.out) == (1, True)
    write(tmp_path, '\nignore = ["titel_differs"]\n', "citeplug.toml")
    done = run("check", file, "--offline")
    assert done.code == 2
    assert "citeplug.toml:2: ignore has an unknown code: titel_differs; did you mean title_differs?" in done.err


def test_a_baseline_leaves_what_is_new(run: Run, home: Path, tmp_path: Path) -> None:
    file, baseline = write(tmp_path, MIXED), tmp_path / "known.json"
    written = run("check", file, "--offline", "--baseline", baseline, "--write-baseline")
    assert (written.code, "1 finding written to" in written.err) == (0, True)
    first = baseline.read_bytes()
    # The entry moves, and another one comes.
    write(tmp_path, "\n\n" + RIGHT + MIXED + WRONG_YEAR)
    done = run("check", file, "--offline", "--baseline", baseline, "--fail-on", "warning", "--format", "json")
    found = by_key(done.json)
    assert (done.code, codes(found["mixed"]), codes(found["late"])) == (1, [], ["year_differs"])
    assert "in the baseline" in run("check", file, "--offline", "--baseline", baseline).out
    assert baseline.read_bytes() == first


def test_a_second_finding_like_one_of_the_baseline_is_new(run: Run, home: Path, tmp_path: Path) -> None:
    broken = "@misc{b, title = {A & B}, note = {C & D}}\n"
    file, baseline = write(tmp_path, broken.replace("C & D", "C")), tmp_path / "known.json"
    run("check", file, "--offline", "--baseline", baseline, "--write-baseline")
    assert run("check", file, "--offline", "--baseline", baseline).code == 0
    write(tmp_path, broken)
    (entry,) = run("check", file, "--offline", "--baseline", baseline, "--json").json
    assert codes(entry).count("raw_special") == 1


@pytest.mark.parametrize(
    "text", [None, "", "[]", '{"a": 1}', '{"citeplug_baseline": 2, "findings": {}}', "[" * 100_000]
)
def test_a_file_that_is_no_baseline_is_neither_used_nor_overwritten(
    run: Run, home: Path, tmp_path: Path, text: str | None
) -> None:
    file, baseline = write(tmp_path, MIXED), tmp_path / "known.json"
    if text is not None:
        baseline.write_text(text, "utf-8")
    assert run("check", file, "--offline", "--baseline", baseline).code == 2
    if text is not None:
        assert run("check", file, "--offline", "--baseline", baseline, "--write-baseline").code == 2
        assert baseline.read_text("utf-8") == text
    assert run("check", file, "--offline", "--write-baseline").code == 2


def test_a_baseline_has_what_a_person_can_read(run: Run, home: Path, tmp_path: Path) -> None:
    file, baseline = write(tmp_path, MIXED), tmp_path / "known.json"
    run("check", file, "--offline", "--baseline", baseline, "--write-baseline")
    found = json.loads(baseline.read_text("utf-8"))["findings"].values()
    assert {"id_differs"} == {each["code"] for each in found if each["on"] == "mixed"}
