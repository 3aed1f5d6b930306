"""Every command in a folder whose files address the libraries below citeplug: settings, start-up files, modules.

The files come with a clone or a zip of somebody else's project. None is obeyed: nobody is called, no module is loaded
from the folder, and what the user has in CITEPLUG_HOME stays.
"""

import json
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from citeplug.corpus.vectors.chroma import ChromaStore
from tests.corpus.records import make_record, write_snapshot

ROOT = Path(__file__).parents[2]
RECORDS = 600  # more than are compared one by one, so that the vector store is asked
MODEL = "all-MiniLM-L6-v2/onnx-int8"
COMMANDS = """
accept main.tex --all
ask main.tex --offline "What is solved in linear time?"
audit main.tex --anonymous --author Roe
audit main.tex --offline
check main.tex --camera-ready --offline
check main.tex --offline
cite 1801.00007 --offline
demo shown
doctor --offline
draft main.tex --json
edit main.tex p1.1 --text "We agree."
evaluate answers --gold gold.jsonl
evaluate compare one.jsonl two.jsonl
evaluate inputs --gold gold.jsonl
evaluate mine .
evaluate ranking --gold gold.jsonl
evaluate retrieval --gold gold.jsonl
evaluate rolling
evaluate section main.tex
evaluate split dev
fetch 1801.00007 --offline
fix refs.bib --camera-ready --offline
fix refs.bib --offline
gaps main.tex --offline
graph add edges.jsonl
graph fetch 1801.00007 --offline
graph info
graph verify
index add more.jsonl
index embed
index export out.jsonl
index info
index lock main.tex
index prune --dry-run
index restore main.tex --offline
index topics
index update
index verify
init main.tex
library add refs.bib
library export --notes notes --csl library.json
library list
library remove refs
library save 1801.00007
library sync zotero
mentions 1801.00007
move main.tex p1.1 p1.2
news main.tex --offline
overleaf clone https://127.0.0.1:9/x there
overleaf sync .
paper 1801.00007
papers main.tex --offline
plan main.tex --offline --force
prepare 1801.00007 --offline
read 1801.00007
references refs.bib
reject main.tex p1.1
related main.tex --offline --force
remove main.tex
search "linear time"
start main.tex --offline
status main.tex
strip related.tex -o plain.tex
table main.tex --offline
watch . --once --offline
"""
SERVERS = (
    "lsp",
    "overleaf serve --port 23121",
    "review main.tex --no-browser",
)  # run in processes of their own, for some seconds


def address_of_all_settings(port: int) -> str:
    """Settings that send the libraries to the port, in the form that each of them knows."""
    here = f"http://127.0.0.1:{port}"
    lines = [
        "CHROMA_API_IMPL=chromadb.api.fastapi.FastAPI", "CHROMA_SERVER_HOST=127.0.0.1",
        f"CHROMA_SERVER_HTTP_PORT={port}",
        "CHROMA_PRODUCT_TELEMETRY_IMPL=this.s", f"CHROMA_OTEL_COLLECTION_ENDPOINT={here}", "ANONYMIZED_TELEMETRY=True",
        f"ANTHROPIC_BASE_URL={here}", "ANTHROPIC_API_KEY=k", f"OPENAI_BASE_URL={here}", "OPENAI_API_KEY=k",
        *(f"{name}={here}" for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_ENDPOINT")),
        *(f"CITEPLUG_{name}_URL={here}" for name in ("ARXIV", "OAI", "CHROMA", "EPRINT", "PDF")),
        "HF_HUB_OFFLINE=0", "CITEPLUG_OFFLINE=0",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


MODULES = ("sitecustomize", "usercustomize", "chromadb", "json", "numpy", "posthog", "this", "anthropic", "dotenv")
TRACE = """
import sys, traceback
from pathlib import Path
with Path(__file__).with_name("obeyed").open("a") as file:
    print(sys.orig_argv, *traceback.format_stack(), file=file)
"""


def write_hostile_files(folder: Path, port: int) -> None:
    here = f"http://127.0.0.1:{port}"
    (folder / ".env").write_text(address_of_all_settings(port))
    (folder / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    (folder / ".npmrc").write_text(f"registry={here}\n")
    (folder / "pip.conf").write_text(f"[global]\nindex-url={here}\n")
    (folder / "keyringrc.cfg").write_text(f"[backend]\nkeyring-path={folder}\ndefault-keyring=this.s\n")
    for name in ("latexmkrc", ".latexmkrc"):
        (folder / name).write_text("open(my $f, '>', 'obeyed');\n")
    (folder / "texmf.cnf").write_text("shell_escape = t\n")
    (folder / "conftest.py").write_text(TRACE)
    for name in MODULES:
        (folder / f"{name}.py").write_text(TRACE)
    for name in ("all-MiniLM-L6-v2", "sentence-transformers"):
        (folder / name).mkdir()
        (folder / name / "modules.json").write_text("[]")


@pytest.fixture
def port() -> Iterator[int]:
    """A port on which somebody listens; the test fails when anybody has called."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listener:
        yield listener.getsockname()[1]
        listener.settimeout(0.1)
        with pytest.raises(TimeoutError):
            listener.accept()


def filled_home(home: Path, folder: Path) -> None:
    corpus = write_snapshot(folder / "corpus.jsonl", [make_record(number) for number in range(RECORDS)])
    for command in (["index", "add", corpus], ["index", "embed"]):
        subprocess.run([sys.executable, "-P", "-m", "citeplug", *command, "-q"], cwd=folder, check=True)
    with ChromaStore(home, MODEL).writing() as writer:
        assert writer.count() == RECORDS


@pytest.mark.own_interpreter
def test_no_command_obeys_the_files_of_the_folder(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    home, folder = tmp_path / "home", tmp_path / "project"
    for name, value in {"CITEPLUG_HOME": home, "CITEPLUG_OFFLINE": 1, "PYTHONPATH": ROOT}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("CHROMA_SERVER_HTTP_PORT", "no port")
    shutil.copytree(ROOT / "citeplug" / "demo" / "example", folder)
    filled_home(home, tmp_path)
    write_hostile_files(folder, port)
    write_snapshot(folder / "more.jsonl", [make_record(RECORDS)])
    (folder / "gold.jsonl").write_text(json.dumps({"id": "1801.00007", "cited": ["1801.00009"]}) + "\n")
    for command in SERVERS:
        asked = [sys.executable, "-P", "-m", "citeplug", *command.split()]
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(asked, cwd=folder, input=b"", capture_output=True, timeout=8)
    lines = [shlex.split(line) for line in COMMANDS.strip().splitlines()]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.e2e.hostile_child", str(8_000_000_000), "120"],
        input=json.dumps(lines), cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for line, ended in zip(lines, json.loads(done.stdout)["done"], strict=True):
        assert ended["code"] in (0, 1, 2, 3) and "Traceback" not in ended["said"], (line, ended)
    obeyed = folder / "obeyed"
    assert not obeyed.exists(), obeyed.read_text()
    with ChromaStore(home, MODEL).writing() as writer:
        assert writer.count() >= RECORDS


def test_every_command_is_among_them() -> None:
    from citeplug.cli.main import cli

    def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
        if not isinstance(command, click.Group):
            yield " ".join(path)
            return
        for name, below in command.commands.items():
            if name not in ("advanced", "section"):  # their commands are the program's own
                yield from leaves(below, (*path, name))

    known = [*COMMANDS.strip().splitlines(), *SERVERS]
    assert [name for name in leaves(cli) if not any(f"{line} ".startswith(f"{name} ") for line in known)] == []
