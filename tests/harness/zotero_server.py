"""A loopback server that speaks Zotero's local API and Better BibTeX's JSON-RPC, as their own tests describe them.

    with ZoteroServer().serve() as server:
        server.add("ABCD2345", "book", title="Graph Theory", lastName="Tutte")
        ... run citeplug with CITEPLUG_ZOTERO_URL=server.url ...

Versions are those of Zotero 10, which count local changes: each write raises the library's. Written from
`server_localAPI.js`, `server_localAPITest.js` and `json-rpc.ts`.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from tests.harness.loopback import Loopback, LoopbackHandler

Fault = Literal["cut", "half"]
Answer = tuple[int, dict[str, str], bytes]
_ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"


class ZoteroServer(Loopback[Fault]):
    """`asked` are the requests in order; `answer` is what the user chooses in Zotero's dialog."""

    def __init__(self, *, enabled: bool = True, better_bibtex: bool = False, version: int = 10) -> None:
        super().__init__()
        self.enabled, self.better_bibtex, self.zotero = enabled, better_bibtex, version
        self.server_id = "srv123456789"
        self.version = 0
        self.objects: dict[str, dict[str, dict[str, Any]]] = {"items": {}, "collections": {}}
        self.binned: dict[str, dict[str, Any]] = {}  # items in the bin, by key
        self.files: dict[str, tuple[str, bytes]] = {}
        self.citation_keys: dict[str, str] = {}
        self.answer: Literal["allow", "always", "deny"] = "always"
        self.keys: dict[str, bool] = {}
        self.tokens: set[str] = set()
        self.authorizations = 0
        self.uploads: dict[str, tuple[str, str, bytes]] = {}
        self.asked: list[str] = []
        self.between: Callable[[], None] | None = None  # called before a page of items is answered
        self.fail_after_write = False  # the connection is cut after the next write was made
        self.url = ""

    # What the user does in Zotero

    def add(self, key: str, kind: str, *, authors: tuple[str, ...] = (), **data: Any) -> None:
        people = [
            {"creatorType": "author", "firstName": a.split(", ")[1], "lastName": a.split(", ")[0]} for a in authors
        ]
        self.put("items", key, {"itemType": kind, "creators": people, "tags": [], "collections": [], **data})

    def attach(self, key: str, parent: str, pdf: Path) -> None:
        data = {"itemType": "attachment", "parentItem": parent, "linkMode": "imported_file", "title": "Full Text PDF"}
        self.put("items", key, {**data, "contentType": "application/pdf", "filename": pdf.name, "path_": str(pdf)})

    def collection(self, key: str, name: str, parent: str | None = None) -> None:
        self.put("collections", key, {"name": name, "parentCollection": parent or False})

    def put(self, kind: str, key: str, data: dict[str, Any]) -> None:
        self.version += 1
        self.objects[kind][key] = {**data, "key": key, "version": self.version}

    def remove(self, key: str, kind: str = "items") -> None:
        self.version += 1
        del self.objects[kind][key]

    @contextmanager
    def serve(self) -> Iterator["ZoteroServer"]:
        server = self

        class Handler(LoopbackHandler):
            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                server.asked.append(f"{self.command} {self.path}")
                with server.counting() as self.answered:
                    fault = server.next_fault()
                    if fault == "cut":
                        self.drop()
                        return
                    parts = urlsplit(self.path)
                    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
                    headers = {name.lower(): value for name, value in self.headers.items()}
                    status, more, content = server.respond(self.command, parts.path, query, headers, body)
                    if server.fail_after_write and self.command == "POST" and parts.path.endswith("/items"):
                        server.fail_after_write = False
                        self.drop()
                        return
                    self.send_response(status)
                    for name, value in more.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content[: len(content) // 2] if fault == "half" else content)
                    self.close_connection = fault == "half"

        with self.listening(Handler) as url:
            self.url = url
            yield self

    # The protocol

    def respond(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Answer:
        if path == "/better-bibtex/json-rpc":
            return self._better_bibtex(body)
        if not path.startswith("/api/"):
            return 404, {}, b"No endpoint found\n"
        if not self.enabled:
            return self._text(403, "Local API is not enabled")
        given = headers.get("zotero-server-id")
        if path.startswith("/api/local/uploads/"):
            return self._receive(path.rpartition("/")[2], body)
        if method == "POST" and self.zotero < 10:
            return self._text(400, "Endpoint does not support method")
        if method == "POST" and not given:
            return self._text(428, "Zotero-Server-ID not provided")
        if given and given != self.server_id:
            return self._text(412, "Zotero-Server-ID does not match this server")
        if path == "/api/local/authorize":
            return self._authorize(json.loads(body))
        if method == "GET":
            return self._read(path, query, headers)
        key = headers.get("zotero-api-key", "")
        if not key:
            return self._text(401, "API key required -- POST /api/local/authorize to obtain one")
        if key not in self.keys:
            return self._text(401, "Invalid or expired API key")
        if not self.keys[key]:
            del self.keys[key]
        if path.endswith("/file"):
            return self._file(path.split("/")[-2], parse_qs(body.decode()), headers)
        return self._write(path.rpartition("/")[2], headers, json.loads(body))

    def _text(self, status: int, words: str, more: dict[str, str] | None = None) -> Answer:
        return status, {**self._headers(), "Content-Type": "text/plain", **(more or {})}, words.encode()

    def _headers(self) -> dict[str, str]:
        own = {"Zotero-Server-ID": self.server_id} if self.zotero >= 10 else {}
        return {"Zotero-API-Version": "3", **own}

    def _authorize(self, body: dict[str, Any]) -> Answer:
        if not str(body.get("appName") or "").strip():
            return self._text(400, "appName is required")
        self.authorizations += 1
        if self.authorizations > 5:
            return self._text(429, "Too many authorization requests", {"Retry-After": "42"})
        if self.answer == "deny":
            return 403, self._headers(), b'{"denied": true}'
        key = secrets.token_hex(16)
        self.keys[key] = self.answer == "always"
        return 200, self._headers(), json.dumps({"key": key, "remember": self.keys[key]}).encode()

    def _read(self, path: str, query: dict[str, str], headers: dict[str, str]) -> Answer:
        *_, last = parts = path.split("/")
        if last == "groups":
            return 200, self._headers(), b"[]"
        if len(parts) == 5 and last in ("items", "collections"):
            return self._list(last, query, headers)
        found = self.objects[parts[-2]].get(last) if parts[-2] in self.objects else None
        if found is None:
            return self._text(404, "Not found")
        return 200, self._headers() | {"Last-Modified-Version": str(found["version"])}, self._shown(found)

    def _list(self, kind: str, query: dict[str, str], headers: dict[str, str]) -> Answer:
        if query.get("format") is None and kind == "items" and self.between is not None:
            self.between()
        since, objects = int(query.get("since", 0)), list(self.objects[kind].values())
        if since:
            objects = [one for one in objects if one["version"] > since]
        total = len(objects)
        start, limit = int(query.get("start", 0)), int(query.get("limit", 0)) or total
        objects = objects[start : start + limit]
        more = {"Total-Results": str(total), "Last-Modified-Version": str(self.version), **self._headers()}
        known = int(headers.get("if-modified-since-version", 0))
        if known and self.version <= known:
            return 304, more, b""
        if query.get("format") == "versions":
            return 200, more, json.dumps({one["key"]: one["version"] for one in objects}).encode()
        if query.get("format") == "keys":
            return 200, more, "\n".join(one["key"] for one in objects).encode()
        return 200, more, b"[" + b",".join(self._shown(one) for one in objects) + b"]"

    def _shown(self, data: dict[str, Any]) -> bytes:
        links = {}
        if "path_" in data:
            links = {"enclosure": {"href": Path(data["path_"]).as_uri(), "type": "application/pdf"}}
        shown = {name: value for name, value in data.items() if name != "path_"}
        return json.dumps({"key": data["key"], "version": data["version"], "links": links, "data": shown}).encode()

    def _write(self, kind: str, headers: dict[str, str], body: Any) -> Answer:
        token = headers.get("zotero-write-token", "")
        if token and not 5 <= len(token) <= 32:
            return self._text(400, "Write token must be 5-32 characters in length")
        if token in self.tokens:
            return self._text(412, "Write token already used")
        if not isinstance(body, list):
            return self._text(400, "Uploaded data must be a JSON array")
        if len(body) > 50:
            return self._text(413, f"Cannot add more than 50 {kind} at a time")
        answer: dict[str, dict[str, Any]] = {"successful": {}, "success": {}, "unchanged": {}, "failed": {}}
        for number, entry in enumerate(body):
            self._write_one(kind, str(number), dict(entry), answer)
        if token:
            self.tokens.add(token)
        return 200, self._headers() | {"Last-Modified-Version": str(self.version)}, json.dumps(answer).encode()

    def _write_one(self, kind: str, number: str, entry: dict[str, Any], answer: dict[str, dict[str, Any]]) -> None:
        def failed(code: int, message: str) -> None:
            answer["failed"][number] = {"key": entry.get("key", ""), "code": code, "message": message}

        key = entry.get("key")
        old = self.objects[kind].get(key or "") or self.binned.get(key or "", {})
        if key and (len(key) != 8 or set(key) - set(_ALPHABET)):
            return failed(400, f"Invalid key: '{key}'")
        if key and entry.get("version") is None:
            return failed(428, "Either If-Unmodified-Since-Version or 'version' property must be provided")
        if old and entry["version"] != old["version"]:
            return failed(412, f"item version mismatch: expected {entry['version']}, found {old['version']}")
        if key and not old and entry["version"] > 0:
            return failed(404, "item doesn't exist")
        if not old and kind == "items" and not entry.get("itemType"):
            return failed(400, "itemType property not provided")
        key = key or "".join(secrets.choice(_ALPHABET) for _ in range(8))
        self.put(kind, key, {**old, **entry})
        shown = json.loads(self._shown(self.objects[kind][key]))
        answer["successful"][number], answer["success"][number] = shown, key
        return None

    def _file(self, item: str, form: dict[str, list[str]], headers: dict[str, str]) -> Answer:
        if item not in self.objects["items"]:
            return self._text(404, "Not found")
        if headers.get("if-none-match") != "*":
            return self._text(428, "If-Match/If-None-Match header not provided")
        if "upload" in form:
            upload = self.uploads.pop(form["upload"][0], None)
            if upload is None or upload[0] != item:
                return self._text(400, "Invalid or expired upload key")
            self.files[item] = (upload[1], upload[2])
            return 204, self._headers(), b""
        if int(form["mtime"][0]) < 10_000_000_000:
            return self._text(400, "mtime must be provided in milliseconds, not seconds")
        key = secrets.token_hex(16)
        self.uploads[key] = (item, form["filename"][0], form["md5"][0].encode())
        answer = {"url": f"{self.url}/api/local/uploads/{key}", "uploadKey": key, "prefix": "", "suffix": ""}
        return 200, self._headers(), json.dumps(answer).encode()

    def _receive(self, key: str, body: bytes) -> Answer:
        item, name, md5 = self.uploads[key]
        if hashlib.md5(body, usedforsecurity=False).hexdigest().encode() != md5:
            return self._text(400, "File MD5 does not match expected")
        self.uploads[key] = (item, name, body)
        return self._text(201, "")

    def _better_bibtex(self, body: bytes) -> Answer:
        if not self.better_bibtex:
            return 404, {}, b"No endpoint found\n"
        call = json.loads(body)
        if call["method"] != "item.citationkey":
            error = {"code": -32601, "message": f"Method not found: {call['method']}"}
            return 200, {}, json.dumps({"jsonrpc": "2.0", "error": error, "id": call["id"]}).encode()
        result = {key: self.citation_keys.get(key) for key in call["params"][0]}
        return 200, {}, json.dumps({"jsonrpc": "2.0", "result": result, "id": call["id"]}).encode()
