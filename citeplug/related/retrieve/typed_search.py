"""Search for what people type: an id, a DOI, the names of authors, words in quotation marks, or a few words.

A few words are all wanted: a paper that has each of them in its title, abstract, authors or year comes before one
that lacks some; words of the title and names count more. Meaning orders these, and finds papers beside them, and so
does likeness to the others that were found; except where names are among the words: only papers of these authors are
found then.
"""

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from citeplug.corpus.fusion import Scores, best_first, combine, even_out, lift
from citeplug.corpus.index import ALL_WORDS, Corpus
from citeplug.protocols import Vectors
from citeplug.records.paper import Candidate, Filter, Paper
from citeplug.related.retrieve.candidates import WHOLE, rescore
from citeplug.related.retrieve.fit import Wording
from citeplug.related.retrieve.space import Progress, Space, on_one_core
from citeplug.text.identifiers import as_arxiv_id, clean_doi, find_arxiv_id, find_doi

MOST_WORDS = 12  # of a text that was typed; a longer one is a passage
_DEPTH = 60  # papers of each ranking by words
_DEEP = 200  # papers of the ranking by BM25 that are compared with each other by their words
_NEIGHBOURS = 100  # papers of this ranking that are embedded, and of the ranking by meaning
# Weights beside the scores by words: of BM25 and of meaning (benchmarks/short_queries.py).
_OTHER = 0.5
_MEANING = 1.0
_MEANING_BESIDE_NAMES = 0.2
# As of `even_out`, for the words of titles and abstracts.
_ALIKE, _EVENING, _LONELINESS = 0.1, 4.0, 0.1
_TITLED, _BY_TITLE = 40, 0.75  # first papers whose titles are compared, and what that counts
_OF_A_TITLE = 3  # words that are the title of a paper that has them all
_FEW = 30  # papers; among fewer, that two are alike is chance
_RELEVANT = 0.45  # cosine from which a paper without any of the words is shown
_HARDLY = 2  # records that have a word that was probably meant to be another
_PHRASE = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_INITIAL = re.compile(r"\b[^\W\d_]\.(?!\w{2})")
_WORD = re.compile(r"[^\W_]+")


class TypedQuery(NamedTuple):
    """A query as it was typed: `words` are those of the phrases, too.

    `alone`: there is nothing but an id or a DOI.
    """

    arxiv_id: str | None
    doi: str | None
    phrases: tuple[str, ...]
    words: str
    alone: bool


def parse_query(text: str) -> TypedQuery:
    """Read a query. Any text is one."""
    text = " ".join(text.split())
    phrases = tuple(" ".join(_WORD.findall(phrase.lower())) for phrase in _PHRASE.findall(text))
    identifier = as_arxiv_id(text) or find_arxiv_id({"eprint": text})
    doi = clean_doi(find_doi({"doi": text})) if identifier is None else None
    unlabelled = [word for word in text.split() if word.strip(":").lower() not in ("arxiv", "doi")]
    alone = len(unlabelled) == 1 and (identifier or doi) is not None
    return TypedQuery(identifier, doi, tuple(filter(None, phrases)), re.sub(r"\bet al\b", " ", text), alone)


def is_typed(text: str) -> bool:
    """Return True for an id, a DOI, or at most twelve words."""
    return len(_WORD.findall(text)) <= MOST_WORDS or parse_query(text).alone


@dataclass(frozen=True, slots=True)
class TypedResults:
    """Papers, best first; `unmatched`: none has all of what was typed, for which `meant` is another spelling."""

    candidates: Sequence[Candidate]
    unmatched: bool = False
    meant: str | None = None


@dataclass(frozen=True, slots=True)
class _ByWords:
    """What the words find: `scores` of the papers that have some of them, `others` of BM25 alone, beside these.

    `every` are those of the catalogue that have all. `names` are the words that are authors'. `narrow`: only papers of
    these authors, or with the phrases, are wanted.
    """

    scores: Mapping[str, float]
    others: Mapping[str, float]
    every: Collection[str]
    names: Sequence[str]
    topic: str
    narrow: bool


