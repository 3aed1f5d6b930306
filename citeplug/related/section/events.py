"""What happened to the sentences and papers of a section, and when, in the order of its record."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from citeplug.records.provenance import Event, Happened, OfPaper, Provenance, RecordedSentence

MOST = 400  # events that a record keeps, the newest


def with_events(
    record: Provenance, before: Provenance, more: Iterable[tuple[Happened, RecordedSentence]] = ()
) -> Provenance:
    """The record with the history of the one `before`, and with what is new in it; `more` are further events.

    A sentence that only moved to another paragraph is not new.
    """
    statuses = {each.words: each.status for each in before.sentences}
    asked = {each.words for each in before.asked}
    found: list[tuple[Happened, RecordedSentence]] = []
    for each in record.sentences:
        if each.words not in statuses:
            found.append(("generated", each))
        elif each.status != statuses[each.words]:
            found.append((each.status, each))
    found += [("inserted", each) for each in record.asked if each.words not in asked]
    found += more
    now = _now()
    # The same run by a co-author, or after an undo in git, gives the same file: of what it wrote, the day alone.
    events = (
        Event(now[:10] if what == "generated" else now, what, each.paragraph, each.words, each.by)
        for what, each in found
    )
    return replace(record, history=(*before.history, *events)[-MOST:])


def with_choice_of(record: Provenance, arxiv_id: str, what: OfPaper) -> Provenance:
    """The record, in whose history a paper was pinned or excluded, or neither any more."""
    return replace(record, history=(*record.history, Event(_now(), what, "", arxiv_id))[-MOST:])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
