"""Keys: from the environment, else from the keyring of the operating system, and from nowhere else.

No file of a project is read, and none of citeplug's own. A key is never printed: its `repr` hides it.
"""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from citeplug.errors import ModelUnavailable
from citeplug.llm.known_models import Service

# The variables of each service, as its own client reads them; the first is the one to set.
VARIABLES: dict[Service, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
}
KEYRING_NAME = "citeplug"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Key:
    """`bearer` tells a token of a gateway from the service's own key."""

    value: str = field(repr=False)
    bearer: bool = False


# Clients want a key even where the server on this machine does not.
NO_KEY = Key("none")


def find_key(service: Service, environ: Mapping[str, str] | None = None) -> Key | None:
    """The user's key, None if there is none. Raises ModelUnavailable on one that cannot be sent."""
    env = os.environ if environ is None else environ
    for variable in VARIABLES[service]:
        value = env.get(variable, "").strip()
        if value:
            _check(value, variable)
            return Key(value, bearer=variable.endswith("_TOKEN"))
    value = _from_keyring(service)
    if value:
        _check(value, "the key in your keyring")
        return Key(value)
    return None


def _check(value: str, where: str) -> None:
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ModelUnavailable(f"{where} has characters that are not part of a key", "copy the key alone")


def _from_keyring(service: Service) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return (keyring.get_password(KEYRING_NAME, service) or "").strip()
    except (KeyringError, OSError, RuntimeError) as error:
        # Locked, or without a desktop session: the same as none.
        _log.info("the system's keyring could not be read (%s)", type(error).__name__)
        return ""
