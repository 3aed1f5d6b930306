"""Claims of novelty with a known answer: is the paper that refutes one among the works that an audit shows beside it?

    python -m benchmarks.novelty PAPERS.jsonl.gz [--claims N] [--in-free-words SENTENCES.jsonl]

Half of the claims are planted: into a paper's abstract "To the best of our knowledge, we are the first to propose X",
where an older paper of the same category, the nearest by words, says "We propose X". The others are what the authors
of such papers wrote themselves; of these it says how often something comes close, which is no error in itself. With
`--in-free-words` the true sentences of that file, which somebody wrote of one abstract each in other words, are claims.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from statistics import median

from citeplug.audit.novelty import CLOSE, SHOWN, Claimed, claims_of_novelty, closest_works
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.corpus.stores import settings as user_settings
from citeplug.records.audit import NoveltyClaim
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.related.progress import Tools
from citeplug.text.sentences import split_sentences

_PROPOSE = re.compile(
    r"^(?:In this (?:paper|work), )?we (?P<what>(?:propose|present|introduce|develop) (?:an?|the) [^.;:]{40,200})", re.I
)
_EVERY = 7  # records


def planted(corpus: Corpus, papers: Sequence[Paper], most: int) -> Iterator[tuple[Draft, Claimed, str]]:
    """Drafts with a claim that an older paper refutes, and the id of that."""
    done = 0
    for paper in papers:
        text = f"{paper.title}. {paper.abstract}"
        where = Filter(paper.published, paper.categories[:1], frozenset({paper.id.value}))
        older = corpus.papers([value for value, _ in corpus.lexical(text, 1, where)])
        for value, other in older.items():
            sentences = [other.abstract[start:end] for start, end in split_sentences(other.abstract)]
            what = next((match["what"] for match in map(_PROPOSE.match, sentences) if match), None)
            if what is not None:
                claim = f"To the best of our knowledge, we are the first to {what[0].lower()}{what[1:]}."
                yield _draft(paper), Claimed(claim, Path(), None, False), value
                done += 1
        if done >= most:
            return


def in_free_words(file: Path) -> Iterator[tuple[Claimed, Paper]]:
    """Claims from sentences `{"sentence", "kind", "style", "sources": [{"arxiv_id", "title", "abstract"}]}`."""
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] == "true" and len(row["sources"]) == 1:
            source = row["sources"][0]
            arxiv_id = ArxivId(ArxivId.parse(source["arxiv_id"]).value, 1)
            day = arxiv_id.month
            what = row["sentence"].replace("[@1]", "we are the first to")
            paper = Paper(arxiv_id, source["title"], source["abstract"], ("A. Author",), day, day, ("cs",))
            yield Claimed(f"To the best of our knowledge, {what}", Path(), None, False), paper


def _draft(paper: Paper) -> Draft:
    return Draft(Path("main.tex").resolve(), (), paper.title, paper.abstract)


def _closest(draft: Draft, claims: Sequence[Claimed], corpus: Corpus, paper: Paper) -> list[NoveltyClaim]:
    return closest_works(draft, claims, Tools(corpus, lookup_in(corpus)), paper.published, lambda *_: None)


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
                pairs = list(in_free_words(options.in_free_words))
                corpus.add_papers([paper for _, paper in pairs])
                nothing = Draft(Path("main.tex").resolve(), (), "", "")
                tools, day = Tools(corpus, lookup_in(corpus)), date.today()
                found = closest_works(nothing, [claim for claim, _ in pairs], tools, day, lambda *_: None)
                ranks = [
                    [work.paper.id.value for work in claim.works].index(paper.id.value)
                    if paper.id.value in [work.paper.id.value for work in claim.works]
                    else SHOWN
                    for claim, (_, paper) in zip(found, pairs, strict=True)
                ]
                _print(f"claims in free words: {len(ranks)}", ranks)


def _print(claims: str, ranks: Sequence[int]) -> None:
    shown = sum(rank < SHOWN for rank in ranks)
    print(f"{claims}; the refuting paper first in {ranks.count(0)}, among the first {SHOWN} in {shown}")


def report(corpus: Corpus, most: int) -> None:
    newest = corpus.papers(corpus.unembedded(10**9)[::_EVERY])
    papers = [paper for paper in newest.values() if paper.complete]
    ranks: list[int] = []
    for draft, claim, value in planted(corpus, papers, most):
        paper = next(paper for paper in papers if paper.title == draft.title)
        (found,) = _closest(draft, [claim], corpus, paper)
        ids = [work.paper.id.value for work in found.works]
        ranks.append(ids.index(value) if value in ids else SHOWN)
    _print(f"planted claims: {len(ranks)}", ranks)
    cosines: list[float] = []
    for paper in papers:
        draft = _draft(paper)
        claims = [claim for claim in claims_of_novelty(draft, ()) if not claim.novel][:1]
        if claims:
            (found,) = _closest(draft, claims, corpus, paper)
            cosines.append(found.works[0].cosine if found.works else 0.0)
        if len(cosines) >= most:
            break
    shown = sum(cosine >= CLOSE for cosine in cosines)
    print(f"the authors' own claims: {len(cosines)}; something close for {shown}, median cosine {median(cosines):.2f}")


if __name__ == "__main__":
    main()
