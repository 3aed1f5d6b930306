"""How many wrong citations `citeplug audit` finds in real sentences, and how many right ones it doubts.

    python -m benchmarks.borne_out [--data ../shared/data] [--home DIR] [--drafts DIR]... [--show]

Each citation of a work with an abstract, in the real drafts of `latex/`, is a right one; with another reference of the
same draft that has an abstract in its place, by chance, a wrong one (five for each). --drafts adds a folder of further
drafts, DIR/*/main.tex. The margin of better fits is chosen on the sentences whose hash is even, at 5 right citations of
100 doubted, and then counted on the others; and the other way round. Contradictions are counted on sentences that are
known to be true or false of an abstract: those of benchmarks.claims, and SciFact's claims.
"""

import argparse
import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, SAMPLE, machine
from benchmarks.selection import RECORDS
from citeplug.audit.cited_claims import Claim, cited_work, read_claims
from citeplug.audit.compare_citations import contradictions, read_references
from citeplug.audit.misattribution import MARGIN, Fitting, fittings, named_otherwise
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.latex.project import find_root, read_draft
from citeplug.latex.prose import read_prose
from citeplug.protocols import Vectors
from citeplug.records.prose import ProseSentence
from citeplug.related.attribute.plainness import first_person
from citeplug.related.progress import Tools
from citeplug.settings.environment import read_settings
from tests.related.attribute.known_sentences import own_sentences, sentences_of

CS = Path("citations") / "cs_records.jsonl.gz"
CLAIMS = ("paraphrases_dev.jsonl", "refused_sentences.jsonl")
SWAPS = 5
HANDLES = re.compile(r"\s*\[@?[\d, ]+\]")
RIGHT_DOUBTED = 0.05


@dataclass(frozen=True)
class Case:
    """A citation; `gain` is by how much another reference fits better, None where it is not compared.

    `named` and `contradicted`: there is a doubt by the names in front, or by a contradiction.
    """

    draft: str
    text: str
    right: bool
    gain: float | None
    named: bool
    contradicted: bool

    @property
    def half(self) -> int:
        return hashlib.sha256(self.text.encode()).digest()[-1] % 2


class Embedder:
    """The corpus's embedder, which computes no text twice."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._known = corpus, dict[str, Vectors]()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._corpus.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def mains(data: Path, more: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The drafts, each by the name of its project."""
    seen = set()
    for row in json.loads((data / "latex_manifest.json").read_text("utf-8")):
        main = data / "latex" / row["folder"] / row["main"]
        if main.exists() and (root := find_root(main)) not in seen:
            seen.add(root)
            yield row["folder"], root
    for folder in more:
        yield from ((main.parent.name, main) for main in sorted(folder.glob("*/main.tex")))


def cases_of(name: str, main: Path, tools: Tools, embed: Embedder, seen: set[tuple[str, str]]) -> Iterator[Case]:
    """The citations of a draft, and the same with other works in their place; a sentence of a project once."""
    draft = read_draft(main)
    works = read_references(draft, tools).works
    claims = [each for each in read_claims(read_prose(draft), works) if (name, each.text) not in seen]
    seen.update((name, each.text) for each in claims)
    told = [key for key, work in works.items() if work.abstract]
    right = [(claim, key) for claim in claims for key in claim.keys if key in told]
    wrong = []
    for claim, key in right:
        chance = random.Random(f"{claim.text} {key}")
        others = [each for each in told if each not in claim.keys]
        wrong += [(swapped(claim, key, each), each) for each in chance.sample(others, min(SWAPS, len(others)))]
    for is_right, pairs in ((True, right), (False, wrong)):
        compared = [claim for claim, _ in pairs if first_person(claim.text) is None]
        found: dict[tuple[str, tuple[str, ...], str], Fitting] = {
            (each.claim.text, each.claim.keys, each.key): each for each in fittings(compared, works, embed)
        }
        for claim, key in pairs:
            fitting = found.get((claim.text, claim.keys, key))
            gain = None if fitting is None else fitting.best - fitting.cited
            named = any(True for _ in named_otherwise(claim, works, draft.title))
            contradicted = fitting is not None and any(True for _ in contradictions(claim, works))
            yield Case(name, claim.text, is_right, gain, named, contradicted)


def swapped(claim: Claim, key: str, other: str) -> Claim:
    """The claim with another work in the place of one."""
    cites = tuple((tuple(other if each == key else each for each in keys), part) for keys, part in claim.cites)
    return replace(claim, cites=cites)


def doubted(cases: Sequence[Case], margin: float) -> float:
    return sum(case.gain is not None and case.gain >= margin for case in cases) / max(1, len(cases))


def margin_of(right: Sequence[Case]) -> float:
    """The smallest margin by which no more than 5 of 100 right citations are doubted."""
    gains = sorted((case.gain for case in right if case.gain is not None), reverse=True)
    allowed = int(RIGHT_DOUBTED * len(right))
    return float(np.nextafter(gains[allowed], 9)) if allowed < len(gains) else -1.0


