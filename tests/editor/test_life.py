"""The server's life: its first words, what it outlives, and its end."""

import json
import queue
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.protocol import default_converter

from citeplug.editor.capabilities import ServerCommand, initialize_result
from citeplug.editor.server import make_server
from citeplug.settings.environment import Settings
from tests.editor.wire import SECONDS, Wire

TEXT = "\\documentclass{article}\n\\begin{document}\n\\cite{one}\n\\bibliography{refs}\n\\end{document}\n"
BIB = "@misc{one, title={One}, author={A. Author}, year=2001}\n"


def project(folder: Path) -> Path:
    (folder / "main.tex").write_text(TEXT, "utf-8")
    (folder / "refs.bib").write_text(BIB, "utf-8")
    return folder / "main.tex"


def test_nothing_heavy_is_loaded_before_initialize_is_answered() -> None:
    modules = "citeplug.cli.main, citeplug.editor.greeting, citeplug.corpus.stores"
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"pygls", "lsprotocol", "cattrs", "torch", "chromadb", "onnxruntime", "sentence_transformers"}


PULLING = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


@pytest.mark.parametrize("client", [{}, PULLING])
def test_what_is_promised_is_there(client: dict[str, Any], tmp_path: Path) -> None:
    raw = initialize_result({"capabilities": client})
    converter = default_converter()  # type: ignore[no-untyped-call]
    promised = converter.structure(raw, lsp.InitializeResult).capabilities
    names = {"completion": lsp.TEXT_DOCUMENT_COMPLETION, "hover": lsp.TEXT_DOCUMENT_HOVER}
    features = make_server(Settings(tmp_path)).protocol.fm.features
    for name in raw["capabilities"]:
        kind = name.removesuffix("Provider")
        method = names.get(kind, f"textDocument/{kind}")
        if kind == "workspaceSymbol":
            method = lsp.WORKSPACE_SYMBOL
        if name.endswith("Provider") and kind != "executeCommand":
            assert method in features, name
    assert promised.execute_command_provider is not None
    assert list(promised.execute_command_provider.commands) == list(ServerCommand)


def test_a_command_that_is_offered_is_there_and_described(tmp_path: Path) -> None:
    commands = make_server(Settings(tmp_path)).session.commands
    assert {*commands._edits, *commands._others} == set(ServerCommand)
    documentation = (Path(__file__).parents[2] / "docs" / "lsp-reference.md").read_text("utf-8")
    assert [command for command in ServerCommand if f"| `{command}` |" not in documentation] == []


@pytest.mark.parametrize(
    ("offered", "chosen"), [(["utf-8", "utf-16"], "utf-8"), (["utf-7"], "utf-16"), (None, "utf-16")]
)
def test_the_clients_first_encoding_counts(offered: list[str] | None, chosen: str) -> None:
    result = initialize_result({"capabilities": {"general": {"positionEncodings": offered}}})
    assert result["capabilities"]["positionEncoding"] == chosen


def test_positions_are_in_the_encoding_agreed_on(tmp_path: Path) -> None:
    main = project(tmp_path)
    with Wire(tmp_path / "home") as wire:
        wire.initialize({"general": {"positionEncodings": ["utf-8", "utf-16"]}})
        wire.open(main, TEXT.replace("\\cite", "😀\\cite"))
        found = wire.ask(2, "textDocument/hover", main, 2, 11)
        assert found["range"]["start"]["character"] == 10


def test_what_no_client_should_say_is_outlived(tmp_path: Path) -> None:
    main = project(tmp_path)
    with Wire(tmp_path / "home") as wire:
        wire.stdin.write(b"What is this?\r\n\r\n")
        wire.raw(b"{not json")
        assert wire.reply(None)["error"]["code"] == -32700
        wire.send("textDocument/hover", {}, 7)
        assert wire.reply(7)["error"]["code"] == -32002
        assert wire.initialize()["result"]["serverInfo"]["name"] == "citeplug"
        wire.raw(b"{not json")
        wire.raw(json.dumps({"jsonrpc": "2.0", "id": 8, "method": "textDocument/hover", "params": 5}).encode())
        wire.send("no/such/method", {}, 9)
        assert "error" in wire.reply(9)
        for text in ("\\cite{" * 3000, "{" * 20000, "\\begin{" + "a" * 9000, "\ud800\\cite{one}", "\\input{main}" * 50):
            wire.open(main, TEXT.replace("\\cite{one}", text))
            wire.send("textDocument/didChange", {"textDocument": {"uri": "file:///nowhere.tex", "version": 2},
                                                 "contentChanges": [{"text": "x"}]})  # fmt: skip
            wire.ask(10, "textDocument/hover", main, 2, 5)
        wire.open(main, TEXT)
        assert wire.ask(11, "textDocument/hover", main, 2, 7) is not None
        wire.send("shutdown", None, 12)
        wire.reply(12)
        wire.send("exit")
        assert wire.process.wait(SECONDS) == 0
        assert wire.process.stderr is not None and wire.process.stderr.read() == b""


def test_files_that_are_deleted_under_it_are_outlived(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    main = project(folder)
    with Wire(tmp_path / "home") as wire:
        wire.initialize()
        wire.open(main, TEXT)
        assert wire.ask(2, "textDocument/hover", main, 2, 7) is not None
        shutil.rmtree(folder)
        wire.send("textDocument/didSave", {"textDocument": {"uri": main.as_uri()}})
        assert wire.ask(3, "textDocument/hover", main, 2, 7) is None  # the .bib is gone
        assert wire.ask(4, "textDocument/documentSymbol", main, 0, 0) == []


def test_it_leaves_when_the_pipe_is_closed(tmp_path: Path) -> None:
    with Wire(tmp_path / "home") as wire:
        wire.initialize()
        wire.hang_up()
        assert wire.process.wait(SECONDS) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there the pipe is closed with the process")
def test_it_leaves_when_the_editors_process_is_gone(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with Wire(tmp_path / "home") as wire:
        wire.initialize(process=gone.pid)
        assert wire.process.wait(SECONDS) == 1


def test_a_command_that_is_cancelled_writes_nothing(tmp_path: Path, library: Path) -> None:
    main = project(tmp_path)
    with Wire(library) as wire:
        wire.initialize({"workspace": {"applyEdit": True}})
        wire.open(main, TEXT)
        wire.ask(4, "textDocument/hover", main, 2, 7)  # by then all is loaded
        argument = {"uri": main.as_uri(), "arxiv_id": "1907.10903", "key": "new"}
        call = {"command": "citeplug.server.addEntry", "arguments": [argument]}
        wire.send("workspace/executeCommand", call, 5)
        wire.send("$/cancelRequest", {"id": 5})
        assert wire.reply(5)["error"]["code"] == -32800
        with pytest.raises(queue.Empty):
            while True:
                assert wire.hear(1.5).get("method") != "workspace/applyEdit"
        wire.send("workspace/executeCommand", call, 6)
        while (asked := wire.hear()).get("method") != "workspace/applyEdit":
            pass
        wire.answer(asked["id"], {"applied": True})
        assert wire.reply(6)["result"]["done"] is True
