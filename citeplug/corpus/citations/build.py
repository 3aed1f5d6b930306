"""Filling the citation graph from files: citations by id, lists of references, projects; and what it holds."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from citeplug.corpus.citations.reference_lists import KINDS, FoundList, kind_of, lists_below, read_references
from citeplug.corpus.graph.edge_files import EdgeReport
from citeplug.corpus.graph.index import OWN, GraphCounts, GraphProblem
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import UnreadableInput
from citeplug.files.project_files import expanded
from citeplug.records.passage import Reference
from citeplug.settings.environment import Settings


@dataclass(slots=True)
class GraphAdded:
    """Outcome of an addition: `given` from files of ids, and `references` of `lists`, so many of them `resolved`.

    `lost` are citations that left a list. `named` are projects that were taken for a paper of the catalogue by their
    title: place and id. `problems` are messages.
    """

    given: EdgeReport = field(default_factory=EdgeReport)
    lists: int = 0
    references: int = 0
    resolved: int = 0
    lost: int = 0
    named: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        """Return whether nothing was passed over."""
        return not (self.given.skipped or self.given.bad_ids or self.problems)


def add(settings: Settings, paths: Sequence[Path], report: Report) -> GraphAdded:
    """Take in files of ids, .bbl, .bib, .tex and .pdf files, and folders. What is there already is renewed or stays.

    Raises UnreadableInput before anything is written if a path leads to nothing, StoreBusy if another process changes
    the graph.
    """
    began, done, day = time.monotonic(), GraphAdded(), today()
    for path in paths:
        if not expanded(path).exists():
            raise UnreadableInput(
                f"{path} does not exist", "name a file of citations, a .bbl, .bib or .pdf file, or a folder"
            )
    edges = [path for path in paths if not path.is_dir() and kind_of(path) not in KINDS]
    with open_corpus(settings) as corpus, corpus.one_change_of_graph():
        if edges:
            done.given = corpus.add_edges(
                edges, day, lambda read, total: report("citations, in kB", read // 1000, total // 1000)
            )
            done.problems += done.given.problems
        others = [path for path in paths if path not in edges]
        if others:
            corpus.graph.catch_up(lambda count: report("titles of records", count, None))
        for path in others:
            lists = lists_below(path, done.problems) if path.is_dir() else [read_references(path)]
            before = done.lists
            for reference_list in lists:
                if reference_list.references:
                    _put(corpus, reference_list, done, day)
                    report("lists of references", done.lists, None)
            if done.lists == before:
                done.problems.append(f"no references were found in {path}")
    done.seconds = time.monotonic() - began
    return done


def _put(corpus: Corpus, reference_list: FoundList, done: GraphAdded, day: date) -> None:
    citing = reference_list.citing
    if citing.startswith(OWN) and reference_list.title:
        (named,) = corpus.graph.resolve([Reference(1, None, reference_list.title, title=reference_list.title)])
        if named.paper is not None:
            done.named.append((citing.removeprefix(OWN), named.paper))
            citing = named.paper
    resolved = corpus.graph.resolve(reference_list.references)
    done.lost += corpus.graph.put_list(citing, "files", resolved, day)[1]
    done.lists += 1
    done.references += len(resolved)
    done.resolved += sum(reference.paper is not None for reference in resolved)


def info(settings: Settings) -> GraphCounts:
    """Size of the user's graph."""
    with open_corpus(settings) as corpus:
        corpus.graph.catch_up(begin=False)
        return corpus.graph.counts()


def verify(settings: Settings) -> list[GraphProblem]:
    """Faults of the user's graph."""
    with open_corpus(settings) as corpus:
        return corpus.graph.verify()


def today() -> date:
    return datetime.now(UTC).date()