def report(name: str, cases: Sequence[Case]) -> None:
    right, wrong = [case for case in cases if case.right], [case for case in cases if not case.right]
    if not right or not wrong:
        return
    sentences, drafts = len({case.text for case in right}), len({case.draft for case in right})
    print(f"{name}: {len(right)} right citations in {sentences} sentences of {drafts} drafts, {len(wrong)} wrong ones")
    for half in (0, 1):
        chosen = [[case for case in some if case.half == half] for some in (right, wrong)]
        others = [[case for case in some if case.half != half] for some in (right, wrong)]
        margin = margin_of(chosen[0])
        print(
            f"  margin {margin:.3f} of half {half}: {doubted(chosen[1], margin):.1%} of its wrong found at"
            f" {doubted(chosen[0], margin):.1%} of its right; in the other half {doubted(others[1], margin):.1%} at"
            f" {doubted(others[0], margin):.1%}"
        )
    own = margin_of(right)
    print(f"  both halves at {own:.3f}: {doubted(wrong, own):.1%} at {doubted(right, own):.1%}")
    print(f"  as built, {MARGIN}: {doubted(wrong, MARGIN):.1%} of the wrong, {doubted(right, MARGIN):.1%} of the right")
    for what, found in (
        ("names in front", [sum(case.named for case in some) for some in (wrong, right)]),
        ("contradictions", [sum(case.contradicted for case in some) for some in (wrong, right)]),
    ):
        print(f"  {what}: {found[0]} of {len(wrong)} wrong, {found[1]} of {len(right)} right")


def report_names(drafts: Sequence[tuple[str, Path]], tools: Tools) -> None:
    """Print the doubts by names in front of citations in all sentences, whatever is known of what they cite."""
    found, sentences = [], set[tuple[str, str]]()
    for name, main in drafts:
        draft = read_draft(main)
        works = read_references(draft, tools).works
        for claim in read_claims(read_prose(draft), works):
            if (name, claim.text) not in sentences:
                sentences.add((name, claim.text))
                found += [doubt.reason for doubt in named_otherwise(claim, works, draft.title)]
    print(f"names in front of citations in all {len(sentences)} sentences that cite: {len(found)} doubts")
    for reason in found:
        print(f"  {reason}")


def known(data: Path) -> Iterator[tuple[str, bool, str, str]]:
    """Kind, truth, sentence and abstract of sentences that were judged by a reader."""
    files = [data / "claims" / name for name in CLAIMS]
    for each in [*own_sentences(), *(each for file in files if file.is_file() for each in sentences_of(file))]:
        papers = list(each.papers.values())
        if len(papers) == 1:
            yield each.kind, each.truth, HANDLES.sub("", each.text), papers[0].abstract
    file = data / "claims" / "scifact_dev.jsonl"
    for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
        row = json.loads(line)
        yield "scifact", row["answer"] in (True, "true"), row["claim"], " ".join(each["text"] for each in row["source"])


def report_contradictions(data: Path) -> None:
    counts: dict[tuple[bool, str], list[int]] = {}
    for kind, truth, text, abstract in known(data):
        work = cited_work("it", "", (), abstract)
        claim = Claim(Path("main.tex"), ProseSentence(text, 1), ((("it",), text),))
        count = counts.setdefault((truth, kind), [0, 0])
        count[0] += any(True for _ in contradictions(claim, {"it": work}))
        count[1] += 1
    print("contradictions of the abstract, by kind of sentence")
    for (truth, kind), (found, of) in sorted(counts.items(), key=lambda each: (not each[0][0], each[0][1])):
        print(f"  {'true' if truth else 'false'}, {kind}: {found} of {of}")


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE} and of latex/")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks" / "selection")
    parser.add_argument("--drafts", type=Path, action="append", default=[])
    parser.add_argument("--show", action="store_true", help="print the right citations that are doubted")
    chosen = parser.parse_args()
    print("python -m benchmarks.borne_out " + " ".join(sys.argv[1:]))
    print(machine())
    seen: set[tuple[str, str]] = set()
    with open_corpus(replace(read_settings(), home=chosen.home)) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS, chosen.data / CS])
        tools, embed = Tools(corpus, lookup_in(corpus)), Embedder(corpus)
        drafts = list(mains(chosen.data, chosen.drafts))
        cases = [case for each in drafts for case in cases_of(*each, tools, embed, seen)]
        report_names(drafts, tools)
    compared = [case for case in cases if case.gain is not None]
    report("every citation of a work with an abstract", cases)
    report("those that are compared (no first person, three works at most)", compared)
    for folder in chosen.drafts:
        report(f"those in {folder.name}", [case for case in compared if (folder / case.draft).is_dir()])
    for case in cases if chosen.show else ():
        if case.right and ((case.gain or 0) >= MARGIN or case.named):
            print(f"  doubted, {case.draft}: {case.text}")
    report_contradictions(chosen.data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