@on_one_core
def search_typed(
    text: str,
    corpus: Corpus,
    where: Filter,
    k: int,
    *,
    live: Sequence[Paper] = (),
    seconds: float | None = 2.0,
    on_progress: Progress | None = None,
) -> TypedResults:
    """Return at most `k` papers that `where` admits for a typed text; `seconds` bounds the time for embedding papers.

    An id or a DOI finds its paper alone, and nothing where it is not known, unless there are other words. `live` are
    papers that another search found for the text, best first.
    """
    query = parse_query(text)
    by_source = {paper.id.value: paper for paper in live if where.admits(paper)}
    if query.arxiv_id is not None or query.doi is not None:
        papers = [paper for paper in _identified(query, corpus, by_source) if where.admits(paper)]
        if papers or query.alone:
            return TypedResults([Candidate(paper, 0.0, 1.0, ("lexical",)) for paper in papers[:k]], not papers)
    worded = _by_words(query, corpus, where, max(k, _DEPTH), list(by_source))
    space = Space(corpus, where, seconds, reach=0 if worded.narrow else _NEIGHBOURS)
    vector = _fill(space, worded, corpus, list(by_source.values()), on_progress)
    cosines = space.near(vector) if vector is not None else {}
    if worded.scores.keys() <= by_source.keys():  # meaning alone: what has nothing to do with the query is near, too
        cosines = {value: cosine for value, cosine in cosines.items() if cosine >= _RELEVANT or value in by_source}
    near = [] if worded.narrow else best_first(cosines)[:_NEIGHBOURS]
    records = {**by_source, **corpus.papers([*worded.scores, *worded.others, *cosines])}
    # Their vectors are computed for each query, 120 ms of it: an editor, which gives no time, orders without them.
    titles = partial(_titles, vector=None if seconds == 0 else vector, records=records, corpus=corpus)
    scores = _scores(worded, records, cosines, titles)
    scores = rescore(scores, query.words, corpus.rescorer, corpus.papers, space.seconds_left, on_progress)
    ways: dict[str, Collection[str]] = {
        "lexical": {*worded.scores, *worded.others},
        "dense": frozenset(near),
        "arxiv": by_source,
    }
    candidates = [
        Candidate(
            records[value],
            cosines.get(value, 0.0),
            scores[value],
            tuple(way for way, members in ways.items() if value in members),
        )
        for value in best_first(scores)
        if value in records
    ]
    meant = None if worded.every else _meant(query.words, corpus, where)
    return TypedResults(candidates[:k], not worded.every, meant)


def _by_words(query: TypedQuery, corpus: Corpus, where: Filter, depth: int, live: Sequence[str]) -> _ByWords:
    names = corpus.names_in(query.words)
    wanted = _INITIAL.sub("", query.words)  # an author may have the name that it stands for
    every = dict(corpus.look_up(wanted, depth, where, names))
    some = dict(corpus.look_up(wanted, depth, where, names, every=False))
    if names and not some:  # nobody wrote with all of them
        for name in names:
            one = " ".join(word for word in _WORD.findall(wanted) if word == name or word not in names)
            some |= dict(corpus.look_up(one, depth, where, [name], every=False))
    some |= every
    if query.phrases:
        every = some = _with_phrases(some, query.phrases, corpus)
    scores = {value: score * (ALL_WORDS if value in every else 1.0) for value, score in some.items()}
    # A paper that another search found has the score of the paper of the catalogue in the same place.
    ranked = sorted(scores.values(), reverse=True) or [1.0]
    for value, score in zip_longest(live, ranked[: len(live)], fillvalue=ranked[-1]):
        scores.setdefault(str(value), float(score))
    narrow = bool(query.phrases or names)
    others = {} if narrow else dict(corpus.lexical(wanted, _DEEP, where))
    # A name has no meaning that a model knows.
    topic = " ".join(word for word in _WORD.findall(wanted) if word not in names) if names else wanted
    return _ByWords(scores, others, every, names, topic, narrow)


