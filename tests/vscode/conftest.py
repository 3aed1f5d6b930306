"""What a real VS Code needs to run the extension, made once."""

import shutil
from pathlib import Path

import pytest

from tests.vscode.parts import BRIDGE, Example, make_example, make_overleaf_vsix, make_vsix

needs_node = pytest.mark.skipif(
    shutil.which("npm") is None or not (BRIDGE / "node_modules" / ".installed").is_file(),
    reason="npm is not installed, or 'make vscode-tests' was not run",
)
needs_editor = pytest.mark.skipif(
    shutil.which("chromium") is None or not (BRIDGE / "e2e" / "node_modules" / ".installed").is_file(),
    reason="chromium is not installed, or 'make vscode-tests' was not run",
)


@pytest.fixture(scope="session")
def vsix() -> Path:
    return make_vsix()


@pytest.fixture(scope="session")
def overleaf_vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_overleaf_vsix(tmp_path_factory.mktemp("overleaf") / "overleaf.vsix")


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return make_example(tmp_path_factory.mktemp("vscode"))
