"""Real projects, where they lie beside this one. What is not as expected is explained in docs/reading.md."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citeplug.bibtex.entries import read_bib
from citeplug.latex.project import read_draft
from citeplug.latex.report import draft_as_json, draft_as_text
from citeplug.records.draft import Draft

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]

# The careful reader's counts hold dead and bibliography-internal commands too, or miss keys after the first of a
# \cites: these are the counts of what LaTeX typesets (docs/reading.md).
CITED_KEYS = {
    "paper/manuscript.tex": 36,
    "maxNt.tex": 35,
    "maxNt_v2.tex": 63,
    "maxNt_v3.tex": 67,
    "maxNt_v3backup.tex": 67,
    "maxNt_v4.tex": 67,
    "maxNt_v5.tex": 59,
    "maxNt_v6.tex": 82,
}


def mains(shared_data: Path) -> list[tuple[dict[str, Any], Path]]:
    rows = json.loads((shared_data / "latex_manifest.json").read_text(encoding="utf-8"))
    paths = [(row, shared_data / "latex" / row["folder"] / row["main"]) for row in rows]
    return [(row, path) for row, path in paths if path.is_file()]


@pytest.fixture(scope="module")
def drafts() -> dict[Path, Draft]:
    return {}


def draft(drafts: dict[Path, Draft], path: Path) -> Draft:
    if path not in drafts:
        drafts[path] = read_draft(path)
    return drafts[path]


def test_the_cited_keys_of_every_real_draft_are_counted_right(shared_data: Path, drafts: dict[Path, Draft]) -> None:
    counted = {
        row["main"]: (len({key for cite in draft(drafts, path).cites for key in cite.keys}), row["n_cited_keys"])
        for row, path in mains(shared_data)
    }
    assert {name: got for name, (got, want) in counted.items() if got != CITED_KEYS.get(name, want)} == {}


def test_every_abstract_that_a_reader_found_is_found_in_about_its_length(
    shared_data: Path, drafts: dict[Path, Draft]
) -> None:
    wrong = []
    for row, path in mains(shared_data):
        length = len(draft(drafts, path).abstract)
        if row["abstract_chars"] and not 0.7 * row["abstract_chars"] <= length <= 1.15 * row["abstract_chars"]:
            wrong.append((row["main"], length, row["abstract_chars"]))
    assert wrong == []


def test_every_related_work_section_of_the_real_drafts_is_found(shared_data: Path, drafts: dict[Path, Draft]) -> None:
    for row, path in mains(shared_data):
        expected = None if isinstance(row["related_work"], str) else row["related_work"]["heading"]
        if expected is None or re.search(r"(?i)uncorrelated|long range|how to", expected):
            assert draft(drafts, path).related_work is None, row["main"]
        else:
            related = draft(drafts, path).related_work
            assert related is not None and related.title == expected, row["main"]


def test_every_document_there_is_read_and_its_spans_point_at_commands(shared_data: Path) -> None:
    for path in sorted((shared_data / "latex").rglob("*.tex")):
        data = path.read_bytes()
        if b"\\documentclass" not in data and b"\\documentstyle" not in data:
            continue
        found = read_draft(path)
        assert draft_as_text(found) and draft_as_json(found)["root"] == str(path)
        for cite in found.cites:
            text = cite.span.file.read_bytes().decode("utf-8", errors="replace")
            if "\ufffd" not in text:
                assert text[cite.span.start : cite.span.end].startswith("\\" + cite.command.rstrip("*"))


def test_the_spans_of_all_real_entries_point_at_them(shared_data: Path) -> None:
    for path in sorted((shared_data / "latex").rglob("*.bib")):
        text = path.read_bytes().decode("utf-8-sig")
        for entry in read_bib(text, path).entries:
            raw = text[entry.span.start : entry.span.end]
            assert raw.startswith("@") and raw.endswith(("}", ")")) and entry.key in raw
