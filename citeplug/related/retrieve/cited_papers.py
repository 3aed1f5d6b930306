"""What is known of the works that the draft cites already: the catalogue's records, or what the draft itself says."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from citeplug.bib.library.entries import holding_of_entry
from citeplug.bib.library.works import LibraryWork, is_text_of
from citeplug.protocols import PaperIndex, RecordIndex
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.paper import Paper, library_id
from citeplug.records.work import Holding
from citeplug.related.retrieve.queries import cited_entries
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.sameness import Register, describe_entry, describe_paper, prints, same_paper

MOST = 300  # entries that are looked up, those cited most often: some 2 ms each
_FEWEST_WORDS = 8  # of a text that says something of a work
_CONTEXTS = 2  # of one key
_TITLES = 5  # records with a like title that are compared with an entry


def cited_papers(draft: Draft, index: PaperIndex, records: RecordIndex) -> dict[str, Paper]:
    """The records of entries that the text cites, by their keys."""
    return papers_of_entries(cited_entries(draft)[:MOST], index, records)


def papers_of_entries(entries: Sequence[BibEntry], index: PaperIndex, records: RecordIndex) -> dict[str, Paper]:
    """The records of entries by their keys: known by arXiv id, DOI, or title and people.

    Of works outside arXiv those of the author's library that have an abstract.
    """
    by_id = index.papers([entry.arxiv_id for entry in entries if entry.arxiv_id])
    by_doi = records.by_doi([doi for doi in map(entry_doi, entries) if doi])
    papers: dict[str, Paper] = {}
    for entry in entries:
        paper = by_id.get(entry.arxiv_id or "") or same_record(entry, by_doi.get(entry_doi(entry) or "", ()))
        if paper is None and entry_title(entry):
            paper = same_record(entry, records.by_title(entry_title(entry), _TITLES))
        if paper is not None:
            papers[entry.key] = paper
    if left := [entry for entry in entries if entry.key not in papers]:
        register: Register[Paper] = Register()
        for work in records.own_works():
            if work.complete and work.has_abstract:
                register.add(describe_paper(work), work)
        same = ((entry, next(register.same(describe_entry(entry)), None)) for entry in left)
        papers |= {entry.key: match[1] for entry, match in same if match is not None}
    return papers


def cited_authors(draft: Draft, cited: Mapping[str, Paper]) -> list[tuple[str, ...]]:
    """The authors of each work that the text cites, by its record, or else by its entry; `cited` as above."""
    entries = cited_entries(draft)[:MOST]
    known = (cited[entry.key].authors if entry.key in cited else () for entry in entries)
    return [names or describe_entry(entry).names for entry, names in zip(entries, known, strict=True)]


def works_of_draft(draft: Draft, files: Sequence[Holding] = ()) -> dict[str, Paper]:
    """The works that the text cites, as the draft alone knows them, by `lib:` id, what is cited most often first.

    Their text is the abstract in their entry, or in one of the library's `files`, else the sentences in which the draft
    cites them. Those without title, authors or text are left out.
    """
    contexts = contexts_by_key(draft)
    works = {}
    for entry in cited_entries(draft)[:MOST]:
        paper = work_of_entry(entry, files)
        if not paper.abstract:
            paper = replace(paper, abstract=contexts.get(entry.key.lower(), ""), abstract_kind="draft")
        if paper.complete and len(paper.abstract.split()) >= _FEWEST_WORDS:
            works[paper.id.value] = paper
    return works


def work_of_entry(entry: BibEntry, files: Sequence[Holding] = ()) -> Paper:
    """A work as its entry tells of it, under its `lib:` id, with the abstract in a file of its text for want of one."""
    held = holding_of_entry(entry)
    text = held if held.abstract else next((file for file in files if is_text_of(file, held)), held)
    paper = LibraryWork([held, text]).paper(library_id(entry.key).value)
    return replace(paper, abstract_file=text.file.name if paper.abstract else "")


def contexts_by_key(draft: Draft) -> dict[str, str]:
    """The headings and sentences at which the draft cites a key, by the key in small letters."""
    contexts: dict[str, list[str]] = defaultdict(list)
    for cite in draft.cites:
        for key in cite.keys:
            if cite.context and len(contexts[key.lower()]) < _CONTEXTS:
                contexts[key.lower()].append(cite.context)
    return {key: " / ".join(texts) for key, texts in contexts.items() if texts}


def same_record(entry: BibEntry, papers: Iterable[Paper]) -> Paper | None:
    """The first of the papers that is the entry's, by its ids, or by title and people."""
    described, others = describe_entry(entry), [(paper, describe_paper(paper)) for paper in papers]
    return next((paper for paper, other in others if same_paper(described, other) or prints(entry, other)), None)
