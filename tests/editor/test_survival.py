"""What the server outlives: huge files, files that go, editors that vanish, and processes that die."""

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editor.conftest import DEMO
from tests.editor.wire import Wire
from tests.harness.waiting import until

CAN = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{key7} and \\cite{nobody}\n"
    "\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n"
)


def change(wire: Wire, path: Path, version: int, text: str, line: int, start: int, end: int) -> None:
    where = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    document = {"uri": path.as_uri(), "version": version}
    params = {"textDocument": document, "contentChanges": [{"range": where, "text": text}]}
    wire.send("textDocument/didChange", params)


def test_a_bibliography_of_five_megabytes_is_read_and_typed_in(tmp_path: Path) -> None:
    abstract = "words of an abstract that goes on for a while " * 110
    entries = [f"@misc{{key{n},\n  title = {{Title {n}}},\n  abstract = {{{abstract}}}\n}}\n" for n in range(1_000)]
    bib = "".join(entries)
    assert len(bib) > 5_000_000
    main, refs = tmp_path / "main.tex", tmp_path / "refs.bib"
    main.write_text(MAIN, "utf-8")
    refs.write_text(bib, "utf-8")
    with Wire(tmp_path / "home") as wire:
        wire.initialize(CAN)
        wire.open(main, MAIN)
        wire.open(refs, bib)
        assert "Title 7" in str(wire.ask(2, "textDocument/hover", main, 2, 8))
        for number in range(50):
            change(wire, refs, number + 2, "x", 1, 11, 11)
            change(wire, main, number + 2, f"nobody{number}", 2, 22, 28 if number == 0 else 29 + (number > 10))
        change(wire, refs, 60, f"@misc{{nobody49, title={{There}}}}\n{bib}", 0, 0, 0)  # twice the size
        assert "There" in str(wire.ask(3, "textDocument/hover", main, 2, 24))
        items = wire.ask(4, "textDocument/completion", main, 2, 6)["items"]
        assert 0 < len(items) <= 100
        entry = wire.ask(5, "textDocument/hover", refs, 1, 8)
        assert "Title 0" in str(entry)


def test_a_project_is_found_again_when_its_folder_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    main, refs = folder / "main.tex", folder / "refs.bib"
    main.write_text(MAIN, "utf-8")
    refs.write_text("@misc{key7, title={Seventh}}\n", "utf-8")
    with Wire(tmp_path / "home") as wire:
        wire.initialize(CAN)
        wire.open(main, MAIN)
        assert "Seventh" in str(wire.ask(2, "textDocument/hover", main, 2, 8))
        shutil.move(folder, tmp_path / "away")
        wire.send("workspace/didChangeWatchedFiles", {"changes": [{"uri": refs.as_uri(), "type": 3}]})
        assert wire.ask(3, "textDocument/hover", main, 2, 8) is None
        for number, method in enumerate(("definition", "documentSymbol", "codeLens", "documentLink", "foldingRange")):
            wire.ask(10 + number, f"textDocument/{method}", main, 2, 8)
        shutil.move(tmp_path / "away", folder)
        wire.send("workspace/didChangeWatchedFiles", {"changes": [{"uri": refs.as_uri(), "type": 1}]})
        assert "Seventh" in str(wire.ask(4, "textDocument/hover", main, 2, 8))


@pytest.mark.own_interpreter  # the process is found by its command line
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="its processes are looked for in /proc")
@pytest.mark.parametrize("vanishes", [False, True])
def test_a_run_whose_process_dies_is_told_and_one_whose_editor_vanishes_ends(
    tmp_path: Path, library: Path, vanishes: bool
) -> None:
    folder = tmp_path / "project"
    shutil.copytree(DEMO / "example", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    home = tmp_path / "home"
    shutil.copytree(library, home, symlinks=True)
    main = folder / "main.tex"
    with Wire(home) as wire:
        wire.initialize(CAN)
        wire.open(main, main.read_text("utf-8"))
        argument: dict[str, Any] = {"uri": main.as_uri(), "breadth": 3}
        call = {"command": "citeplug.server.generate", "arguments": [argument]}
        wire.send("workspace/executeCommand", call, 5)
        until(lambda: bool(writers(wire.process.pid)), "no process was begun")
        (worker,) = writers(wire.process.pid)
        if vanishes:
            wire.process.kill()
            until(lambda: not is_running(worker), "the process runs on without its server")
        else:
            os.kill(worker, signal.SIGKILL)
            result = wire.reply(5)["result"]
            assert result["done"] is False and result["message"]
            assert wire.ask(6, "textDocument/documentSymbol", main, 0, 0)
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def writers(server: int) -> list[int]:
    """The processes that write for a server."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):  # it is no process, or ended meanwhile
            continue
        if parent == server and b"citeplug.jobs.worker" in words:
            found.append(int(folder.name))
    return found


def is_running(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
