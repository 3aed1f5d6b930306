"""Expected cost of a section, said before it is asked for."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from citeplug.llm.known_models import Usage, price_of
from citeplug.llm.provider import Provider
from citeplug.llm.usage import Models
from citeplug.records.dialogue import Stage


@dataclass(frozen=True, slots=True)
class Load:
    """Tokens of all requests of a stage: read, and written with what is thought; for each paper, and besides."""

    read: int
    read_each: int
    written: int
    written_each: int


# By requests and answers of two sections of 13 and 15 papers, answered by hand over the protocol, at four characters a
# token; thinking, repairs of one sentence in seven, and a second look of the judge at what changed are guesses.
_LOADS: Mapping[Stage, Load] = {
    "queries": Load(3_200, 0, 900, 0),
    "ranking": Load(2_000, 650, 500, 25),
    "summaries": Load(0, 950, 0, 200),
    "plan": Load(2_500, 450, 1_200, 100),
    "prose": Load(0, 1_040, 0, 380),
    "judge": Load(1_500, 500, 800, 200),
}
_POLISH = Load(2_500, 180, 800, 190)


def expected_cost(
    provider: Provider, models: Models, papers: int, stages: Collection[Stage], *, polish: bool
) -> float | None:
    """US dollars for a section of `papers` papers whose `stages` ask a model; None if a price is not known."""
    loads = [(stage, _LOADS[stage]) for stage in stages]
    if polish:
        loads.append(("prose", _POLISH))
    cost = 0.0
    for stage, load in loads:
        usage = Usage(load.read + papers * load.read_each, load.written + papers * load.written_each)
        price = price_of(provider.prices(models.of(stage)), usage.tokens_in)
        if price is None:
            return None
        cost += price.of(usage)
    return cost
