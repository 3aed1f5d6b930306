"""Put what is said of several papers into one sentence."""

import re
from collections.abc import Sequence

from citeplug.write.extractive.mentions import Mentions, listed
from citeplug.write.extractive.statement import Statement

_CONTRAST = re.compile(r"\b(?:contrast|differ|oppos|unlike|versus|vs)", re.IGNORECASE)
_TITLE_ONLY = re.compile(r"\}\} bears the title “|^a further reference is\b|\}\} writes? on “")
_LISTS = ("further work covers", "other contributions are", "work in the same area includes")


def join(clauses: Sequence[str], wish: str, variant: int) -> str:
    """One sentence of two or three clauses; `wish` is the plan line's intent."""
    if len(clauses) == 1:
        return clauses[0]
    if len(clauses) > 2:
        return "; ".join(clauses[:-1]) + "; and " + clauses[-1]
    first, second = clauses
    if _CONTRAST.search(wish):
        return f"{first}, whereas {second}"
    # A clause that only names a title stands beside another, not in a construction with it.
    if _TITLE_ONLY.search(first) or _TITLE_ONLY.search(second) or ("," in first and variant % 2):
        return f"{first}; {second}"
    if variant % 3 == 2 and not re.match(r"(?:for|to|by|in|with|using|based|from|on)\b", first, re.IGNORECASE):
        return f"while {first}, {second}"
    return f"{first}, {'while' if variant % 3 == 0 else 'and'} {second}"


def list_up(told: Sequence[Mentions], variant: int) -> tuple[str, list[Statement | None]]:
    """One sentence that names what each of several papers is about, and the statements it stands on."""
    items = [listed(mentions) for mentions in told]
    texts = [text for text, _ in items]
    lead = _LISTS[variant % len(_LISTS)]
    return f"{lead} {', '.join(texts[:-1])}, and {texts[-1]}", [statement for _, statement in items]
