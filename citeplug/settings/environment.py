"""Settings of the user: environment variables and the data directory (docs/interface.md)."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from citeplug.errors import UsageError

ARXIV_URL = "https://export.arxiv.org/api/query"
EPRINT_URL = "https://export.arxiv.org/e-print"
PDF_URL = "https://export.arxiv.org/pdf"
OAI_URL = "https://oaipmh.arxiv.org/oai"
CROSSREF_URL = "https://api.crossref.org"
OPENALEX_URL = "https://api.openalex.org"
SEMANTICSCHOLAR_URL = "https://api.semanticscholar.org/graph/v1"
DBLP_URL = "https://dblp.org/search/publ/api"
ANTHROPIC_URL = "https://api.anthropic.com"
OPENAI_URL = "https://api.openai.com/v1"
DEVICES = "auto, cpu, cuda, cuda:1 or mps"
DENSE = ("candidates", "whole")
ARXIV_DELAY = 3.0  # arXiv asks for one request every three seconds, over all of a user's machines


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings from the environment. `home` is the user's data directory; `arxiv_delay` is in seconds.

    `corpus` is the folder of another corpus than the user's, None for theirs, in `home`.

    `embedder` names a sentence-transformers model; None is the built-in MiniLM. `rescorer` names a second one, for the
    first papers of a search; `device` is where models run (`DEVICES`), None: MiniLM on the processor, others as they
    like. `mailto` is where a service may write to its user, `openalex_key` and `semanticscholar_key` are that user's
    keys; all are sent only to the services. `dense`: which vectors sections are chosen by, of `DENSE`
    (docs/retrieval.md); None: as config.toml has it. `sources_delay` is in seconds and for mirrors alone: the services
    themselves are asked as they wish.
    """

    home: Path
    arxiv_url: str = ARXIV_URL
    arxiv_delay: float = ARXIV_DELAY
    offline: bool = False
    chroma_url: str | None = None
    chroma_token: str | None = None
    chroma_tenant: str | None = None
    chroma_database: str | None = None
    embedder: str | None = None
    rescorer: str | None = None
    device: str | None = None
    dense: str | None = None
    crossref_url: str = CROSSREF_URL
    openalex_url: str = OPENALEX_URL
    dblp_url: str = DBLP_URL
    semanticscholar_url: str = SEMANTICSCHOLAR_URL
    mailto: str | None = None
    openalex_key: str | None = None
    semanticscholar_key: str | None = None
    sources_delay: float | None = None
    anthropic_url: str = ANTHROPIC_URL
    openai_url: str = OPENAI_URL
    oai_url: str = OAI_URL
    eprint_url: str = EPRINT_URL
    pdf_url: str = PDF_URL
    corpus: Path | None = None


def read_settings(environ: dict[str, str] | None = None) -> Settings:
    """Read the settings from the environment. Raises UsageError on a value out of range.

    A delay below 3 s is refused for arXiv's own hosts only: a mirror or a test server may allow more.
    """
    env = dict(os.environ) if environ is None else environ
    url = _url(env, "CITEPLUG_ARXIV_URL", ARXIV_URL)
    delay = _seconds(env, "CITEPLUG_ARXIV_DELAY", ARXIV_DELAY)
    host = (urlsplit(url).hostname or "").lower()
    if not delay >= 0 or (delay < ARXIV_DELAY and (host == "arxiv.org" or host.endswith(".arxiv.org"))):
        raise UsageError(
            f"CITEPLUG_ARXIV_DELAY={delay:g} is too small for {host}", "arXiv allows one request per 3 seconds"
        )
    return Settings(
        home=read_home(env),
        arxiv_url=url,
        arxiv_delay=delay,
        offline=env.get("CITEPLUG_OFFLINE", "") not in ("", "0"),
        chroma_url=env.get("CITEPLUG_CHROMA_URL") or None,
        chroma_token=_printable(env, "CITEPLUG_CHROMA_TOKEN"),
        chroma_tenant=_printable(env, "CITEPLUG_CHROMA_TENANT"),
        chroma_database=_printable(env, "CITEPLUG_CHROMA_DATABASE"),
        embedder=env.get("CITEPLUG_EMBEDDER") or None,
        rescorer=env.get("CITEPLUG_RESCORER") or None,
        device=_device(env),
        dense=_dense(env),
        crossref_url=_url(env, "CITEPLUG_CROSSREF_URL", CROSSREF_URL),
        openalex_url=_url(env, "CITEPLUG_OPENALEX_URL", OPENALEX_URL),
        dblp_url=_url(env, "CITEPLUG_DBLP_URL", DBLP_URL),
        semanticscholar_url=_url(env, "CITEPLUG_SEMANTICSCHOLAR_URL", SEMANTICSCHOLAR_URL),
        mailto=_mailto(env),
        openalex_key=_key(env, "OPENALEX_API_KEY"),
        semanticscholar_key=_key(env, "SEMANTIC_SCHOLAR_API_KEY"),
        sources_delay=_sources_delay(env),
        # Checked only when a language model is used: these variables are for other programs too.
        anthropic_url=(env.get("ANTHROPIC_BASE_URL") or ANTHROPIC_URL).rstrip("/"),
        openai_url=(env.get("OPENAI_BASE_URL") or OPENAI_URL).rstrip("/"),
        oai_url=_url(env, "CITEPLUG_OAI_URL", OAI_URL),
        eprint_url=_url(env, "CITEPLUG_EPRINT_URL", EPRINT_URL),
        pdf_url=_url(env, "CITEPLUG_PDF_URL", PDF_URL),
    )


