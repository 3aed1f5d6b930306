"""Keys that a piece of LaTeX cites, from its text alone (macros are not expanded)."""

import re

CITED = re.compile(r"\\[A-Za-z]*(?:cite|bibentry)[A-Za-z]*\*?((?:\s*\[[^\]]*\])*\s*(?:\{[^{}]*\})+)", re.IGNORECASE)
_GROUP = re.compile(r"\{([^{}]*)\}")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")


def cited_keys(tex: str) -> set[str]:
    """Return the keys that a text cites, except in comments."""
    return set(keys_in_order(tex))


def keys_in_order(tex: str) -> list[str]:
    """Return the keys that a text cites, except in comments, each as often as it does."""
    bare = "\n".join(_COMMENT.sub(r"\1", line) for line in tex.splitlines())
    groups = (group for match in CITED.finditer(bare) for group in _GROUP.findall(match[1]))
    return [key.strip() for group in groups for key in group.split(",") if key.strip()]
