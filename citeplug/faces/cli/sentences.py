"""How sentences under review look: as JSON, and for a reader at a terminal."""

from typing import Any

from citeplug.faces.cli.console import say
from citeplug.records.paper import shown_id
from citeplug.usecases.accept import Recorded, Reviewed


def reviewed_as_json(reviewed: Reviewed) -> dict[str, Any]:
    """The document of `citeplug accept --json`."""
    return {
        "sentences": [_as_json(sentence) for sentence in reviewed.sentences],
        "changed": [sentence.place for sentence in reviewed.changed],
        "unreviewed": _waiting(reviewed),
    }


def _as_json(sentence: Recorded) -> dict[str, Any]:
    return {
        "place": sentence.place,
        "paragraph": sentence.paragraph,
        "number": sentence.number,
        "text": sentence.text,
        "kind": sentence.kind,
        "cites": list(sentence.cites),
        "sources": [
            {
                "arxiv_id": source.arxiv_id,
                "version": source.version,
                "text": source.quote,
                "start": source.start,
                "end": source.end,
            }
            for source in sentence.sources
        ],
        "attribution": sentence.attribution,
        "status": sentence.status,
        "stands": sentence.stands,
    }


def show_waiting(reviewed: Reviewed) -> None:
    """Each sentence that nobody has accepted, with what it rests on."""
    for sentence in reviewed.sentences:
        if sentence.stands and sentence.status == "unreviewed":
            say(f"{sentence.place}  {sentence.text}")
            for source in sentence.sources:
                whose = shown_id(source.arxiv_id) if source.arxiv_id else "your abstract"
                say(f"      {whose}: “{source.quote}”")
            say(f"      attribution {sentence.attribution:.2f}")
    waiting = _waiting(reviewed)
    if waiting:
        say()
        say(f"{waiting} to be read; accept them by name, such as 'citeplug accept {_first(reviewed)}', or with --all")
    else:
        say("every generated sentence that stands is accepted")


def show_accepted(reviewed: Reviewed, verb: str) -> None:
    """What was done, and what still waits."""
    for sentence in reviewed.yours:
        say(f"{sentence.place} is yours: it no longer stands as it was generated")
    many = len(reviewed.changed)
    say(f"{many} sentence{'' if many == 1 else 's'} {verb}; {_waiting(reviewed)} to be read")


def _waiting(reviewed: Reviewed) -> int:
    return sum(sentence.stands and sentence.status == "unreviewed" for sentence in reviewed.sentences)


def _first(reviewed: Reviewed) -> str:
    return next(s.place for s in reviewed.sentences if s.stands and s.status == "unreviewed")
