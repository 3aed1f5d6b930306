"""Claims of novelty with a known answer: is the paper that refutes one among the works that an audit shows beside it?

    python -m benchmarks.novelty PAPERS.jsonl.gz [--claims N] [--in-free-words SENTENCES.jsonl]

Half of the claims are planted: into a paper's abstract "To the best of our knowledge, we are the first to propose X",
where an older paper of the same category, the nearest by words, says "We propose X". The others are what the authors
of such papers wrote themselves. A table says for how many of both an earlier work is shown, by the nearness from which
it is; that one is near to an honest claim is no error in itself. With `--in-free-words` the true sentences of that
file, which somebody wrote of one abstract each in other words, are claims.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path

from citeplug.audit.novelty import CLOSE, SHOWN, Claimed, claims_of_novelty, closest_works
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.corpus.stores import settings as user_settings
from citeplug.records.audit import EarlierWork
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.related.progress import Tools
from citeplug.text.sentences import split_sentences

_PROPOSE = re.compile(
    r"^(?:In this (?:paper|work), )?we (?P<what>(?:propose|present|introduce|develop) (?:an?|the) [^.;:]{40,200})", re.I
)
_EVERY = 7  # records
_LEAST, _FROM = 0.0, (0.5, 0.55, 0.6, 0.65, 0.7)


def planted(corpus: Corpus, papers: Sequence[Paper]) -> Iterator[tuple[Paper, Claimed, str]]:
    """Papers with a claim that an older one refutes, and the id of that."""
    for paper in papers:
        where = Filter(paper.published, paper.categories[:1], frozenset({paper.id.value}))
        older = corpus.papers([value for value, _ in corpus.lexical(f"{paper.title}. {paper.abstract}", 1, where)])
        for value, other in older.items():
            sentences = [other.abstract[start:end] for start, end in split_sentences(other.abstract)]
            what = next((match["what"] for match in map(_PROPOSE.match, sentences) if match), None)
            if what is not None:
                yield paper, _claim(f"we are the first to {what[0].lower()}{what[1:]}."), value


def in_free_words(file: Path) -> Iterator[tuple[Paper, Claimed]]:
    """The papers and claims of sentences `{"sentence", "kind", "sources": [{"arxiv_id", "title", "abstract"}]}`."""
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] == "true" and len(row["sources"]) == 1:
            source = row["sources"][0]
            arxiv_id = ArxivId(ArxivId.parse(source["arxiv_id"]).value, 1)
            day = arxiv_id.month
            paper = Paper(arxiv_id, source["title"], source["abstract"], ("A. Author",), day, day, ("cs",))
            yield paper, _claim(row["sentence"].replace("[@1]", "we are the first to"))


def _claim(what: str) -> Claimed:
    return Claimed(f"To the best of our knowledge, {what}", Path(), None, False)


def _draft(title: str = "", abstract: str = "") -> Draft:
    return Draft(Path("main.tex").resolve(), (), title, abstract)


def _works(corpus: Corpus, draft: Draft, claim: Claimed, before: date, least: float = CLOSE) -> tuple[EarlierWork, ...]:
    tools = Tools(corpus, lookup_in(corpus))
    return closest_works(draft, [claim], tools, before, lambda *_: None, least)[0].works


def _print_ranks(claims: str, found: Sequence[tuple[str, Sequence[EarlierWork]]]) -> None:
    """Print how often the paper that refutes a claim, named by id, is the first of the works, and among them."""
    ids = [(value, [work.paper.id.value for work in works]) for value, works in found]
    first, shown = sum(value in some[:1] for value, some in ids), sum(value in some for value, some in ids)
    print(f"{claims}: {len(ids)}; the refuting paper first in {first}, among the first {SHOWN} in {shown}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--claims", type=int, default=100, help="of each kind")
    parser.add_argument("--in-free-words", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = replace(user_settings(offline=True), home=Path(folder))
        with open_corpus(chosen) as corpus:
            corpus.add([options.papers])
            report(corpus, options.claims)
            if options.in_free_words:
                claims = list(in_free_words(options.in_free_words))
                corpus.add_papers([paper for paper, _ in claims])
                today = date.today()
                found = [(paper.id.value, _works(corpus, _draft(), claim, today)) for paper, claim in claims]
                _print_ranks("claims in free words", found)


def report(corpus: Corpus, most: int) -> None:
    drawn = corpus.papers(corpus.unembedded(10**9)[::_EVERY])
    papers = [paper for paper in drawn.values() if paper.complete]
    made: list[tuple[str, tuple[EarlierWork, ...]]] = []
    own: list[tuple[EarlierWork, ...]] = []
    for paper, claim, value in islice(planted(corpus, papers), most):
        draft = _draft(paper.title, paper.abstract)
        made.append((value, _works(corpus, draft, claim, paper.published, _LEAST)))
    for paper in papers:
        draft = _draft(paper.title, paper.abstract)
        claims = [claim for claim in claims_of_novelty(draft, ()) if not claim.novel]
        if claims and len(own) < most:
            own.append(_works(corpus, draft, claims[0], paper.published, _LEAST))
    _print_ranks("planted claims", [(value, [w for w in works if w.nearness >= CLOSE]) for value, works in made])
    print("works shown from | of planted claims | of the authors' own")
    for least in _FROM:
        planted_share, own_share = (
            sum(any(work.nearness >= least for work in works) for works in some) / max(1, len(some))
            for some in ([works for _, works in made], own)
        )
        print(f"{least:16} | {planted_share:17.2f} | {own_share:18.2f}")


if __name__ == "__main__":
    main()
