"""Quotations whose words their sources do not have: the author's, and those of generated sentences.

Those that the author typed are looked up in the texts of the works that are cited beside them; of a generated sentence
the source may have changed since.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.audit.cited_claims import shown
from citeplug.audit.compare_citations import ComparedCitations
from citeplug.bib.compare.verify import named_version
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.audit import CitationDoubt, CitedPassage
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.records.prose import ProseParagraph
from citeplug.records.provenance import RecordedSource
from citeplug.related.attribute.attribution import has_words
from citeplug.related.progress import Tools
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import cited_entries
from citeplug.related.section.accept import recorded_sentences
from citeplug.section_file.grammar import places_of, read_related
from citeplug.text.cited_text import words
from citeplug.text.cleaning import collapsed
from citeplug.text.quotation import find_quote
from citeplug.text.sentences import split_sentences

FEWEST_WORDS = 6  # of a quotation; fewer are a term, or a word that the author keeps at a distance
MOST = 200  # quotations of a draft
_FEWEST_OF_PART = 5  # words between two omissions
_MOST_LACKING = 3
_DENIALS = frozenset("not no never cannot nor neither without hardly only".split())
_LONGEST = 2_000  # characters
# A straight mark opens in front of a word and closes behind one, so that a stray one pairs with nothing.
_QUOTED = re.compile(
    r"“([^“”\"]{20,2000})[”\"]|(?<![\w.,])\"(?!\s)([^\"“”]{20,2000})(?<!\s)\"|[«„]([^«»„“”]{20,2000})[»“”]"
)
_INITIAL = re.compile(r"\[([A-Za-z])\](?=[a-z])")
_OMISSION = re.compile(r"\s*(?:\[[^\[\]]*\]|\(\s*(?:\.{3}|…)\s*\)|\.\s?\.\s?\.\s?\.?|…)\s*")
_NUMBERS = re.compile(r"\[\s*\d[\d\s,;–-]*\]")  # citations in a printed text

_FULL = 8_000  # characters; what is shorter is no whole paper
_NEAR = 0.6  # of a quotation's words in one sentence of the work: that one is meant


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words in a sentence, or in a paragraph of their own, that cites works.

    `parts` are its stretches between omissions; `line` is that of the sentence; `keys` in small letters.
    """

    text: str
    parts: tuple[str, ...]
    sentence: str
    keys: tuple[str, ...]
    file: Path
    line: int


def read_quotations(prose: Sequence[ProseParagraph]) -> list[Quotation]:
    """Return the quotations of six words or more in sentences that cite; at most `MOST`."""
    quotations: list[Quotation] = []
    before: ProseParagraph | None = None
    for paragraph in prose:
        quotations += _displayed(paragraph, before) if paragraph.quotation else _inline(paragraph)
        before = paragraph
    return quotations[:MOST]


def _inline(paragraph: ProseParagraph) -> Iterator[Quotation]:
    ends, position = [], 0
    for sentence in paragraph.sentences:
        position += len(sentence.text) + 1
        ends.append(position)
    for match in _QUOTED.finditer(paragraph.text):
        quoted = match[match.lastindex or 0].strip()
        # A quotation of several sentences is in all of them.
        inside = [
            sentence
            for sentence, end in zip(paragraph.sentences, ends, strict=True)
            if end > match.start() and end - len(sentence.text) - 1 < match.end()
        ]
        keys = tuple(dict.fromkeys(key.lower() for sentence in inside for key in sentence.keys))
        parts = _parts([quoted])
        if keys and parts and len(words(quoted)) >= FEWEST_WORDS:
            sentence_text = " ".join(sentence.text for sentence in inside)
            yield Quotation(quoted, parts, sentence_text, keys, paragraph.file, inside[0].line)


def _displayed(paragraph: ProseParagraph, before: ProseParagraph | None) -> Iterator[Quotation]:
    """Yield the quotation that a paragraph in a quote environment is; the sentence in front may cite its source."""
    keys, text = paragraph.keys, paragraph.text[:_LONGEST]
    if not keys and before is not None and before.file == paragraph.file and before.text.rstrip().endswith(":"):
        keys = before.sentences[-1].keys
    sentences = [text[start:end].strip(" “”\"«»„'`") for start, end in split_sentences(text)]
    parts = _parts([sentence for sentence in sentences if len(words(sentence)) >= FEWEST_WORDS])
    if keys and parts:
        keys = tuple(dict.fromkeys(key.lower() for key in keys))
        yield Quotation(text, parts, text, keys, paragraph.file, paragraph.line)


def _parts(quoted: Sequence[str]) -> tuple[str, ...]:
    parts = [part for quoted_part in quoted for part in _OMISSION.split(_INITIAL.sub(r"\1", quoted_part))]
    return tuple(part for part in parts if len(words(part)) >= _FEWEST_OF_PART)


