"""Find papers among the entries that the author's bibliography already has."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from citeplug.records.draft import BibEntry, Cite
from citeplug.records.paper import Paper
from citeplug.text.sameness import STRENGTH, Described, Register, describe_entry, describe_paper, prints


class OwnEntries:
    """The entries of a bibliography, to be asked for papers.

    Of several that are the same paper, the one that the text cites most often counts, then the one that is shown by
    the surer sign (id, DOI, title), then the first.
    """

    def __init__(self, entries: Sequence[BibEntry], cites: Iterable[Cite] = ()) -> None:
        self._times = Counter(key.lower() for cite in cites for key in cite.keys)
        self._register: Register[BibEntry] = Register()
        self._printed = [entry for entry in entries if entry.kind == "bibitem"]
        for entry in entries:
            self._register.add(describe_entry(entry), entry)

    def entry_of(self, wanted: Described, taken: Collection[str] = ()) -> BibEntry | None:
        """The entry of a paper; none whose key is `taken`."""
        same = list(self._register.same(wanted)) or [("title", each) for each in self._printed if prints(each, wanted)]
        found = [(by, entry) for by, entry in same if entry.key not in taken]
        found.sort(key=lambda each: (-self._times[each[1].key.lower()], STRENGTH.index(each[0])))
        return found[0][1] if found else None


def match_existing(papers: Sequence[Paper], entries: Sequence[BibEntry], cites: Iterable[Cite] = ()) -> dict[str, str]:
    """The author's key for each paper that the entries already hold, by id; `cites` as for `OwnEntries`.

    One entry is one paper, even where two records share title, authors and DOI.
    """
    own = OwnEntries(entries, cites)
    keys: dict[str, str] = {}
    for paper in papers:
        entry = own.entry_of(describe_paper(paper), taken=keys.values())
        if entry is not None:
            keys[paper.id.value] = entry.key
    return keys
