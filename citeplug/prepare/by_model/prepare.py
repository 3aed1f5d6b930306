"""Preparation of papers by a model, a few at once, each handed on as soon as it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeplug.errors import CiteplugError
from citeplug.prepare.by_model.asking import ask_readable
from citeplug.prepare.by_model.checks import check_prepared
from citeplug.prepare.by_model.prompt import Said, prepare_request, read_prepared
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply
from citeplug.records.prepared import PaperSource, Prepared


@dataclass(frozen=True, slots=True)
class Failed:
    """A paper that a model did not prepare: `error`, or None where its answer could not be read."""

    paper: str
    error: CiteplugError | None


def prepare_by_model(sources: Sequence[PaperSource], model: LanguageModel) -> Iterator[Prepared | Failed]:
    """What a model says of these papers and their texts bear out; one request for each, or two. Raises Cancelled."""

    def read(number: int, reply: Reply) -> Prepared | None:
        said = read_prepared(reply)
        return None if said is None else _checked(sources[number], said, reply.model or model.name)

    for source, made in zip(
        sources, ask_readable(model, [prepare_request(each) for each in sources], read), strict=True
    ):
        yield made if isinstance(made, Prepared) else Failed(source.paper, made)


def _checked(source: PaperSource, said: Sequence[Said], made_by: str) -> Prepared:
    found = check_prepared(said, source)
    facts, pairs = tuple(found.facts), tuple(found.pairs)
    return Prepared(
        source.paper, source.title, source.version, source.of, source.digest, made_by, facts, pairs, dict(found.dropped)
    )
