"""Answer to `initialize`, before any library is imported.

The protocol's types take most of a second to import. `initialize` is answered before that; later messages wait in the
pipe.
"""

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

from citeplug.editor.capabilities import initialize_result

_NOT_INITIALIZED = -32002
_PARSE_ERROR = -32700
_LONGEST = 100_000_000  # bytes of a message


def greet(reader: BinaryIO, writer: BinaryIO) -> Mapping[str, Any] | None:
    """Answer `initialize` and return its parameters; None if the editor closes the pipe before."""
    while True:
        body = read_message(reader)
        if body is None:
            return None
        try:
            message = json.loads(body)
        except ValueError:
            _answer(writer, None, "error", {"code": _PARSE_ERROR, "message": "this is not JSON"})
            continue
        if not isinstance(message, dict):
            continue
        number, method, params = message.get("id"), message.get("method"), message.get("params")
        if method == "exit":
            return None
        if method == "initialize":
            params = params if isinstance(params, dict) else {}
            _answer(writer, number, "result", initialize_result(params))
            return params
        if number is not None:
            _answer(writer, number, "error", {"code": _NOT_INITIALIZED, "message": "initialize comes first"})


def read_message(reader: BinaryIO) -> bytes | None:
    """Return the body of the next message; None at the end of input."""
    length = 0
    while True:
        line = reader.readline()
        if not line:
            return None
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
        elif not line.strip() and 0 < length <= _LONGEST:
            body = reader.read(length)
            return body if len(body) == length else None


def _answer(writer: BinaryIO, number: Any, kind: str, value: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": number, kind: value}).encode()
    writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    writer.flush()
