"""Addresses of git repositories: those that are accepted, and their form in messages, without secrets."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from citeplug.errors import UnsafeProject
from citeplug.files.project_files import expanded

OVERLEAF = "git.overleaf.com"
TOKENS = (
    "put no password or token into the address: git asks for it once and keeps it in its credential helper"
    " (docs/overleaf-git.md)"
)

_TOKEN = re.compile(r"\b(?:olp|gh[pousr]|github_pat|glpat|glptt|bbp)[_-][A-Za-z0-9_-]{8,}")
_USERINFO = re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*://)([^\s'\"<>/]*)@")
_QUERY = re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>?#]*)[?#][^\s'\"<>]*")
_SCP = re.compile(r"(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?![/\\]{2}|:)[^\s].*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PROJECT_PAGE = re.compile(r"https://(?:www\.)?overleaf\.com/project/([0-9a-f]{24})(?:[/?#].*)?")
# What git may use beside the protocol of the address: a user's own `url.insteadOf` changes between the two.
_ALSO = {"https": "https:ssh", "ssh": "ssh:https", "http": "http", "git": "git", "file": "file"}


@dataclass(frozen=True, slots=True)
class Address:
    """`text` as git gets it, `shown` without anything secret, `protocols` those that git may use, `host` if any."""

    text: str
    shown: str
    protocols: str
    host: str | None = None


def read_address(text: str) -> Address:
    """Read the address of a repository that the user, or a clone's configuration, gave.

    Taken are https, ssh (also as `git@host:path`), git, file and a folder; http on this machine alone. The page of an
    Overleaf project stands for its repository. Raises UnsafeProject for anything else, and for a secret in it.
    """
    if text.startswith("-") or not text.strip() or any(ord(sign) < 32 or ord(sign) == 127 for sign in text):
        raise UnsafeProject(
            f"{redacted(text)!r} is not the address of a repository", "give one like https://git@host/path"
        )
    if page := _PROJECT_PAGE.fullmatch(text):
        text = f"https://git@{OVERLEAF}/{page[1]}"
    if "://" in text:
        return _url(text)
    if "::" in text:
        raise UnsafeProject(
            f"{redacted(text)!r} would start a helper program; it is not followed", "give an https or ssh address"
        )
    if _SCP.fullmatch(text) and not _DRIVE.match(text):
        return Address(text, redacted(text), _ALSO["ssh"], text.partition(":")[0].rpartition("@")[2].lower())
    folder = expanded(text)
    if not folder.exists():
        raise UnsafeProject(
            f"{redacted(text)!r} is neither a folder nor the address of a repository",
            "give an https or ssh address, as Overleaf shows it under Integrations, Git",
        )
    return Address(str(folder.absolute()), str(folder), _ALSO["file"])


def _url(text: str) -> Address:
    shown = redacted(text)
    try:
        parts = urlsplit(text)
        host, password, user = parts.hostname, parts.password, parts.username
        _ = parts.port
    except ValueError:
        raise UnsafeProject(f"{shown} is not a valid address", "copy it from the site again") from None
    scheme = parts.scheme.lower()
    if scheme not in _ALSO or (host is None and scheme != "file"):
        raise UnsafeProject(f"{shown}: {scheme or 'this'} is not an accepted protocol", "use https or ssh")
    if scheme == "http" and host not in ("localhost", "127.0.0.1", "::1"):
        raise UnsafeProject(f"{shown}: http would send your token in the clear", "use https")
    if (host or "").startswith("-") or (user or "").startswith("-"):
        raise UnsafeProject(f"{shown} is not a valid address", "copy it from the site again")
    if password is not None or _is_secret(user or "") or parts.query or parts.fragment:
        clean = f"{scheme}://git@{host}{f':{parts.port}' if parts.port else ''}{parts.path}"
        raise UnsafeProject(f"the address {shown} holds a secret", f"use {redacted(clean)}; {TOKENS}")
    return Address(text, shown, _ALSO[scheme], (host or "").lower() or None)


def _is_secret(user: str) -> bool:
    return bool(_TOKEN.search(user)) or len(user) >= 30


def redacted(text: str) -> str:
    """`text` with no password, token or query of an address in it."""

    def hidden(match: re.Match[str]) -> str:
        user, colon, _ = match[2].partition(":")
        return f"{match[1]}{'***' if _is_secret(user) else user}{':***' if colon else ''}@"

    return _TOKEN.sub("***", _QUERY.sub(r"\1", _USERINFO.sub(hidden, text)))
