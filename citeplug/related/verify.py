"""Verification of papers before a plan is made: a paper whose entry is refused is neither planned nor cited."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper, Shortlisted, shown_id
from citeplug.records.passage import Passage
from citeplug.related.references import References

# Keys, entries and checks of papers, beside those that there are already.
Refer = Callable[[Sequence[Paper], References], References]


@dataclass(frozen=True, slots=True)
class Verified:
    """Papers that may be cited, by arXiv id, and the references of all that were looked at, refused ones too.

    `shortlist` are those of them that retrieval chose, best first; `refused` are the arXiv ids that must not be cited.
    `passages` are those of the papers' full texts that the section may be made from too, by arXiv id.
    """

    shortlist: tuple[Shortlisted, ...]
    papers: dict[str, Paper]
    references: References
    passages: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)

    @property
    def refused(self) -> frozenset[str]:
        return self.references.not_citable()

    def findings(self) -> list[Finding]:
        """`entry_refused` for each paper that is refused."""
        refused = self.references.refused()
        return [_refusal(check.key, arxiv_id, check.message) for arxiv_id, check in refused.items()]


def verify_shortlist(ranked: Sequence[Shortlisted], wanted: int, refer: Refer) -> Verified:
    """The first `wanted` papers of the ranking that may be cited: the next takes the place of one that is refused."""
    references = References({}, (), ())
    rest = iter(ranked)
    chosen: list[Shortlisted] = []
    while batch := list(islice(rest, wanted - len(chosen))):
        references += refer([item.paper for item in batch], references)
        refused = references.not_citable()
        chosen += [item for item in batch if item.paper.id.value not in refused]
    return Verified(tuple(chosen), {item.paper.id.value: item.paper for item in chosen}, references)


def verify_planned(verified: Verified, planned: Sequence[Paper], refer: Refer) -> Verified:
    """`verified`, with those papers of the author's plans that may be cited."""
    references = verified.references
    more = [paper for paper in planned if paper.id.value not in verified.papers]
    if more:
        references += refer(more, references)
    refused = references.not_citable()
    papers = {paper.id.value: paper for paper in more if paper.id.value not in refused}
    return Verified(verified.shortlist, {**verified.papers, **papers}, references)


def _refusal(key: str, arxiv_id: str, message: str) -> Finding:
    return Finding(
        "entry_refused",
        "warning",
        f"{shown_id(arxiv_id)} ({key}) is not cited: {message}",
        fix=(
            f"look at https://arxiv.org/abs/{arxiv_id} and cite it yourself if it is right"
            if ArxivId(arxiv_id).on_arxiv
            else "correct the entry in your library's file, then run 'citeplug library add' on it again"
        ),
    )
