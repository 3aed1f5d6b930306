"""Expected cost of a section, said before it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from citeplug.llm.guarded import CarefulModel
from citeplug.llm.known_models import Usage
from citeplug.records.dialogue import Stage
from citeplug.records.outcome import RANKINGS, Options


@dataclass(frozen=True, slots=True)
class Load:
    """Tokens of all requests of a stage: read, and written with what is thought; for each paper, and besides."""

    read: int
    read_each: int
    written: int
    written_each: int


# By requests and answers of six sections of 16 to 25 papers, answered by hand over the protocol, at four characters a
# token, both judgements in one; what is thought is a guess: 1,000 tokens a request.
_LOADS: Mapping[Stage, Load] = {
    "queries": Load(2_000, 0, 1_700, 0),
    "ranking": Load(2_000, 690, 1_000, 4),
    "summaries": Load(0, 950, 0, 200),
    "plan": Load(2_500, 360, 1_400, 70),
    "prose": Load(6_000, 960, 2_000, 280),
    "judge": Load(3_000, 670, 1_500, 60),
}
_REVISION = Load(5_000, 190, 1_200, 60)
# Two candidates for each paper, five in a request with the draft, up to 500 tokens of arguments on each.
_DEBATE = Load(1_000, 2 * (360 + 300), 0, 2 * 400)
_MENDING = Load(5_000, 190, 1_100, 25)  # the same request, where what passed is left as it is


def expected_cost(model: CarefulModel, options: Options) -> float | None:
    """US dollars that the section of `options` will cost, about; None if a price is not known."""
    planned = options.strategy == "prompted-plan"
    stages: list[Stage] = ["queries", "prose", "judge"]
    if options.rank != RANKINGS[0]:
        stages.append("ranking")
    if planned:
        stages.append("plan")
    if options.summaries:
        stages.append("summaries")
    loads = [(stage, _DEBATE if (stage, options.rank) == ("ranking", "debate") else _LOADS[stage]) for stage in stages]
    loads.append(("prose", _REVISION if options.polish else _MENDING))
    cost = 0.0
    for stage, load in loads:
        papers = options.breadth
        usage = Usage(load.read + papers * load.read_each, load.written + papers * load.written_each)
        of_stage = model.cost_of(stage, usage)
        if of_stage is None:
            return None
        cost += of_stage
    return cost
