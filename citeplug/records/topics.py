"""Topics of the records on this machine."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """Papers that say much the same words. `number` counts from 1, the largest first when the topics were made.

    `name` is made of its own words, in lower-case ASCII, and no other topic's; `words` are those that set it apart
    most, best first. `papers` is how many there are now.
    """

    number: int
    name: str
    words: tuple[str, ...]
    papers: int = 0


@dataclass(frozen=True, slots=True)
class TopicsMade:
    """What making or refreshing topics came to.

    `method`: `words` or `vectors`, by which records were put together. `made`: when the topics were made, ISO 8601 in
    UTC. `assigned` records got their topic now; `without` have none, for want of a word that the topics know.
    """

    topics: tuple[Topic, ...]
    method: str
    made: str
    anew: bool
    assigned: int
    without: int
    seconds: float
