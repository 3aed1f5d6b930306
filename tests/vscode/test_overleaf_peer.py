"""The browser extension at Overleaf's own real-time server and document updater, from a checkout of its repository."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.vscode.conftest import needs_editor
from tests.vscode.parts import BRIDGE, ROOT, Example, play_twice

CHECKOUT = os.environ.get("CITEPLUG_OVERLEAF", "")
pytestmark = [
    pytest.mark.optional,
    pytest.mark.system,
    needs_editor,
    pytest.mark.skipif(
        not (Path(CHECKOUT) / "node_modules" / "socket.io").is_dir() or CHECKOUT == "",
        reason="CITEPLUG_OVERLEAF names no checkout of Overleaf's repository with its packages installed",
    ),
    pytest.mark.skipif(
        shutil.which("redis-server") is None or shutil.which("openssl") is None,
        reason="redis-server or openssl is not installed",
    ),
]


def test_what_both_authors_write_arrives_and_comments_stay_on_their_words(example: Example, tmp_path: Path) -> None:
    subprocess.run(["node", str(BRIDGE / "overleaf" / "build.mjs")], check=True)
    homes = (tmp_path / name for name in ("home", "again"))

    def once() -> subprocess.CompletedProcess[str]:
        home = shutil.copytree(example.home, next(homes), symlinks=True)
        return subprocess.run(
            ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / "overleaf-peer.test.mjs")],
            cwd=ROOT,
            env={**example.environment(BRIDGE / "overleaf" / "dist"), "CITEPLUG_HOME": str(home)},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=600,
        )

    play_twice("overleaf-peer", once)
