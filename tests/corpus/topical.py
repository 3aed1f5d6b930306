"""Papers of a few subjects, each with words of its own, for tests of topics."""

import random

from citeplug.records.paper import Paper
from tests.corpus.records import make_paper

SUBJECTS = {
    "cs.LG": "neural network gradient training layer backpropagation neuron convolution".split(),
    "hep-th": "boson gauge symmetry quark lattice gluon supersymmetry hadron".split(),
    "cs.CR": "cipher encryption attacker protocol signature password adversary malware".split(),
    "astro-ph.CO": "galaxy redshift cosmic halo telescope supernova dark luminosity".split(),
}


def make_papers(each: int = 40, first: int = 0) -> list[Paper]:
    """`each` papers of every subject, always the same; ids count from `first`."""
    papers = []
    for number in range(first, first + each):
        for place, (category, words) in enumerate(SUBJECTS.items()):
            drawn = random.Random(f"{category} {number}")
            said = " ".join(f"We study {' '.join(drawn.choices(words, k=4))}." for _ in range(4))
            papers.append(
                make_paper(
                    f"18{place + 1:02d}.{number:05d}",
                    title=f"On {' '.join(drawn.sample(words, 3))}",
                    abstract=said,
                    categories=(category,),
                )
            )
    return papers
