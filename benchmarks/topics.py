"""citeplug's topics beside those of BERTopic, over the same records.

    make bench-topics
    python -m benchmarks.topics [--data ../shared/data] [--home DIR] [--records N]

The records are every paper that a gold query cites and others drawn with a fixed seed, --records in all, each with its
MiniLM vector (computed and kept under --home the first time; BERTopic is given them). Each method runs in a process of
its own, without its imports in the times. BERTopic runs as its documentation shows it, its UMAP seeded, and where it is
installed: `pip install --target .peers -r benchmarks/requirements-topics.txt`, then PYTHONPATH=.peers.

  topics     how many there are;  none: share of the records without one;  largest: share of the largest topic
  cited      of two papers cited by one gold query, how often both are in one topic (mean over queries)
  chance     the same of any two records;  lift: how many times chance that is
  cited-, lift-  the same, the records of the largest topic taken for ones without a topic
  NMI        with arXiv's primary categories, of the records that have a topic;  all: those without one as one group
  purity     share of these that are in the most frequent category of their topic
  NPMI       mean over the pairs of a topic's first ten words, -1 (never together) to 1 (always), of all records
  same NPMI  of words found by citeplug's way of naming, for every method: compares the groups alone
  unlike     share of different words among the first ten of all topics
"""

import argparse
import math
import multiprocessing
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gold import DATA, Gold, gold_corpus, machine, read_gold
from citeplug.corpus.topics.model import fit, topics_for
from citeplug.corpus.topics.names import topic_names, words_of
from citeplug.protocols import Vectors
from citeplug.records.paper import Paper
from citeplug.settings.environment import read_settings

RECORDS = 15_000
BATCH = 500
WORDS = 10
COLUMNS = "topics none largest cited chance lift cited- lift- NMI all purity NPMI same-NPMI unlike CPU-s MB".split()


@dataclass(frozen=True, slots=True)
class Found:
    """Topics of records, None for those without one; the words of each topic; what it took."""

    topics: list[int | None]
    words: list[list[str]]
    seconds: float
    megabytes: float


def by_words(texts: Sequence[str], vectors: Vectors, count: int) -> tuple[list[int | None], list[list[str]]]:
    """As `citeplug index topics` does where few records have a vector."""
    fitted = fit(texts, count)
    return fitted.model.assigner()(texts), [list(words) for words in fitted.words]


def by_vectors(texts: Sequence[str], vectors: Vectors, count: int) -> tuple[list[int | None], list[list[str]]]:
    """As it does where the records have vectors."""
    fitted = fit(texts, count, vectors)
    return fitted.model.assigner()(texts), [list(words) for words in fitted.words]


def by_bertopic(
    texts: Sequence[str], vectors: Vectors, count: int, *, all_placed: bool = False
) -> tuple[list[int | None], list[list[str]]]:
    """BERTopic with precomputed vectors; `count` 0: as many topics as it finds. `all_placed`: outliers too."""
    model = _bertopic(count)
    found, _ = model.fit_transform(list(texts), embeddings=vectors)
    numbers = sorted(number for number in model.get_topics() if number >= 0)
    words = [[word for word, _ in model.get_topic(number) if word] for number in numbers]
    if all_placed:
        found = model.reduce_outliers(list(texts), found, strategy="embeddings", embeddings=vectors)
    place = {number: row for row, number in enumerate(numbers)}
    return [place.get(number) for number in found], words


def by_bertopic_placed(texts: Sequence[str], vectors: Vectors, count: int) -> tuple[list[int | None], list[list[str]]]:
    """The same, with every outlier given to the topic that is nearest."""
    return by_bertopic(texts, vectors, count, all_placed=True)


def _bertopic(count: int) -> Any:
    import warnings

    from bertopic import BERTopic
    from sklearn.feature_extraction.text import CountVectorizer
    from umap import UMAP

    warnings.simplefilter("ignore")
    return BERTopic(
        embedding_model=None,
        nr_topics=count + 1 if count else None,
        umap_model=UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=42),
        vectorizer_model=CountVectorizer(stop_words="english", min_df=2, ngram_range=(1, 2)),
    )


Method = Callable[[Sequence[str], Vectors, int], tuple[list[int | None], list[list[str]]]]


