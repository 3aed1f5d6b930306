"""A real draft in the review page, in a real Chromium: a zip in, a section, a zip out, and the document compiled."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

from citeplug.corpus.stores import open_corpus, settings
from tests.harness.pdf_files import paper_pdf
from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT, play_twice

pytestmark = [pytest.mark.shared_data, pytest.mark.system, needs_node, needs_editor]

FOLDER, MAIN = "mdeff+paper-cnn-graph-nips2016", "nips2016.tex"
FIGURES = ("architecture", "coarsening", "runtime", "training")  # which the data set leaves out, as the style
ATTENTION = "1710.10903"
BEGIN = "The emerging field of GSP"  # a paragraph of its related work
QUESTION = "How do graph attention networks weigh the neighbours of a node?"
OWN = "Filters on graphs are compared in these words of the author."
_PAPERS = 150


def copy_draft(shared_data: Path, place: Path) -> Path:
    """The draft's folder, writable, with stand-ins for the conference's style and the figures."""
    folder = place / "paper"
    folder.mkdir(parents=True)
    for file in (shared_data / "latex" / FOLDER).iterdir():
        if file.suffix in (".tex", ".bib"):
            (folder / file.name).write_bytes(file.read_bytes())
    style = "\\DeclareOption*{}\\ProcessOptions\n\\RequirePackage{natbib}\n"
    (folder / "nips2016.sty").write_text(style, "utf-8")
    for name in FIGURES:
        (folder / f"{name}.pdf").write_bytes(paper_pdf("A Figure", []))
    return folder


def fill_catalogue(shared_data: Path, home: Path) -> None:
    """Take in some papers of the sample on convolutions of graphs."""
    records = home / "some.jsonl"
    home.mkdir(parents=True)
    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as sample:
        near = [line for line in sample if "graph" in line.lower() and "convolution" in line.lower()]
    known = [line for line in near if json.loads(line)["authors"]]
    known.sort(key=lambda line: json.loads(line)["id"] != ATTENTION)
    records.write_text("".join(known[:_PAPERS]), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(home))
        with open_corpus(settings(offline=True)) as corpus:
            corpus.add([records])


def compile_draft(folder: Path) -> tuple[str, str]:
    """The text of the log and of the PDF."""
    command = ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error", MAIN]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    text = "\n".join(page.extract_text() for page in PdfReader(folder / MAIN.replace(".tex", ".pdf")).pages)
    return (folder / MAIN.replace(".tex", ".log")).read_text("latin-1"), text


@pytest.mark.skipif(shutil.which("latexmk") is None, reason="latexmk is not installed")
def test_a_real_draft_goes_from_a_zip_to_a_compiled_document(shared_data: Path, tmp_path: Path) -> None:
    attempts = (tmp_path / name for name in ("first", "second"))
    place = tmp_path

    def play() -> subprocess.CompletedProcess[str]:
        nonlocal place
        place = next(attempts)
        return play_in(place, shared_data)

    play_twice("a real draft", play)
    folder = place / "paper"
    with ZipFile(place / "changed.zip") as changed:
        assert {"related.tex", "related.bib", MAIN, "citeplug.toml"} <= set(changed.namelist())
        changed.extractall(folder)
    main = (folder / MAIN).read_text("utf-8")
    original = (shared_data / "latex" / FOLDER / MAIN).read_text("utf-8")
    assert "\\input{related}" in main and "\\bibliography{refs,related}" in main
    missing = [line for line in original.splitlines() if line not in main and "\\bibliography{" not in line]
    assert not missing  # the author's lines are as they were
    answer = next(line for line in main.splitlines() if line not in original and "\\cite" in line)
    key = answer.rpartition("{")[2].partition("}")[0]
    log, text = compile_draft(folder)
    assert "undefined" not in log  # no citation
    assert OWN in " ".join(text.replace("-\n", "").split())
    assert f"{{{key}}}" in (folder / MAIN.replace(".tex", ".bbl")).read_text("utf-8")


def play_in(place: Path, shared_data: Path) -> subprocess.CompletedProcess[str]:
    folder = copy_draft(shared_data, place)
    fill_catalogue(shared_data, place / "home")
    packed = shutil.make_archive(str(place / "paper"), "zip", folder)
    return subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / "review-real.test.mjs")],
        cwd=ROOT,
        env={
            "CITEPLUG_SCREENSHOTS": str(ROOT / "build" / "review"),
            **os.environ,
            "CITEPLUG_HOME": str(place / "home"),
            "CITEPLUG_OFFLINE": "1",
            "CITEPLUG_E2E_ZIP": packed,
            "CITEPLUG_E2E_CHANGED": str(place / "changed.zip"),
            "CITEPLUG_E2E_PAPER": ATTENTION,
            "CITEPLUG_E2E_WORDS": BEGIN,
            "CITEPLUG_E2E_QUESTION": QUESTION,
            "CITEPLUG_E2E_PYTHON": sys.executable,
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=900,
    )
