"""The step from the candidates to the longlist, and the papers that do not fit the draft set apart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from citeplug.protocols import Vectors
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Candidate
from citeplug.related.retrieve.fit import Fit
from citeplug.related.retrieve.longlist import select_longlist


@dataclass(frozen=True, slots=True)
class Longlist:
    """Candidates by relevance and spread: `papers` that fit the draft, and `others`; `spare` were not longlisted.

    `wanted` of the papers are to be discussed; the others that fit stand in for those that may not be cited. `fitting`
    has the log-odds of `Fit` of all candidates that fit, by id, longlisted or not, and of no others.
    """

    papers: list[Candidate]
    wanted: int
    others: list[Candidate]
    spare: list[Candidate]
    fitting: Mapping[str, float] = field(default_factory=dict)


def make_longlist(
    found: Sequence[Candidate],
    vectors: Mapping[str, Vectors],
    words: Mapping[str, float],
    options: Options,
    cited: Collection[str] = (),
    own: Mapping[str, float] = MappingProxyType({}),
) -> Longlist:
    """The candidates by relevance and spread (Eq. 1), those that fit first; `words`, `cited`, `own` are as in `Fit`.

    As published every candidate is taken to fit, and what the draft cites is not preferred.
    """
    all_fit = options.as_published
    fit = Fit(found, vectors, words, cited, own)
    certain = () if all_fit else {c.paper.id.value for c in found if c.paper.id.value in cited and fit.fits(c)}
    chosen = select_longlist(
        found, vectors, options.breadth, options.diversity, cited=certain, as_published=options.as_published
    )
    papers = chosen if all_fit else fit.among(chosen, options.breadth)
    used, taken = ({each.paper.id.value for each in some} for some in (papers, chosen))
    others = [each for each in chosen if each.paper.id.value not in used]
    spare = [each for each in found if each.paper.id.value not in taken]
    fitting = {each.paper.id.value: fit.score(each) for each in found if all_fit or fit.fits(each)}
    return Longlist(papers, min(options.breadth, len(papers)), others, spare, fitting)


def left_out(found: int, wanted: int, breadth: int) -> list[Finding]:
    """A finding where fewer of the `found` papers are discussed than the breadth allows: `papers_left_out`."""
    most = min(breadth, found)
    if wanted >= most:
        return []
    message = (
        f"{wanted} paper{'s' * (wanted > 1)} instead of {most}: the others that were found fit the draft too little"
    )
    fix = "'citeplug papers' lists them: give --pin for one that you want"
    return [Finding("papers_left_out", "info", message, fix=fix)]
