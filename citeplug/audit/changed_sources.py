"""Generated sentences whose source has changed since: the quoted words are gone from it."""

from collections.abc import Iterator, Mapping

from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.records.provenance import RecordedSource
from citeplug.related.attribute.attribution import has_words
from citeplug.related.progress import Tools
from citeplug.related.section.accept import recorded_sentences
from citeplug.section_file.grammar import places_of, read_related
from citeplug.text.cleaning import collapsed


def changed_sources(project: Project, tools: Tools) -> Iterator[Finding]:
    """Yield a finding on each generated sentence of the section with a quotation that its source no longer has.

    Compared are title, abstract and, where a newer version's text is on this machine, full text. Raises
    UnreadableInput for the record.
    """
    text = read_or_none(project.where.tex, project.encoding)
    if text is None:
        return
    related = read_related(text)
    blocks = {block.id: block for block in related.blocks}
    there = [
        each
        for each in recorded_sentences(read_provenance(project.where.provenance), related)
        if each.stands and each.paragraph in blocks
    ]
    ids = list(dict.fromkeys(source.arxiv_id for each in there for source in each.sources if source.arxiv_id))
    papers = tools.index.papers(ids)
    texts = {} if tools.texts is None else tools.texts.newest(ids)
    places = places_of(text, [(blocks[each.paragraph], each.text) for each in there])
    for sentence, place in zip(there, places, strict=True):
        gone = [source for source in sentence.sources if _is_gone(source, papers, texts)]
        if gone and place is not None:
            names = ", ".join(dict.fromkeys(shown_id(source.arxiv_id or "") for source in gone))
            message = f"this sentence quotes words that its source no longer has: {names}"
            fix = "compare it with the paper's present text, then change or reject it"
            line = text.count("\n", 0, place[0]) + 1
            yield Finding("source_changed", "warning", message, project.where.tex, line, None, fix)


def _is_gone(source: RecordedSource, papers: Mapping[str, Paper], texts: Mapping[str, PaperText]) -> bool:
    value, quote = source.arxiv_id or "", collapsed(source.quote)
    if not quote:
        return False
    if source.of == "full text":
        newer = texts.get(value)
        if newer is None or newer.version is None or source.version is None or newer.version <= source.version:
            return False
        return not has_words(newer, quote)
    paper = papers.get(value)
    if paper is None or source.of not in ("abstract", "title"):
        return False
    return quote not in collapsed(paper.title if source.of == "title" else paper.abstract)
