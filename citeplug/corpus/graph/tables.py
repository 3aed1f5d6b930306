"""What is written to the tables of the citation graph, in the catalogue's file, within a transaction.

`edges` say which paper cites which, `reference_lists` whose lists are known, and `reference_entries` hold the entries
of lists that were read as text; those without a `paper` mean none that is known, and wait under their names until a
record comes that they may mean.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from citeplug.corpus.database import select
from citeplug.corpus.graph.resolve import names_of, resolve
from citeplug.records.passage import Mention, Reference, Resolved

# Where a list comes from: a file of ids, a file of references, a service, the paper's own source on arXiv.
Source = Literal["given", "files", "openalex", "eprint"]
# `none`: the paper has no list there; `unavailable`: the service does not know the paper.
ListState = Literal["known", "none", "unavailable"]

_ENTRY = "number, key, raw, arxiv_id, doi, title, year, surnames, others"


def drop_cited_index(db: sqlite3.Connection) -> None:
    """Do without the index of citers while very many edges are written; `make_cited_index` makes it at once."""
    db.execute("DROP INDEX IF EXISTS edges_cited")


def make_cited_index(db: sqlite3.Connection) -> None:
    """Make it unless it is there; a run that was killed may have left the graph without it."""
    db.execute("CREATE INDEX IF NOT EXISTS edges_cited ON edges (cited, citing)")


def add_given(db: sqlite3.Connection, lists: Mapping[str, Iterable[str]], day: str) -> int:
    """Add edges to lists given by id; how many are new. What a list had before it keeps."""
    before = db.total_changes
    edges = sorted((citing, cited) for citing, papers in lists.items() for cited in papers)
    db.executemany("INSERT OR IGNORE INTO edges (citing, cited, how) VALUES (?, ?, 'given')", edges)
    added = db.total_changes - before
    if db.execute("SELECT 1 FROM reference_entries LIMIT 1").fetchone():
        # What is given stays, also when a file that was read before lists it no more.
        db.executemany("UPDATE edges SET how = 'given' WHERE citing = ? AND cited = ? AND how <> 'given'", edges)
    note_states(db, sorted(lists), "given", "known", day)
    return added


def note_states(db: sqlite3.Connection, ids: Iterable[str], source: Source, state: ListState, day: str) -> None:
    # That there is no list does not take away one that was there.
    least = "" if state == "known" else " WHERE reference_lists.state <> 'known'"
    db.executemany(
        "INSERT INTO reference_lists VALUES (?1, ?2, ?3, ?4) ON CONFLICT (citing, source)"
        f" DO UPDATE SET state = ?3, asked = ?4{least}",
        ((value, source, state, day) for value in ids),
    )


def replace_entries(
    db: sqlite3.Connection, citing: str, source: Source, resolved: Sequence[Resolved], day: str
) -> tuple[int, int]:
    """Keep this list in the place of what the same source said of the paper; how many edges it makes, and lost.

    What others said stays, and so do the section and the sentence of an edge that is there again.
    """
    query = f"SELECT row, paper, {_ENTRY} FROM reference_entries WHERE citing = ? AND source = ?"
    cited = {entry.paper for entry in resolved if entry.paper is not None and entry.paper != citing}
    gone = set()
    for row, paper, *entry in db.execute(query, (citing, source)).fetchall():
        if paper is None:
            _forget_names(db, row, _reference(entry))
        elif paper not in cited:
            gone.add(paper)
    db.execute("DELETE FROM reference_entries WHERE citing = ? AND source = ?", (citing, source))
    cited_before = "SELECT DISTINCT paper FROM reference_entries WHERE citing = ? AND paper IS NOT NULL"
    gone -= {row[0] for row in db.execute(cited_before, (citing,))}
    db.executemany(
        "DELETE FROM edges WHERE citing = ? AND cited = ? AND how <> 'given'",
        ((citing, value) for value in sorted(gone)),
    )
    for match in resolved:
        _add_entry(db, citing, source, match)
    note_states(db, (citing,), source, "known", day)
    return len(cited), len(gone)


def replace_mentions(db: sqlite3.Connection, citing: str, mentions: Sequence[Mention]) -> None:
    """Keep the citations in a paper's text in the place of those that it had; its list says what their keys mean."""
    db.execute("DELETE FROM mentions WHERE citing = ?", (citing,))
    db.executemany(
        "INSERT OR IGNORE INTO mentions VALUES (?, ?, ?, ?, ?)",
        (
            (citing, number, key, mention.section, mention.sentence)
            for number, mention in enumerate(mentions, 1)
            for key in mention.keys
        ),
    )


