"""Real bibliographies: what BibTeX takes is no error, and what it stops at is told."""

import re
from pathlib import Path

import pytest

from citeplug.bib.lint.rules import Surroundings, lint_bib
from citeplug.bibtex.entries import entries_of, read_bib
from citeplug.bibtex.syntax import read_blocks
from citeplug.files.decode import decode
from tests.bib.runs import needs_bibtex, run_bibtex

_LINE = re.compile(r"---line (\d+) of file refs\.bib")
# Each is told by BibTeX with the key, or with a line of the style.
_NAMED = re.compile(r'(?:for entry |A bad cross reference---entry ")([^\s"]+)')
_BY_LATEX = frozenset({"raw_percent", "raw_special", "html_entity", "unpaired_dollar", "bad_key", "lost_fields"})


@pytest.mark.shared_data
@needs_bibtex
def test_errors_are_those_of_bibtex_in_every_real_file(shared_data: Path, tmp_path: Path) -> None:
    files = sorted((shared_data / "latex").rglob("*.bib"))
    assert len(files) > 15
    for number, file in enumerate(files):
        data = file.read_bytes()
        text = decode(data).text
        blocks = read_blocks(text)
        entries = entries_of(text, blocks, file)
        found = [each.finding for each in lint_bib(text, file, blocks, entries, Surroundings("bibtex"))]
        errors = [finding for finding in found if finding.severity == "error" and finding.code not in _BY_LATEX]
        ran = run_bibtex(tmp_path / str(number), data, "plain")
        lines = set(map(int, _LINE.findall(_errors(ran.out))))
        keys = set(_NAMED.findall(ran.out))
        by_name = {entry.key: entry for entry in entries}
        assert ran.failed == bool(errors), (file, errors, ran.out)
        for finding in errors:
            told = any(finding.line is not None and abs(finding.line - line) <= 1 for line in lines)
            named = any(by_name[key].span.line <= (finding.line or 0) for key in keys if key in by_name)
            assert told or named, (file, finding)
        for line in lines:
            assert any(abs((finding.line or 0) - line) <= 1 for finding in errors), (file, line, ran.out)


def _errors(out: str) -> str:
    """What BibTeX printed, without its warnings."""
    return re.sub(r"Warning--.*\n--line.*\n", "", out)


@pytest.mark.shared_data
def test_every_entry_that_bibtexparser_reads_is_read_with_its_fields(shared_data: Path) -> None:
    from bibtexparser.splitter import Splitter

    for file in sorted((shared_data / "latex").rglob("*.bib")):
        text = decode(file.read_bytes()).text
        ours = {entry.key: entry for entry in reversed(read_bib(text, file).entries)}
        for theirs in filter(lambda each: each.key, Splitter(text).split().entries):
            entry = ours[theirs.key]
            names = {field.key.lower() for field in theirs.fields}
            # Where a comma is missing, bibtexparser loses a field without a word.
            assert (entry.kind, names - set(entry.fields)) == (theirs.entry_type.lower(), set()), (file, entry.key)
