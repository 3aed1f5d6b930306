"""The review page in a real Chromium."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import wrap

import pytest

from citeplug.bib.collect_library import add
from citeplug.corpus.stores import settings
from tests.harness.pdf_files import Line, paper_pdf, pdf
from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT, play_twice

pytestmark = [pytest.mark.system, needs_node, needs_editor]

SCREENSHOTS = ROOT / "build" / "review"  # unless the environment names another folder


def take_in_pdfs(folder: Path, place: Path, home: Path) -> None:
    """Take in PDFs of the first sources: with the quotation on page 2, without it, over pages 1 and 2, and half of it.

    The third has a footnote and a running head between the parts; of the fourth the next page goes on otherwise.
    """
    record = json.loads((folder / ".citeplug" / "provenance.json").read_text("utf-8"))
    first, second, third, fourth = (sentence["sources"][0] for sentence in record["sentences"][:4])
    begin = "Networks are learned from graphs, and graphs from networks. " * 60
    notes, heads = ["1 A footnote of no meaning.", "17"], ["18   A. Author and B. Author", ""]
    halves = [(words[: len(words) // 2], words[len(words) // 2 :]) for words in (third["quote"], fourth["quote"])]
    files = {
        first["arxiv_id"]: paper_pdf(
            "A Paper", [("Introduction", begin), ("Method", f"Here {first['quote']}, we say.")]
        ),
        second["arxiv_id"]: paper_pdf("A Paper", [("Introduction", begin), ("Method", "Nothing of the kind.")]),
        third["arxiv_id"]: pdf([page(["It begins.", halves[0][0], *notes]), page([*heads, halves[0][1], "It ends."])]),
        fourth["arxiv_id"]: pdf([page(["It begins.", halves[1][0], *notes]), page([*heads, "It goes on otherwise."])]),
    }
    for name, data in files.items():
        (place / f"{name}.pdf").write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(home))
        add(settings(offline=True), sorted(place.glob("*.pdf")), lambda *_: None)


def page(texts: list[str]) -> list[Line]:
    return [(line, 10, False) for text in texts for line in wrap(text, 80)]


def test_a_section_is_reviewed_in_a_real_browser(written_once: Path, library_home: Path, tmp_path: Path) -> None:
    attempts = (tmp_path / name for name in ("first", "second"))
    play_twice("review", lambda: play(next(attempts), written_once, library_home))


def play(place: Path, written: Path, library: Path) -> subprocess.CompletedProcess[str]:
    folder = shutil.copytree(written, place / "paper")
    home = shutil.copytree(library, place / "home", symlinks=True)
    take_in_pdfs(folder, place, home)
    return subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / "review.test.mjs")],
        cwd=ROOT,
        env={
            "CITEPLUG_SCREENSHOTS": str(SCREENSHOTS),
            **os.environ,
            "CITEPLUG_HOME": str(home),
            "CITEPLUG_E2E_REVIEW": str(folder),
            "CITEPLUG_E2E_PDF": str(max(place.glob("*.pdf"), key=lambda file: file.stat().st_size)),
            "CITEPLUG_E2E_PYTHON": sys.executable,
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=400,
    )
