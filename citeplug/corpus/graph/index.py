"""The citation graph: which paper cites which, whose lists of references are known, and what is still to be resolved.

A paper is an arXiv id without version, whether or not its record is here; a project of the author's is `own:` and its
folder, and cites without being cited.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from citeplug.corpus.database import Database, select
from citeplug.corpus.graph.record_names import RecordNames
from citeplug.corpus.graph.resolve import resolve
from citeplug.corpus.graph.tables import (
    ListState,
    Source,
    mentions_of,
    note_states,
    read_entries,
    replace_entries,
    replace_mentions,
    try_again,
)
from citeplug.records.passage import Mention, Mentioned, Reference, Resolved

OWN = "own:"  # what the id of a project of the author's begins with
MOST_NEIGHBOURS = 10_000  # of one paper: the most cited ones of arXiv have more citers
_BY_STRENGTH: tuple[ListState, ...] = ("known", "none", "unavailable")


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Size of the graph. `papers` are all that it names; `lists` counts papers by the state of their lists."""

    papers: int
    edges: int
    lists: Mapping[ListState, int]
    unresolved: int


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """`count` rows that are not as they should be; `info` where that is no fault, such as edges to unknown papers."""

    kind: Literal["unknown_papers", "damaged", "index_missing"]
    severity: Literal["info", "error"]
    count: int
    message: str


