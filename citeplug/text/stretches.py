"""Stretches of a text from what opens them to what closes them, in time linear in the text."""

import re
from collections.abc import Callable, Iterator


def stretches(
    text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], re.Pattern[str] | None]
) -> Iterator[tuple[int, int]]:
    """The ranges from a match of `opening` to the end of the next match of what closes it, one after the other.

    `closing` gives None where the match is all of the stretch. What is never closed is no stretch; its end is looked
    for once, for `.*?` in a pattern looks to the end of the text at each opening.
    """
    missing: set[re.Pattern[str]] = set()
    position = 0
    while match := opening.search(text, position):
        position = match.end()
        wanted = closing(match)
        if wanted is not None:
            end = None if wanted in missing else wanted.search(text, position)
            if end is None:
                missing.add(wanted)
                continue
            position = end.end()
        yield match.start(), position


def replace_stretches(
    text: str,
    opening: re.Pattern[str],
    closing: Callable[[re.Match[str]], re.Pattern[str] | None],
    replacement: Callable[[str], str],
) -> str:
    """The text with each of its `stretches` replaced."""
    parts: list[str] = []
    position = 0
    for start, end in stretches(text, opening, closing):
        parts += [text[position:start], replacement(text[start:end])]
        position = end
    return "".join([*parts, text[position:]])
