"""Choice of topics by number, name or words."""

import difflib
import re
from collections.abc import Sequence

from citeplug.errors import UsageError
from citeplug.records.topics import Topic

_LISTED = 5


def chosen(wanted: Sequence[str], topics: Sequence[Topic]) -> tuple[Topic, ...]:
    """Return the wanted topics, each once, in their order.

    Each of `wanted` is a number, a name, or words: these mean all topics with all of them in the name. Raises
    UsageError if one matches no topic.
    """
    result: set[int] = set()
    for text in wanted:
        meant = _meant(text, topics)
        if not meant:
            raise UsageError(f"{text!r} is not a topic", _instead(text, topics))
        result |= {topic.number for topic in meant}
    return tuple(topic for topic in topics if topic.number in result)


def _meant(text: str, topics: Sequence[Topic]) -> list[Topic]:
    if re.fullmatch(r"\s*[0-9]{1,9}\s*", text):
        return [topic for topic in topics if topic.number == int(text)]
    words = _words(text)
    exact = [topic for topic in topics if _words(topic.name) == words]
    return exact or [topic for topic in topics if words and set(words) <= set(_words(topic.name))]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9-]+", text.lower())


def _instead(text: str, topics: Sequence[Topic]) -> str:
    words = set(_words(text))
    shared = [topic for topic in topics if words & set(_words(" ".join((topic.name, *topic.words))))]
    near = set(difflib.get_close_matches(text.lower(), [topic.name for topic in topics], _LISTED, 0.4))
    listed = [f"{t.number} ({t.name})" for t in topics if t in shared or t.name in near][:_LISTED]
    every = "'citeplug index info' lists all"
    return f"similar topics: {'; '.join(listed)}; {every}" if listed else f"{every}, with their numbers"
