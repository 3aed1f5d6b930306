"""Settings of the user: environment variables and the data directory (docs/interface.md)."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from citeplug.errors import UsageError

ARXIV_URL = "https://export.arxiv.org/api/query"
ARXIV_DELAY = 3.0  # arXiv asks for one request every three seconds, over all of a user's machines


@dataclass(frozen=True, slots=True)
class Settings:
    """`home` holds all that is kept for the user; `arxiv_delay` is in seconds between two requests.

    `embedder` names a sentence-transformers model; None is the built-in MiniLM.
    """

    home: Path
    arxiv_url: str = ARXIV_URL
    arxiv_delay: float = ARXIV_DELAY
    offline: bool = False
    chroma_url: str | None = None
    embedder: str | None = None


def read_settings(environ: dict[str, str] | None = None) -> Settings:
    """Settings from the environment. Raises UsageError on a value out of range.

    A delay below 3 s is refused for arXiv's own hosts only: a mirror or a test server may allow more.
    """
    env = dict(os.environ) if environ is None else environ
    home = env.get("CITEPLUG_HOME") or platformdirs.user_data_dir("citeplug", appauthor=False)
    url = env.get("CITEPLUG_ARXIV_URL") or ARXIV_URL
    try:
        delay = float(env.get("CITEPLUG_ARXIV_DELAY") or ARXIV_DELAY)
    except ValueError:
        raise UsageError("CITEPLUG_ARXIV_DELAY is not a number", "give seconds, such as 3") from None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("CITEPLUG_ARXIV_URL is not an http(s) URL", f"give one like {ARXIV_URL}")
    host = parts.hostname.lower()
    if not delay >= 0 or (delay < ARXIV_DELAY and (host == "arxiv.org" or host.endswith(".arxiv.org"))):
        raise UsageError(
            f"CITEPLUG_ARXIV_DELAY={delay:g} is too small for {host}", "arXiv allows one request per 3 seconds"
        )
    return Settings(
        home=Path(home).expanduser().absolute(),
        arxiv_url=url,
        arxiv_delay=delay,
        offline=env.get("CITEPLUG_OFFLINE", "") not in ("", "0"),
        chroma_url=env.get("CITEPLUG_CHROMA_URL") or None,
        embedder=env.get("CITEPLUG_EMBEDDER") or None,
    )
