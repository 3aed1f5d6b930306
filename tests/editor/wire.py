"""The server's two pipes, byte by byte: for what no well-behaved client would say."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.editor.editor import environment

SECONDS = 60


class Wire:
    """A server in a process of its own; `with` ends it."""

    def __init__(self, home: Path, program: tuple[str, ...] = (sys.executable, "-m", "citeplug")) -> None:
        self.process = subprocess.Popen(
            [*program, "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin, self._stdout = self.process.stdin, self.process.stdout
        self._heard: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()

    def hang_up(self) -> None:
        """Close the pipe to the server."""
        self.stdin.close()
        self.process.stdin = None

    def send(self, method: str, params: Any = None, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.raw(json.dumps(message if number is None else {**message, "id": number}).encode())

    def answer(self, number: Any, result: Any) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())

    def raw(self, body: bytes) -> None:
        self.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.stdin.flush()

    def hear(self, seconds: float = SECONDS) -> dict[str, Any]:
        """The next message. Raises queue.Empty after `seconds`."""
        message = self._heard.get(timeout=seconds)
        assert message is not None, "the server has left"
        return message

    def reply(self, number: int | None) -> dict[str, Any]:
        """The answer to a request; what comes before it is passed over."""
        while True:
            message = self.hear()
            if "method" not in message and message.get("id") == number:
                return message

    def initialize(self, capabilities: Any = None, process: int | None = None) -> dict[str, Any]:
        params = {"processId": process or os.getpid(), "rootUri": None, "capabilities": capabilities or {}}
        self.send("initialize", params, 1)
        reply = self.reply(1)
        self.send("initialized", {})
        return reply

    def open(self, path: Path, text: str) -> None:
        item = {"uri": path.as_uri(), "languageId": "latex", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def ask(self, number: int, method: str, path: Path, line: int, character: int) -> Any:
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
        self.send(method, place, number)
        return self.reply(number)["result"]

    def _listen(self) -> None:
        while True:
            length = 0
            for line in iter(self._stdout.readline, b""):
                if not line.strip():
                    break
                name, _, value = line.partition(b":")
                assert name in (b"Content-Length", b"Content-Type"), line  # nothing else is ever printed there
                if name == b"Content-Length":
                    length = int(value)
            if not length:
                self._heard.put(None)
                return
            self._heard.put(json.loads(self._stdout.read(length)))
