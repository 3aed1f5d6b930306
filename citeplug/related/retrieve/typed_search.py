"""Search for what people type: an id, a DOI, the names of authors, words in quotation marks, or a few words.

A few words are all wanted: a paper that has each of them in its title, abstract, authors or year comes before one
that lacks some; words of the title and names count more. The search by words and meaning is added, except where names
are among the words: there the meaning of the others counts.
"""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from citeplug.corpus.fusion import best_first
from citeplug.corpus.index import Corpus
from citeplug.records.paper import Candidate, Filter, Paper
from citeplug.related.retrieve.candidates import search
from citeplug.text.identifiers import as_arxiv_id, clean_doi

MOST_WORDS = 12  # of a text that was typed; a longer one is a passage
_DEPTH = 60  # papers of each ranking by words
_FIRST = 100  # papers of the search by words and meaning
# What a paper's score by words is multiplied by if it has all of them, and its weight beside the search by words and
# meaning: any of 1.5 to 3 and .5 to 1 does as well (benchmarks/short_queries.py).
_ALL_WORDS = 2.0
_WORDS = 0.6
_RELEVANT = 0.4  # cosine from which a paper without any of the words is shown
_HARDLY = 2  # records that have a word that was probably meant to be another
_PHRASE = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_WORD = re.compile(r"[^\W_]+")


class TypedQuery(NamedTuple):
    """A query as it was typed: `words` are those of the phrases, too."""

    arxiv_id: str | None
    doi: str | None
    phrases: tuple[str, ...]
    words: str


def parse_query(text: str) -> TypedQuery:
    """Read a query. Any text is one."""
    text = " ".join(text.split())
    phrases = tuple(" ".join(_WORD.findall(phrase.lower())) for phrase in _PHRASE.findall(text))
    identifier = as_arxiv_id(text)
    doi = clean_doi(text) if identifier is None and " " not in text else None
    return TypedQuery(identifier, doi, tuple(filter(None, phrases)), text)


def is_typed(text: str) -> bool:
    """Return True for an id, a DOI, or at most twelve words."""
    return len(_WORD.findall(text)) <= MOST_WORDS or parse_query(text).arxiv_id is not None


@dataclass(frozen=True, slots=True)
class TypedResults:
    """Papers, best first; `meant` is another spelling of the query, where nothing or little has its words."""

    candidates: Sequence[Candidate]
    meant: str | None = None


def search_typed(
    text: str,
    corpus: Corpus,
    where: Filter,
    k: int,
    *,
    live: Sequence[Paper] = (),
    seconds: float | None = 2.0,
    on_progress: Callable[[int, int], None] | None = None,
) -> TypedResults:
    """Return at most `k` papers that `where` admits for a typed text; `seconds` bounds the time for embedding papers.

    An id or a DOI finds its paper alone, and nothing where it is not known. `live` are papers that another search
    found for the text, best first.
    """
    query = parse_query(text)
    by_source = {paper.id.value: paper for paper in live if where.admits(paper)}
    if query.arxiv_id is not None or query.doi is not None:
        papers = [paper for paper in _identified(query, corpus, by_source) if where.admits(paper)]
        return TypedResults([Candidate(paper, 0.0, 1.0, ("lexical",)) for paper in papers[:k]])
    depth = max(k, _DEPTH)
    names = corpus.names_in(query.words)
    every = dict(corpus.look_up(query.words, depth, where, names))
    some = every | dict(corpus.look_up(query.words, depth, where, names, every=False))
    if query.phrases:
        every = some = _with_phrases(some, query.phrases, corpus)
    words = {value: score * (_ALL_WORDS if value in every else 1.0) for value, score in some.items()}
    if query.phrases or names:
        found = _by_topic(query.words, names, list(words), by_source, corpus, seconds)
    else:
        found = search(text, corpus, where, max(k, _FIRST), live=live, seconds=seconds, on_progress=on_progress)
        if not words:  # meaning alone: what has nothing to do with the query is near to it, too
            found = [
                candidate
                for candidate in found
                if candidate.similarity >= _RELEVANT or candidate.paper.id.value in by_source
            ]
    scores = _sum(words, found)
    records = {**corpus.papers(list(words)), **{candidate.paper.id.value: candidate.paper for candidate in found}}
    by_id = {candidate.paper.id.value: candidate for candidate in found}
    candidates = [
        replace(by_id.get(value) or Candidate(records[value], 0.0, 0.0, ("lexical",)), score=scores[value])
        for value in best_first(scores)
        if value in records
    ]
    return TypedResults(candidates[:k], None if every else _meant(query.words, corpus, where))


