"""Real .bib files through `fix`: nothing else changes, and what compiled still compiles."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.bib_file import BibFile, read_bib_file
from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import FixRequest
from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.splice import apply, splice
from citeplug.bib.write.writing import learn_writing
from citeplug.corpus.index import Corpus
from citeplug.records.entry_check import FieldChange
from citeplug.records.finding import TextEdit
from citeplug.settings.environment import Settings
from tests.corpus.stores import MemoryStore, WordModel

pytestmark = pytest.mark.shared_data

_ERRORS = re.compile(r"error message|---line|^ERROR", re.MULTILINE)
_BIBER_READS = 3  # files; it takes seconds for each


@pytest.fixture
def files(shared_data: Path) -> list[Path]:
    """Every .bib file, those with the same bytes once."""
    found = {hashlib.sha256(path.read_bytes()).digest(): path for path in sorted(shared_data.glob("latex/**/*.bib"))}
    assert found
    return list(found.values())


@pytest.fixture
def chosen(files: list[Path], shared_data: Path, tmp_path: Path) -> Iterator[Settings]:
    """A catalogue of the papers that the files name, and of one in a hundred of the others."""
    ids = {entry.arxiv_id for path in files for entry in read_bib_file(path).entries()}
    lines = tmp_path / "some.jsonl"
    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as stream:
        kept = [line for number, line in enumerate(stream) if number % 100 == 0 or json.loads(line)["id"] in ids]
    lines.write_text("".join(kept), encoding="utf-8")
    corpus = Corpus(tmp_path / "home", embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add([lines], complete=False)
    corpus.close()
    yield Settings(tmp_path / "home", offline=True)


def some_changes(file: BibFile) -> tuple[str, list[set[str]]]:
    """The text of a file with changes in every third entry, and which fields changed, by entry."""
    entries = file.entries()
    writing = learn_writing(entries, Dialect(), encodes=file.takes_unicode)
    edits: list[TextEdit] = []
    changed: list[set[str]] = []
    for number, entry in enumerate(entries):
        wanted = [
            FieldChange("x", "year", "1999"),
            FieldChange("x", "title", "Über the {BERT} & 100% of $O(N)$"),
            FieldChange("x", "author", "Jörg Müller and Ann de Vries"),
            FieldChange("x", "doi", "10.1000/182"),
            FieldChange("x", "abstract", None),
        ]
        done = splice(file.text, entry, wanted if number % 3 == 0 else [], writing)
        edits += done.edits
        changed.append({change.field for change in done.made})
    return apply(file.text, edits), changed


def test_real_files_differ_only_in_what_was_fixed(files: list[Path], chosen: Settings, tmp_path: Path) -> None:
    for path in files:
        copy = tmp_path / "refs.bib"
        shutil.copyfile(path, copy)
        before = hashlib.sha256(copy.read_bytes()).hexdigest()
        done = fix_bibliography(
            [copy], chosen, FixRequest(published=True), report=lambda *_: None, today=date(2026, 1, 15)
        )
        done.write(chosen.home)
        after = read_bib_file(copy)
        assert (hashlib.sha256(after.data).hexdigest() == before) is not bool(done.fixed), path
        changed = {each.key for each in done.fixed}
        old, new = read_bib_file(path).entries(), after.entries()
        assert [entry.key for entry in old] == [entry.key for entry in new], path
        assert all(a.fields == b.fields for a, b in zip(old, new, strict=True) if a.key not in changed), path
        # Once is enough.
        again = fix_bibliography(
            [copy], chosen, FixRequest(published=True), report=lambda *_: None, today=date(2026, 1, 15)
        )
        assert not again.fixed, path


def test_changes_in_real_files_are_read_again_and_nothing_else_differs(files: list[Path]) -> None:
    for path in files:
        file = read_bib_file(path)
        assert file.encoded(file.text) == file.data, path
        text, changed = some_changes(file)
        old, new = file.entries(), BibFile(path, b"", text, file.encoding).entries()
        assert [(entry.key, entry.kind) for entry in old] == [(entry.key, entry.kind) for entry in new], path
        for before, after, fields in zip(old, new, changed, strict=True):
            assert {n: v for n, v in before.fields.items() if n not in fields} == {
                n: v for n, v in after.fields.items() if n not in fields
            }, (path, before.key)
            assert "year" not in fields or after.fields["year"] == "1999"
            assert "abstract" not in fields or "abstract" not in after.fields


@pytest.mark.system
def test_changed_files_raise_no_new_error_in_bibtex_or_biber(files: list[Path], tmp_path: Path) -> None:
    for program in ("bibtex", "biber"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: make system-deps")
    for number, path in enumerate(sorted(files, key=lambda path: path.stat().st_size)):
        file = read_bib_file(path)
        after = tmp_path / "after.bib"
        after.write_bytes(file.encoded(some_changes(file)[0]))
        assert _bibtex(after, tmp_path) <= _bibtex(path, tmp_path), path
        if number < _BIBER_READS:
            assert _biber(after, tmp_path) <= _biber(path, tmp_path), path


def _bibtex(path: Path, folder: Path) -> int:
    """How often BibTeX complains of a file."""
    shutil.copyfile(path, folder / "x.bib")
    (folder / "x.aux").write_text("\\citation{*}\n\\bibstyle{plain}\n\\bibdata{x}\n", encoding="utf-8")
    subprocess.run(["bibtex", "-terse", "x"], cwd=folder, capture_output=True, timeout=60, check=False)
    assert (folder / "x.bbl").stat().st_size
    return len(_ERRORS.findall((folder / "x.blg").read_bytes().decode("utf-8", "replace")))


def _biber(path: Path, folder: Path) -> int:
    shutil.copyfile(path, folder / "x.bib")
    command = ["biber", "--tool", "--nolog", "x.bib"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    return len(_ERRORS.findall(done.stdout.decode("utf-8", "replace")))
