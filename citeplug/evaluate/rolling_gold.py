"""A gold set of a month's papers, from the user's own catalogue and citation graph (LitLLM, section 3.1, appendix B).

LitLLM's RollingEval takes the papers that were posted in one month, after a model was trained, and what they cite that
was published strictly before. For sections, a paper whose full text is on this machine has its own related work as the
reference. It is the answer: a system sees title, abstract, the day before which papers count, and the paper's own id as
one that must not be used. Nothing is sent anywhere.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from typing import Any

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import need_papers, open_corpus
from citeplug.errors import UnreadableInput, UsageError
from citeplug.latex.related_work import is_title_of_related_work
from citeplug.records.paper import Paper
from citeplug.settings.environment import Settings

_MONTH = re.compile(r"(\d\d)(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class RollingGold:
    """Lines of the gold set. `posted` papers of the month are in the catalogue, `listed` of these have a known list."""

    lines: tuple[dict[str, Any], ...]
    posted: int
    listed: int


def make_rolling_gold(environment: Settings, month: str, most: int, least: int) -> RollingGold:
    """Make a set of at most `most` papers of the month `YYMM` that cite at least `least` papers of the catalogue.

    The hashes of their ids decide which ones: the same catalogue gives the same set, and a larger `most` one that holds
    the smaller. Raises UsageError for what is no month, CorpusEmpty without a catalogue, UnreadableInput where no list
    of the month is known.
    """
    first, after = _days(month)
    with open_corpus(environment) as corpus:
        need_papers(corpus, online=False)
        papers = [paper for paper in corpus.catalogue.published_between(first, after) if paper.title and paper.abstract]
        lists = corpus.graph.references([paper.id.value for paper in papers])
        if not lists:
            raise UnreadableInput(
                f"of {len(papers):,} papers of {first:%B %Y} in the catalogue no list of references is known",
                "get lists with 'citeplug graph fetch' or 'citeplug graph add', or name another month",
            )
        sections = dict(_sections(environment, lists))
        records = corpus.papers(sorted({cited for listed in lists.values() for cited in listed}))
    papers.sort(key=lambda paper: hashlib.sha256(paper.id.value.encode()).hexdigest())
    lines: list[dict[str, Any]] = []
    for paper in papers:
        older = [value for value in lists.get(paper.id.value, ()) if _is_older(records.get(value), paper)]
        if len(older) >= least and len(lines) < most:
            lines.append(_line(paper, older, month) | sections.get(paper.id.value, {}))
    return RollingGold(tuple(lines), len(papers), len(lists))


def _days(month: str) -> tuple[date, date]:
    """The first day of a month, and that of the next one."""
    match = _MONTH.fullmatch(month)
    if match is None:
        raise UsageError(f"{month!r} is not a month", "write it as arXiv's ids do, like 2508 for August 2025")
    year, number = int(match[1]), int(match[2])
    first = date(1900 + year if year >= 91 else 2000 + year, number, 1)
    return first, date(first.year + number // 12, number % 12 + 1, 1)


def _sections(environment: Settings, papers: Iterable[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The related work of each paper whose full text is kept, without captions."""
    with closing(TextStore(environment.home)) as store:
        for paper in papers:
            inside: int | None = None
            result = []
            text = store.read(paper)
            for section in text.sections if text else ():
                if inside is None or section.level <= inside:
                    inside = section.level if is_title_of_related_work(section.title) else None
                if inside is not None:
                    result.append(section.text[: section.captions].strip())
            if any(result):
                yield paper, {"section": "\n\n".join(filter(None, result))}


def _is_older(cited: Paper | None, paper: Paper) -> bool:
    return cited is not None and cited.id.on_arxiv and cited.published < paper.published


def _line(paper: Paper, cited: list[str], month: str) -> dict[str, Any]:
    return {
        "query_id": f"rolling-{month}:{paper.id.value}",
        "source": f"rolling-{month}",
        "title": paper.title,
        "abstract": paper.abstract,
        "before": paper.published.isoformat(),
        "cited": sorted(cited),
        "exclude": [paper.id.value],
    }
