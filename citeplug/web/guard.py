"""The door of the review page: who is served, and what a browser may do with what it is given.

The page runs on loopback, where every page that a browser has open can send requests, and where a name that leads to
127.0.0.1 can be anybody's (DNS rebinding). So: the exact host, a cookie that a one-time address gave, and for each
action a form of this page's own.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeplug.errors import UsageError

LARGEST_FORM = 100_000  # bytes
LARGEST_UPLOAD = 50_000_000  # bytes of a form with files
_MOST_FILES = 20
_MOST_FIELDS = 20
START = "/start"
FORM = "citeplug.form"
SHOWN = "citeplug-shown"  # header of a script: the stamp of the section that its page shows
_ONWARD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>citeplug</title><meta http-equiv="refresh" content="0; url=/"></head>
<body><p><a href="/">To the section</a></p></body></html>
"""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it a browser sends "null" as the origin of a form.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(slots=True)
class Secrets:
    """Secrets of one server: the one-time `token` of its address, the cookie's value, and that of its forms."""

    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(32))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    form: str = field(default_factory=lambda: secrets.token_urlsafe(32))


class Form(dict[str, str]):
    """Fields of a form, and its `files`: name and content. Raises UsageError for a field that is not there."""

    files: Sequence[tuple[str, bytes]] = ()

    def __missing__(self, name: str) -> str:
        raise UsageError(f"the form has no field {name!r}", "load the page again")


class Guard:
    """ASGI application in front of `app`, served at `host` (127.0.0.1 with its port) alone.

    A form that passes is in the scope, as `FORM`. `used` is called for each request that is let in.
    """

    def __init__(self, app: ASGIApp, host: str, known: Secrets, used: Callable[[], None] = lambda: None) -> None:
        self.app = app
        self.host = host
        self.known = known
        self.used = used
        self.cookie = f"citeplug-{host.rpartition(':')[2]}"  # cookies are shared between ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # uvicorn closes what is not answered
        headers = Headers(scope=scope)
        answer = self._refusal(scope, headers)
        if answer is None and scope["path"] == START:
            answer = self._start(scope)
        elif answer is None and not self._has_cookie(headers):
            answer = _refused("open the address that 'citeplug review' printed; it can be used once")
        if answer is None and scope["method"] == "POST":
            form = await _read_form(scope, receive, headers)
            if form is None:
                most = LARGEST_UPLOAD // 1_000_000
                answer = _refused(f"not a form of this page, or files of more than {most} MB in all")
            elif not secrets.compare_digest(form.get("token", "").encode(), self.known.form.encode()):
                answer = _refused("this form is of an earlier page: load the page again")
            else:
                scope = {**scope, FORM: form}
        if answer is not None:
            await answer(scope, receive, _guarded(send))
            return
        self.used()
        await self.app(scope, receive, _guarded(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if headers.getlist("host") != [self.host]:
            return PlainTextResponse("this server has another name", 421)
        if scope["method"] not in ("GET", "POST"):
            return PlainTextResponse("only GET and POST", 405)
        site = headers.get("sec-fetch-site")
        if scope["method"] == "GET":
            # An address that was typed, or opened by another program, says "none". What the one-time address asks for
            # is its token, wherever it is opened from.
            known = site in (None, "none", "same-origin") or scope["path"] == START
            return None if known else _refused("asked for by another page")
        if site not in (None, "same-origin") or headers.get("origin") != f"http://{self.host}":
            return _refused("sent by another page")
        return None

    def _start(self, scope: Scope) -> Response:
        query_token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        token = self.known.token
        if (
            scope["method"] != "GET"
            or token is None
            or not secrets.compare_digest(query_token.encode(), token.encode())
        ):
            return _refused("this address was used already: go back to the page, or end and start 'citeplug review'")
        self.known.token = None
        answer = HTMLResponse(_ONWARD)  # not 303: a browser that came from a file would send no strict cookie
        answer.set_cookie(self.cookie, self.known.cookie, path="/", httponly=True, samesite="strict")
        return answer

    def _has_cookie(self, headers: Headers) -> bool:
        pairs = (pair.strip().partition("=") for line in headers.getlist("cookie") for pair in line.split(";"))
        values = [value for name, _, value in pairs if name == self.cookie]
        return len(values) == 1 and secrets.compare_digest(values[0].encode(), self.known.cookie.encode())


async def _read_form(scope: Scope, receive: Receive, headers: Headers) -> Form | None:
    """The fields of a form; None for another kind of content, too much of it, or a field that comes twice."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return await _read_files(scope, receive)
    if kind != "application/x-www-form-urlencoded":
        return None
    body = b""
    more = True
    while more:
        message: Message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > LARGEST_FORM:
            return None
    try:
        fields = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="replace")
    except ValueError:  # too many fields, or not as a browser sends them
        return None
    return Form(fields) if len(dict(fields)) == len(fields) else None


async def _read_files(scope: Scope, receive: Receive) -> Form | None:
    """The fields and files of a form; None for what is none, or more than `LARGEST_UPLOAD`."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_UPLOAD:
            while message.get("more_body", False):  # a browser listens to no answer before it has sent all
                message = await receive()
            raise MultiPartException("too much")
        return message

    try:
        request = Request(scope, bounded)
        async with request.form(max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=LARGEST_FORM) as parts:
            items = parts.multi_items()
            fields = [(name, value) for name, value in items if isinstance(value, str)]
            files = [
                (upload.filename, await upload.read())
                for _, upload in items
                if not isinstance(upload, str) and upload.filename
            ]
    except (MultiPartException, ClientDisconnect):
        return None
    form = Form(fields)
    form.files = files
    return form if len(form) == len(fields) else None


def _refused(why: str) -> Response:
    return PlainTextResponse(f"citeplug: {why}", 403)


def _guarded(send: Send) -> Callable[[Message], Awaitable[Any]]:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return guarded
