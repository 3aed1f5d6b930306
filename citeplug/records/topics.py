"""Topics of the records on this machine."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A group of papers with similar words. `number` counts from 1, the largest first when the topics were made.

    `name` is unique, made of its words in lower-case ASCII; `words` are its most distinctive ones, best first. `papers`
    is the present number of its papers.
    """

    number: int
    name: str
    words: tuple[str, ...]
    papers: int = 0


@dataclass(frozen=True, slots=True)
class TopicsMade:
    """Result of making or updating topics.

    `method`: `words` or `vectors`, by which records were grouped. `made`: time when the topics were made, ISO 8601 in
    UTC. `assigned` records got their topic in this run; `without` have none, since they share no word with any topic.
    """

    topics: tuple[Topic, ...]
    method: str
    made: str
    anew: bool
    assigned: int
    without: int
    seconds: float
