"""Two versions of a file of entries made one: each entry once, and every word that a person wrote in either."""

from collections.abc import Sequence

from citeplug.bibtex.entries import parse_bib
from citeplug.text.three_way_merge import Pieces, merge_pieces, merge_sequences


def reunite_entries(
    base: str, ours: str, theirs: str, *, ours_free: frozenset[str], theirs_free: frozenset[str]
) -> str:
    """Merge `ours` and `theirs`, which both come from `base`, entry by entry.

    The free entries, given by their keys, are as they were generated, and give way to a version that somebody changed;
    where one side took such an entry out it stays as long as the other has it, since that one may cite it. A line of
    an entry that both changed stays as it is in ours, and theirs comes in front of the entry, outside of it.
    """
    newline = "\r\n" if ours.count("\r\n") * 2 > ours.count("\n") else "\n"
    base, theirs = (text.replace("\r\n", "\n").replace("\n", newline) for text in (base, theirs))
    old, one, other = _cut(base), _cut(ours), _cut(theirs)
    lasting = {name for name in old.names if name in one.raws and name in other.raws}
    old = Pieces(tuple(lasting), old.leads, {name: old.raws[name] for name in lasting}, old.tail)
    return merge_pieces(old, one, other, ours_free=ours_free, theirs_free=theirs_free, meet=_meet)


def _cut(text: str) -> Pieces:
    return Pieces.cut(text, [(entry.key, entry.span.start, entry.span.end) for entry in parse_bib(text)])


def _meet(base: str, ours: str, theirs: str) -> str:
    aside: list[str] = []

    def put_aside(lines: Sequence[str]) -> Sequence[str]:
        aside.extend(lines)
        return ()

    cut = [text.splitlines(keepends=True) for text in (base, ours, theirs)]
    merged = "".join(merge_sequences(cut[0], cut[1], cut[2], lambda line: line.strip(), put_aside))
    if len(parse_bib(merged)) != 1:
        # Lines that do not fit together: ours as it is, and all of theirs in front of it.
        merged, aside = ours, cut[2]
    # Outside an entry BibTeX reads nothing but an @.
    notes = "".join(f"% citeplug:note both changed: {line.strip().replace('@', '(at)')}\n" for line in aside)
    return notes + merged
