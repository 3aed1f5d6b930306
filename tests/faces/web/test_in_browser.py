"""The review page in a real Chromium."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from citeplug.usecases.library import add
from citeplug.usecases.stores import settings
from tests.pdf_files import paper_pdf
from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT, play_twice

pytestmark = [pytest.mark.system, needs_node, needs_editor]

SCREENSHOTS = ROOT / "build" / "review"  # unless the environment names another folder


def take_in_pdfs(folder: Path, place: Path, home: Path) -> None:
    """Take in PDFs of the first two sources, the first one's with the quotation on its second page."""
    record = json.loads((folder / ".citeplug" / "provenance.json").read_text("utf-8"))
    first, second = (sentence["sources"][0] for sentence in record["sentences"][:2])
    begin = "Networks are learned from graphs, and graphs from networks. " * 60
    for source, text in ((first, f"Here {first['quote']}, as we show."), (second, "Nothing of the kind.")):
        sections = [("Introduction", begin), ("Method", text)]
        (place / f"{source['arxiv_id']}.pdf").write_bytes(paper_pdf("A Paper", sections))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITEPLUG_HOME", str(home))
        add(settings(offline=True), sorted(place.glob("*.pdf")), lambda *_: None)


def test_a_section_is_reviewed_in_a_real_browser(written_once: Path, library_home: Path, tmp_path: Path) -> None:
    attempts = (tmp_path / name for name in ("first", "second"))
    play_twice("review", lambda: play(next(attempts), written_once, library_home))


def play(place: Path, written: Path, library: Path) -> subprocess.CompletedProcess[str]:
    folder = shutil.copytree(written, place / "paper")
    home = shutil.copytree(library, place / "home")
    take_in_pdfs(folder, place, home)
    return subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / "review.test.mjs")],
        cwd=ROOT,
        env={
            "CITEPLUG_SCREENSHOTS": str(SCREENSHOTS),
            **os.environ,
            "CITEPLUG_HOME": str(home),
            "CITEPLUG_E2E_REVIEW": str(folder),
            "CITEPLUG_E2E_PYTHON": sys.executable,
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=400,
    )
