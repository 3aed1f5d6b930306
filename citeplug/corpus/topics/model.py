"""Topic model: topics are found in a sample of records, and all records are assigned to them by their words.

As in BERTopic (Grootendorst 2022) papers are clustered first, and then the distinctive words of each cluster are
found. Here the clusters come from spherical k-means (Dhillon and Modha 2001) over latent semantic analysis of the
words, or over embeddings if the sample has them. Records are then assigned by words alone, so that millions of records
get a topic without being embedded. The same records always give the same sample.
"""

import hashlib
import heapq
import io
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citeplug.corpus.database import Database
from citeplug.corpus.topics.names import topic_names, words_of
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.protocols import Vectors
from citeplug.text.stop_words import STOPWORDS

SAMPLE = 50_000  # records whose words are counted; more of them add little
EMBEDDED = 15_000  # of these, records that are clustered by their vectors
_NAMED = 20_000  # of these, records that names are taken from: phrases take more memory than words
MOST_TERMS = 20_000
FEWEST, MOST = 2, 300  # topics, unless the user gives the number
_MANY = 2000  # records; among fewer a subject has a larger share, and a word is rarer
_COMMON = 0.2  # share of many records above which a word is left out
_DIMENSIONS = {"words": 100, "vectors": 300}  # of the latent space; embeddings need more
_ROUNDS = 30  # of k-means
_AT_ONCE = 500  # texts assigned together: 24 MB of sums for 200 topics
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class TopicModel:
    """Topic model. `weights` is (terms, topics), the weight of a term for a topic; `rarity` is (terms,), the idf."""

    terms: tuple[str, ...]
    rarity: NDArray[np.float32]
    weights: NDArray[np.float16]

    @property
    def topics(self) -> int:
        return int(self.weights.shape[1])

    def assigner(self) -> Callable[[Sequence[str]], list[int | None]]:
        """Return a function that gives the nearest topic, from 0, of each text by cosine; None without a known word."""
        column = {term: number for number, term in enumerate(self.terms)}
        weights = self.weights.astype(np.float32)

        def assign_some(texts: Sequence[str]) -> list[int | None]:
            columns: list[int] = []
            counts: list[int] = []
            starts: list[int] = []
            spoken: list[int] = []
            for row, text in enumerate(texts):
                known = Counter(column[word] for word in words_of(text) if word in column)
                if known:
                    spoken.append(row)
                    starts.append(len(columns))
                    columns += known.keys()
                    counts += known.values()
            topics: list[int | None] = [None] * len(texts)
            if spoken:
                frequencies = (1 + np.log(np.array(counts, dtype=np.float32))) * self.rarity[columns]
                sums = np.add.reduceat(weights[columns] * frequencies[:, None], starts, axis=0)
                for row, topic in zip(spoken, np.argmax(sums, axis=1).tolist(), strict=True):
                    topics[row] = topic
            return topics

        def assign(texts: Sequence[str]) -> list[int | None]:
            parts = (assign_some(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE))
            return [topic for part in parts for topic in part]

        return assign

    def to_bytes(self) -> bytes:
        """The model as a file that `from_bytes` reads."""
        stream = io.BytesIO()
        terms = np.frombuffer("\n".join(self.terms).encode("ascii"), dtype=np.uint8)
        np.savez_compressed(stream, terms=terms, rarity=self.rarity, weights=self.weights)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "TopicModel":
        """Read a model. Raises ValueError if it is not one."""
        import zipfile

        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                terms = tuple(file["terms"].tobytes().decode("ascii").split("\n"))
                model = cls(terms, file["rarity"], file["weights"])
        except (OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"it is not a topic model ({error})") from error
        if model.weights.ndim != 2 or not len(terms) == len(model.rarity) == len(model.weights):
            raise ValueError("its parts do not fit together")
        return model


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model, with the name and the words of each topic. `method` is that of the clustering."""

    model: TopicModel
    names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    method: str


def topics_for(records: int) -> int:
    """Return the number of topics for a number of records: 70 for 10,000, 210 for 90,000, 300 from 200,000 on."""
    return max(FEWEST, min(MOST, round(0.7 * math.sqrt(records))))


def fit(
    texts: Sequence[str], count: int, vectors: Vectors | None = None, tell: Callable[[str], None] | None = None
) -> Fitted:
    """Find `count` topics in a sample, or fewer if it has not so many.

    `vectors`, if given, are of the first of the texts, (n, d) of unit length. Topics come largest first. The same
    arguments give the same topics. Raises CorpusEmpty if the texts have too few words in common, UsageError
    without scikit-learn, which `citeplug[topics]` brings.
    """
    try:
        from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
    except ImportError:
        raise UsageError("finding topics needs scikit-learn", "pip install 'citeplug[topics]'") from None
    from threadpoolctl import threadpool_limits

    say = tell or (lambda stage: None)
    say("count words")
    # Equal words share one string: a fifth of the memory.
    heard: dict[str, str] = {}
    documents = [[heard.setdefault(word, word) for word in words_of(text)] for text in texts]
    if (terms := _terms(documents)) is None:
        raise CorpusEmpty(
            "the catalogue has too few records to find topics in", "add records with 'citeplug index add' first"
        )
    counter = CountVectorizer(analyzer=_as_it_is, vocabulary=terms, dtype=np.float32)
    weighting = TfidfTransformer(sublinear_tf=True)
    weighed = weighting.fit_transform(counter.transform(documents))
    method = "words" if vectors is None else "vectors"
    # In one thread: with several the order of sums, and so the result, would differ.
    with threadpool_limits(1):
        say("compare words")
        latent, components = _latent_space(weighed, _DIMENSIONS[method])
        say("find topics")
        known = latent if vectors is None else np.asarray(vectors, dtype=np.float32)
        labels = _groups(known, count)
        centres = _directions(latent[: len(labels)], labels)
        model = TopicModel(
            tuple(terms), weighting.idf_.astype(np.float32), (components.T @ centres.T).astype(np.float16)
        )
    say("name topics")
    by_words = np.array([-1 if topic is None else topic for topic in model.assigner()(texts)])
    sizes = np.bincount(by_words[by_words >= 0], minlength=model.topics)
    order = [int(topic) for topic in np.argsort(-sizes, kind="stable") if sizes[topic]]
    place = {topic: number for number, topic in enumerate(order)}
    named = topic_names(documents[:_NAMED], [place.get(topic) for topic in by_words.tolist()[:_NAMED]], len(order))
    ordered = TopicModel(model.terms, model.rarity, np.ascontiguousarray(model.weights[:, order]))
    return Fitted(ordered, tuple(name for name, _ in named), tuple(words for _, words in named), method)


def _as_it_is(words: list[str]) -> list[str]:
    return words


def _terms(documents: Sequence[list[str]]) -> list[str] | None:
    """The words that tell records apart, in alphabetical order; None if there are too few."""
    spread: Counter[str] = Counter()
    for words in documents:
        spread.update({word for word in words if len(word) > 2})
    many = len(documents) >= _MANY
    least, most = (5, _COMMON * len(documents)) if many else (2, len(documents) / 2)
    known = {word: count for word, count in spread.items() if count >= least and word not in STOPWORDS}
    telling = [word for word, count in known.items() if count <= most]
    if len(telling) < 3:  # all records have the same words
        telling = list(known)
    return sorted(sorted(telling, key=lambda word: (-known[word], word))[:MOST_TERMS]) if len(telling) > 1 else None


def _latent_space(weighed: Any, dimensions: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return records as unit rows (n, d), and the components (d, terms)."""
    from sklearn.decomposition import TruncatedSVD

    size = min(dimensions, weighed.shape[0] - 1, weighed.shape[1] - 1)
    svd = TruncatedSVD(max(1, size), random_state=0, n_iter=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of records that are all the same
        rows = svd.fit_transform(weighed)
    return _unit(rows), np.asarray(svd.components_, dtype=np.float32)


def _groups(rows: Vectors, count: int) -> NDArray[np.int64]:
    from sklearn.cluster import KMeans

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fewer different rows than groups
        groups = KMeans(max(1, min(count, len(rows) // 2)), n_init=1, max_iter=_ROUNDS, random_state=0).fit_predict(
            rows
        )
    return np.asarray(groups, dtype=np.int64)


def _directions(rows: NDArray[np.float32], labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """The mean direction (d,) of the rows of each label."""
    sums = np.zeros((int(labels.max()) + 1, rows.shape[1]), dtype=np.float64)
    np.add.at(sums, labels, rows)
    return _unit(sums)


def _unit(rows: NDArray[Any]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def drawn_ids(database: Database, most: int) -> list[str]:
    """Return the ids of at most `most` records, chosen by a hash of the id, so that their order does not matter."""
    drawn = heapq.nsmallest(most, ((_hashed(value), value) for ids in all_ids(database) for value in ids))
    return [value for _, value in drawn]


def all_ids(database: Database) -> Iterator[list[str]]:
    """Every id once, in parts, in their order; those that are added meanwhile may come too."""
    after = ""
    while True:
        with database.reading() as db:
            query = f"SELECT id FROM papers WHERE id > ? ORDER BY id LIMIT {_ROWS_AT_ONCE}"
            ids = [row[0] for row in db.execute(query, (after,))]
        if not ids:
            return
        yield ids
        after = ids[-1]


def _hashed(value: str) -> bytes:
    return hashlib.blake2b(value.encode("utf-8", "replace"), digest_size=8).digest()
