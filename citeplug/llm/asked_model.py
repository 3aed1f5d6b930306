"""A language model that an author chose for a run: asked about before anything is sent, with the cost that is expected.

The editor and the review page open it in the process of the run.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from citeplug.errors import Cancelled
from citeplug.llm.chosen_model import Notice, Wanted, language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.expected_cost import expected_cost
from citeplug.llm.guarded import CarefulModel
from citeplug.records.outcome import Options
from citeplug.settings.environment import Settings


@dataclass(slots=True)
class ExpectedCost:
    """The expected cost of a run, and what it was. `sentence` says it, and is empty where nothing is to be said."""

    report: Callable[[str, int, int | None], None]
    model: CarefulModel | Rehearsal | None = field(default=None, init=False)
    sentence: str = field(default="", init=False)

    def begin(self, options: Options) -> None:
        cost = expected_cost(self.model, options) if isinstance(self.model, CarefulModel) else None
        if cost:
            self.sentence = f" This section costs about ${cost:.2f}."
            self.report(f"about ${cost:.2f} for {options.breadth} papers", 0, None)

    def end(self, log: Callable[[str], None]) -> None:
        if self.model is not None and self.model.cost:
            log(f"{self.model.name}: ${self.model.cost:.4f}")


@contextmanager
def asked_model(
    llm: str | None,
    settings: Settings,
    consent: Callable[[str], float],
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
        price = expected.sentence if notice.priced else " Its price is not known."
        place = f"{notice.place} (model {notice.model})"
        question = (
            f"citeplug is about to send to {place}: {what}.{price} {notice.limit} This is asked once for each service."
        )
        answer = consent(question)
        if not answer or (answer is not True and not notice.priced):
            raise Cancelled("nothing was sent or written", "leave the language model out, or allow it")
        if answer is not True and isinstance(expected.model, CarefulModel):
            expected.model.limit(answer)

    with language_model(Wanted(llm, max_cost=max_cost, afresh=afresh), settings, announce) as model:
        expected.model = model
        yield model