def _sum(words: Mapping[str, float], found: Sequence[Candidate]) -> dict[str, float]:
    """The scores of the words, the best one as 1, and of another search, from 0 to 1, summed."""
    most = max(words.values(), default=0.0) or 1.0
    others = {candidate.paper.id.value: candidate.score for candidate in found}
    least, best = min(others.values(), default=0.0), max(others.values(), default=0.0)
    span = (best - least) or 1.0
    return {
        value: _WORDS * words.get(value, 0.0) / most + ((others[value] - least) / span if value in others else 0.0)
        for value in {**words, **others}
    }


def _by_topic(
    words: str,
    names: Sequence[str],
    ids: Sequence[str],
    live: Mapping[str, Paper],
    corpus: Corpus,
    seconds: float | None,
) -> list[Candidate]:
    """The papers by their cosine to the query without its names: a name has no meaning that a model knows.

    Of a query of names alone the order of another search counts.
    """
    topic = " ".join(word for word in _WORD.findall(words) if word not in names)
    cosines: dict[str, float] = {}
    if topic and ids:
        vector, vectors = corpus.embed([topic])[0], corpus.vectors(ids, seconds)
        cosines = {value: float(vectors[value] @ vector) for value in ids if value in vectors}
    papers = corpus.papers(list(cosines))
    ranks = {value: 1 / rank for rank, value in enumerate(live, 1)}
    return [
        Candidate(paper, cosines.get(value, 0.0), max(cosines.get(value, 0.0), ranks.get(value, 0.0)), found_by)
        for value, paper in {**live, **papers}.items()
        if (found_by := ("lexical",) * (value in papers) + ("arxiv",) * (value in live))
    ]


def _identified(query: TypedQuery, corpus: Corpus, live: Mapping[str, Paper]) -> list[Paper]:
    if query.arxiv_id is not None:
        papers = {**live, **corpus.papers([query.arxiv_id])}
        return [papers[query.arxiv_id]] if query.arxiv_id in papers else []
    return [paper for papers in corpus.by_doi([query.doi or ""]).values() for paper in papers]


def _with_phrases(scores: dict[str, float], phrases: Sequence[str], corpus: Corpus) -> dict[str, float]:
    """Those of the papers that have each phrase, word for word, in title or abstract."""

    def has_all(paper: Paper) -> bool:
        text = f" {' '.join(_WORD.findall(f'{paper.title} {paper.abstract}'.lower()))} "
        return all(f" {phrase} " in text for phrase in phrases)

    papers = corpus.papers(list(scores))
    return {value: score for value, score in scores.items() if value in papers and has_all(papers[value])}


def _meant(words: str, corpus: Corpus, where: Filter) -> str | None:
    """The query with each word that hardly a record has replaced by one like it; None if there is none to replace."""
    typed = _WORD.findall(words)
    frequencies = corpus.frequencies(typed)
    meant = [_alike(word, corpus, where) if frequencies[word] <= _HARDLY else word for word in typed]
    spelled = [other or word for word, other in zip(typed, meant, strict=True)]
    return " ".join(spelled) if spelled != typed else None


def _alike(word: str, corpus: Corpus, where: Filter) -> str | None:
    """A word of titles or a name that `word` may have been meant for."""
    papers = corpus.papers(corpus.spelled_like(word, where)).values()
    words = {other.lower() for paper in papers for other in _WORD.findall(f"{paper.title} {' '.join(paper.authors)}")}
    close = difflib.get_close_matches(word.lower(), sorted(words - {word.lower()}), 3, 0.7)
    frequencies = corpus.frequencies(close)
    return max(close, key=lambda other: frequencies[other], default=None)
