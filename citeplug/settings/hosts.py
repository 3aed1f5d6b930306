"""Hosts of requests: on this machine or elsewhere."""

import ipaddress
from urllib.parse import urlsplit

from citeplug.text.cleaning import plain


def on_loopback(url: str) -> bool:
    """True if this is on this machine for certain; any other name may lead anywhere."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(url: str) -> str:
    """The address for a reader, without user name, password and query."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return plain(f"{parts.scheme}://{host}{port}{parts.path}").rstrip("/")
