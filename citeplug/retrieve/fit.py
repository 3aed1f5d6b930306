"""Papers that fit a draft: a section has fewer than the breadth allows where too few do.

A fused score orders papers, but says nothing of the best ones: some of 90,000 records share words with any draft. What
tells is meaning: how near a paper is to some part of the draft or to what it cites, and whether the papers found are of
one matter, as they are where the catalogue has the draft's own.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from citeplug.ports import Vectors
from citeplug.records.paper import Candidate

# Chosen by reading 180 papers of twelve shortlists: 4 % of those above it do not belong, 40 % of all.
FIT = 0.72
NEARLY = 0.65  # enough for a paper that the draft cites, and where fewer than `FEW` fit
VOTED = 0.55  # enough for one that `LINKS` papers cite, of those found and those that the draft cites
OTHERS = 0.3  # weight of the mean cosine to the papers found
FOUND = 30  # first papers found
LINKS = 3
FEW, FEWEST = 5, 3  # papers of a section; the nearest three are discussed if nothing fits


class Fit:
    """How well candidates fit: `found` are all of them, best first, with `vectors`, of unit length (d,), by id.

    `cited` are the ids of papers that the draft cites. Of a candidate without a vector nothing is known: it fits.
    """

    def __init__(self, found: Sequence[Candidate], vectors: Mapping[str, Vectors], cited: Collection[str] = ()) -> None:
        self._vectors, self._cited = vectors, cited
        first = [vectors[c.paper.id.value] for c in found[:FOUND] if c.paper.id.value in vectors]
        self._middle = np.mean(np.stack(first), axis=0, dtype=np.float64) if first else None

    def fits(self, candidate: Candidate) -> bool:
        """Return True if a section may discuss the paper."""
        links = candidate.links
        votes = 0 if links is None else len(links.cited_by_own) + len(links.cited_by_found)
        enough = NEARLY if candidate.paper.id.value in self._cited else FIT
        return self._score(candidate) >= (VOTED if votes >= LINKS else enough)

    def among(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return those that fit, in their order; where these are few the nearest of the others too."""
        kept = [row for row, each in enumerate(candidates) if self.fits(each)]
        scores = [self._score(each) for each in candidates]
        nearest = sorted(range(len(candidates)), key=lambda row: (-scores[row], row))
        for enough, least in ((FEW, NEARLY), (FEWEST, -np.inf)):
            more = [row for row in nearest if row not in kept and scores[row] >= least]
            kept += more[: max(0, enough - len(kept))]
        return [each for row, each in enumerate(candidates) if row in kept]

    def _score(self, candidate: Candidate) -> float:
        vector = self._vectors.get(candidate.paper.id.value)
        if vector is None or self._middle is None:
            return np.inf
        # Rounded, so that the last bits of a product decide nothing.
        return round(candidate.nearest + OTHERS * float(vector @ self._middle), 6)
