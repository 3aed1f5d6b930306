"""Settings of the user: environment variables and the data directory (docs/interface.md)."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs

from citeplug.errors import UsageError
from citeplug.settings.hosts import on_loopback

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
ZOTERO_URL = "http://127.0.0.1:23119"
DEVICES = "auto, cpu, cuda, cuda:1 or mps"
DENSE = ("candidates", "all-candidates", "whole")
ARXIV_DELAY = 3.0  # arXiv asks for one request every three seconds, over all of a user's machines


def way_online() -> str:
    """What the user does about being offline: as it was asked for."""
    by_variable = os.environ.get("CITEPLUG_OFFLINE", "").strip() not in ("", "0")  # as `read_settings` reads it
    return "unset CITEPLUG_OFFLINE" if by_variable else "run without --offline"


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


def _on_this_machine(url: str, name: str, example: str) -> str:
    """As `web_address`; the program that is asked there has the user's own files, and runs on their machine."""
    if not on_loopback(web_address(url, name, example)):
        raise UsageError(f"{name} is not on this machine", f"give one like {example}")
    return url


def read_device(text: str) -> str:
    """Return the name of a device in lower case. Raises ValueError on an unknown one."""
    name = text.strip().lower()
    if not re.fullmatch(r"auto|cpu|mps|cuda(?::\d{1,3})?", name, re.ASCII):
        raise ValueError(f"{text!r} is not a device; give {DEVICES}")
    return name


def _device(value: str, name: str, _: object) -> str:
    try:
        return read_device(value)
    except ValueError:
        raise UsageError(f"{name} is not a device", f"give {DEVICES}, or unset it") from None


def _dense(value: str, name: str, _: object) -> str:
    if value not in DENSE:
        raise UsageError(f"{name} is out of range", f"give {' or '.join(DENSE)}, or unset it")
    return value


def _seconds(value: str, name: str, _: object) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 600:
        raise UsageError(f"{name} is out of range", "give 0 to 600 seconds, such as 3")
    return seconds


