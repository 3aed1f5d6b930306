"""Zotero on this machine: its local API, which also writes from version 10 on, and Better BibTeX's JSON-RPC.

By hand: `pyzotero` (Blue Oak, kept up) brings httpx, feedparser and bibtexparser 1, and bounds neither the time nor the
size of a reply. No request is tried again by itself: a save that was cut off may have been made.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from citeplug.errors import SourceUnavailable, UsageError
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.http import USER_AGENT, Reply, retry_after
from citeplug.text.cleaning import plain

MOST_OBJECTS = 50  # Zotero takes no more in one write
_PAGE = 2_000  # items of one reply; Zotero itself sets no bound
_LARGEST = 256 * 2**20  # bytes of a reply
_KEYS_AT_ONCE = 500
_SECONDS = 120.0  # for a reply; Zotero makes a page of items in a few seconds
_DIALOG_SECONDS = 300.0  # for the user to answer Zotero's question
_TRIES = 3  # to read a library that changes while it is read
_SWITCH_ON = "in Zotero's settings, under Advanced, tick 'Allow other applications on this computer to communicate...'"


class Denied(UsageError):
    """Zotero does not let citeplug write: the user declined, or the key is used up (`expired`)."""

    def __init__(self, message: str, hint: str, *, expired: bool = False) -> None:
        super().__init__(message, hint)
        self.expired = expired


class Zotero:
    """The Zotero that runs at `settings.zotero_url`, which is on this machine.

    `server` is the id of its database, None if it is too old to say; then its versions do not count local changes.
    A library is `users/0` or `groups/N`. Every method raises SourceUnavailable, with how to switch the API on.
    """

    def __init__(self, settings: Settings) -> None:
        if settings.offline:
            raise SourceUnavailable("Zotero was not asked: citeplug is offline", way_online())
        self._url = settings.zotero_url.rstrip("/")
        self.server = self._get("/api/users/0/collections", {"limit": 1, "format": "keys"}).headers.get(
            "Zotero-Server-ID"
        )

    def libraries(self) -> dict[str, str]:
        """The names of the user's own library and of the groups, by path."""
        groups = _json(self._get("/api/users/0/groups", {}))
        return {"users/0": "My Library"} | {
            f"groups/{int(group['id'])}": str(group["data"]["name"]) for group in groups
        }

    def versions(self, library: str, since: int) -> tuple[int, dict[str, int] | None]:
        """The library's version, and that of each item outside the bin, by key; None if nothing is newer than `since`.

        A version below `since` is that of a database that was put back from a copy: then all items are given.
        """
        headers = {"If-Modified-Since-Version": str(since)} if since and self.server else {}
        reply = self._get(f"/api/{library}/items", {"format": "versions"}, headers)
        version = _version(reply)
        if reply.status == 304 and version < since:
            reply = self._get(f"/api/{library}/items", {"format": "versions"})
        return version, None if reply.status == 304 else dict(_json(reply))

    def items(self, library: str, version: int, since: int) -> Iterator[dict[str, Any]]:
        """The items that are newer than `since`, in pages, of the library at `version`. Raises Moved if it is not."""
        start, total = 0, 1
        while start < total:
            page = {"since": since, "limit": _PAGE, "start": start, "sort": "dateAdded", "direction": "asc"}
            reply = self._get(f"/api/{library}/items", page)
            if self.server and _version(reply) != version:
                raise Moved
            total = int(reply.headers.get("Total-Results", "0"))
            items = _json(reply)
            if not items:
                break
            yield from items
            start += len(items)

    def collections(self, library: str) -> dict[str, str]:
        """The paths of the library's collections, `Thesis/Chapter 2`, by key."""
        data = {one["key"]: one["data"] for one in _json(self._get(f"/api/{library}/collections", {}))}

        def path(key: str, below: tuple[str, ...] = ()) -> str:
            name, parent = plain(str(data[key]["name"])), data[key].get("parentCollection")
            return f"{path(parent, (*below, key))}/{name}" if parent in data and parent not in below else name

        return {key: path(key) for key in data}

    def item(self, library: str, key: str) -> dict[str, Any] | None:
        """One item as it is now; None if there is none."""
        reply = self._get(f"/api/{library}/items/{key}", {}, missing=(404,))
        return None if reply.status == 404 else _json(reply)

    def citation_keys(self, keys: Sequence[str]) -> dict[str, str]:
        """Better BibTeX's citation keys of items in the user's own library, by key; none if it is not installed."""
        key_by_name: dict[str, str] = {}
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            call = {"jsonrpc": "2.0", "id": 1, "method": "item.citationkey", "params": [keys[start:][:_KEYS_AT_ONCE]]}
            reply = self._send("POST", "/better-bibtex/json-rpc", json.dumps(call))
            if reply.status != 200:
                break
            answer = _json(reply)
            result = answer.get("result") if isinstance(answer, dict) else None
            key_by_name |= {key: value for key, value in (result or {}).items() if isinstance(value, str) and value}
        return key_by_name

    def need_writing(self) -> None:
        """Raise Denied if this Zotero is too old to be written to."""
        if self.server is None:
            raise Denied("this Zotero cannot be written to", "update to Zotero 10")

    def authorize(self) -> tuple[str, bool]:
        """Ask the user in Zotero for leave to write: the key, and whether it holds for more than one write.

        Raises Denied.
        """
        self.need_writing()
        body = json.dumps({"appName": "citeplug"})
        reply = self._send("POST", "/api/local/authorize", body, seconds=_DIALOG_SECONDS)
        if reply.status == 429:
            wait = retry_after(reply.headers) or 60
            raise Denied("Zotero was asked for leave to write too often", f"wait {wait:.0f} s, then try again")
        if reply.status == 403:
            raise Denied("you declined in Zotero: nothing was saved", "choose Allow when Zotero asks")
        answer = _json(self._only_ok(reply))
        return str(answer["key"]), bool(answer.get("remember"))

    def write(self, library: str, objects: Sequence[Mapping[str, Any]], key: str, token: str) -> dict[str, Any]:
        """Write items, at most `MOST_OBJECTS`; returns Zotero's account of each. `token` is used for one write only.

        An object with a `key` has the `version` that it was read with, 0 if it is new. Raises Denied.
        """
        headers = {"Zotero-Write-Token": token}
        reply = self._send("POST", f"/api/{library}/items", json.dumps(list(objects)), headers, key=key)
        result: dict[str, Any] = _json(self._only_ok(reply))
        return result

    def upload(self, library: str, item: str, key: str, name: str, content: bytes, md5: str, mtime: int) -> None:
        """Put a file into a new attachment; `mtime` is in milliseconds. Raises Denied."""
        path, new = f"/api/{library}/items/{item}/file", {"If-None-Match": "*"}
        form = {"md5": md5, "filename": name, "filesize": len(content), "mtime": mtime}
        asked = _json(self._only_ok(self._form(path, form, key, new)))
        if not asked.get("exists"):
            # The address that Zotero gives is not used, but its own: nothing else is sent a file.
            place = f"/api/local/uploads/{asked['uploadKey']}"
            self._only_ok(self._send("POST", place, content, {"Content-Type": "application/pdf"}))
            self._only_ok(self._form(path, {"upload": asked["uploadKey"]}, key, new))

    def _form(self, path: str, form: Mapping[str, object], key: str, headers: Mapping[str, str]) -> Reply:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._send("POST", path, urlencode(form), {**kind, **headers}, key=key)

    def _get(
        self,
        path: str,
        query: Mapping[str, object],
        headers: Mapping[str, str] | None = None,
        missing: Sequence[int] = (),
    ) -> Reply:
        reply = self._send("GET", f"{path}?{urlencode(query)}" if query else path, None, headers)
        return reply if reply.status in (304, *missing) else self._only_ok(reply)

    def _only_ok(self, reply: Reply) -> Reply:
        words = plain(reply.body[:200].decode("utf-8", "replace"))
        if reply.status == 403 and "not enabled" in words:
            raise SourceUnavailable("Zotero's local API is switched off", _SWITCH_ON)
        if reply.status in (401, 403):
            raise Denied(f"Zotero does not allow this: {words}", "try again, and choose Allow in Zotero", expired=True)
        if reply.status == 413:
            raise ValueError(words)
        if not 200 <= reply.status < 300:
            raise SourceUnavailable(f"Zotero answered {reply.status}: {words}", "try again, or restart Zotero")
        return reply

    def _send(
        self,
        method: str,
        path: str,
        body: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        key: str | None = None,
        seconds: float = _SECONDS,
    ) -> Reply:
        """One request, bounded in time and in size; redirects are not followed."""
        import requests
        import urllib3.exceptions

        own = {"User-Agent": USER_AGENT, "Zotero-API-Version": "3", "Content-Type": "application/json"}
        if method == "POST" and self.server:
            own["Zotero-Server-ID"] = self.server
        if key:
            own["Zotero-API-Key"] = key
        end = time.monotonic() + seconds
        chunks, size = list[bytes](), 0
        try:
            with requests.Session() as session:
                session.trust_env = False  # no proxy, and no credentials of ~/.netrc
                data = body.encode() if isinstance(body, str) else body
                with session.request(
                    method, self._url + path, data=data, headers={**own, **(headers or {})}, timeout=(5.0, seconds),
                    allow_redirects=False, stream=True,
                ) as response:  # fmt: skip
                    for chunk in response.iter_content(2**20):
                        chunks.append(chunk)
                        size += len(chunk)
                        if time.monotonic() > end or size > _LARGEST:
                            raise SourceUnavailable("Zotero's reply takes too long", "try again, or restart Zotero")
        except requests.exceptions.ConnectionError as error:
            start = f"Zotero does not answer at {self._url}"
            raise SourceUnavailable(start, "start Zotero, then try again") from error
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError) as error:
            raise SourceUnavailable("Zotero's reply broke off", "try again, or restart Zotero") from error
        return Reply(response.status_code, response.headers, b"".join(chunks), self._url + path)


class Moved(Exception):
    """The library changed while it was read."""


def read_changes(
    zotero: Zotero, library: str, since: int
) -> tuple[int, Mapping[str, int] | None, list[dict[str, Any]]]:
    """The library's version, its items' versions (None if nothing changed), and the items newer than `since`."""
    for _ in range(_TRIES):
        version, there = zotero.versions(library, since)
        if there is None:
            return version, None, []
        try:
            return version, there, list(zotero.items(library, version, since if since <= version else 0))
        except Moved:
            continue
    raise SourceUnavailable("Zotero's library kept changing while it was read", "wait until Zotero has synced")


def _version(reply: Reply) -> int:
    try:
        return int(reply.headers.get("Last-Modified-Version", "0"))
    except ValueError:
        return 0


def _json(reply: Reply) -> Any:
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise SourceUnavailable("Zotero's reply is not JSON", "check that CITEPLUG_ZOTERO_URL is Zotero's") from None
