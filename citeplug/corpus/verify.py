"""Check and repair of the catalogue and all that is derived from it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import NAME, LexicalIndex
from citeplug.corpus.soundness import Soundness
from citeplug.corpus.store_check import check_store
from citeplug.corpus.topics.index import TopicIndex, check_topics
from citeplug.corpus.vectors.store import VectorStore
from citeplug.corpus.vectors.table import delete_vectors, unusable_vectors

Tell = Callable[[str, int, int], None]
Part = Literal["catalogue", "lexical", "vectors", "store", "topics", "texts", "prepared"]


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
        """True if there are no problems left."""
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
    """Check every record against its digests, every vector, the lexical index, each model's store, and the topics.

    `stores` opens the store of the model of that name. With `repair` problems are repaired: derived rows are
    made again from the catalogue; unreadable rows of the catalogue itself are deleted and recorded as unread.
    Nothing is embedded.
    """
    began = time.monotonic()
    tell = progress or (lambda part, done, total: None)
    catalogue, soundness = Catalogue(database), Soundness(database)
    problems: list[Problem] = []
    if damage := database.damage():
        message = f"the file {database.path} is damaged ({damage}): move its folder away and add the records again"
        problems.append(Problem("catalogue", "damaged", 1, message, mended=False))
    else:
        problems += _records(catalogue, soundness, repair, tell)
        problems += _vectors(database, repair, tell)
        problems += _lexical(catalogue, soundness, lexical, repair, tell)
        problems += _stores(database, catalogue, stores, repair, tell)
        tell("topics", 0, 1)
        problems += [Problem("topics", *found, mended=repair) for found in check_topics(topics, catalogue, repair)]
    return VerifyReport(catalogue.records(), soundness.vectors(), tuple(problems), time.monotonic() - began)


def _stores(
    database: Database, catalogue: Catalogue, stores: Callable[[str], VectorStore], repair: bool, tell: Tell
) -> Iterator[Problem]:
    for model in catalogue.models():
        store = stores(model)
        try:
            if catalogue.derived(store.name) is not None:
                tell("store", 0, 1)
                for kind, count, text in check_store(database, model, store, repair):
                    yield Problem("store", kind, count, f"{text} ({model})", repair)
        finally:
            store.close()


def _records(catalogue: Catalogue, soundness: Soundness, repair: bool, tell: Tell) -> Iterator[Problem]:
    total, done, after = catalogue.records(), 0, 0
    unreadable: list[int] = []
    wrong: list[int] = []
    while (part := soundness.check(after)) is not None:
        after, broken, differing = part
        unreadable += broken
        wrong += differing
        done = min(done + 2000, total)
        tell("records", done, total)
    if wrong:
        if repair:
            soundness.digest_again(wrong)
        yield Problem("catalogue", "wrong_digest", len(wrong), "records with a wrong digest", repair)
    if unreadable:
        if repair:
            soundness.drop(unreadable)
        text = "records that cannot be read; add them again with 'citeplug index add' or 'index update'"
        yield Problem("catalogue", "unreadable", len(unreadable), text, repair)


def _vectors(database: Database, repair: bool, tell: Tell) -> Iterator[Problem]:
    tell("vectors", 0, 1)
    bad = unusable_vectors(database)
    if bad and repair:
        delete_vectors(database, bad)
    if bad:
        yield Problem("vectors", "unusable", len(bad), "invalid vectors; computed again when needed", repair)


def _lexical(
    catalogue: Catalogue, soundness: Soundness, lexical: LexicalIndex, repair: bool, tell: Tell
) -> Iterator[Problem]:
    """Check that the index can be read and has a row for each record; else it is built anew from these."""
    tell("lexical", 0, 1)
    state, records = catalogue.derived(NAME), catalogue.records()
    if state is None:
        if records:
            if repair:
                lexical.bring_up_to_date()
            yield Problem("lexical", "missing", records, "records without a lexical index", repair)
        return
    damage = lexical.damage()
    if damage is not None:
        if repair:
            lexical.rebuild()
        yield Problem("lexical", "damaged", 1, f"the lexical index cannot be read ({damage[:200]})", repair)
        return
    if state.generation < catalogue.last_change():
        behind = soundness.count_after(state.generation)
        if repair:
            lexical.bring_up_to_date()
        yield Problem("lexical", "behind", behind, "records not yet in the lexical index", repair)
    difference = catalogue.records() - lexical.rows()
    state = catalogue.derived(NAME)
    # Rows can only be counted against records that the index has seen; another process may have written some meanwhile.
    if difference and state is not None and state.generation >= catalogue.last_change():
        if repair:
            lexical.rebuild()
        kind, message = ("missing", "records missing from the") if difference > 0 else ("extra", "surplus rows of the")
        yield Problem("lexical", kind, abs(difference), f"{message} lexical index", repair)
