"""Names that a file can have on every system."""

_DEEPEST = 30
_LONGEST = 240  # characters of a name, and of a part of it
_DEVICES = frozenset("con prn aux nul clock$ conin$ conout$".split()) | {
    f"{name}{number}" for name in ("com", "lpt") for number in "0123456789¹²³"
}


def is_device(part: str) -> bool:
    """Return True for a part of a path that is a device to Windows, whatever follows its first dot, such as aux.tex."""
    return part.split(".")[0].rstrip(" ").lower() in _DEVICES


def why_no_name(name: str) -> str:
    """Why a file from elsewhere may not have a name: it leads elsewhere, or not every system has it; else empty."""
    if not name or any(ord(sign) < 32 or ord(sign) == 127 for sign in name):
        return "has a name that no file can have"
    if name.startswith("/") or "\\" in name or ":" in name:
        return "leads out of the archive, or has a name for one system only"
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "leads out of the archive"
    if len(parts) > _DEEPEST or len(name) > _LONGEST:
        return "is too many folders deep, or has too long a name"
    if any(part[-1] in ". " or any(sign in '<>"|?*' for sign in part) or is_device(part) for part in parts):
        return "has a name that Windows does not allow"
    return ""
