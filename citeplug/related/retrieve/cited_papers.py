"""Which records the catalogue has of what the draft cites already."""

from collections.abc import Mapping, Sequence

from citeplug.protocols import PaperIndex, RecordIndex
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.paper import Paper
from citeplug.related.retrieve.queries import cited_entries
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.sameness import describe_entry, describe_paper, prints, same_paper

MOST = 300  # entries that are looked up, those cited most often: some 2 ms each
_TITLES = 5  # records with a like title that are compared with an entry


def cited_papers(draft: Draft, index: PaperIndex, records: RecordIndex) -> dict[str, Paper]:
    """The records of entries that the text cites, by their keys."""
    return papers_of_entries(cited_entries(draft)[:MOST], index, records)


def papers_of_entries(entries: Sequence[BibEntry], index: PaperIndex, records: RecordIndex) -> dict[str, Paper]:
    """The records of entries by their keys: known by arXiv id, DOI, or title and people."""
    by_id = index.papers([entry.arxiv_id for entry in entries if entry.arxiv_id])
    by_doi = records.by_doi([doi for doi in map(entry_doi, entries) if doi])
    papers: dict[str, Paper] = {}
    for entry in entries:
        paper = by_id.get(entry.arxiv_id or "") or _same(entry, by_doi.get(entry_doi(entry) or "", ()))
        if paper is None and entry_title(entry):
            paper = _same(entry, records.by_title(entry_title(entry), _TITLES))
        if paper is not None:
            papers[entry.key] = paper
    return papers


def cited_authors(draft: Draft, cited: Mapping[str, Paper]) -> list[tuple[str, ...]]:
    """The authors of each work that the text cites, by its record, or else by its entry; `cited` as above."""
    entries = cited_entries(draft)[:MOST]
    known = (cited[entry.key].authors if entry.key in cited else () for entry in entries)
    return [names or describe_entry(entry).names for entry, names in zip(entries, known, strict=True)]


def _same(entry: BibEntry, papers: Sequence[Paper]) -> Paper | None:
    described, others = describe_entry(entry), [(paper, describe_paper(paper)) for paper in papers]
    return next((paper for paper, other in others if same_paper(described, other) or prints(entry, other)), None)
