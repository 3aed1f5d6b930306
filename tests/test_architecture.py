"""The rooms that the documents and the import contract name are those on disk."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "citeplug"
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py")))
ROWS = [row for row in (ROOT / "docs" / "background.md").read_text("utf-8").splitlines() if row.startswith("| [")]


def test_the_package_s_root_holds_rooms_and_little_else() -> None:
    files = {path.name for path in PACKAGE.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__main__.py", "errors.py", "protocols.py", "py.typed"}


def test_contributors_are_told_of_every_room_and_of_no_other() -> None:
    told = re.findall(r"^\| `citeplug/(\w+)/`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(told) == ROOMS


def test_the_import_contract_names_every_room_without_an_exception() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    named = {name.strip() for layer in contracts[0]["layers"] for name in layer.split("|")}
    assert {f"citeplug.{room}" for room in ROOMS} <= named
    assert not any("ignore_imports" in contract for contract in contracts)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.findall(r"`([^`]+)`", row)[0])
def test_a_published_method_is_in_the_file_that_names_its_source(row: str) -> None:
    """The files of a row are linked, are there, and the first docstring of each names the paper and its section."""
    _, files, _, source, _ = (cell.strip() for cell in row.split("|"))
    author = re.match(r"\w+", source)
    assert author
    for path in re.findall(r"\]\(\.\./([^)]+)\)", files):
        docstring = ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8"))) or ""
        assert author[0] in docstring, path
