"""Sentences under review, printed: as JSON, and for a reader at a terminal."""

from dataclasses import asdict
from typing import Any

import click

from citeplug.cli.console import counted, say, say_next
from citeplug.records.json_form import fields_of
from citeplug.records.provenance import RecordedSource
from citeplug.records.section import Judgement, Source
from citeplug.related.section.accept import Recorded, Reviewed, source_in_words
from citeplug.text.cleaning import plain

_BESIDE = " " * 6  # the lines beneath a sentence


def reviewed_as_json(reviewed: Reviewed) -> dict[str, Any]:
    """Return the document of `citeplug section accept --json`."""
    return {
        "sentences": [_as_json(sentence) for sentence in reviewed.sentences],
        "changed": [sentence.place for sentence in reviewed.changed],
        "unreviewed": count_waiting(reviewed),
    }


def _as_json(sentence: Recorded) -> dict[str, Any]:
    return {
        **fields_of(sentence, "place paragraph number text kind cites"),
        "sources": [source_as_json(source, source.quote) for source in sentence.sources],
        "attribution": sentence.attribution,
        "judgement": judgement_as_json(sentence.judgement),
        **fields_of(sentence, "status stands"),
    }


def source_as_json(source: Source | RecordedSource, text: str) -> dict[str, Any]:
    """Return a source of a sentence; `text` is the passage."""
    return {
        **fields_of(source, "arxiv_id version"),
        "text": text,
        **fields_of(source, "start end of section page newer"),
    }


def judgement_as_json(judgement: Judgement | None) -> dict[str, Any] | None:
    return None if judgement is None else asdict(judgement)


def show_waiting(reviewed: Reviewed) -> None:
    """Print each unreviewed sentence with the words of its sources, and how to accept them."""
    for sentence in reviewed.sentences:
        if _is_waiting(sentence):
            _show_sentence(sentence)
    waiting = count_waiting(reviewed)
    if waiting:
        say((f"{counted(waiting, 'sentence', 'sentences')} to review", "number"), ". Nothing has been accepted yet.")
        say_next(f"citeplug section accept {_first(reviewed)}", "accepts this sentence; --all accepts every one")
    elif any(sentence.stands for sentence in reviewed.sentences):
        say(("Every generated sentence is accepted.", "good"))
    else:
        say("There is no generated sentence to review.")


def ask_each(reviewed: Reviewed) -> list[str]:
    """Show the unreviewed sentences one by one, and return the places of those that the user accepts."""
    accepted: list[str] = []
    waiting = [sentence for sentence in reviewed.sentences if _is_waiting(sentence)]
    for number, sentence in enumerate(waiting, 1):
        _show_sentence(sentence)
        question = f"{number} of {len(waiting)}: accept this sentence? y = yes, n = not yet, q = stop"
        answer = click.prompt(question, type=click.Choice(["y", "n", "q"]), show_choices=False, default="n")
        if answer == "q":
            break
        accepted += [sentence.place] if answer == "y" else []
        say()
    return accepted


def _show_sentence(sentence: Recorded) -> None:
    say(sentence.text, lead=(f"{sentence.place:4}  ", "key"))
    for source in sentence.sources:
        # Without quotation marks: a demo's summaries are nobody's words but ours.
        say(f"{source_in_words(source, sentence.quotes_from)}: ", (source.quote, "aside"), lead=_BESIDE, hang=2)
    if sentence.kind == "topic":
        say("its sources are those of the sentences below it", lead=_BESIDE)
    if sentence.attribution is not None:
        say((f"attribution {100 * sentence.attribution:.0f} %", "aside"), lead=_BESIDE)
    if sentence.judgement is not None and (doubt := plain(sentence.judgement.doubt)):
        say((doubt, "warning"), lead=_BESIDE)
    say()


def _is_waiting(sentence: Recorded) -> bool:
    return sentence.stands and sentence.status == "unreviewed"


def show_accepted(reviewed: Reviewed, verb: str) -> None:
    """Print how many sentences were marked, and how many are left to review."""
    for sentence in reviewed.yours:
        say(f"{sentence.place} was changed by you and needs no review")
    say(f"{counted(len(reviewed.changed), 'sentence', 'sentences')} {verb}; {count_waiting(reviewed)} to review")


def count_waiting(reviewed: Reviewed) -> int:
    return sum(map(_is_waiting, reviewed.sentences))


def _first(reviewed: Reviewed) -> str:
    return next(sentence.place for sentence in reviewed.sentences if _is_waiting(sentence))
