"""Whether a use of a work that is unlike all citation contexts of it is a wrong one.

    python -m benchmarks.citation_contexts [--data ../shared/data] [--scisumm DIR]

A right use is a citation context of the work, compared with the others of it; a wrong one a context of another work in
the same paper. Two sources, each by itself:

- the LaTeX projects of the development data: contexts of one paper, its works with four contexts or more;
- CL-SciSumm (https://github.com/WING-NUS/scisumm-corpus), its folder `data/Training-Set-2018`: contexts of a work in
  other papers than the one that uses it, which is what a draft has. Wrong uses are the sentences of the same papers
  that cite others. People and years are taken out of them, as citations are in citeplug's contexts.

Uses with few words that carry content are left out, as citeplug leaves them. Printed is how often a right use is above
a wrong one, and, for thresholds, the share of right uses below, noted without a cause, and of wrong ones below,
which are caught: by the cosine of the nearest context of three, five or eight (drawn at random), and of these and
the sentences of the work's abstract, which is what citeplug does.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.gold import DATA, machine
from citeplug.audit.citation_contexts import FEWEST, TELLING, UNLIKE
from citeplug.audit.cited_claims import telling
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.latex.full_text import read_full_text
from citeplug.latex.project import find_root
from citeplug.protocols import Vectors

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
NUMBERS = (3, 5, 8)  # of contexts
_ANNOTATED = re.compile(r"Citing Article:\s*(\S+?)\.\w+ \|.*?Citation Text:\s*(.*?)\s*\| Reference Offset")
_SENTENCE = re.compile(r"<S [^>]*>(.*?)</S>", re.DOTALL)
_PEOPLE = r"[A-Z][\w'’-]+(?:,? (?:et al\.?|and [A-Z][\w'’-]+|& [A-Z][\w'’-]+))?"
_CITED = re.compile(rf"\([^()]*\b(?:19|20)\d\d[a-z]?[^()]*\)|{_PEOPLE},? \(?(?:19|20)\d\d[a-z]?\)?")

# The contexts of a work with which a use is compared, sentences of its abstract, the use, and whether it is right.
Case = tuple[tuple[str, ...], tuple[str, ...], str, bool]


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of latex/ and latex_manifest.json")
    parser.add_argument("--scisumm", type=Path, help="Training-Set-2018 of CL-SciSumm")
    chosen = parser.parse_args()
    print("python -m benchmarks.citation_contexts " + " ".join(sys.argv[1:]))
    print(machine())
    embed = open_embedder(None).embed
    _report("LaTeX projects, contexts of the same paper", list(_projects(chosen.data)), embed)
    if chosen.scisumm is not None:
        _report("CL-SciSumm, contexts of other papers", list(_scisumm(chosen.scisumm)), embed)
    return 0


def _projects(data: Path) -> Iterator[Case]:
    for row in json.loads((data / "latex_manifest.json").read_text("utf-8")):
        file = data / "latex" / row["folder"] / row["main"]
        if row["kind"] != "paper" or not file.exists():
            continue
        by_work: dict[str, dict[str, None]] = defaultdict(dict)
        for mention in read_full_text(find_root(file)).mentions:
            for key in mention.keys:
                by_work[key][mention.sentence] = None
        for work, contexts in by_work.items():
            if len(contexts) <= FEWEST:
                continue
            for context in contexts:
                yield tuple(other for other in contexts if other != context), (), context, True
            others = {text for key, texts in by_work.items() if key != work for text in texts}
            for text in sorted(others - contexts.keys()):
                yield tuple(contexts), (), text, False


def _scisumm(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.glob("*/annotation/*.ann.txt")):
        by_paper: dict[str, dict[str, None]] = defaultdict(dict)
        annotations = file.read_text("utf-8", "replace")
        names = set(re.findall(r"Citation Marker:\s+\W*([A-Z][a-z]\w+)", annotations))  # the work's first author
        works = "".join(found.read_text("utf-8", "replace") for found in file.parent.parent.glob("Reference_XML/*.xml"))
        abstract = tuple(_SENTENCE.findall(works.partition("<ABSTRACT>")[2].partition("</ABSTRACT>")[0]))
        for paper, sentences in _ANNOTATED.findall(annotations):
            text = " ".join(_SENTENCE.findall(sentences)) or sentences
            by_paper[paper][_masked(text)] = None
        for paper, uses in by_paper.items():
            known = tuple(text for other, texts in by_paper.items() if other != paper for text in texts)
            source = file.parent.parent / "Citance_XML" / f"{paper}.xml"
            if len(known) < FEWEST or not source.exists():
                continue
            yield from ((known, abstract, use, True) for use in uses)
            for text in _SENTENCE.findall(source.read_text("utf-8", "replace")):
                if _CITED.search(text) and not any(name in text for name in names):
                    yield known, abstract, _masked(text), False


def _masked(text: str) -> str:
    return " ".join(_CITED.sub("[*]", text).split())[:300]


def _report(name: str, cases: list[Case], embed: Callable[[list[str]], Vectors]) -> None:
    cases = [case for case in cases if len(telling(case[2])) >= TELLING]
    texts = list(dict.fromkeys(text for known, abstract, use, _ in cases for text in (*known, *abstract, use)))
    vectors = dict(zip(texts, np.asarray(embed(texts), np.float32), strict=True))
    print(f"\n{name}: {len({known for known, *_ in cases})} sets of contexts")
    draw = np.random.default_rng(0)
    for number in NUMBERS:
        right: list[tuple[float, float]] = []
        wrong: list[tuple[float, float]] = []
        for known, abstract, use, is_right in cases:
            if len(known) < number:
                continue
            drawn = [known[row] for row in draw.choice(len(known), number, replace=False)]
            nearest = max(float(vectors[text] @ vectors[use]) for text in drawn)
            with_abstract = max([nearest, *(float(vectors[text] @ vectors[use]) for text in abstract)])
            (right if is_right else wrong).append((nearest, with_abstract))
        for column, what in enumerate((f"{number} contexts", f"{number} contexts and the abstract")):
            if not right or not wrong or (column and not any(abstract for _, abstract, *_ in cases)):
                continue
            rights, wrongs = np.array(right)[:, column], np.array(wrong)[:, column]
            above = (rights[:, None] > wrongs).mean()
            print(f"{what}: a right use ({len(rights)}) is above a wrong one ({len(wrongs)}) in {above:.1%}")
            for threshold in THRESHOLDS:
                below = (
                    f"{(rights < threshold).mean():.1%} of the right, {(wrongs < threshold).mean():.1%} of the wrong"
                )
                print(f"  below {threshold:.2f}: {below}{'  <- in use' if threshold == UNLIKE else ''}")


if __name__ == "__main__":
    raise SystemExit(main())
