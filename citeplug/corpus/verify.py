"""Check and repair of the catalogue and all that is derived from it.

The catalogue is the truth: what is derived from it and does not fit is made again from it, as a whole.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import NAME, LexicalIndex
from citeplug.corpus.topics.index import TopicIndex
from citeplug.corpus.vectors.store import VectorStore
from citeplug.corpus.vectors.store_sync import StoreSync
from citeplug.corpus.vectors.table import VectorTable

Tell = Callable[[str, int, int], None]
Part = Literal["catalogue", "lexical", "store", "topics", "texts", "prepared"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: `count` rows of `part` are wrong. `mended` is True if they were repaired."""

    part: Part
    kind: str
    count: int
    message: str
    mended: bool


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Result of a check: counts and problems."""

    records: int
    vectors: int
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def sound(self) -> bool:
        return all(problem.mended for problem in self.problems)


def verify(
    database: Database,
    lexical: LexicalIndex,
    stores: Callable[[str], VectorStore],
    topics: TopicIndex,
    *,
    repair: bool,
    progress: Tell | None = None,
) -> VerifyReport:
    """Check the catalogue's file, the lexical index, each model's store, and the topics.

    `stores` opens the store of the model of that name. With `repair` what is derived is made again where it does not
    fit. Nothing is embedded.
    """
    began = time.monotonic()
    tell = progress or (lambda part, done, total: None)
    catalogue = Catalogue(database)
    problems: list[Problem] = []
    if damage := database.damage():
        message = f"the file {database.path} is damaged ({damage}): move its folder away and add the records again"
        problems.append(Problem("catalogue", "damaged", 1, message, mended=False))
    else:
        problems += _lexical(catalogue, lexical, repair, tell)
        problems += _stores(database, catalogue, stores, repair, tell)
        tell("topics", 0, 1)
        problems += [Problem("topics", *problem, mended=repair) for problem in topics.check(repair=repair)]
    vectors = sum(catalogue.vectors_by_model().values())
    return VerifyReport(catalogue.records(), vectors, tuple(problems), time.monotonic() - began)


def _lexical(catalogue: Catalogue, lexical: LexicalIndex, repair: bool, tell: Tell) -> Iterator[Problem]:
    """Check that the index can be read and has a row for each record; else it is built anew from these."""
    tell("lexical", 0, 1)
    state, records = catalogue.derived(NAME), catalogue.records()
    difference = 0
    if state is None:
        if records:
            yield Problem("lexical", "missing", records, "records without a lexical index", repair)
            difference = records
    elif (damage := lexical.damage()) is not None:
        yield Problem("lexical", "damaged", 1, f"the lexical index cannot be read ({damage[:200]})", repair)
        difference = 1
    else:
        if behind := catalogue.records_after(state.generation):
            if repair:
                lexical.bring_up_to_date()
            yield Problem("lexical", "behind", behind, "records not yet in the lexical index", repair)
        # Rows can only be counted against records that the index has seen.
        if repair or not behind:
            difference = catalogue.records() - lexical.rows()
        if difference:
            kind, which = (
                ("missing", "records missing from the") if difference > 0 else ("extra", "surplus rows of the")
            )
            yield Problem("lexical", kind, abs(difference), f"{which} lexical index", repair)
    if difference and repair:
        lexical.rebuild()


def _stores(
    database: Database, catalogue: Catalogue, stores: Callable[[str], VectorStore], repair: bool, tell: Tell
) -> Iterator[Problem]:
    for model in catalogue.models():
        tell("store", 0, 1)
        for kind, count, message in check_store(database, model, stores(model), repair=repair):
            yield Problem("store", kind, count, f"{message} ({model})", repair)


def check_store(database: Database, model: str, store: VectorStore, *, repair: bool) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, count, message) of what is wrong with the rows of the model's store, which is closed.

    With `repair` the store is then cleared and filled again. Raises StoreBusy if the store is being written.
    """
    sync = StoreSync(database, VectorTable(database, model), store)
    try:
        problem = sync.problem()
        if problem is not None:
            if repair:
                sync.clear()
                sync.bring_up_to_date()
            yield problem
    finally:
        store.close()
