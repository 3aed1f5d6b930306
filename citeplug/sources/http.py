"""GET requests to a web service: at its pace, with time-outs, tried again where that can help.

An outage is raised and never becomes an answer. Shared by every paper source. `requests` does the transfer; no retry
library (tenacity, stamina, urllib3's Retry) fits around it, since pauses are taken in the turns that processes share
(`pace.py`), and the reply's content and a bound on the whole time decide about the next try.
"""

import logging
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin, urlsplit, urlunsplit

from citeplug import __version__
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.sources.pace import LONGEST_HOLD, Clock, NotYet, Pace, Turn
from citeplug.text.cleaning import plain

if TYPE_CHECKING:
    import requests

USER_AGENT = f"citeplug/{__version__}"
LATER = "try again later"
_AGAIN = (408, 425, 429, 500, 502, 503, 504)
MOVED = (301, 302, 303, 307, 308)
_HOPS = 3
_log = logging.getLogger(__name__)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Patience:
    """Bounds on the tries for one reply. All times in seconds.

    `tries` bounds the requests for one reply, `total` the time in which a try may begin, `connect` and
    `silence` how long a server may say nothing, `transfer` how long one reply may take from the connection to its
    last byte, `size` its bytes. `pause` is the first pause, doubled at each try and lengthened at random by up to a
    half. A server that is silent is asked twice at the most, one that drips once.
    """

    tries: int = 4
    total: float = 90.0
    connect: float = 10.0
    silence: float = 15.0
    transfer: float = 20.0
    size: int = 16 * 2**20
    pause: float = 0.5


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's reply. `headers` ignores case; `url` is the one that answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class AskAgain(Exception):
    """This was no answer; another try may bring one. `tries` bounds them more tightly than `Patience` does."""

    def __init__(self, reason: str, tries: int = 100, wait: float | None = None, hint: str = LATER) -> None:
        super().__init__(reason)
        self.tries = tries
        self.wait = wait
        self.hint = hint


class HttpClient:
    """Asks the service called `name`; `requests_made` counts what was really sent, tries and hops too."""

    def __init__(
        self,
        name: str,
        pace: Pace,
        *,
        user_agent: str = USER_AGENT,
        patience: Patience | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = name
        self.requests_made = 0
        self._pace = pace
        self._patience = patience or Patience()
        self._clock = clock or Clock()
        self._user_agent = user_agent

    def get(self, url: str, examine: Callable[[Reply], None], headers: Mapping[str, str] | None = None) -> Reply:
        """The reply to GET `url`, once `examine` is content with it.

        `examine` raises AskAgain for what is no answer. Statuses that ask for another try never reach it;
        every other one does. Raises SourceUnavailable when the tries or the time are used up, with a hint.
        """
        until = self._clock.now() + self._patience.total
        tried, hops = 0, 0
        while True:
            with self._turn(until) as turn:
                try:
                    reply = self._ask(url, headers or {})
                    if reply.status in MOVED:
                        hops += 1
                        url = redirected(url, reply.headers.get("location"), hops)
                        continue
                    examine(reply)
                    return reply
                except AskAgain as failure:
                    tried += 1
                    self._pause_or_give_up(turn, failure, tried, until)

    def _pause_or_give_up(self, turn: Turn, failure: AskAgain, tried: int, until: float) -> None:
        # A 429 at the usual pace asks for longer pauses, so they grow from the pace of the service.
        pause = max(self._patience.pause, self._pace.delay) * 2 ** (tried - 1) * random.uniform(1, 1.5)
        wait = max(pause, failure.wait or 0.0)
        if tried >= min(failure.tries, self._patience.tries) or self._clock.now() + wait > until:
            turn.hold_back(failure.wait or 0.0)
            hint = failure.hint
            if failure.wait and failure.wait > 60:
                hint = f"it asks to wait {_minutes(min(failure.wait, LONGEST_HOLD))}; {hint}"
            times = f" ({tried} tries)" if tried > 1 else ""
            raise SourceUnavailable(f"{self.name} could not be queried: {failure}{times}", hint) from failure
        _log.info("%s: %s; asked again in %.0f s", self.name, failure, wait)
        turn.hold_back(wait)

    @contextmanager
    def _turn(self, until: float) -> Iterator[Turn]:
        with ExitStack() as stack:
            try:
                turn = stack.enter_context(self._pace.turn(until))
            except NotYet as error:
                reason = "another citeplug process has been using it for a long time"
                if error.seconds is not None:
                    reason = f"it asks to wait {_minutes(error.seconds)}"
                raise SourceUnavailable(f"{self.name} could not be queried: {reason}", LATER) from None
            except OSError as error:
                raise SourceUnavailable(
                    f"{self.name} could not be queried: its pace cannot be kept in {error.filename}: {error.strerror}",
                    "make that folder writable, or set CITEPLUG_HOME to one that is",
                ) from error
            yield turn

    def _ask(self, url: str, headers: Mapping[str, str]) -> Reply:
        """One request. Raises AskAgain if nothing, not all, or only a refusal came back."""
        self.requests_made += 1
        try:
            return within(self._patience.transfer, lambda: self._exchange(url, headers))
        except TimeoutError:
            raise self._too_slow() from None

    def _exchange(self, url: str, headers: Mapping[str, str]) -> Reply:
        import requests
        import urllib3.exceptions

        try:
            with (
                self._session(url) as session,
                session.get(
                    url,
                    headers={**headers, "User-Agent": self._user_agent, "Connection": "close"},
                    timeout=(self._patience.connect, self._patience.silence),
                    allow_redirects=False,
                    stream=True,
                ) as response,
            ):
                body = self._read(response)
        except requests.exceptions.ConnectTimeout:
            raise AskAgain("no connection within the time allowed", tries=2) from None
        except (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError):
            raise AskAgain("it did not answer in time", tries=2) from None
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError) as error:
            raise _failure(error) from error
        if response.status_code in _AGAIN:
            raise AskAgain(status_words(response.status_code), wait=retry_after(response.headers))
        return Reply(response.status_code, response.headers, body, url)

    def _too_slow(self) -> AskAgain:
        """Another try would be as slow; each of them would be waited for."""
        seconds = self._patience.transfer
        return AskAgain(f"its answer was still incomplete after {seconds:.0f} s", tries=1)

    def _session(self, url: str) -> "requests.Session":
        import requests

        session = requests.Session()
        # No credentials out of ~/.netrc, and no proxy for a service on this machine.
        session.auth = no_credentials
        host = (urlsplit(url).hostname or "").lower()
        if host in ("localhost", "::1") or host.startswith("127."):
            session.trust_env = False
        else:
            _need_certificates()
        return session

    def _read(self, response: "requests.Response") -> bytes:
        """The whole body, bounded in size and in time."""
        chunks, size = [], 0
        end = time.monotonic() + self._patience.transfer
        while chunk := response.raw.read1(65536, decode_content=True):
            chunks.append(chunk)
            size += len(chunk)
            if time.monotonic() > end:
                raise self._too_slow()
            if size > self._patience.size:
                raise AskAgain(f"its reply is larger than {self._patience.size // 2**20} MB", tries=1)
        return b"".join(chunks)