def missing_part(quotation: Quotation, texts: Sequence[str]) -> str | None:
    """Return the first part that is in none of the texts, word for word; None if all are there.

    As for `find_quote`; punctuation does not count, nor do a few words of the text that the part lacks: what a macro of
    the author's stands for is not read here.
    """
    word_runs = [f" {' '.join(words(_NUMBERS.sub(' ', text)))} " for text in texts]
    for part in quotation.parts:
        part_run = f" {' '.join(words(part))} "
        if any(part_run in run for run in word_runs) or any(find_quote(part, text) for text in texts):
            continue
        if not _lacks_little(words(part), words(nearest_sentence(part, texts)[0])):
            return part
    return None


def _lacks_little(part: Sequence[str], sentence: Sequence[str]) -> bool:
    """True if the sentence has the words in their order, and between them at most three others, none a denial."""
    rest = iter(enumerate(sentence))
    places = [next((place for place, other in rest if other == word), None) for word in part]
    first, last = (places[0], places[-1]) if places else (None, None)
    if first is None or last is None or None in places:
        return False
    between = [word for place, word in enumerate(sentence) if first < place < last and place not in places]
    return len(between) <= _MOST_LACKING and _DENIALS.isdisjoint(between)


def nearest_sentence(part: str, texts: Sequence[str]) -> tuple[str, float]:
    """Return the sentence of the texts that has the largest share of the words of `part`, and that share."""
    part_words = set(words(part))
    best, most = "", 0.0
    for text in texts:
        for start, end in split_sentences(text):
            share = len(part_words.intersection(words(text[start:end]))) / max(1, len(part_words))
            if share > most:
                best, most = text[start:end], share
    return best, most


def compare_quotations(draft: Draft, prose: Sequence[ProseParagraph], tools: Tools) -> ComparedCitations:
    """Look each quotation up in the title, the abstract and the full texts of the works cited in its sentence.

    A doubt where all of these have a full text on this machine and none has the words; the rest is counted.
    """
    quotations = read_quotations(prose)
    if not quotations:
        return ComparedCitations()
    papers = {key.lower(): paper for key, paper in cited_papers(draft, tools.index, tools.lookup.index).items()}
    entries = {entry.key.lower(): entry for entry in reversed(cited_entries(draft))}
    ids = {papers[key].id.value for quotation in quotations for key in quotation.keys if key in papers}
    texts = {value: tools.texts.versions(value) for value in sorted(ids)} if tools.texts is not None else {}
    doubts: list[CitationDoubt] = []
    lacking: dict[str, None] = {}
    compared = 0
    for quotation in quotations:
        known = [papers[key] for key in quotation.keys if key in papers]
        if any(missing_part(quotation, _texts(paper, texts.get(paper.id.value, ())[:1])) is None for paper in known):
            compared += 1
        elif len(known) == len(quotation.keys) and all(_is_whole(texts.get(paper.id.value, ())) for paper in known):
            compared += 1
            doubts.append(_doubt(quotation, papers, entries, texts))
        else:
            of_quotation = (paper.id for paper in known if not _is_whole(texts.get(paper.id.value, ())))
            lacking |= dict.fromkeys(paper.value for paper in of_quotation if paper.on_arxiv)
    looked = [f"{_counted(compared)} compared with the texts of what they cite"] if compared else []
    left = len(quotations) - compared
    missed = [f"{_counted(left)} (no text here: citeplug fetch)"] if left else []
    return ComparedCitations(tuple(doubts), (), tuple(looked), tuple(missed), tuple(lacking))


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
    return _found(quotation, code, f"{reason}: “{shown(missing)}”", which, papers[which], best)


def _changed(quotation: Quotation, entry: BibEntry | None, paper: Paper, versions: Sequence[PaperText]) -> str | None:
    """Return the reason if the quotation is of another version than the newest one here, or may well be."""
    newest, named = versions[0].version, named_version(entry) if entry is not None else None
    name = shown_id(paper.id.value)
    for text in versions[1:]:
        if text.version != newest and missing_part(quotation, _texts(paper, [text])) is None:
            older = text.version or "?"
            return f"version {older} of {name} has the quoted words; version {newest or '?'} does not"
    if named is not None and newest is not None and named < newest and all(t.version != named for t in versions):
        return f"the entry names version {named} of {name}, and version {newest} does not have the quoted words"
    return None


def _found(quotation: Quotation, code: str, reason: str, key: str, paper: Paper, sentence: str) -> CitationDoubt:
    source = CitedPassage(key, shown(paper.title), shown(sentence), "full text")
    return CitationDoubt(code, reason, shown(quotation.sentence), source, quotation.file, quotation.line)


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
        sentence
        for sentence in recorded_sentences(read_provenance(project.where.provenance), related)
        if sentence.stands and sentence.paragraph in blocks
    ]
    ids = list(dict.fromkeys(source.arxiv_id for sentence in there for source in sentence.sources if source.arxiv_id))
    papers = tools.index.papers(ids)
    texts = {} if tools.texts is None else tools.texts.newest(ids)
    places = places_of(text, [(blocks[quoting.paragraph], quoting.text) for quoting in there])
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