def mentions_of(db: sqlite3.Connection, cited: str, most: int) -> list[tuple[str, str, str]]:
    """At most `most` sentences of papers about one that they cite: the citing paper, its section, the sentence."""
    return db.execute(
        "SELECT m.citing, m.section, m.sentence FROM edges g"
        " CROSS JOIN reference_entries e ON e.citing = g.citing AND e.source = 'eprint' AND e.paper = g.cited"
        " CROSS JOIN mentions m ON m.citing = e.citing AND m.key = e.key"
        " WHERE g.cited = ? ORDER BY m.citing, m.number LIMIT ?",
        (cited, most),
    ).fetchall()


def try_again(db: sqlite3.Connection, names: Mapping[int, Sequence[int]]) -> None:
    """Resolve the entries that may mean one of the records that came, whose names these are, by number."""
    came = list(set(chain.from_iterable(names.values())))
    rows = sorted({row[0] for row in select(db, "SELECT row FROM unresolved_names WHERE name IN", came)})
    waiting = f"SELECT row, citing, {_ENTRY} FROM reference_entries WHERE paper IS NULL AND row IN"
    entries = [(row, citing, _reference(entry)) for row, citing, *entry in select(db, waiting, rows)]
    matches = resolve(db, [reference for _, _, reference in entries])
    for (row, citing, reference), resolved in zip(entries, matches, strict=True):
        if resolved.paper is not None:
            _forget_names(db, row, reference)
            db.execute(
                "UPDATE reference_entries SET paper = ?, how = ? WHERE row = ?", (resolved.paper, resolved.how, row)
            )
            _add_edge(db, citing, resolved)


def read_entries(db: sqlite3.Connection, where: str, parameters: Sequence[str]) -> list[tuple[str, Resolved]]:
    """Entries with the papers whose lists they are from, in their order."""
    query = f"SELECT citing, paper, how, {_ENTRY} FROM reference_entries WHERE {where} ORDER BY citing, source, number"
    rows = db.execute(query, parameters).fetchall()
    return [(row[0], Resolved(_reference(row[3:]), row[1], row[2])) for row in rows]


def _add_entry(db: sqlite3.Connection, citing: str, source: Source, resolved: Resolved) -> None:
    reference = resolved.reference
    cursor = db.execute(
        f"INSERT INTO reference_entries (citing, source, {_ENTRY}, paper, how)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            citing,
            source,
            reference.number,
            reference.key,
            reference.raw,
            reference.arxiv_id,
            reference.doi,
            reference.title,
            reference.year,
            json.dumps(reference.surnames, ensure_ascii=False),
            json.dumps(reference.others, ensure_ascii=False),
            resolved.paper,
            resolved.how,
        ),
    )
    if resolved.paper is None:
        rows = ((name, cursor.lastrowid) for name in names_of(reference))
        db.executemany("INSERT OR IGNORE INTO unresolved_names VALUES (?, ?)", rows)
    else:
        _add_edge(db, citing, resolved)


def _add_edge(db: sqlite3.Connection, citing: str, resolved: Resolved) -> None:
    if resolved.paper != citing:
        query = "INSERT OR IGNORE INTO edges (citing, cited, how) VALUES (?, ?, ?)"
        db.execute(query, (citing, resolved.paper, resolved.how))


def _forget_names(db: sqlite3.Connection, row: int, reference: Reference) -> None:
    db.executemany(
        "DELETE FROM unresolved_names WHERE name = ? AND row = ?", ((name, row) for name in names_of(reference))
    )


def _reference(row: Sequence[Any]) -> Reference:
    number, key, raw, arxiv_id, doi, title, year, surnames, others = row
    return Reference(
        number, key, raw, arxiv_id, doi, title, year, tuple(json.loads(surnames)), tuple(json.loads(others))
    )