def within(seconds: float, exchange: Callable[[], _T]) -> _T:
    """Return what `exchange` returns, or raise what it raises; TimeoutError if it takes longer than `seconds`.

    In a thread of its own: time-outs of sockets hold between two bytes, and a server that sends one now and then is
    never silent, and never done. The thread of an exchange that took too long is not waited for.
    """
    outcome: Future[_T] = Future()

    def run() -> None:
        try:
            outcome.set_result(exchange())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, name="exchange", daemon=True).start()
    return outcome.result(seconds)


def redirected(url: str, location: str | None, hops: int) -> str:
    """The target of a redirect of `url`. Raises AskAgain unless it is on the same service, or on its https."""
    if not location or hops > _HOPS:
        raise AskAgain("it redirects in a loop" if location else "it redirects to nowhere", tries=1)
    try:
        target = urljoin(url, location)
        old, new = urlsplit(url), urlsplit(target)
        same = (old.scheme, old.hostname, old.port) == (new.scheme, new.hostname, new.port)
        upgraded = (
            (old.scheme, new.scheme) == ("http", "https")
            and old.hostname == new.hostname
            and old.port in (None, 80)
            and new.port in (None, 443)
        )
    except ValueError:
        raise AskAgain("it redirects to nowhere", tries=1) from None
    if not same and not upgraded:
        place = plain(urlunsplit((new.scheme, new.hostname or "", "", "", "")))
        raise AskAgain(
            f"it redirects to {place}, another host, which is not followed",
            tries=1,
            hint="log in to the network you are on, or check the address set for it, or use --offline",
        )
    return target


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a `Retry-After` header asks for, in either of its forms; None without one that can be read."""
    text = (headers.get("Retry-After") or "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(text)
            sent = headers.get("Date")
            # Against the server's own clock where it tells it: ours may be wrong.
            now = parsedate_to_datetime(sent) if sent else datetime.now(UTC)
            seconds = (_aware(when) - _aware(now)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None


def _aware(when: datetime) -> datetime:
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _failure(error: Exception) -> AskAgain:
    import requests
    import urllib3.exceptions

    check = "check your connection, and run it again"
    if isinstance(error, requests.exceptions.ProxyError):
        return AskAgain("the proxy refuses the request", tries=1, hint=check)
    if isinstance(error, requests.exceptions.SSLError):
        return AskAgain("its certificate cannot be trusted", tries=1, hint=check)
    reason = getattr(error.args[0] if error.args else None, "reason", None)
    if isinstance(reason, urllib3.exceptions.NewConnectionError):
        # Nobody listens, or the name is unknown: another try would only make the user wait.
        return AskAgain("no connection", tries=1, hint=check)
    if isinstance(error, requests.exceptions.ConnectionError | urllib3.exceptions.ProtocolError):
        return AskAgain("it cut the connection")
    if isinstance(error, urllib3.exceptions.DecodeError):
        return AskAgain("its reply is damaged")
    return AskAgain(plain(f"the request failed ({type(error).__name__})"), tries=1, hint=check)


def status_words(status: int) -> str:
    try:
        return f"it answered {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"it answered {status}"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{max(1, round(seconds))} seconds"


def _need_certificates() -> None:
    """Raise UsageError if a variable names certificates that are not there: `requests` fails on each request then."""
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        if path := os.environ.get(name):
            if not Path(path).exists():
                raise UsageError(f"{name} names a file that does not exist: {plain(path)}", "correct it, or unset it")
            return


def no_credentials(request: Any) -> Any:
    return request
