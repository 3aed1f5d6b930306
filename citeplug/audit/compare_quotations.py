"""Quotations that the author typed, looked up in the texts of the works that are cited beside them."""

from collections.abc import Mapping, Sequence

from citeplug.audit.cited_claims import LONGEST
from citeplug.audit.compare_citations import Compared
from citeplug.audit.quotations import Quotation, missing_part, nearest_sentence, read_quotations
from citeplug.bib.compare.verify import named_version
from citeplug.records.audit import CitationDoubt, CitedPassage
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.records.prose import ProseParagraph
from citeplug.related.progress import Tools
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import cited_entries
from citeplug.text.cleaning import plain
from citeplug.text.plaintext import plain_text

_FULL = 8_000  # characters; what is shorter is no whole paper
_NEAR = 0.6  # of a quotation's words in one sentence of the work: that one is meant


def compare_quotations(draft: Draft, prose: Sequence[ProseParagraph], tools: Tools) -> Compared:
    """Look each quotation up in the title, the abstract and the full texts of the works cited in its sentence.

    A doubt where all of these have a full text on this machine and none has the words; the rest is counted.
    """
    quotations = read_quotations(prose)
    if not quotations:
        return Compared()
    papers = {key.lower(): paper for key, paper in cited_papers(draft, tools.index, tools.lookup.index).items()}
    entries = {entry.key.lower(): entry for entry in reversed(cited_entries(draft))}
    wanted = {papers[key].id.value for each in quotations for key in each.keys if key in papers}
    texts = {value: tools.texts.versions(value) for value in sorted(wanted)} if tools.texts is not None else {}
    doubts: list[CitationDoubt] = []
    compared = 0
    for each in quotations:
        known = [papers[key] for key in each.keys if key in papers]
        if any(missing_part(each, _texts(paper, texts.get(paper.id.value, ())[:1])) is None for paper in known):
            compared += 1
        elif len(known) == len(each.keys) and all(_is_whole(texts.get(paper.id.value, ())) for paper in known):
            compared += 1
            doubts.append(_doubt(each, papers, entries, texts))
    looked = [f"{_counted(compared)} beside the texts of what they cite"] if compared else []
    left = len(quotations) - compared
    missed = [f"{_counted(left)} of works whose full text is not on this machine (citeplug fetch)"] if left else []
    return Compared(tuple(doubts), (), tuple(looked), tuple(missed))


def _counted(number: int) -> str:
    return "1 quotation" if number == 1 else f"{number:,} quotations"


def _texts(paper: Paper, versions: Sequence[PaperText]) -> list[str]:
    return [paper.title, paper.abstract, *(section.text for text in versions for section in text.sections)]


def _is_whole(versions: Sequence[PaperText]) -> bool:
    return bool(versions) and sum(len(section.text) for section in versions[0].sections) >= _FULL


def _doubt(
    quotation: Quotation,
    papers: Mapping[str, Paper],
    entries: Mapping[str, BibEntry],
    texts: Mapping[str, Sequence[PaperText]],
) -> CitationDoubt:
    best, most, which, missing = "", -1.0, quotation.keys[0], quotation.text
    for key in quotation.keys:
        paper = papers[key]
        versions = texts[paper.id.value]
        newest = _texts(paper, versions[:1])
        missing = missing_part(quotation, newest) or quotation.text
        changed = _changed(quotation, entries.get(key), paper, versions)
        sentence, share = nearest_sentence(missing, newest)
        if changed:
            code = "quotation_changed"
            return _found(quotation, code, changed, key, paper, sentence)
        if share > most:
            best, most, which = sentence, share, key
    code = "quotation_differs" if most >= _NEAR else "quotation_not_found"
    reason = "the work does not have these words" if most >= _NEAR else "the quotation is not in what is cited"
    return _found(quotation, code, f"{reason}: “{_shown(missing)}”", which, papers[which], best)


def _changed(quotation: Quotation, entry: BibEntry | None, paper: Paper, versions: Sequence[PaperText]) -> str | None:
    """Return the reason if the quotation is of another version than the newest one here, or may well be."""
    newest, named = versions[0].version, named_version(entry) if entry is not None else None
    name = shown_id(paper.id.value)
    for text in versions[1:]:
        if text.version != newest and missing_part(quotation, _texts(paper, [text])) is None:
            older = text.version or "?"
            return f"version {older} of {name} has the words that are quoted, version {newest or '?'} has not"
    if named is not None and newest is not None and named < newest and all(t.version != named for t in versions):
        return (
            f"the entry names version {named} of {name}, and version {newest} does not have the words that are quoted"
        )
    return None


def _found(quotation: Quotation, code: str, reason: str, key: str, paper: Paper, sentence: str) -> CitationDoubt:
    source = CitedPassage(key, _shown(paper.title), _shown(sentence), "full text")
    return CitationDoubt(code, reason, _shown(quotation.sentence), source, quotation.file, quotation.line)


def _shown(text: str) -> str:
    """Plain text of others' LaTeX, without what a terminal would obey."""
    said = plain(plain_text(text) or text)
    return said if len(said) <= LONGEST else said[:LONGEST].rsplit(" ", 1)[0] + " ..."
