"""What users and programs see stays byte for byte as it is, whatever is moved within.

A deliberate change is taken in with `python -m tests.frozen`, and shows in the diff of the snapshots.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frozen.session import COMMANDS
from tests.frozen.surfaces import help_texts, initialize_reply, page_routes

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What all commands printed, run once in a process of their own."""
    file = tmp_path_factory.mktemp("frozen") / "documents.json"
    subprocess.run([sys.executable, "-m", "tests.frozen.session", str(file)], cwd=HERE.parents[1], check=True)
    documents: dict[str, str] = json.loads(file.read_text("utf-8"))
    return documents


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_it_printed(name: str, printed: dict[str, str]) -> None:
    assert printed[name] == (HERE / "documents" / f"{name}.txt").read_text("utf-8")


def test_there_is_a_snapshot_of_every_command_and_of_no_other() -> None:
    assert {path.stem for path in (HERE / "documents").iterdir()} == set(COMMANDS)


def test_the_help_of_every_command_is_what_it_was() -> None:
    assert dict(help_texts()) == json.loads((HERE / "help.json").read_text("utf-8"))


def test_the_language_server_greets_as_it_did() -> None:
    assert initialize_reply() == (HERE / "initialize.json").read_text("utf-8")


def test_the_review_page_has_the_routes_that_it_had(tmp_path: Path) -> None:
    assert page_routes(tmp_path) == (HERE / "routes.txt").read_text("utf-8")
