"""Two public benchmarks of invented citations, HALLMARK and CiteAudit, decided by `citeplug check`.

    python -m benchmarks.hallmark --repository DIR [--citeaudit DIR] [--home DIR] [--replies DIR [--online]]
    make bench-hallmark FETCH=1

DIR is a clone, bare or not; with --fetch the two repositories are cloned below --home. Nothing of them is kept in this
one. HALLMARK's entries are given as BibTeX, CiteAudit's citations as lines of a text. An entry whose check has a
warning or an error counts as detected, a verified one as valid, whatever its syntax; all others are undecided, with the
reason. By
default nothing is sent, and the catalogue decides what it can: "not checkable offline" is no guess.

With --online arXiv and --sources are asked, and every reply is kept in --replies; with --replies alone that run is
repeated from what is kept there, and nothing is sent.

CiteAudit's repository has no licence: look at its terms before you pass on what you fetch.
"""

import argparse
import json
import sqlite3
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.gold import DATA, SAMPLE, machine
from citeplug.bib.check import check_bibliography
from citeplug.corpus.stores import open_corpus
from citeplug.errors import SourceUnavailable
from citeplug.records.report import BibReport, EntryReport
from citeplug.settings.environment import Settings, read_settings
from citeplug.sources.http import HttpClient

HALLMARK, CITEAUDIT = "rpatrik96/hallmark", "shiiiikw/CiteAudit"
SPLITS = ("test_public", "gptzero_neurips2025")
RESULTS = "data/v1.0/baseline_results"
SOURCES = ("crossref", "openalex", "dblp")
_CAUGHT = ("differs", "not_found", "possibly_withdrawn")


@dataclass(frozen=True)
class Item:
    """An entry of a benchmark: the text that is checked, whether it is invented or corrupt, and in which way."""

    text: str
    wrong: bool
    kind: str


def git(repository: Path, *arguments: str) -> str:
    """Raises CalledProcessError, with git's words on stderr."""
    done = subprocess.run(["git", "-C", str(repository), *arguments], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8", "replace")


def cloned(name: str, home: Path) -> Path:
    place = home / name.replace("/", "-")
    if not place.exists():
        address = f"https://github.com/{name}.git"
        subprocess.run(["git", "clone", "--bare", "--depth", "1", address, str(place)], check=True)
    return place


def hallmark_items(repository: Path, split: str) -> list[Item]:
    lines = git(repository, "show", f"HEAD:data/v1.0/{split}.jsonl").splitlines()
    items = []
    for number, record in enumerate(map(json.loads, filter(str.strip, lines))):
        fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in record["fields"].items())
        text = f"@{record['bibtex_type']}{{e{number},\n{fields}\n}}\n"
        items.append(Item(text, record["label"] == "HALLUCINATED", record.get("hallucination_type") or "valid"))
    return items


def citeaudit_items(repository: Path) -> tuple[list[Item], Counter[tuple[bool, bool]]]:
    """The citations, and how often their authors' system said (is real, was taken for real)."""
    records = json.loads(git(repository, "show", "HEAD:data/benchmark.json"))["data"]
    items = [Item(" ".join(each["citation"].split()), not each["GT"], each["source_type"]) for each in records]
    return items, Counter((each["GT"], each["Predict"]) for each in records)


def outcome(entry: EntryReport) -> str:
    check = entry.check
    if check.verdict in _CAUGHT and check.severity in ("warning", "error"):
        return "detected"
    if check.verdict == "verified":
        return "valid"
    if check.verdict == "not_arxiv":
        return "no source asked has it, and it does not claim to be on arXiv"
    return "the catalogue does not hold it" if "catalogue" in check.message else check.message.partition(":")[0]


def checked(items: Sequence[Item], suffix: str, chosen: Settings, sources: Sequence[Any]) -> BibReport:
    """Our `check` of the items as one file."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / f"entries{suffix}"
        head = "References\n" if suffix == ".txt" else ""
        file.write_text(head + "\n".join(item.text for item in items), "utf-8")
        return check_bibliography([file], chosen, report=lambda *_: None, sources=sources, today=date.today())


def by_number(report: BibReport, suffix: str) -> Mapping[int, EntryReport]:
    """The entries' reports by the number of their item."""
    entries = [entry for entry in report.entries if entry.entry is not None]
    if suffix == ".txt":
        return {entry.line - 2: entry for entry in entries}
    return {int(entry.key[1:]): entry for entry in entries if entry.key[1:].isdigit()}


