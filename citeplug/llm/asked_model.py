"""A language model that an author chose for a run: asked about before anything is sent, with the cost that is expected.

The editor and the review page open it in the process of the run.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from citeplug.errors import Cancelled
from citeplug.llm.chosen_model import Notice, Sending, Wanted, language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.expected_cost import expected_cost
from citeplug.llm.guarded import CarefulModel
from citeplug.records.outcome import Options
from citeplug.settings.environment import Settings


@dataclass(slots=True)
class ExpectedCost:
    """The expected cost of a run, and what it was. `dollars` is 0 where it is not known, or nothing is sent."""

    report: Callable[[str, int, int | None], None]
    model: CarefulModel | Rehearsal | None = field(default=None, init=False)
    dollars: float = field(default=0, init=False)

    def begin(self, options: Options) -> None:
        self.dollars = (isinstance(self.model, CarefulModel) and expected_cost(self.model, options)) or 0
        if self.dollars:
            self.report(f"about ${self.dollars:.2f} for {options.breadth} papers", 0, None)

    def end(self, log: Callable[[str], None]) -> None:
        if self.model is not None and self.model.cost:
            log(f"{self.model.name}: ${self.model.cost:.4f}")


@contextmanager
def asked_model(
    llm: str | None,
    settings: Settings,
    consent: Callable[[Sending], float],
    expected: ExpectedCost,
    *,
    afresh: bool = False,
    max_cost: float | None = None,
) -> Iterator[CarefulModel | Rehearsal | None]:
    """Open the model `llm`, as `--llm` names it; None without it, whatever config.toml says.

    `consent` is asked before anything is sent to a service for the first time; a number of dollars, if that is its
    answer, limits the run. `afresh` and `max_cost` as in `Wanted`. Raises as `language_model` does, and Cancelled where
    consent is not given.
    """
    if llm is None:
        yield None
        return

    def announce(notice: Notice) -> None:
        what = "title, abstract and sections of your draft, and the abstracts of the papers found for it"
        answer = consent(Sending.of(notice, what, expected.dollars))
        if not answer or (answer is not True and not notice.priced):
            raise Cancelled("nothing was sent or written", "leave the language model out, or allow it")
        if answer is not True and isinstance(expected.model, CarefulModel):
            expected.model.limit(answer)

    with language_model(Wanted(llm, max_cost=max_cost, afresh=afresh), settings, announce) as model:
        expected.model = model
        yield model