def _fill(
    space: Space, worded: _ByWords, corpus: Corpus, live: Sequence[Paper], on_progress: Progress | None
) -> Vectors | None:
    """Embed what the words found, while there is time; return the vector of the query, None for one without a topic."""
    if not _WORD.search(worded.topic):
        return None
    space.take_in_live(live)
    others = [value for value in list(worded.others)[:_NEIGHBOURS] if value not in worded.scores]
    space.take_in([*worded.scores, *others], on_progress)
    if not worded.narrow:
        space.embed(corpus.unembedded(WHOLE), on_progress)
    vector: Vectors = corpus.embed([worded.topic])[0]
    return vector


def _titles(
    ids: Sequence[str], vector: Vectors | None, records: Mapping[str, Paper], corpus: Corpus
) -> dict[str, float]:
    """How near each paper's title is to the query, beside the other titles, in standard deviations."""
    if vector is None:
        return {}
    cosines = corpus.embed([records[value].title for value in ids]) @ vector
    return dict(zip(ids, ((cosines - cosines.mean()) / (cosines.std() + 1e-6)).tolist(), strict=True))


def _scores(
    worded: _ByWords,
    records: Mapping[str, Paper],
    cosines: Mapping[str, float],
    titles: Callable[[Sequence[str]], Mapping[str, float]],
) -> dict[str, float]:
    """One score of words and meaning for each paper.

    Where a topic is asked for, papers like several good ones rise, since one that merely has the words is alone among
    them, and so do those whose titles mean it: an abstract has many words that its paper is not about.
    """
    lists = [Scores(worded.scores), Scores(worded.others, _OTHER)]
    weight = _MEANING_BESIDE_NAMES if worded.names else _MEANING
    scores = _combined(lists, cosines, weight)
    if worded.narrow or len(records) < _FEW:
        return scores
    wording = Wording(records)
    scores = even_out(scores, wording.vectors(), _ALIKE, _EVENING, _LONELINESS)
    scores = lift(scores, titles([value for value in best_first(scores) if value in records][:_TITLED]), _BY_TITLE)
    # Who types so much of a title knows the paper.
    spread = max(scores.values()) - min(scores.values())
    known = [value for value in wording.titled(worded.topic, _OF_A_TITLE) if value in scores]
    return {**scores, **{value: scores[value] + spread for value in known}}


def _combined(lists: Sequence[Scores], cosines: Mapping[str, float], weight: float) -> dict[str, float]:
    """The sum of the lists and the cosines; a paper without a vector has the mean cosine: its meaning is not known."""
    mean = sum(cosines.values()) / max(1, len(cosines))
    known = {value: cosines.get(value, mean) for value in {**combine(lists), **cosines}}
    return combine([*lists, Scores(known, weight)])


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
    """The query with each word that hardly a record has replaced by one like it; None if no record has all of these."""
    typed = _WORD.findall(words)
    frequencies = corpus.frequencies(typed)
    meant = [_alike(word, frequencies[word], corpus, where) if frequencies[word] <= _HARDLY else word for word in typed]
    spelled = " ".join(other or word for word, other in zip(typed, meant, strict=True))
    return spelled if spelled != " ".join(typed) and dict(corpus.look_up(spelled, 1, where, ())) else None


def _alike(word: str, records: int, corpus: Corpus, where: Filter) -> str | None:
    """The word of titles, or the name, most like `word` that more than `records` records have."""
    papers = corpus.papers(corpus.spelled_like(word, where)).values()
    words = {other.lower() for paper in papers for other in _WORD.findall(f"{paper.title} {' '.join(paper.authors)}")}
    close = difflib.get_close_matches(word.lower(), sorted(words - {word.lower()}), 10, 0.7)
    frequencies = corpus.frequencies(close)
    return next((other for other in close if frequencies[other] > records), None)
