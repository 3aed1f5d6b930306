"""check, fix, cite and references need only what citeplug-check installs: nothing else can be imported here."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import build_backend
from tests.corpus.records import make_record, write_snapshot

ROOT = Path(__file__).parents[2]
RUN = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked or ".".join(name.split(".")[:2]) in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
blocked = sys.argv[1].split(",")
sys.meta_path.insert(0, Blocked())
del sys.argv[1]
from citeplug.__main__ import main
main()
"""
RIGHT = "@misc{known, title = {On {Problem} number 3}, author = {Lovelace, Ada and others}, year = {2018}}\n"
WRONG = "@misc{wrong, title = {Another Title}, author = {Grace Hopper}, year = {2020}, eprint = {1801.00004}}\n"
MODULES = {"pygls": "pygls,lsprotocol"}


def left_out() -> set[str]:
    """The requirements of citeplug that citeplug-check does not have."""

    def requirements(text: str) -> set[str]:
        return {name.partition(">")[0] for name in tomllib.loads(text)["project"]["dependencies"]}

    whole = requirements((ROOT / "pyproject.toml").read_text("utf-8"))
    with build_backend._tree({"distribution": "check"}):
        return whole - requirements(Path("pyproject.toml").read_text("utf-8"))


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `citeplug ARGS...` where these are not installed, beside a catalogue."""
    blocked = left_out()
    assert {"chromadb", "numpy", "onnxruntime", "tantivy"} <= blocked
    records = write_snapshot(tmp_path / "records.jsonl", map(make_record, range(1, 40)))
    subprocess.run([sys.executable, "-m", "citeplug", "index", "add", str(records)], check=True, capture_output=True)
    (tmp_path / "refs.bib").write_text(RIGHT + WRONG, "utf-8")

    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        packages = [f"citeplug.{name}" for name in build_backend.LEFT_OUT if "/" not in name]
        names = ",".join([*packages, *(MODULES.get(name, name) for name in blocked)])
        command = [sys.executable, "-c", RUN, names, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")

    return call


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_check_finds_the_same_by_title_and_by_id_as_with_them(run: Run, tmp_path: Path) -> None:
    command = ("check", "refs.bib", "--offline", "--format", "json")
    alone = run(*command)
    whole = subprocess.run(
        [sys.executable, "-m", "citeplug", *command], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert [entry["verdict"] for entry in json.loads(alone.stdout)] == ["verified", "differs"], alone.stderr
    assert (alone.returncode, alone.stdout) == (whole.returncode, whole.stdout)


def test_fix_cite_and_references_run(run: Run, tmp_path: Path) -> None:
    assert "arXiv:1801.00004" in (listed := run("references", "refs.bib")).stdout, listed.stderr
    assert run("fix", "refs.bib", "--offline").returncode in (0, 1)
    cited = run("cite", "1801.00007", "--offline", "--append", "refs.bib")
    assert cited.returncode == 0, cited.stderr


@pytest.mark.parametrize("command", [("search", "problems"), ("audit", "main.tex"), ("doctor", "--report")])
def test_another_command_says_what_to_install_or_does_without(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}A\\end{document}", "utf-8")
    done = run(*command)
    assert "Traceback" not in done.stderr
    if command[0] != "doctor":
        assert done.returncode == 2 and "pip install citeplug" in done.stderr, done.stderr
    else:
        assert done.stdout.startswith("citeplug ")
