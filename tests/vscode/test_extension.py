"""The extension in a real VS Code, and what can be said of it without one."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from zipfile import ZipFile

import pytest

from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT, Example, first_papers, npm, play_twice, slow_model

pytestmark = [pytest.mark.system, needs_node]

LARGEST = 200_000  # bytes of the .vsix
SCREENSHOTS = ROOT / "build" / "vscode"  # unless the environment names another folder


def test_its_unit_tests_pass() -> None:
    done = npm("test")
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_source_is_clean() -> None:
    done = npm("lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_small_and_holds_no_source(vsix: Path) -> None:
    assert vsix.stat().st_size < LARGEST
    with ZipFile(vsix) as package:
        names = package.namelist()
        assert "extension/dist/THIRD-PARTY-NOTICES.txt" in names
        assert not any("node_modules" in name or name.endswith((".ts", ".map")) for name in names)


@needs_editor
@pytest.mark.parametrize("scenario", ["first-use", "editing", "papers", "choices", "section", "ask", "overleaf"])
def test_in_a_real_editor(scenario: str, vsix: Path, overleaf_vsix: Path, example: Example) -> None:
    play_twice(scenario, lambda: play(scenario, vsix, overleaf_vsix, example))


@needs_editor
def test_first_papers_in_a_real_editor(vsix: Path, overleaf_vsix: Path, example: Example, tmp_path: Path) -> None:
    """What was sent to arXiv is what the author was shown, and nothing before that was allowed."""
    homes = (tmp_path / name for name in ("home", "again"))

    def once() -> subprocess.CompletedProcess[str]:
        home = next(homes)
        with first_papers(home) as (server, leading):
            done = play("get-papers", vsix, overleaf_vsix, example, leading)
            if done.returncode == 0:
                shown = " ".join((home / "shown.txt").read_text("utf-8").split())
                assert server.asked_queries()
                for query in filter(None, server.asked_queries()):
                    words = [phrase or word for phrase, word in re.findall(r'all:(?:"([^"]*)"|([^\s()]+))', query)]
                    assert words and ", ".join(words) in shown
        return done

    play_twice("get-papers", once)


def play(
    scenario: str, vsix: Path, overleaf_vsix: Path, example: Example, leading: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[str]:
    with slow_model() as model:
        return subprocess.run(
            ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / f"{scenario}.test.mjs")],
            env={
                "CITEPLUG_SCREENSHOTS": str(SCREENSHOTS),
                **example.environment(vsix),
                **model,
                **leading,
                "CITEPLUG_E2E_OVERLEAF_VSIX": str(overleaf_vsix),
            },
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=400,
        )
