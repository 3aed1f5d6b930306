"""The packages that the documents and the import contracts name are those on disk, and a file is easy to read."""

import ast
import functools
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "citeplug"
PACKAGES = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py")))
ROWS = [row for row in (ROOT / "docs" / "background.md").read_text("utf-8").splitlines() if row.startswith("| [")]
MOST_LINES = 400
# Imports within functions keep heavy libraries from being loaded before they are needed. Lower this when some are gone.
MOST_LOCAL_IMPORTS = 320
# Participles that say nothing of what a variable holds; fields of records may have them.
NO_NAMES = frozenset("each found said given kept chosen".split())
# Names that several classes bear. Take out a name when one class is left; none may be added.
SHARED_NAMES = frozenset(
    """Allowance Document Library PaperSource Planned Progress Projects Reply Turn Watching
    _Writer""".split()
)


@functools.cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def test_the_package_s_root_holds_packages_and_little_else() -> None:
    files = {path.name for path in PACKAGE.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__main__.py", "errors.py", "protocols.py", "py.typed"}


def test_contributors_are_told_of_every_package_and_of_no_other() -> None:
    told = re.findall(r"^\| `citeplug/(\w+)/`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(told) == PACKAGES


def test_the_layers_name_every_package_and_each_exception_is_of_one_import() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    named = {name.strip() for layer in contracts[0]["layers"] for name in layer.split("|")}
    assert {f"citeplug.{package}" for package in PACKAGES} <= named
    assert not any("*" in exception for contract in contracts for exception in contract.get("ignore_imports", ()))


def test_no_file_is_longer_than_can_be_read_at_once() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in trees()}
    assert [path for path, length in lengths.items() if length > MOST_LINES] == []


def test_no_class_has_the_name_of_another_save_those_that_are_listed() -> None:
    names = Counter(node.name for tree in trees().values() for node in tree.body if isinstance(node, ast.ClassDef))
    assert {name for name, times in names.items() if times > 1} == SHARED_NAMES


def test_a_variable_is_named_by_what_it_holds() -> None:
    bound = {
        (path.relative_to(ROOT).as_posix(), name)
        for path, tree in trees().items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)) or isinstance(node, ast.arg)
        if (name := node.id if isinstance(node, ast.Name) else node.arg) in NO_NAMES
    }
    assert bound == set()


def test_imports_within_functions_do_not_become_more() -> None:
    """Each is counted once, in the outermost function that it is in."""
    imports = {
        node
        for tree in trees().values()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert len(imports) <= MOST_LOCAL_IMPORTS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.findall(r"`([^`]+)`", row)[0])
def test_a_published_method_is_in_the_file_that_names_its_source(row: str) -> None:
    """The files of a row are linked, are there, and the first docstring of each names the paper and its section."""
    _, files, _, source, _ = (cell.strip() for cell in row.split("|"))
    author = re.match(r"\w+", source)
    assert author
    for path in re.findall(r"\]\(\.\./([^)]+)\)", files):
        docstring = ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8"))) or ""
        assert author[0] in docstring, path
