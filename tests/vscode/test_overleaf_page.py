"""The browser extension for Overleaf's page: what is shipped, and how it does in a real Chromium and a real Firefox."""

import json
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.harness.anthropic_server import AnthropicServer
from tests.vscode.conftest import needs_editor, needs_node
from tests.vscode.parts import BRIDGE, ROOT, Example, play_twice, slow_model

pytestmark = [pytest.mark.system, needs_node]

LARGEST = 100_000  # bytes of a zip
SCREENSHOTS = ROOT / "build" / "overleaf"  # unless the environment names another folder
# The versions that Overleaf's package.json pins: with others the page of the tests would be another.
PINNED = {"autocomplete": "6.18.4", "commands": "6.10.1", "language": "6.12.1", "state": "6.5.4", "view": "6.38.6"}


@pytest.fixture(scope="module")
def built() -> Path:
    return build()


def build() -> Path:
    """As `make overleaf-extension`, without the check of its types, which the other extension has."""
    subprocess.run(["node", str(BRIDGE / "overleaf" / "build.mjs")], check=True)
    return BRIDGE / "overleaf" / "dist"


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_the_zip_is_small_the_same_each_time_and_asks_for_no_more_than_overleaf(built: Path, browser: str) -> None:
    archive = built / f"citeplug-overleaf-{browser}.zip"
    before = archive.read_bytes()
    assert len(before) < LARGEST
    with ZipFile(archive) as package:
        assert package.testzip() is None
        manifest = json.loads(package.read("manifest.json"))
        for name in package.namelist():
            if name.endswith(".js"):
                code = package.read(name).decode("utf-8")
                assert not any(word in code for word in ("innerHTML", "eval(", "new Function", "outerHTML")), name
    assert manifest["host_permissions"] == ["https://www.overleaf.com/*"]
    assert set(manifest["permissions"]) <= {"storage", "scripting", "sidePanel"}
    assert not {"externally_connectable", "web_accessible_resources"} & set(manifest)
    build()
    assert archive.read_bytes() == before


def test_the_page_of_the_tests_has_the_editor_at_overleafs_versions() -> None:
    for name, version in PINNED.items():
        package = BRIDGE / "node_modules" / "@codemirror" / name / "package.json"
        assert json.loads(package.read_text("utf-8"))["version"] == version, name


needs_firefox = pytest.mark.skipif(shutil.which("firefox-esr") is None, reason="firefox-esr is not installed")


@needs_editor
@pytest.mark.parametrize("script", ["overleaf-page", pytest.param("overleaf-firefox", marks=needs_firefox)])
def test_in_a_real_browser(script: str, built: Path, example: Example, tmp_path: Path) -> None:
    homes = (tmp_path / name for name in ("home", "again"))

    def once() -> subprocess.CompletedProcess[str]:
        home = shutil.copytree(example.home, next(homes), symlinks=True)
        with slow_model(AnthropicServer, slower=0) as model:
            return play(home, model)

    def play(home: Path, model: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["node", "--test", "--test-reporter=spec", str(BRIDGE / "e2e" / f"{script}.test.mjs")],
            cwd=ROOT,
            env={
                "CITEPLUG_SCREENSHOTS": str(SCREENSHOTS),
                **example.environment(built),
                "CITEPLUG_HOME": str(home),
                **model,
            },
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=600,
        )

    play_twice(script, once)
