"""Topics of a plan's paragraphs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import TopicSource
from citeplug.records.plan import Plan
from citeplug.records.topics import Topic


def known_topics(ids: Sequence[str], source: TopicSource | None) -> Mapping[str, Topic]:
    """Return the topics of papers by id; none if topics cannot be read, since a plan does not need them."""
    if source is None:
        return {}
    try:
        return source.of(ids)
    except (StoreBroken, StoreBusy):
        return {}


def topics_of_plan(plan: Plan, known: Mapping[str, Topic]) -> dict[str, Topic]:
    """Return, by paragraph id, the topic of more than half of its papers; its `papers` counts these."""
    found: dict[str, Topic] = {}
    for paragraph in plan.paragraphs:
        cites = dict.fromkeys(cite for line in paragraph.lines for cite in line.cites)
        counts = Counter(replace(known[cite], papers=0) for cite in cites if cite in known)
        for topic, count in counts.most_common(1):
            if 2 * count > len(cites):
                found[paragraph.id] = replace(topic, papers=count)
    return found
