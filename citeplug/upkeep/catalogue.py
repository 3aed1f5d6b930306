"""Upkeep of the user's catalogue: updates from arXiv, additions from its search, vectors, and disk space."""

import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.corpus.catalogue import Changes
from citeplug.corpus.harvest import HarvestProgress, UpdateReport
from citeplug.corpus.index import Corpus
from citeplug.corpus.prune import Pruned, PruneRequest
from citeplug.corpus.stores import Announce, Report, need_models, need_papers, open_corpus
from citeplug.corpus.update import AddReport
from citeplug.corpus.vectors.background import EmbedReport, EmbedRequest
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.verify import VerifyReport
from citeplug.errors import SourceUnavailable, UsageError
from citeplug.prepare.upkeep import prepared_without_paper, prune_prepared, verify_prepared
from citeplug.project.kept_zips import prune_kept
from citeplug.settings.environment import Settings, way_online
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.arxiv_query import search_query
from citeplug.sources.json_cache import JsonCache
from citeplug.sources.oai import OaiSource
from citeplug.upkeep.texts import prune_documents, prune_texts, texts_of_records, verify_texts

_GENTLY = 15  # added to the niceness of the process
_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z]{2}|\.[a-z]+(?:-[a-z]+)?)?")


def update(
    settings: Settings, sets: Sequence[str], since: date | None, report: Callable[[HarvestProgress], None]
) -> UpdateReport:
    """Add what changed at arXiv; see `harvest.update_catalogue`. Raises SourceUnavailable offline."""
    if settings.offline:
        raise SourceUnavailable(
            "the catalogue cannot be updated: citeplug is offline",
            f"{way_online()}; 'citeplug index add FILE' needs no network",
        )
    with open_corpus(settings) as corpus:
        done = corpus.update(OaiSource(settings), sets=tuple(dict.fromkeys(sets)), since=since, progress=report)
        _link(corpus, done.added)
        return done


def add(
    settings: Settings, files: Sequence[Path], complete: bool, report: Callable[[int, int | None], None]
) -> AddReport:
    """Add the records of snapshot files; see `update.add_files`."""
    with open_corpus(settings) as corpus:
        done = corpus.add(files, complete=complete, progress=report)
        _link(corpus, done.added)
        return done


def _link(corpus: Corpus, added: int) -> None:
    """Works of the author's library may be among what came from arXiv, and what references mean."""
    if not added:
        return
    corpus.graph.catch_up(begin=False)
    if corpus.library.works():
        from citeplug.bib.collect_library import link_anew  # what only a library needs is loaded with one

        link_anew(corpus)


def top_up(
    settings: Settings, queries: Sequence[str], categories: Sequence[str], most: int, announce: Announce
) -> AddReport:
    """Add what arXiv's search finds for each query, at most `most` records each; `announce` is called with each query.

    Raises SourceUnavailable on an outage (records of earlier queries are kept), and UsageError for a query without a
    word to search for or an invalid category.
    """
    for name in categories:
        if not _CATEGORY.fullmatch(name):
            raise UsageError(f"{name!r} is not a category", "write one like cs, cs.LG or hep-th")
    for text in queries:
        if search_query(text) is None:
            raise UsageError(f"{text!r} has no word to search arXiv for", "give some words of the subject")
    began, total = time.monotonic(), Changes()
    source = ArxivSource(settings, announce=announce)
    with open_corpus(settings) as corpus:
        for text in dict.fromkeys(queries):
            total += corpus.add_papers(source.gather(text, most, categories))
        _link(corpus, total.added)
    return AddReport(total.added, total.changed, total.unchanged, 0, time.monotonic() - began)


def embed(settings: Settings, request: EmbedRequest, report: Callable[[int, int], None]) -> EmbedReport:
    """Compute vectors of papers that have none, as a process of low priority.

    Raises StoreBusy if another process does the same.
    """
    need_models(settings)
    with suppress(OSError, AttributeError):
        os.nice(_GENTLY)
    with open_corpus(settings) as corpus:
        need_papers(corpus, online=False)
        return corpus.embed_rest(request, report)


def verify(settings: Settings, *, repair: bool, report: Report) -> VerifyReport:
    """Check the catalogue, all that is derived from it, the full texts and what was prepared.

    Raises StoreBusy during an update.
    """
    with open_corpus(settings) as corpus:
        result = corpus.verify(repair, report)
    began = time.monotonic()
    report("full texts", 0, None)
    problems = [*verify_texts(settings), *verify_prepared(settings)]
    return replace(result, problems=(*result.problems, *problems), seconds=result.seconds + time.monotonic() - began)


def prune(settings: Settings, request: PruneRequest, most_replies: int, *, dry_run: bool) -> list[Pruned]:
    """Delete what is not needed, and the oldest replies of paper services beyond `most_replies` bytes.

    The full texts of records that are deleted go with them, and what was prepared of them. Answers of language models
    stay. Raises UsageError for a model that is in use.
    """
    in_use = {"CITEPLUG_EMBEDDER": open_embedder(settings.embedder).name}
    if settings.rescorer is not None:
        in_use["CITEPLUG_RESCORER"] = open_embedder(settings.rescorer).name
    for variable, used in in_use.items():
        if used in request.models:
            raise UsageError(f"{used} is the model in use", f"choose another one with {variable} first")
    with open_corpus(settings) as corpus:
        going = texts_of_records(settings, corpus, request)
        gone = prepared_without_paper(settings, corpus, request)
        done = corpus.prune(request, dry_run=dry_run)
    done += prune_texts(settings, going, request.models, dry_run=dry_run)
    done += prune_documents(settings, dry_run=dry_run)
    done += prune_kept(settings.home, dry_run=dry_run)
    done += prune_prepared(settings, gone, request.models, dry_run=dry_run)
    for file in ("replies-1.sqlite3", "works-1.sqlite3"):
        count, size = JsonCache(settings.home / file, "").shrink(most_replies, dry_run)
        if count:
            done.append(Pruned("replies", count, size, f"oldest replies of paper services in {file}"))
    return done
