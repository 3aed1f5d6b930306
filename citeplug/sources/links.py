"""Whether web addresses are still there: asked by HEAD, then by GET, and nothing of the page is read.

An address comes out of a file that others may have written. Nothing on this machine or its network is asked for it, by
whichever name or redirect, except the hosts that the user names in their environment: the address of every connection
is looked at when it is made, so that a name cannot change its mind. No proxy is used, since it would do the looking up.
"""

import ipaddress
import os
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

from citeplug.settings.environment import Settings
from citeplug.sources.http import MOVED, USER_AGENT, no_credentials, status_words, within
from citeplug.sources.json_cache import JsonCache
from citeplug.sources.pace import Clock
from citeplug.sources.work_service import A_DAY, A_WEEK

State = Literal["alive", "dead", "undecided"]
_CONNECT, _SILENCE, _LONGEST = 10.0, 15.0, 30.0  # seconds
_PAUSE = 1.0  # seconds between two requests to a host
_TOTAL = 600.0  # seconds in which a request may begin
_AT_ONCE = 8  # hosts
_HOPS = 5
_FILE = "works-1.sqlite3"
_EMBEDDED = [ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]
_UNKNOWN = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
UNKNOWN_HOST = "there is no such host"
PRIVATE = "it is on this machine or a private network"


@dataclass(frozen=True, slots=True)
class LinkAnswer:
    """What became of a link; `reason` says why it is dead or undecided, "" for one that is there."""

    state: State
    reason: str = ""


class NotAsked(Exception):
    """No connection was made; the text says why."""


def ask_links(
    urls: Sequence[str], settings: Settings, report: Callable[[int, int], None], *, clock: Clock | None = None
) -> dict[str, LinkAnswer]:
    """Return an answer for each address: dead are 404, 410 and a host without an address, while others have one.

    A refusal (403, 429), an error of the server, a time-out or a certificate decides nothing. `report` is called with
    how many are done, and of how many. What was there is not asked again for a week, what was not for a day.
    """
    clock = clock or Clock()
    cache = JsonCache(settings.home / _FILE, "links", clock)
    known = cache.read(urls, lambda _, body: LinkAnswer(*body))
    by_host: dict[str, list[str]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        if url not in known:
            by_host[_host(url)].append(url)
    count, done, end, stop = sum(map(len, by_host.values())), 0, clock.now() + _TOTAL, threading.Event()
    answers: dict[str, LinkAnswer] = {}

    def ask_host(links: Sequence[str]) -> None:
        nonlocal done
        for url in links:
            if not stop.is_set():
                answers[url] = _ask(url, settings.link_hosts, clock, end)
                done += 1
                report(done, count)

    pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="links")
    try:
        for job in [pool.submit(ask_host, links) for links in by_host.values()]:
            job.result()
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
    # Without a network no name has an address.
    online = any(answer.state == "alive" or answer.reason.startswith("it answer") for answer in answers.values())
    for url, answer in answers.items():
        if answer.reason == UNKNOWN_HOST and not online:
            answers[url] = LinkAnswer("undecided", "no host of any link could be found")
    cache.write(
        {
            url: (A_WEEK if answer.state == "alive" else A_DAY, [answer.state, answer.reason])
            for url, answer in answers.items()
            if answer.state != "undecided"
        }
    )
    return known | answers


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _ask(url: str, own: Sequence[str], clock: Clock, end: float) -> LinkAnswer:
    last = None
    for method in ("HEAD", "GET"):
        # Of a server that answers HEAD wrongly, GET decides.
        if clock.now() > end:
            return LinkAnswer("undecided", "the time was used up")
        try:
            last = _follow(method, url, own)
        except NotAsked as refusal:
            state: State = "dead" if str(refusal) == UNKNOWN_HOST else "undecided"
            return LinkAnswer(state, str(refusal))
        finally:
            clock.sleep(_PAUSE)
        if 200 <= last < 300:
            return LinkAnswer("alive")
        if last == 429:
            break
    assert last is not None
    return LinkAnswer("dead" if last in (404, 410) else "undecided", status_words(last))


def _follow(method: str, url: str, own: Sequence[str]) -> int:
    """Return the status of the last of at most `_HOPS` redirects. Raises NotAsked."""
    import requests
    import urllib3.exceptions

    for _ in range(_HOPS + 1):
        try:
            status, location = within(_LONGEST, lambda address=url: _request(method, address, own))  # type: ignore[misc]
            if status not in MOVED or not location:
                return status
            url = urljoin(url, location)
        except TimeoutError:
            raise NotAsked("it did not answer in time") from None
        except requests.exceptions.SSLError:
            raise NotAsked("its certificate cannot be trusted") from None
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, ValueError, OSError) as error:
            late = isinstance(error, requests.exceptions.Timeout)
            raise NotAsked("it did not answer in time" if late else "no connection") from None
    raise NotAsked("it redirects in a loop")


def _request(method: str, url: str, own: Sequence[str]) -> tuple[int, str | None]:
    import requests

    if urlsplit(url).scheme not in ("http", "https"):
        raise NotAsked("it leads to what is no web page")
    with requests.Session() as session:
        session.trust_env = False
        session.auth = no_credentials
        session.verify = os.environ.get("REQUESTS_CA_BUNDLE") or True
        for scheme in ("http://", "https://"):
            session.mount(scheme, _guarded(_host(url) in own))
        with session.request(
            method,
            url,
            headers={"User-Agent": USER_AGENT, "Accept": "*/*", "Connection": "close"},
            timeout=(_CONNECT, _SILENCE),
            allow_redirects=False,
            stream=True,
        ) as response:
            return response.status_code, response.headers.get("location")


def addresses(host: str, port: int, *, anywhere: bool) -> Iterator[str]:
    """Yield the addresses of a host that may be connected to, `anywhere` or only on the public internet.

    Raises NotAsked, if there is none, or if any is not public: a name with one address of each kind is an attack.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        unknown = getattr(error, "errno", None) in _UNKNOWN
        raise NotAsked(UNKNOWN_HOST if unknown else "its host could not be looked up") from None
    names = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not anywhere and not all(map(is_public, names)):
        raise NotAsked(PRIVATE)
    yield from names


def is_public(address: str) -> bool:
    """Return True for an address on the public internet, and of no network within another's addresses."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        elif any(ip in network for network in _EMBEDDED):
            return False
    return ip.is_global and not ip.is_multicast


def _guarded(anywhere: bool) -> Any:
    """Return an adapter for `requests` whose connections go only where `addresses` lets them."""
    import requests.adapters
    import urllib3.connection
    import urllib3.connectionpool
    from urllib3.util import connection

    def connect(self: urllib3.connection.HTTPConnection) -> socket.socket:
        failure: OSError = OSError("no address")
        for address in addresses(self._dns_host, self.port or 0, anywhere=anywhere):
            try:
                return connection.create_connection(
                    (address, self.port), self.timeout, socket_options=self.socket_options
                )
            except OSError as error:
                failure = error
        raise failure

    class Plain(urllib3.connection.HTTPConnection):
        _new_conn = connect

    class Encrypted(urllib3.connection.HTTPSConnection):
        _new_conn = connect

    class PlainPool(urllib3.connectionpool.HTTPConnectionPool):
        ConnectionCls = Plain

    class EncryptedPool(urllib3.connectionpool.HTTPSConnectionPool):
        ConnectionCls = Encrypted

    class Guarded(requests.adapters.HTTPAdapter):
        def init_poolmanager(self, *args: Any, **named: Any) -> None:
            super().init_poolmanager(*args, **named)
            self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": EncryptedPool}

    return Guarded()