def read_home(env: Mapping[str, str]) -> Path:
    """Return the user's data directory. Raises UsageError if it is below the home of an unknown user."""
    said = env.get("CITEPLUG_HOME") or platformdirs.user_data_dir("citeplug", appauthor=False)
    try:
        return Path(said).expanduser().absolute()
    except RuntimeError:
        raise UsageError(f"CITEPLUG_HOME={said} begins with the home of an unknown user", "give a full path") from None


def _url(env: Mapping[str, str], name: str, default: str) -> str:
    return web_address(env.get(name) or default, name, default)


def web_address(url: str, name: str, example: str) -> str:
    """Return `url`, the value of the variable `name`. Raises UsageError unless it is an http(s) URL."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"{name} is not an http(s) URL", f"give one like {example}")
    return url


def read_device(text: str) -> str:
    """Return the name of a device in lower case. Raises ValueError on an unknown one."""
    name = text.strip().lower()
    if not re.fullmatch(r"auto|cpu|mps|cuda(?::\d{1,3})?", name, re.ASCII):
        raise ValueError(f"{text!r} is not a device; give {DEVICES}")
    return name


def _device(env: Mapping[str, str]) -> str | None:
    try:
        return read_device(env["CITEPLUG_DEVICE"]) if env.get("CITEPLUG_DEVICE") else None
    except ValueError:
        raise UsageError("CITEPLUG_DEVICE is not a device", f"give {DEVICES}, or unset it") from None


def _dense(env: Mapping[str, str]) -> str | None:
    said = env.get("CITEPLUG_DENSE") or None
    if said is not None and said not in DENSE:
        raise UsageError("CITEPLUG_DENSE is out of range", f"give {' or '.join(DENSE)}, or unset it")
    return said


def _seconds(env: Mapping[str, str], name: str, default: float) -> float:
    try:
        return float(env.get(name) or default)
    except ValueError:
        raise UsageError(f"{name} is not a number", "give seconds, such as 3") from None


def _sources_delay(env: Mapping[str, str]) -> float | None:
    if not env.get("CITEPLUG_SOURCES_DELAY"):
        return None
    seconds = _seconds(env, "CITEPLUG_SOURCES_DELAY", 0)
    if not 0 <= seconds <= 600:
        raise UsageError("CITEPLUG_SOURCES_DELAY is out of range", "give 0 to 600 seconds")
    return seconds


def _mailto(env: Mapping[str, str]) -> str | None:
    """Read the user's mail address; it is sent in a header, so nothing but an address is accepted."""
    address = (env.get("CITEPLUG_MAILTO") or "").strip().removeprefix("mailto:")
    if address and not re.fullmatch(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+", address, re.ASCII):
        raise UsageError("CITEPLUG_MAILTO is not a mail address", "give your own, or unset it")
    return address or None


def _printable(env: Mapping[str, str], name: str) -> str | None:
    """Read a value that is sent in a header or a path; only ASCII without spaces is accepted."""
    value = (env.get(name) or "").strip()
    if value and not re.fullmatch(r"[\x21-\x7e]+", value):
        raise UsageError(
            f"{name} has characters that are not allowed", "ask your server's administrator for the exact value"
        )
    return value or None


def _key(env: Mapping[str, str], name: str) -> str | None:
    key = (env.get(name) or "").strip()
    if key and not re.fullmatch(r"[\x21-\x7e]+", key):
        raise UsageError(f"{name} has characters that are not allowed in a key", "copy it from the service's page")
    return key or None
