"""`citeplug.lock`: the works that a section was made from, so that another machine gets the same part of the corpus.

Ids, versions and digests of their texts, and nothing else: it is committed with the project, and is not trusted.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeplug.corpus.stores import Announce, open_corpus
from citeplug.errors import UnreadableInput, UsageError
from citeplug.files.atomic import write_atomically
from citeplug.files.project_files import read_bytes
from citeplug.project.any_draft import read_any_draft
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.records.paper import LIBRARY, ArxivId, Paper, library_id
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.text.cleaning import collapsed

LOCK = "citeplug.lock"
_FORMAT = 1
_MOST = 10_000  # works; a section has a hundred


@dataclass(frozen=True, slots=True)
class LockReport:
    """Works of a lock, by their ids: `fetched` now, those whose text `differs` here, and those that are `missing`.

    `full_texts` are those that the section quotes beyond the abstract.
    """

    file: str
    works: int
    fetched: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    full_texts: tuple[str, ...] = ()


def write_lock(settings: Settings, main: Path | None) -> LockReport:
    """Write the lock of a project's section beside its main file. Raises UsageError without a section."""
    project = find_project(main)
    record = read_provenance(project.where.provenance)
    ids = {value for sentence in record.sentences for value in sentence.cites}
    ids |= {source.arxiv_id for sentence in record.sentences for source in sentence.sources if source.arxiv_id}
    if not ids:
        raise UsageError("there is no section to lock", "write one with 'citeplug related'")
    draft = read_any_draft(project.root, skip=generated_files(project.where))
    # What the draft's own bibliography tells of a work goes with the draft.
    ids -= {library_id(entry.key).value for entry in draft.entries}
    cited = {key for cite in draft.cites for key in cite.keys}
    of_draft = {entry.arxiv_id for entry in draft.entries if entry.arxiv_id and entry.key in cited}
    with open_corpus(settings) as corpus:
        papers = corpus.papers(sorted(ids | of_draft))
    works = [
        {"id": value, "version": paper.id.version, "text": _digest(paper)} for value, paper in sorted(papers.items())
    ]
    quoted = {s.arxiv_id for sentence in record.sentences for s in sentence.sources if s.of == "full text"}
    texts = sorted(filter(None, quoted))
    lock = {"citeplug_lock": _FORMAT, "works": works, "full_texts": texts}
    path = _path(project)
    write_atomically(path, (json.dumps(lock, indent=1) + "\n").encode())
    return LockReport(str(path), len(works), missing=tuple(sorted(ids - papers.keys())), full_texts=tuple(texts))


def restore_lock(settings: Settings, main: Path | None, announce: Announce | None = None) -> LockReport:
    """Bring the works of a project's lock into the catalogue: those that it lacks are fetched from arXiv by id.

    A record that is here stays as it is. Raises UnreadableInput, SourceUnavailable.
    """
    path = _path(find_project(main))
    works, texts = _read(path)
    ids = [value.value for value, _ in works]
    with open_corpus(settings) as corpus:
        lacking = [value for value, _ in works if value.on_arxiv and value.value not in corpus.papers(ids)]
        fetched = list(ArxivSource(settings, announce=announce).fetch(lacking).values()) if lacking else []
        if fetched:
            corpus.add_papers(fetched)
        papers = corpus.papers(ids)
    differs = tuple(
        value.value for value, text in works if value.value in papers and _digest(papers[value.value]) != text
    )
    missing = tuple(value for value in ids if value not in papers)
    return LockReport(str(path), len(works), tuple(p.id.value for p in fetched), differs, missing, texts)


def _path(project: Project) -> Path:
    return project.root.parent / LOCK


def _digest(paper: Paper) -> str:
    """Of what sentences are made from: the title and the abstract."""
    return hashlib.sha256(f"{collapsed(paper.title)}\n{collapsed(paper.abstract)}".encode()).hexdigest()[:16]


def _read(path: Path) -> tuple[list[tuple[ArxivId, str]], tuple[str, ...]]:
    broken = UnreadableInput(f"{path} is no lock of citeplug's", "write it anew with 'citeplug index lock'")
    try:
        lock = json.loads(read_bytes(path))
        if lock["citeplug_lock"] != _FORMAT or len(lock["works"]) > _MOST:
            raise broken
        works = [(_id(work["id"], work["version"]), str(work["text"])) for work in lock["works"]]
        return works, tuple(_id(value, None).value for value in lock["full_texts"])
    except OSError as error:
        raise UnreadableInput(f"{path} cannot be read", "write it with 'citeplug index lock'") from error
    except (ValueError, KeyError, TypeError, RecursionError):
        raise broken from None


def _id(value: Any, version: Any) -> ArxivId:
    if isinstance(value, str) and value.startswith(LIBRARY):
        return ArxivId(value)
    return ArxivId(ArxivId.parse(value).value, version if isinstance(version, int) and version > 0 else None)
