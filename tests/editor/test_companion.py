"""The companion of the browser extension, over a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus

from citeplug.corpus.stores import settings
from citeplug.editor.companion import REFUSED, companion
from citeplug.editor.pairing import Pairing
from citeplug.errors import UsageError

pytestmark = pytest.mark.asyncio

OURS, OTHER = (
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    "moz-extension://0b7c9a52-0000-4000-8000-000000000000",
)
MAIN = "overleaf://www.overleaf.com/0123456789abcdef01234567/main.tex"


@asynccontextmanager
async def served(home: Path, pairing: Pairing) -> AsyncIterator[int]:
    """The port of a companion."""
    async with await companion(replace(settings(), home=home), pairing, 0, lambda _: None) as server:
        yield next(iter(server.sockets)).getsockname()[1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def opened(port: int, origin: str | None = OURS, **more: Any) -> connect:
    return connect(f"ws://127.0.0.1:{port}/", origin=origin, **more)  # type: ignore[arg-type]


async def ask(connection: ClientConnection, method: str, params: Any, number: int = 1) -> Any:
    await connection.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    while True:
        message = json.loads(await connection.recv())
        if message.get("id") == number and "method" not in message:
            return message["result"]


async def paired(port: int, code: str | None, origin: str = OURS) -> str:
    async with opened(port, origin) as connection:
        await connection.send(json.dumps({"code": code}))
        token = json.loads(await connection.recv())["token"]
        assert isinstance(token, str)
        return token


async def refused(port: int, greeting: str, origin: str = OURS) -> bool:
    async with opened(port, origin) as connection:
        await connection.send(greeting)
        with pytest.raises(ConnectionClosedError):
            await connection.recv()
        return connection.close_code == REFUSED


async def test_a_browser_with_the_code_speaks_to_the_language_server(home: Path) -> None:
    pairing = Pairing(home)
    async with served(home, pairing) as port, opened(port) as connection:
        await connection.send(json.dumps({"code": (pairing.code or "").lower().replace("-", " ")}))
        assert "token" in json.loads(await connection.recv())
        assert (await ask(connection, "initialize", {"capabilities": {}}))["capabilities"]["hoverProvider"]
        text = "\\documentclass{article}\\begin{document}\\cite{x}\\end{document}\n"
        item = {"uri": MAIN, "languageId": "latex", "version": 1, "text": text}
        for method, params in (("initialized", {}), ("textDocument/didOpen", {"textDocument": item})):
            await connection.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))
        while True:
            message = json.loads(await connection.recv())
            if message.get("method") == "textDocument/publishDiagnostics":
                break
        assert message["params"]["uri"] == MAIN
        assert [finding["code"] for finding in message["params"]["diagnostics"]] == ["undefined_key"]


async def test_a_code_can_be_used_once_and_a_token_by_its_origin_alone(home: Path) -> None:
    pairing = Pairing(home)
    code = pairing.code
    async with served(home, pairing) as port:
        token = await paired(port, code)
        assert await refused(port, json.dumps({"code": code}))
        assert await refused(port, json.dumps({"token": token + "x"}))
        with pytest.raises(InvalidStatus):
            await opened(port, OTHER)
    pairing = Pairing(home, pair=True)
    async with served(home, pairing) as port:
        assert await refused(port, json.dumps({"token": token}), OTHER)


async def test_a_browser_stays_paired_after_a_restart_until_it_is_forgotten(home: Path) -> None:
    pairing = Pairing(home)
    async with served(home, pairing) as port:
        token = await paired(port, pairing.code)
    again = Pairing(home)
    assert again.code is None
    async with served(home, again) as port, opened(port) as connection:
        await connection.send(json.dumps({"token": token}))
        assert json.loads(await connection.recv()) == {}
    assert token not in (home / "overleaf" / "browsers.json").read_text("utf-8")
    forgotten = Pairing(home, forget=True)
    async with served(home, forgotten) as port:
        assert await refused(port, json.dumps({"token": token}))


async def test_after_five_wrong_codes_the_right_one_is_no_use(home: Path) -> None:
    pairing = Pairing(home)
    code = pairing.code or ""
    wrong = ("B" if code[0] == "A" else "A") + code[1:]
    assert [pairing.redeem(OURS, wrong) for _ in range(5)] == [None] * 5
    assert pairing.redeem(OURS, code) is None and not (home / "overleaf").exists()


@pytest.mark.parametrize(
    "origin", [None, "null", "https://www.overleaf.com", "http://127.0.0.1:23120", "chrome-extension://a.b", "file://"]
)
async def test_no_page_is_let_in(home: Path, origin: str | None) -> None:
    async with served(home, Pairing(home)) as port:
        with pytest.raises(InvalidStatus) as error:
            await opened(port, origin)
        assert error.value.response.status_code == 403
        assert not any(name.lower().startswith("access-control") for name in error.value.response.headers)


async def test_another_name_of_this_machine_is_refused(home: Path) -> None:
    async with served(home, Pairing(home)) as port:
        with pytest.raises(InvalidStatus) as error:
            await connect(f"ws://evil.example:{port}/", origin=OURS, host="127.0.0.1", port=port)  # type: ignore[arg-type]
        assert error.value.response.status_code == 421


async def test_there_is_nothing_to_fetch(home: Path) -> None:
    async with served(home, Pairing(home)) as port:
        for method in ("GET", "OPTIONS"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            request = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: https://evil.example\r\n\r\n"
            writer.write(request.encode())
            reply = await reader.read()
            assert b"Access-Control" not in reply and b" 200 " not in reply
            writer.close()


@pytest.mark.parametrize(
    "message",
    [
        lambda: {"method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///etc/passwd"}}},
        lambda: {"method": "workspace/executeCommand", "params": {"arguments": [{"uri": "untitled:x"}]}},
        lambda: {"method": "workspace/didChangeConfiguration", "params": {}},
        lambda: {"method": "textDocument/rename", "params": {}},
        list,
        lambda: "x",
    ],
)
async def test_a_message_about_another_file_or_setting_ends_the_connection(
    home: Path, message: Callable[[], Any]
) -> None:
    pairing = Pairing(home)
    async with served(home, pairing) as port, opened(port) as connection:
        await connection.send(json.dumps({"code": pairing.code}))
        await connection.recv()
        await connection.send(json.dumps(message()))
        with pytest.raises(ConnectionClosedError):
            await connection.recv()
        assert connection.close_code == 1008


@pytest.mark.parametrize(
    "greeting", ["", "[]", "{", '{"token": 1}', '{"code": ["x"]}', '{"token": "' + "x" * 2_000 + '"}']
)
async def test_a_greeting_that_is_none_is_refused(home: Path, greeting: str) -> None:
    async with served(home, Pairing(home)) as port:
        assert await refused(port, greeting)


async def test_a_port_that_is_taken_is_named(home: Path) -> None:
    async with served(home, Pairing(home)) as port:
        with pytest.raises(UsageError, match=f"port {port} is in use"):
            await companion(replace(settings(), home=home), Pairing(home), port, lambda _: None)


async def test_more_connections_than_a_browser_needs_are_refused(home: Path) -> None:
    pairing = Pairing(home)
    async with served(home, pairing) as port:
        connections = [await opened(port) for _ in range(8)]
        with pytest.raises((InvalidStatus, InvalidMessage)):
            await opened(port)
        await asyncio.gather(*(connection.close() for connection in connections))
