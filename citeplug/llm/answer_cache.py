"""Answers of language models, cached on this machine so that the same question costs nothing the second time.

The key is a digest of all that decides the answer, so that no prompt is stored; the answer is, readable for the user
alone. It may always be lost.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from citeplug.llm.completion import Completion
from citeplug.llm.known_models import Usage
from citeplug.sources.json_cache import FOR_EVER, JsonCache


class AnswerCache:
    """Answers by `digest`, of the service at `place`, in the SQLite file `path`."""

    def __init__(self, path: Path, place: str) -> None:
        self._cache = JsonCache(path, place)

    def read(self, key: str) -> Completion | None:
        return self._cache.read([key], _completion).get(key)

    def write(self, key: str, completion: Completion) -> None:
        self._make_private()
        self._cache.write({key: (FOR_EVER, asdict(completion))})

    def _make_private(self) -> None:
        """Before anything is in it: a file that SQLite makes is as open as the user's other files."""
        path = self._cache.path
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            elif os.name == "posix" and path.stat().st_mode & 0o077:
                path.chmod(0o600)


def digest(form: str) -> str:
    return hashlib.sha256(form.encode("utf-8", "surrogatepass")).hexdigest()


def _completion(key: str, body: Any) -> Completion:
    completion = Completion(body["text"], body["stop"], Usage(**body["usage"]))
    if not isinstance(completion.text, str) or completion.stop not in ("end", "max_tokens"):
        raise ValueError(key)
    return completion