class CitationGraph:
    """Edges and lists in the catalogue's file. Errors: `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names = RecordNames(database)

    # Questions, each bounded and answered from an index

    def references(self, ids: Sequence[str], most: int = MOST_NEIGHBOURS) -> dict[str, tuple[str, ...]]:
        """The papers that each of these cites, by id; those of which no citation is known are left out."""
        return self._neighbours("SELECT cited FROM edges WHERE citing = ? ORDER BY cited LIMIT ?", ids, most)

    def citers(self, ids: Sequence[str], most: int = MOST_NEIGHBOURS) -> dict[str, tuple[str, ...]]:
        """The papers that cite each of these, by id; the author's own projects are not among them."""
        citing_by_id = self._neighbours("SELECT citing FROM edges WHERE cited = ? ORDER BY citing LIMIT ?", ids, most)
        papers = {
            value: tuple(e for e in neighbours if not e.startswith(OWN)) for value, neighbours in citing_by_id.items()
        }
        return {value: neighbours for value, neighbours in papers.items() if neighbours}

    def states(self, ids: Sequence[str]) -> dict[str, ListState]:
        """State of the lists of these papers, the best of all sources; nobody was asked for those left out."""
        states: dict[str, ListState] = {}
        with self._database.reading() as db:
            for value, state in select(db, "SELECT citing, state FROM reference_lists WHERE citing IN", ids):
                states[value] = min(states.get(value, state), state, key=_BY_STRENGTH.index)
        return states

    def asked(self, ids: Sequence[str], source: Source) -> dict[str, tuple[ListState, date]]:
        """Answers of this source on the lists of these papers, and their days; it was not asked for those left out."""
        query = "SELECT citing, state, asked FROM reference_lists WHERE source = ? AND citing IN"
        with self._database.reading() as db:
            rows = list(select(db, query, ids, [source]))
        return {row[0]: (row[1], date.fromisoformat(row[2])) for row in rows}

    def entries(self, value: str) -> list[Resolved]:
        """The list of a paper as it is printed, what was read from files before what a service says.

        Citations that are known by id alone follow, without text.
        """
        with self._database.reading() as db:
            listed = [entry for _, entry in read_entries(db, "citing = ?", [value])]
            query = "SELECT cited FROM edges WHERE citing = ? ORDER BY cited"
            shown = {entry.paper for entry in listed}
            bare = [cited for (cited,) in db.execute(query, (value,)) if cited not in shown]
        last = max((entry.reference.number for entry in listed), default=0)
        return listed + [
            Resolved(Reference(number, None, "", cited), cited, "printed_id")
            for number, cited in enumerate(bare, last + 1)
        ]

    def unresolved(self, ids: Sequence[str]) -> dict[str, list[Reference]]:
        """The entries of these papers' lists that mean no paper that is known."""
        references: dict[str, list[Reference]] = {}
        with self._database.reading() as db:
            for value in ids:
                entries = read_entries(db, "paper IS NULL AND citing = ?", [value])
                if entries:
                    references[value] = [entry.reference for _, entry in entries]
        return references

    def mentions(self, cited: str, most: int = MOST_NEIGHBOURS) -> list[Mentioned]:
        """Sentences in the texts of papers that cite this one, by citing paper, in their order."""
        with self._database.reading() as db:
            return [Mentioned(*row) for row in mentions_of(db, cited, most)]

    def stamp(self) -> str:
        """A text that is another one after lists were added; empty where nobody has put any in."""
        query = "SELECT count(*), max(asked) FROM reference_lists"
        with self._database.reading() as db:
            count, newest = db.execute(query).fetchone()
        return f"{count} {newest}" if count else ""

    def most_wanted(self, most: int) -> list[str]:
        """The papers whose records are here and of whose lists nothing is known, the most cited first."""
        query = (
            "SELECT cited, count(*) AS times FROM edges WHERE cited IN (SELECT id FROM papers)"
            " AND cited NOT IN (SELECT citing FROM reference_lists) GROUP BY cited ORDER BY times DESC, cited LIMIT ?"
        )
        return self._database.column(query, (most,))

    def edges(self) -> int:
        return self._database.number("SELECT count(*) FROM edges")

    def counts(self) -> GraphCounts:
        """Count everything; takes seconds where there are tens of millions of edges."""
        with self._database.snapshot() as db:
            states = dict.fromkeys(_BY_STRENGTH, 0)
            best = "SELECT min(CASE state WHEN 'known' THEN 0 WHEN 'none' THEN 1 ELSE 2 END) AS n"
            per_paper = f"SELECT n, count(*) FROM ({best} FROM reference_lists GROUP BY citing) GROUP BY n"
            for number, count in db.execute(per_paper):
                states[_BY_STRENGTH[number]] = count
            own = _count(
                db, f"SELECT count(DISTINCT citing) FROM reference_lists WHERE citing >= '{OWN}' AND citing < 'own;'"
            )
            only_cited = _count(
                db,
                "SELECT count(*) FROM (SELECT DISTINCT cited FROM edges)"
                " WHERE cited NOT IN (SELECT citing FROM reference_lists)",
            )
            return GraphCounts(
                sum(states.values()) - own + only_cited,
                _count(db, "SELECT count(*) FROM edges"),
                states,
                _count(db, "SELECT count(*) FROM reference_entries WHERE paper IS NULL"),
            )

    def verify(self) -> list[GraphProblem]:
        """Check the tables, and compare the graph with the catalogue."""
        with self._database.snapshot() as db:
            problems: list[GraphProblem] = []
            for table in ("edges", "reference_lists", "reference_entries", "unresolved_names"):
                verdict = str(db.execute(f"PRAGMA integrity_check({table})").fetchone()[0])
                if verdict != "ok":
                    problems.append(GraphProblem("damaged", "error", 1, f"the table {table} is damaged: {verdict}"))
            if not _count(db, "SELECT count(*) FROM sqlite_master WHERE name = 'edges_cited'"):
                text = "the index of citers is missing: 'citeplug graph add' was interrupted, and makes it again"
                problems.append(GraphProblem("index_missing", "error", 1, text))
            unknown = _count(
                db,
                "SELECT count(*) FROM (SELECT cited FROM edges UNION SELECT citing FROM reference_lists)"
                f" AS n WHERE cited NOT IN (SELECT id FROM papers) AND NOT (cited >= '{OWN}' AND cited < 'own;')",
            )
            if unknown:
                noun = "paper" if unknown == 1 else "papers"
                text = f"{noun} in the graph without a record in the catalogue, not counted until it is added"
                problems.append(GraphProblem("unknown_papers", "info", unknown, text))
        return problems

    # Filling

    def catch_up(self, report: Callable[[int], None] | None = None, *, begin: bool = True) -> None:
        """Make records that came since known by name, and try again the entries that may mean them.

        Without `begin` only where that was begun before: who has no graph pays nothing.
        """
        if begin or self._names.are_made:
            self._names.bring_up_to_date(try_again, report)

    def resolve(self, references: Sequence[Reference], *, printed_ids: bool = True) -> list[Resolved]:
        """Resolve references to records; see `resolve.resolve`. `catch_up` has to come before."""
        with self._database.reading() as db:
            return resolve(db, references, printed_ids=printed_ids)

    def put_list(self, citing: str, source: Source, resolved: Sequence[Resolved], day: date) -> tuple[int, int]:
        """Keep the list of a paper in the place of what this source said before; how many edges it makes, and lost."""
        with self._database.writing() as (db, _):
            return replace_entries(db, citing, source, resolved, day.isoformat())

    def put_text(self, citing: str, resolved: Sequence[Resolved], mentions: Sequence[Mention], day: date) -> None:
        """Keep what a paper's own text cites, and in which sentences."""
        with self._database.writing() as (db, _):
            replace_entries(db, citing, "eprint", resolved, day.isoformat())
            replace_mentions(db, citing, mentions)

    def note_state(self, ids: Sequence[str], source: Source, state: ListState, day: date) -> None:
        """Remember what a source answered that has no list of these papers. An outage is no answer."""
        with self._database.writing() as (db, _):
            note_states(db, ids, source, state, day.isoformat())

    def _neighbours(self, query: str, ids: Sequence[str], most: int) -> dict[str, tuple[str, ...]]:
        neighbours: dict[str, tuple[str, ...]] = {}
        with self._database.reading() as db:
            for value in dict.fromkeys(ids):
                rows = db.execute(query, (value, most)).fetchall()
                if rows:
                    neighbours[value] = tuple(row[0] for row in rows)
        return neighbours


def _count(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])