def alone(method: Method, texts: Sequence[str], vectors: Vectors, count: int) -> Found:
    """What a method finds in a new process."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(sender, method, texts, vectors, count))
    process.start()
    try:
        found: Found = receiver.recv()
    finally:
        process.join()
    return found


def _measured(sender: Any, method: Method, texts: Sequence[str], vectors: Vectors, count: int) -> None:
    import resource

    # What is loaded, and compiled, with the first use does not count.
    method(texts[:1000], vectors[:1000], 0 if method in (by_bertopic, by_bertopic_placed) else 5)
    before = time.process_time()
    topics, words = method(texts, vectors, count)
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    sender.send(Found(topics, [each[:WORDS] for each in words], seconds, peak))


def scores(found: Found, papers: Sequence[Paper], gold: Sequence[Gold]) -> list[float]:
    """The columns."""
    from sklearn.metrics import normalized_mutual_info_score

    placed = [topic for topic in found.topics if topic is not None]
    sizes = Counter(placed)
    share = [size / len(papers) for size in sizes.values()]
    chance = sum(each**2 for each in share)
    chance_outside = chance - max(share) ** 2
    largest = sizes.most_common(1)[0][0]
    topic_of = {paper.id.value: topic for paper, topic in zip(papers, found.topics, strict=True)}
    cited = _together(gold, topic_of)
    outside = _together(gold, {value: None if topic == largest else topic for value, topic in topic_of.items()})
    categories = [paper.categories[0] if paper.categories else "" for paper in papers]
    placed_categories = [name for name, topic in zip(categories, found.topics, strict=True) if topic is not None]
    by_topic: dict[int, Counter[str]] = {}
    for topic, name in zip(placed, placed_categories, strict=True):
        by_topic.setdefault(topic, Counter())[name] += 1
    purity = sum(max(names.values()) for names in by_topic.values()) / len(placed)
    documents = [words_of(f"{paper.title}. {paper.abstract}") for paper in papers]
    same = [list(words) for _, words in topic_names(documents, found.topics, 1 + max(placed))]
    own = [word for words in found.words for word in words]
    return [
        len(sizes),
        1 - len(placed) / len(papers),
        max(share),
        cited,
        chance,
        cited / chance,
        outside,
        outside / chance_outside,
        normalized_mutual_info_score(placed_categories, placed),
        normalized_mutual_info_score(categories, [-1 if topic is None else topic for topic in found.topics]),
        purity,
        coherence(found.words, documents),
        coherence([words[:WORDS] for words in same], documents),
        len(set(own)) / len(own),
        found.seconds,
        found.megabytes,
    ]


def _together(gold: Sequence[Gold], topic_of: dict[str, int | None]) -> float:
    shares = []
    for query in gold:
        pairs = list(combinations(sorted(query.cited & topic_of.keys()), 2))
        if pairs:
            shares.append(sum(topic_of[a] is not None and topic_of[a] == topic_of[b] for a, b in pairs) / len(pairs))
    return sum(shares) / len(shares)


def coherence(topics: Sequence[Sequence[str]], documents: Sequence[Sequence[str]]) -> float:
    """Mean normalised pointwise mutual information (Bouma 2009) of the pairs of each topic's words, over topics.

    A word of several parts is in a document where these stand side by side; one that is in none is together with none.
    """
    wanted = {word for words in topics for word in words}
    longest = max(len(word.split()) for word in wanted)
    having: dict[str, set[int]] = {word: set() for word in wanted}
    for row, document in enumerate(documents):
        plain = [word for word in document if re.match(r"\w", word)]
        for size in range(1, longest + 1):
            for start in range(len(plain) - size + 1):
                word = " ".join(plain[start : start + size])
                if word in wanted:
                    having[word].add(row)
    total = len(documents)
    means = []
    for words in topics:
        values = []
        for first, second in combinations(dict.fromkeys(words), 2):
            both = len(having[first] & having[second]) / total
            apart = len(having[first]) * len(having[second]) / total**2
            values.append(math.log(both / apart) / -math.log(both) if 0 < both < 1 else -1.0)
        if values:
            means.append(sum(values) / len(values))
    return sum(means) / len(means)


def draw(ids: Sequence[str], gold: Sequence[Gold], size: int) -> list[str]:
    """All cited papers and others, `size` in all."""
    cited = {value for query in gold for value in query.cited} & set(ids)
    others = sorted(set(ids) - cited)
    return sorted({*cited, *random.Random(2025).sample(others, min(len(others), max(0, size - len(cited))))})


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--records", type=int, default=RECORDS)
    chosen = parser.parse_args()
    print("python -m benchmarks.topics " + " ".join(sys.argv[1:]))
    print(machine())
    gold = read_gold(chosen.data)
    with gold_corpus(chosen.data, chosen.home, gold, full=True) as (corpus, ids):
        drawn = draw(ids, gold, chosen.records)
        records = corpus.papers(drawn)
        papers = [records[value] for value in drawn]
        known: dict[str, Vectors] = {}
        for start in range(0, len(drawn), BATCH):
            known.update(corpus.vectors(drawn[start : start + BATCH]))
    texts = [f"{paper.title}. {paper.abstract}" for paper in papers]
    vectors = np.stack([known[value] for value in drawn])
    count = topics_for(len(papers))
    runs: list[tuple[str, Method, int]] = [
        ("citeplug, words", by_words, count),
        ("citeplug, vectors", by_vectors, count),
    ]
    if _has_bertopic():
        runs += [
            ("BERTopic", by_bertopic, 0),
            ("BERTopic, all placed", by_bertopic_placed, 0),
            (f"BERTopic, {count} topics", by_bertopic, count),
        ]
        # The same share of chance as BERTopic's groups have, which are of very different sizes.
        runs += [("citeplug, vectors", by_vectors, 30), ("citeplug, words", by_words, 30)]
    else:
        print("BERTopic is not installed beside (benchmarks/requirements-topics.txt): citeplug's topics alone")
    print(f"{len(papers):,} records, {len(gold)} queries")
    print(f"{'':24}" + "".join(f"{column:>10}" for column in COLUMNS))
    for name, method, wanted in runs:
        row = scores(alone(method, texts, vectors, wanted), papers, gold)
        print(f"{name:24}" + "".join(f"{value:10.3f}" if value < 10 else f"{value:10.0f}" for value in row), flush=True)
    return 0


def _has_bertopic() -> bool:
    import importlib.util

    return importlib.util.find_spec("bertopic") is not None


if __name__ == "__main__":
    raise SystemExit(main())
