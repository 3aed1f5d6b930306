"""The works that the draft cites and the catalogue lacks, as candidates: with an abstract where one may be had."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean

from citeplug.bib.compare.duplicates import match_existing
from citeplug.bib.compare.seek import clues, doi_clue
from citeplug.protocols import Vectors
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Candidate, Paper, Query, library_id
from citeplug.records.section import Section
from citeplug.related.progress import Tools
from citeplug.related.retrieve.cited_papers import same_record
from citeplug.related.retrieve.queries import CITATIONS
from citeplug.text.compare import compare_titles

_LOOKED_UP = 2  # times the breadth: not all of them fit


@dataclass(frozen=True, slots=True)
class Queries:
    """Search queries made from a draft. `cited` are the records of what the draft cites, by its keys.

    `authors` are those of each work that it cites, with a record or without. `tools` are the keys of what it cites
    for software, data or experiments alone, `used` their arXiv ids: these are neither searched by nor discussed.
    """

    queries: tuple[Query, ...]
    cited: Mapping[str, Paper]
    authors: tuple[tuple[str, ...], ...] = ()
    findings: tuple[Finding, ...] = ()
    used: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()


def works_without_record(
    draft: Draft,
    queries: Queries,
    candidates: Mapping[str, str],
    aside: Collection[str],
    options: Options,
    tools: Tools,
) -> list[Paper]:
    """The works that the draft cites and the catalogue lacks, those cited most often first; `aside` are keys and ids.

    `candidates` are the keys of works that were found otherwise, by the ids of their papers.
    Where arXiv may be asked it gives the records of those with a printed id, and with the user's consent of those with
    the title and authors of an entry; then the services that the user named are asked. Works that the draft cites as
    tools alone are left to a model, which reads what it says of them.
    """
    if options.as_published:
        return []
    entries = {library_id(entry.key).value: entry for entry in draft.entries}
    cited_as_tools = queries.tools if tools.model is None else frozenset()
    out = {library_id(name).value for name in (*aside, *queries.cited, *candidates.values(), *cited_as_tools)}
    out |= {value for value, entry in entries.items() if entry.arxiv_id in aside}
    # A model is shown all of them.
    most = options.breadth if tools.model is not None else _LOOKED_UP * options.breadth
    works = list(islice((work for value, work in tools.works.items() if value not in out), most))
    records = _records(works, entries, tools)
    papers = [records.get(work.id.value, work) for work in works]
    known = candidates.keys() | {*aside}
    return list({paper.id.value: paper for paper in papers if paper.id.value not in known}.values())


def found_works(draft: Draft, candidates: Sequence[Candidate], queries: Queries) -> dict[str, str]:
    """The draft's keys of candidates that it cites, though not as tools alone, by the ids of their papers."""
    cited = {key for cite in draft.cites for key in cite.keys} - queries.tools
    keys = match_existing([candidate.paper for candidate in candidates], draft.entries, draft.cites)
    return {value: key for value, key in keys.items() if key in cited}


def _records(works: Sequence[Paper], entries: Mapping[str, BibEntry], tools: Tools) -> dict[str, Paper]:
    """Records of works that have no abstract, by their ids: arXiv's by id and by title, then those of services."""
    records: dict[str, Paper] = {}
    missing = {work.id.value: entries[work.id.value] for work in works if not work.has_abstract}
    printed = {value: ArxivId(entry.arxiv_id) for value, entry in missing.items() if entry.arxiv_id}
    if printed and tools.lookup.source is not None:
        by_id = tools.lookup.records(list(printed.values()))
        for work in works:
            record = by_id.get(printed.get(work.id.value, work.id))
            # A printed id may be wrong.
            if record and record.complete and compare_titles(work.title, record.title) != "other":
                records[work.id.value] = record
    sought = {value: entry for value, entry in missing.items() if value not in records and value not in printed}
    asked = [clue for entry in sought.values() for clue in (*clues(entry)[:1], doi_clue(entry)) if clue]
    papers = (tools.lookup.find(asked) if asked else None) or []
    titled = {value: record for value, entry in sought.items() if (record := same_record(entry, papers))}
    records |= {value: record for value, record in titled.items() if record.complete and record.has_abstract}
    for service in tools.services:
        unknown = {value: entry for value, entry in missing.items() if value not in records}
        by_key = service.of_entries(list(unknown.values())) if unknown else {}
        records |= {value: by_key[entry.key] for value, entry in unknown.items() if entry.key in by_key}
    return records


def rate_works(
    works: Sequence[Paper], vectors: Mapping[str, Vectors], queries: Sequence[Query], tools: Tools
) -> list[Candidate]:
    """The works as candidates, by their cosines to the queries that are not made of the draft's citations."""
    apart = [query.text for query in queries if query.aspect != CITATIONS]
    if not works or not apart:
        return []
    rows = tools.index.embed(apart)
    candidates = []
    for work in works:
        vector = vectors.get(work.id.value)
        near = [0.0] if vector is None else [round(max(0.0, float(c)), 6) for c in rows @ vector]
        candidates.append(
            Candidate(work, near[0], max(near), ("draft",), max(near), nearest=max(near), average=fmean(near))
        )
    return candidates


def only_named(section: Section, papers: Mapping[str, Paper], cited: Collection[str], tools: Tools) -> list[Finding]:
    """`cited_only_named` for papers of the ids `cited`, by the draft, that are named for want of an abstract."""
    sentences = [sentence for paragraph in section.paragraphs for sentence in paragraph.sentences]
    told = {value for sentence in sentences if sentence.kind != "group" for value in sentence.cites}
    named = {value for sentence in sentences if sentence.kind == "group" for value in sentence.cites} - told
    count = sum(value in cited and value in papers and not papers[value].has_abstract for value in named)
    if not count:
        return []
    message = f"{count} works that you cite are" if count > 1 else "1 work that you cite is"
    fix = "'citeplug library add' takes your files"
    if tools.lookup.source is None or not tools.lookup.may_search:
        fix = f"--online asks arXiv; {fix}"
    elif not tools.services:
        fix = f"--sources openalex asks there too; {fix}"
    return [Finding("cited_only_named", "info", f"{message} only named, as no abstract is known", fix=fix)]
