"""What happened to the sentences of a section, in its record."""

import json
from dataclasses import replace
from datetime import date, datetime

from citeplug.project.provenance import one_side, parse_provenance, print_provenance
from citeplug.records.provenance import (
    MOST,
    NOTHING_RECORDED,
    Event,
    Provenance,
    RecordedSentence,
    with_choice_of,
    with_events,
)

ONE = RecordedSentence("p1", "One is  so.", "One is so.")
TWO = RecordedSentence("p1", "Two is so.", "Two is so.", by="a:model")
MADE = Provenance("1.0", sentences=(ONE, TWO))


def happened(record: Provenance) -> list[tuple[str, str]]:
    return [(event.what, event.words) for event in record.history]


def test_what_an_author_chose_is_kept_without_a_section() -> None:
    chosen = with_choice_of(with_choice_of(NOTHING_RECORDED, "1706.03762", "pinned"), "1706.03762", "unchosen")
    assert happened(chosen) == [("pinned", "1706.03762"), ("unchosen", "1706.03762")]
    assert parse_provenance(print_provenance(chosen).decode()) == chosen
    assert happened(with_events(MADE, chosen))[:2] == happened(chosen)


def test_what_is_new_in_a_record_has_its_time() -> None:
    first = with_events(MADE, NOTHING_RECORDED)
    assert happened(first) == [("generated", "One is so."), ("generated", "Two is so.")]
    assert [event.by for event in first.history] == [None, "a:model"]
    assert all(len(event.when) == 10 and date.fromisoformat(event.when) for event in first.history)
    accepted = with_events(replace(first, sentences=(replace(ONE, status="accepted"), TWO)), first)
    assert happened(accepted)[2:] == [("accepted", "One is so.")]
    assert datetime.fromisoformat(accepted.history[-1].when).utcoffset() is not None
    asked = with_events(replace(accepted, asked=(RecordedSentence("", "Asked."),)), accepted, [("edited", TWO)])
    assert happened(asked)[3:] == [("inserted", "Asked."), ("edited", "Two is so.")]


def test_a_run_that_changes_nothing_adds_nothing_and_a_sentence_that_moved_is_not_new() -> None:
    first = with_events(MADE, NOTHING_RECORDED)
    again = replace(MADE, sentences=(TWO, replace(ONE, paragraph="p2", text="One is so.")))
    assert with_events(again, first).history == first.history


def test_the_record_keeps_the_newest_events() -> None:
    before = replace(MADE, history=tuple(Event(str(n), "accepted", "p1", "x") for n in range(MOST)))
    after = with_events(replace(MADE, sentences=(*MADE.sentences, RecordedSentence("p2", "Three."))), before)
    assert len(after.history) == MOST and after.history[-1].words == "Three."


def test_it_is_read_as_it_was_written_and_what_is_damaged_is_left_out() -> None:
    record = with_events(MADE, NOTHING_RECORDED)
    text = print_provenance(record).decode()
    assert parse_provenance(text).history == record.history
    said = json.loads(text)
    said["history"] += ["x", {"what": "loved"}, {"when": 7, "what": "accepted", "words": None}]
    assert parse_provenance(json.dumps(said)).history == record.history
    said["history"] = "none"
    assert parse_provenance(json.dumps(said)).history == ()
    assert "history" not in json.loads(print_provenance(MADE))  # as an older citeplug writes it


def test_both_sides_of_a_merge_are_kept_in_the_order_of_their_times() -> None:
    ours, theirs = (
        replace(MADE, history=(Event("2026-01-01", "generated", "p1", "One is so."), Event(day, "accepted", "p1", "x")))
        for day in ("2026-01-03", "2026-01-02")
    )
    assert [event.when for event in one_side([ours, theirs]).history] == ["2026-01-01", "2026-01-02", "2026-01-03"]
