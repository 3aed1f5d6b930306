"""`citeplug status` as a user runs it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.conftest import Run
from tests.sync.watch.projects import change


def state(run: Run, main: Path) -> Any:
    done = run("status", main, "--json")
    assert done.code == 0, done.err
    return done.json


def test_a_section_that_was_just_written_is_current(run: Run, written: Path) -> None:
    told = state(run, written)
    assert (told["condition"], told["changed"], told["made_by"]) == ("current", [], "extractive")
    assert told["inserted"]
    assert {block["condition"] for block in told["blocks"]} == {"current"}
    assert told["sentences"]["unreviewed"] == sum(block["unreviewed"] for block in told["blocks"]) > 0
    assert told["entries"]["verified"] == told["entries"]["only_by_catalogue"] == told["entries"]["total"] > 5
    assert [step["command"].split()[1] for step in told["next"]] == ["review"]


def test_a_changed_abstract_makes_it_due_and_a_comment_does_not(run: Run, written: Path) -> None:
    change(written, "Neural networks on graphs", "% a remark\nNeural networks on graphs")
    assert state(run, written)["condition"] == "current"
    change(written, "by attention. We", "by gates. We")
    told = state(run, written)
    assert (told["condition"], told["changed"]) == ("due", ["abstract"])
    assert told["next"][0]["command"].startswith("citeplug related ")
    assert "the abstract changed" in run("status", written).out
    assert run("status", written, "--fail-on", "due").code == 1
    run("related", written, "--offline")
    assert state(run, written)["condition"] == "current"


def test_an_edited_a_kept_and_an_empty_block_are_told_apart(run: Run, written: Path) -> None:
    section = written.parent / "related.tex"
    first, second, *_ = state(run, written)["blocks"]
    text = section.read_text("utf-8")
    head, _, tail = text.partition(f"% citeplug:end {first['id']}")
    text = f"{head}A sentence of my own.\n% citeplug:end {first['id']}{tail}"
    text = re.sub(rf"(% citeplug:begin {second['id']} .*\n)", r"\1% citeplug:keep\n", text)
    section.write_text(f"{text}\n% citeplug:begin p9\n% citeplug:1 say more [1706.02216]\n% citeplug:end p9\n", "utf-8")
    told = state(run, written)
    assert told["condition"] == "unwritten"
    conditions = {block["id"]: block["condition"] for block in told["blocks"]}
    assert (conditions[first["id"]], conditions[second["id"]], conditions["p9"]) == ("edited", "kept", "unwritten")


def test_the_marks_of_a_merge_are_seen(run: Run, written: Path) -> None:
    section = written.parent / "related.tex"
    change(section, "\\paragraph{", "<<<<<<< HEAD\n=======\n>>>>>>> other\n\\paragraph{")
    assert state(run, written)["condition"] == "conflict"


def test_a_project_without_a_section_is_told_the_first_step(run: Run, project: Path) -> None:
    told = state(run, project)
    assert told["condition"] == "missing"
    assert told["next"][0]["command"].startswith("citeplug related ")
    assert run("status", project, "--fail-on", "due").code == 1


def test_accepting_everything_settles_the_section(run: Run, written: Path) -> None:
    assert run("status", written, "--fail-on", "unreviewed").code == 1
    run("accept", written, "--all")
    assert run("status", written, "--fail-on", "unreviewed").code == 0


def test_an_entry_is_verified_only_as_it_was_checked(run: Run, written: Path) -> None:
    bib = written.parent / "related.bib"
    text = bib.read_text("utf-8")
    key = text.partition("{")[2].partition(",")[0]
    bib.write_text(text.replace("title         = {", "title         = {Un", 1), "utf-8")
    (unverified,) = run("status", written, "--json").json["entries"]["unverified"]
    assert unverified == {"key": key, "verdict": "unchecked", "checked_against": None}
    checked = {each["key"]: each["verdict"] for each in run("check", written, "--offline", "--json").json}
    assert checked[key] == "differs"
    bib.write_text(text.replace(" = {", "={"), "utf-8")  # layout is nothing that was checked
    assert run("status", written, "--json").json["entries"]["unverified"] == []


def test_a_damaged_record_is_no_error(run: Run, written: Path) -> None:
    record = written.parent / ".citeplug" / "provenance.json"
    for damage in ("", "[]", json.dumps({"sentences": [3, {"sources": 1}], "entries": 4, "inputs": [], "written": 2})):
        record.write_text(damage, "utf-8")
        assert state(run, written)["made_by"] is None


def test_nothing_heavy_is_loaded(home: Path, project: Path) -> None:
    code = "import sys; from citeplug.cli.main import cli; cli(['status', sys.argv[1]], standalone_mode=False);"
    code += (
        "print([m for m in ('torch', 'chromadb', 'onnxruntime', 'numpy', 'requests', 'tantivy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, project], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
