"""Papers that a plan names: arXiv ids in any form, keys of the draft's bibliography, works of the author's library."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper, library_id
from citeplug.records.plan import PlanLine


@dataclass(frozen=True, slots=True)
class Resolver:
    """`papers` are records by arXiv id without version; keys of the draft are known by its entries."""

    papers: Mapping[str, Paper]
    draft: Draft

    def resolve(self, line: PlanLine) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        """The arXiv ids of the line's known papers, in order.

        Findings: `plan_no_source` for a key of a work outside arXiv, `plan_unknown_paper` for anything else.
        """
        found: dict[str, None] = {}
        findings: list[Finding] = []
        for cite in line.cites:
            value = self._arxiv_id(cite)
            if value in self.papers:
                found[value or ""] = None
            else:
                findings.append(_no_source(cite) if value == "" else _unknown(cite))
        return tuple(found), tuple(findings)

    def papers_of(self, lines: Iterable[PlanLine]) -> list[Paper]:
        """The known papers of several lines, each once."""
        return [self.papers[value] for value in dict.fromkeys(v for line in lines for v in self.resolve(line)[0])]

    def _arxiv_id(self, cite: str) -> str | None:
        """The id that a plan line means; "" for a key without one."""
        if cite in self.papers:
            return cite
        if (own := library_id(cite).value) in self.papers:
            return own
        for entry in self.draft.entries:
            if entry.key == cite:
                return entry.arxiv_id or ""
        try:
            return ArxivId.parse(cite).value
        except ValueError:
            return None


def _no_source(cite: str) -> Finding:
    return Finding(
        "plan_no_source",
        "warning",
        f"the plan cites {cite}, which is not on arXiv: there is no abstract to write from",
        fix="write this sentence yourself, in a block with '% citeplug:keep' or outside the blocks",
    )


def _unknown(cite: str) -> Finding:
    return Finding(
        "plan_unknown_paper",
        "warning",
        f"the plan cites {cite}, which is neither a known arXiv paper nor a key of the bibliography",
        fix="correct the id in the plan line, or add the paper with 'citeplug index add'",
    )
