"""Browsers that may use the companion: each is let in once by a code, and known by a token from then on.

A browser states the origin of whoever opens a connection, and no page can state that of an extension. A token is good
for the origin that it was given to, and only its digest is kept.
"""

import hashlib
import json
import re
import secrets
from pathlib import Path

from citeplug.files.atomic import Change, write_together

_EXTENSION = re.compile(r"(?:chrome|moz)-extension://[a-z0-9-]{1,64}")
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without what looks alike
_HALF = 4  # signs of a code, which has two halves: 40 bits
_TRIES = 5
_MOST = 20  # browsers


def is_extension(origin: str | None) -> bool:
    """Return True for the origin of a browser extension."""
    return origin is not None and _EXTENSION.fullmatch(origin) is not None


class Pairing:
    """The browsers let in before, kept in the data directory `home`, and the code for the next one, if one is let in.

    After five wrong codes nobody is let in by a code.
    """

    def __init__(self, home: Path, *, forget: bool = False, pair: bool = False) -> None:
        self._file = home / "overleaf" / "browsers.json"
        self._digests = {} if forget else _read(self._file)
        if forget and self._file.exists():
            self._write()
        self.code = _new_code() if pair or not self._digests else None
        self._tries = _TRIES

    def may_ask(self, origin: str | None) -> bool:
        """Return True if a connection from this origin is worth a question: it is known, or may become so."""
        return is_extension(origin) and (self.code is not None or origin in self._digests)

    def knows(self, origin: str, token: str) -> bool:
        digest = self._digests.get(origin, "")
        return secrets.compare_digest(digest, _digest(token))

    def redeem(self, origin: str, code: str) -> str | None:
        """Return the token of a browser that has the code, which is used up by it; None if it is wrong."""
        if self.code is None:
            return None
        typed = re.sub(r"[\s-]", "", code).upper()
        if not secrets.compare_digest(typed.encode(), self.code.replace("-", "").encode()):
            self._tries -= 1
            if not self._tries:
                self.code = None
            return None
        self.code = None
        token = secrets.token_urlsafe(32)
        self._digests.pop(origin, None)
        self._digests[origin] = _digest(token)
        for oldest in list(self._digests)[:-_MOST]:
            del self._digests[oldest]
        self._write()
        return token

    def _write(self) -> None:
        text = json.dumps(self._digests, indent=1) + "\n"
        write_together([Change(self._file, text.encode(), makes_folder=True, at_home=True)])


def _read(file: Path) -> dict[str, str]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(known, dict):
        return {}
    return {origin: digest for origin, digest in known.items() if is_extension(origin) and isinstance(digest, str)}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _new_code() -> str:
    halves = ("".join(secrets.choice(_ALPHABET) for _ in range(_HALF)) for _ in range(2))
    return "-".join(halves)
