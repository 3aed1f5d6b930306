"""Error modes of rankings that a model writes as a permutation (LitLLM, Table 2)."""

from collections.abc import Collection, Mapping, Sequence

COMPLETE, INCOMPLETE, REPEATED, UNKNOWN = (
    "complete ranked list",
    "incomplete list",
    "repeated value",
    "unknown value",
)


def permutation_errors(
    ranking: Sequence[str], candidates: Collection[str], *, as_published: bool = False
) -> Mapping[str, float]:
    """Return 1 or 0 for each mode of one ranking of `candidates`; the mean over rankings is the share of lists.

    A list may have several faults here. Table 2 gives each list one class, so that its shares add up to 100 %, and has
    none for values that are no candidate: with `as_published` a list that is shorter than the candidates is incomplete,
    and one of full length with a value twice is "repeated" (the paper does not say which class goes before; a list with
    an unknown value counts as incomplete, since a candidate is missing from it).
    """
    given = set(ranking)
    short, twice = bool(set(candidates) - given), len(given) < len(ranking)
    unknown = bool(given - set(candidates))
    if as_published:
        twice = twice and len(ranking) >= len(set(candidates))
        short = short and not twice
        return {COMPLETE: float(not (short or twice)), INCOMPLETE: float(short), REPEATED: float(twice)}
    complete = not (short or twice or unknown)
    modes = {COMPLETE: complete, INCOMPLETE: short, REPEATED: twice, UNKNOWN: unknown}
    return {name: float(value) for name, value in modes.items()}