def rows(items: Sequence[Item], reports: Mapping[int, EntryReport]) -> Iterator[str]:
    outcomes = [outcome(reports[at]) if at in reports else "not read" for at in range(len(items))]
    wrong = [said for item, said in zip(items, outcomes, strict=True) if item.wrong]
    right = [said for item, said in zip(items, outcomes, strict=True) if not item.wrong]
    undecided = Counter(said for said in outcomes if said not in ("detected", "valid"))
    if wrong:
        yield f"  detected {wrong.count('detected')} of {len(wrong)} ({wrong.count('detected') / len(wrong):.3f})"
    if right:
        yield f"  false alarms {right.count('detected')} of {len(right)} ({right.count('detected') / len(right):.3f})"
    decided = [(item.wrong, said) for item, said in zip(items, outcomes, strict=True) if said in ("detected", "valid")]
    caught = sum(is_wrong for is_wrong, said in decided if said == "detected")
    yield f"  decided {len(decided)}: {caught} of {sum(w for w, _ in decided)} wrong ones detected, " + (
        f"{sum(not w and s == 'detected' for w, s in decided)} of {sum(not w for w, _ in decided)} right ones accused"
    )
    yield f"  undecided {undecided.total()}"
    yield from (f"    {count:5} {reason}" for reason, count in undecided.most_common(6))
    kinds: dict[str, Counter[str]] = {}
    for item, said in zip(items, outcomes, strict=True):
        kinds.setdefault(item.kind, Counter())[said if said in ("detected", "valid") else "undecided"] += 1
    yield "  | kind | detected | valid | undecided |\n  |---|---|---|---|"
    for kind, counts in sorted(kinds.items()):
        yield f"  | {kind} | {counts['detected']} | {counts['valid']} | {counts['undecided']} |"


def published(repository: Path, split: str) -> Iterator[str]:
    """What the repository reports of other systems."""
    names = git(repository, "ls-tree", "--name-only", "HEAD", f"{RESULTS}/").splitlines()
    for name in names:
        if name.endswith(f"_{split}.json"):
            said = json.loads(git(repository, "show", f"HEAD:{name}"))
            alarms = said.get("false_positive_rate")
            yield (
                f"  | {Path(name).stem.removesuffix('_' + split)} | {said['detection_rate']:.3f} |"
                f" {'' if alarms is None else f'{alarms:.3f}'} | {said.get('num_uncertain') or 0} |"
            )


def keep_for_ever(folder: Path) -> None:
    """Replies that are recorded hold for ever: the run can be repeated."""
    for file in folder.glob("*.sqlite3"):
        with closing(sqlite3.connect(file)) as database, database:
            if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'reply'").fetchone():
                database.execute("UPDATE reply SET lasts = -1")


def send_nothing() -> None:
    def refuse(*_: object) -> None:
        raise SourceUnavailable("this reply was not recorded", "run with --online once")

    HttpClient.get = refuse  # type: ignore[assignment, method-assign]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", type=Path, help="a clone of HALLMARK")
    parser.add_argument("--citeaudit", type=Path, help="a clone of CiteAudit")
    parser.add_argument("--fetch", action="store_true", help="clone what is not on this machine")
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE}")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks" / "graph")
    parser.add_argument("--replies", type=Path, help="where replies are recorded, or repeated from")
    parser.add_argument("--online", action="store_true", help="ask arXiv and --sources, and record their replies")
    parser.add_argument("--sources", nargs="*", default=SOURCES)
    asked = parser.parse_args()
    clones = asked.home.parent / "clones"
    hallmark = asked.repository or (cloned(HALLMARK, clones) if asked.fetch else None)
    citeaudit = asked.citeaudit or (cloned(CITEAUDIT, clones) if asked.fetch else None)
    if hallmark is None and citeaudit is None:
        print("skipped: neither repository is here; name a clone with --repository, or let --fetch clone them")
        return
    chosen = replace(read_settings(), home=asked.replies or asked.home, offline=not (asked.online or asked.replies))
    if asked.replies and not asked.online:
        send_nothing()
    with open_corpus(chosen) as corpus:
        if corpus.is_empty() and (asked.data / SAMPLE).is_file():
            corpus.add([asked.data / SAMPLE])
        print(f"{machine()}\n{corpus.records:,} records, {'offline' if chosen.offline else 'with services'}")
    services = () if chosen.offline else asked.sources
    if hallmark is not None:
        print(f"\nHALLMARK at commit {git(hallmark, 'rev-parse', 'HEAD').strip()}")
        for split in SPLITS:
            items = hallmark_items(hallmark, split)
            print(f"\n{split}: {len(items)} entries")
            print(*rows(items, by_number(checked(items, ".bib", chosen, services), ".bib")), sep="\n")
            others = list(published(hallmark, split))
            if others:
                print("  published there:\n  | system | detection | false alarms | undecided |\n  |---|---|---|---|")
                print(*others, sep="\n")
    if citeaudit is not None:
        print(f"\nCiteAudit at commit {git(citeaudit, 'rev-parse', 'HEAD').strip()}")
        items, theirs = citeaudit_items(citeaudit)
        print(f"{len(items)} citations")
        print(*rows(items, by_number(checked(items, ".txt", chosen, services), ".txt")), sep="\n")
        caught, accused = theirs[False, False], theirs[True, False]
        print(f"  published there: detection {caught / (caught + theirs[False, True]):.3f},", end=" ")
        print(f"false alarms {accused / (accused + theirs[True, True]):.3f}, none undecided")
    if asked.online and asked.replies:
        keep_for_ever(asked.replies)


if __name__ == "__main__":
    main()
