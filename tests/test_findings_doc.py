"""docs/findings.md and the code name the same codes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import build_findings
from citeplug.records.rules import RULES

ROOT = Path(__file__).parents[1]
CODE = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")


def codes_in_source() -> Iterator[str]:
    """Snake-case strings in what makes a finding or a doubt, in pairs that are noted, and in `code = ...`."""
    for file in sorted((ROOT / "citeplug").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            parts: list[ast.AST] = []
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if "inding" in name or "oubt" in name or name in ("_lint", "stumble"):
                    parts = list(node.args[:3])
                elif name in ("append", "insert"):
                    parts = [part.elts[0] for part in node.args if isinstance(part, ast.Tuple)]
            elif isinstance(node, ast.Assign) and "code" in [getattr(target, "id", "") for target in node.targets]:
                parts = [part for part in ast.walk(node.value) if not isinstance(part, ast.Compare)]
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and CODE.fullmatch(part.value):
                    yield part.value


def documented() -> Iterator[tuple[str, str]]:
    """Each code that the document explains, with the severities that it gives for it."""
    text = (ROOT / "docs" / "findings.md").read_text("utf-8")
    yield from re.findall(r"^#### `(\w+)`\n\n\*([a-z ]+)\* · ", text, re.MULTILINE)


def test_the_document_is_made_from_the_rules_and_what_is_said_of_them() -> None:
    assert build_findings.PAGE.read_text("utf-8") == build_findings.page()


def test_every_code_is_explained_and_every_explained_code_is_used() -> None:
    explained = {code for code, _ in documented()}
    assert explained == set(codes_in_source()) - {"exit_code", "sqlite_errorcode", "number_of", "number_unit"}


def test_the_usual_severity_of_a_rule_is_one_that_the_document_gives() -> None:
    told: dict[str, str] = {}
    for code, severities in documented():
        told[code] = told.get(code, "") + severities
    assert [code for code, severities in told.items() if code in RULES and RULES[code].severity not in severities] == []
