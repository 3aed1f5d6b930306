"""The works that a section discusses, or without one those that its draft cites, and what texts here say of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.stores import Report
from citeplug.positioning.by_model import WorkTexts
from citeplug.positioning.stated import limits_of
from citeplug.project.author_files import read_or_none
from citeplug.project.targets import Targets
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.gaps import LookedThrough, StatedPassage
from citeplug.records.paper import Paper
from citeplug.related.progress import Tools
from citeplug.related.retrieve.cited_papers import MOST, papers_of_entries, works_of_draft
from citeplug.related.retrieve.queries import cited_entries
from citeplug.section_file.cite_style import keys_in_order
from citeplug.text.compare import compare_titles, entry_title

_MENTIONS = 200  # sentences of other papers about one work


@dataclass(frozen=True, slots=True)
class DiscussedWork:
    """A work by its key in the bibliography; `paper` is its record, or what the draft itself knows of it, if any."""

    key: str
    title: str
    paper: Paper | None
    limits: Sequence[StatedPassage] = ()


def entries_of_works(draft: Draft, where: Targets) -> tuple[list[BibEntry], Literal["section", "draft"]]:
    """The entries of the works, in the section's order; without a section, what the draft cites most often first."""
    section = read_or_none(where.tex)
    keys = list(dict.fromkeys(keys_in_order(section))) if section is not None else []
    if not keys:
        return cited_entries(draft)[:MOST], "draft"
    by_key = {entry.key: entry for entry in (*parse_bib(read_or_none(where.bib) or ""), *draft.entries)}
    return [by_key[key] for key in keys if key in by_key][:MOST], "section"


def read_works(
    draft: Draft, entries: Sequence[BibEntry], tools: Tools, report: Report
) -> tuple[list[DiscussedWork], list[WorkTexts], LookedThrough]:
    """The works with the limits that are stated of each, and the texts in which a model may find more."""
    papers = papers_of_entries(entries, tools.index, tools.lookup.index)
    own = {paper.id.value: paper for paper in works_of_draft(draft, tools.lookup.index.own_texts()).values()}
    full = tools.texts.newest([paper.id.value for paper in papers.values()]) if tools.texts is not None else {}
    works: list[DiscussedWork] = []
    texts: list[WorkTexts] = []
    abstracts = citations = 0
    for number, entry in enumerate(entries):
        report("read works", number, len(entries))
        paper = papers.get(entry.key) or own.get(f"lib:{entry.key}")
        title = paper.title if paper is not None else entry_title(entry)
        if paper is None or compare_titles(draft.title, title) == "same":
            works.append(DiscussedWork(entry.key, title, paper))
            texts.append(WorkTexts(None, None, ()))
            continue
        value = paper.id.value
        mentions = [
            mention
            for mention in (tools.graph.mentions(value, _MENTIONS) if tools.graph is not None else ())
            if mention.citing != value
        ]
        abstracts += paper.has_abstract
        citations += len(mentions)
        works.append(DiscussedWork(entry.key, title, paper, limits_of(paper, full.get(value), mentions)))
        texts.append(WorkTexts(paper, full.get(value), tuple(mentions)))
    return works, texts, LookedThrough(abstracts, len(full), citations)
