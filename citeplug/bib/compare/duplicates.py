"""The same paper twice: under two keys of a bibliography, or found anew though the bibliography has it already."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from citeplug.bib.compare.evidence import is_published
from citeplug.records.draft import BibEntry, Cite
from citeplug.records.finding import Finding, Severity
from citeplug.records.paper import Paper, library_id
from citeplug.text.compare import compare_titles, entry_doi
from citeplug.text.sameness import STRENGTH, By, Described, Register, describe_entry, describe_paper, prints

_NAMES: Mapping[By, str] = {"arxiv": "arXiv id", "doi": "DOI", "title": "title and authors"}
# How well an entry agrees with its record.
RIGHT, DOUBTED, UNKNOWN = 0, 1, 2


def find_duplicates(
    entries: Sequence[BibEntry], cited: Collection[str] = (), agreement: Mapping[int, int] | None = None
) -> dict[int, Finding]:
    """A finding for each entry, by its place in `entries`, in whose stead another one with another key should be cited.

    That one agrees best with its record, is the published one, or is the one that the text cites: in this order, else
    the first. `cited` are keys in small letters; `agreement` is `RIGHT`, `DOUBTED` or, if not given, `UNKNOWN`, by
    place. Nothing is ever joined.
    """
    known = agreement or {}
    described = [describe_entry(entry) for entry in entries]
    findings: dict[int, Finding] = {}
    for group in _groups(entries, described, known):
        rank = {
            n: (known.get(n, UNKNOWN), not is_published(entries[n]), entries[n].key.lower() not in cited) for n in group
        }
        best = min(sorted(group), key=rank.__getitem__)
        survivor = next((n for n in sorted(group) if entries[n].key.lower() in cited), best)
        survivor = best if entries[best].key.lower() in cited else survivor
        for number in group.keys() - {best}:
            why = _why(rank[best], rank[number])
            findings[number] = _duplicate(entries[number], entries[best], entries[survivor], _NAMES[group[number]], why)
    for first, second, name in _sharing(entries, known):
        findings.setdefault(second, _shared(entries[first], entries[second], name))
    return findings


def _groups(
    entries: Sequence[BibEntry], described: Sequence[Described], known: Mapping[int, int]
) -> list[dict[int, By]]:
    """The places of entries of one paper, with what shows it; a key that is defined twice is another finding."""
    register: Register[int] = Register()
    group_of: dict[int, dict[int, By]] = {}
    groups: list[dict[int, By]] = []
    added: set[tuple[str, Described]] = set()
    for number, entry in enumerate(entries):
        for by, earlier in register.same(described[number]):
            other = entries[earlier]
            if other.key.lower() == entry.key.lower() or (by != "title" and _apart(entries, earlier, number, known)):
                continue
            if earlier not in group_of:
                groups.append({earlier: by})
                group_of[earlier] = groups[-1]
            group_of[earlier][number] = by
            group_of[number] = group_of[earlier]
            break
        # What is found by the first of equal entries under one key is not compared with all others of them too.
        alike = entry.key.lower(), described[number]
        if alike not in added:
            added.add(alike)
            register.add(described[number], number)
    return groups


def _apart(entries: Sequence[BibEntry], first: int, second: int, known: Mapping[int, int]) -> bool:
    """True if two entries with one id or DOI have titles that do not belong together, and no record tells more."""
    titles = entries[first].fields.get("title", ""), entries[second].fields.get("title", "")
    if not all(titles) or compare_titles(*titles, same_authors=True) != "other":
        return False
    compared = max(known.get(first, UNKNOWN), known.get(second, UNKNOWN)) < UNKNOWN
    return not (compared and entries[first].arxiv_id == entries[second].arxiv_id)


def _sharing(entries: Sequence[BibEntry], known: Mapping[int, int]) -> list[tuple[int, int, str]]:
    """Pairs of entries that have one id or DOI under two titles, each with the first that has it."""
    pairs = []
    for name, value_of in (("arXiv id", lambda entry: entry.arxiv_id), ("DOI", entry_doi)):
        first: dict[str, int] = {}
        for number, entry in enumerate(entries):
            value = value_of(entry)
            if value and first.setdefault(value, number) != number:
                earlier = first[value]
                if entries[earlier].key.lower() != entry.key.lower() and _apart(entries, earlier, number, known):
                    pairs.append((earlier, number, name))
    return pairs


def _why(best: tuple[int, bool, bool], other: tuple[int, bool, bool]) -> str:
    if best[0] < other[0]:
        return "agrees better with the record"
    return "is the published one" if best[1] < other[1] else ""


def _duplicate(entry: BibEntry, best: BibEntry, survivor: BibEntry, by: str, why: str) -> Finding:
    """`survivor` has the key that is to stay: that of `best`, unless the text cites another one alone."""
    message = f"{entry.key} is the same paper as {best.key}, by its {by}"
    message += f", which {why}" if why else ""
    fix = f"cite {survivor.key} instead, and remove {entry.key}"
    instead = survivor.key
    if survivor is entry:
        fix, instead = f"give it the fields of {best.key}, and remove that one: the text cites {entry.key}", best.key
    return Finding("duplicate_entry", "warning", message, entry.span.file, entry.span.line, None, fix, instead)


def _shared(first: BibEntry, second: BibEntry, by: str) -> Finding:
    message = f"{second.key} has the {by} of {first.key} but a different title: check which of the two it belongs to"
    # Chapters may carry the DOI of their book.
    severity: Severity = "warning" if by == "arXiv id" else "info"
    fix = f"look up the {by}, and correct the other"
    return Finding("shared_id", severity, message, second.span.file, second.span.line, None, fix)


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
        same = list(self._register.same(wanted)) or [
            ("title", entry) for entry in self._printed if prints(entry, wanted)
        ]
        matches = [(by, entry) for by, entry in same if entry.key not in taken]
        matches.sort(key=lambda match: (-self._times[match[1].key.lower()], STRENGTH.index(match[0])))
        return matches[0][1] if matches else None


def match_existing(papers: Sequence[Paper], entries: Sequence[BibEntry], cites: Iterable[Cite] = ()) -> dict[str, str]:
    """The author's key for each paper that the entries already hold, by id; `cites` as for `OwnEntries`.

    One entry is one paper, even where two records share title, authors and DOI.
    """
    own = OwnEntries(entries, cites)
    # What the draft alone knows of is known by its key.
    of_draft = {paper.id.value for paper in papers if paper.abstract_kind == "draft"}
    named = {value: entry for entry in reversed(entries) if (value := library_id(entry.key).value) in of_draft}
    keys: dict[str, str] = {}
    for paper in papers:
        entry = named.get(paper.id.value) or own.entry_of(describe_paper(paper), taken=keys.values())
        if entry is not None:
            keys[paper.id.value] = entry.key
    return keys
