"""Preparation of papers by a model, a few at once, each handed on as soon as it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeplug.errors import CiteplugError
from citeplug.ports import LanguageModel, ask_all
from citeplug.prepare.by_model.checks import check_prepared
from citeplug.prepare.by_model.prompt import prepare_request, read_prepared
from citeplug.records.dialogue import Reply
from citeplug.records.prepared import PaperSource, Prepared

AT_ONCE = 4  # papers


@dataclass(frozen=True, slots=True)
class Failed:
    """A paper that a model did not prepare: `error`, or None where its answer could not be read."""

    paper: str
    error: CiteplugError | None


def prepare_by_model(sources: Sequence[PaperSource], model: LanguageModel) -> Iterator[Prepared | Failed]:
    """What a model says of these papers and their texts bear out; one request for each. Raises Cancelled."""
    replies = ask_all(model, [prepare_request(source) for source in sources])
    for source, reply in zip(sources, replies, strict=True):
        yield _read(source, reply, model.name)


def _read(source: PaperSource, reply: Reply | CiteplugError, name: str) -> Prepared | Failed:
    if not isinstance(reply, Reply):
        return Failed(source.paper, reply)
    said = read_prepared(reply)
    if said is None:
        return Failed(source.paper, None)
    found = check_prepared(said, source)
    made_by = reply.model or name
    facts, pairs = tuple(found.facts), tuple(found.pairs)
    return Prepared(
        source.paper, source.title, source.version, source.of, source.digest, made_by, facts, pairs, dict(found.dropped)
    )
