"""The review page in a real Chromium."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT

pytestmark = [pytest.mark.system, needs_node, needs_editor]

SCREENSHOTS = ROOT / "build" / "review"  # unless the environment names another folder


def test_a_section_is_reviewed_in_a_real_browser(written_once: Path, library_home: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(written_once, tmp_path / "paper")
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / "review.test.mjs")],
        cwd=ROOT,
        env={
            "CITEPLUG_SCREENSHOTS": str(SCREENSHOTS),
            **os.environ,
            "CITEPLUG_HOME": str(library_home),
            "CITEPLUG_E2E_REVIEW": str(folder),
            "CITEPLUG_E2E_PYTHON": sys.executable,
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=400,
    )
    assert done.returncode == 0, done.stdout + done.stderr