def _mail_address(value: str, name: str, _: object) -> str:
    """Read the user's mail address; it is sent in a header, so nothing but an address is accepted."""
    address = value.removeprefix("mailto:")
    if not re.fullmatch(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+", address, re.ASCII):
        raise UsageError(f"{name} is not a mail address", "give your own, or unset it")
    return address


def _printable(value: str, name: str, _: object) -> str:
    """Read a value that is sent in a header or a path; only ASCII without spaces is accepted."""
    if not re.fullmatch(r"[\x21-\x7e]+", value):
        raise UsageError(f"{name} has characters that are not allowed", "copy the exact value")
    return value


def _hosts(value: str, name: str, _: object) -> tuple[str, ...]:
    hosts = tuple(host.strip().lower() for host in value.split(",") if host.strip())
    if not all(re.fullmatch(r"[\w.:-]+", host, re.ASCII) for host in hosts):
        raise UsageError(f"{name} is not a list of hosts", "give one like wiki.example.org,192.168.0.7")
    return hosts


def _variable(name: str, default: Any, read: Callable[[str, str, Any], Any] = lambda value, *_: value) -> Any:
    """A field that an environment variable sets; an empty one counts as none. `read` raises UsageError by its name."""
    return field(default=default, metadata={"variable": name, "read": read})


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings from the environment. `home` is the user's data directory; `arxiv_delay` is in seconds.

    `corpus` is the folder of another corpus than the user's, None for theirs, in `home`.

    `embedder` names a sentence-transformers model; None is the built-in MiniLM. `rescorer` names a second one, for the
    first papers of a search; `device` is where models run (`DEVICES`), None: MiniLM on the processor, others as they
    like. `mailto` is where a service may write to its user, `openalex_key` and `semanticscholar_key` are that user's
    keys; all are sent only to the services. `dense`: which vectors sections are chosen by, of `DENSE`
    (docs/retrieval.md); None: as config.toml has it. `sources_delay` is in seconds and for mirrors alone: the services
    themselves are asked as they wish. `link_hosts` are on this machine or its network, and may be asked for what a
    link in an entry names; no other there may be.
    """

    home: Path
    arxiv_url: str = _variable("CITEPLUG_ARXIV_URL", ARXIV_URL, web_address)
    arxiv_delay: float = _variable("CITEPLUG_ARXIV_DELAY", ARXIV_DELAY, _seconds)
    offline: bool = _variable("CITEPLUG_OFFLINE", False, lambda value, name, _: value != "0")
    chroma_url: str | None = _variable("CITEPLUG_CHROMA_URL", None)
    chroma_token: str | None = _variable("CITEPLUG_CHROMA_TOKEN", None, _printable)
    chroma_tenant: str | None = _variable("CITEPLUG_CHROMA_TENANT", None, _printable)
    chroma_database: str | None = _variable("CITEPLUG_CHROMA_DATABASE", None, _printable)
    embedder: str | None = _variable("CITEPLUG_EMBEDDER", None)
    rescorer: str | None = _variable("CITEPLUG_RESCORER", None)
    device: str | None = _variable("CITEPLUG_DEVICE", None, _device)
    dense: str | None = _variable("CITEPLUG_DENSE", None, _dense)
    crossref_url: str = _variable("CITEPLUG_CROSSREF_URL", CROSSREF_URL, web_address)
    openalex_url: str = _variable("CITEPLUG_OPENALEX_URL", OPENALEX_URL, web_address)
    dblp_url: str = _variable("CITEPLUG_DBLP_URL", DBLP_URL, web_address)
    semanticscholar_url: str = _variable("CITEPLUG_SEMANTICSCHOLAR_URL", SEMANTICSCHOLAR_URL, web_address)
    mailto: str | None = _variable("CITEPLUG_MAILTO", None, _mail_address)
    openalex_key: str | None = _variable("OPENALEX_API_KEY", None, _printable)
    semanticscholar_key: str | None = _variable("SEMANTIC_SCHOLAR_API_KEY", None, _printable)
    sources_delay: float | None = _variable("CITEPLUG_SOURCES_DELAY", None, _seconds)
    # Checked only when a language model is used: these variables are for other programs too.
    anthropic_url: str = _variable("ANTHROPIC_BASE_URL", ANTHROPIC_URL, lambda value, *_: value.rstrip("/"))
    openai_url: str = _variable("OPENAI_BASE_URL", OPENAI_URL, lambda value, *_: value.rstrip("/"))
    oai_url: str = _variable("CITEPLUG_OAI_URL", OAI_URL, web_address)
    eprint_url: str = _variable("CITEPLUG_EPRINT_URL", EPRINT_URL, web_address)
    pdf_url: str = _variable("CITEPLUG_PDF_URL", PDF_URL, web_address)
    link_hosts: tuple[str, ...] = _variable("CITEPLUG_LINK_HOSTS", (), _hosts)
    zotero_url: str = _variable("CITEPLUG_ZOTERO_URL", ZOTERO_URL, _on_this_machine)
    corpus: Path | None = None

    @property
    def corpus_home(self) -> Path:
        """Where the records are, and what is made of them."""
        return self.corpus or self.home


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from the environment. Raises UsageError on a value out of range.

    A delay below 3 s is refused for arXiv's own hosts only: a mirror or a test server may allow more.
    """
    env = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    for entry in fields(Settings):
        if entry.metadata and (value := env.get(name := entry.metadata["variable"], "").strip()):
            values[entry.name] = entry.metadata["read"](value, name, entry.default)
    settings = Settings(read_home(env), **values)
    host = (urlsplit(settings.arxiv_url).hostname or "").lower()
    if settings.arxiv_delay < ARXIV_DELAY and (host == "arxiv.org" or host.endswith(".arxiv.org")):
        raise UsageError(
            f"CITEPLUG_ARXIV_DELAY={settings.arxiv_delay:g} is too small for {host}",
            "arXiv allows one request per 3 seconds",
        )
    return settings


def read_home(env: Mapping[str, str]) -> Path:
    """Return the user's data directory. Raises UsageError if it is below the home of an unknown user."""
    home = env.get("CITEPLUG_HOME") or platformdirs.user_data_dir("citeplug", appauthor=False)
    try:
        return Path(home).expanduser().absolute()
    except RuntimeError:
        raise UsageError(f"CITEPLUG_HOME={home} begins with the home of an unknown user", "give a full path") from None
