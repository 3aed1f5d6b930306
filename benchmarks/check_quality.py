"""How many wrong entries `citeplug check` catches and how many right ones it accuses, beside other checkers.

    python -m benchmarks.check_quality [--data ../shared/data] [--n 1000] [--seed S] [--home DIR] [--speed]

Entries are made from the sample's records by `entry_styles`, `entry_corruptions` and `entry_variants`: n right ones, n
wrong ones of seventeen kinds, each wrong in one way, and n right ones that are unlike their record all the same.
Everybody has the same records. Caught, or accused: the verdict is `differs` or `not_found`; at error: with that
severity, which is all that the right ones unlike their record are measured by. Exit 1 unless citeplug catches 98 % of
the wrong, accuses at most 1 % of the right, and none of the 2n right ones at error. --speed measures 5,000 entries, and
the reading of a .bib of 4 MB, on top. The catalogue is kept under --home (default: `benchmarks` in CITEPLUG_HOME).
"""

import argparse
import gzip
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks.entry_corruptions import CORRUPTIONS
from benchmarks.entry_styles import Draft, write
from benchmarks.entry_variants import VARIANTS
from benchmarks.peer_checkers import Flags, Peer, exact_title, refaudit, refchecker
from citeplug.bib.compare.check_entries import check_entries
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.index import Corpus
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import settings
from citeplug.records.entry_check import EntryCheck
from citeplug.records.paper import Paper
from citeplug.sources.snapshot import paper_from_record

AT_ERROR = "its errors"
SAMPLE = "arxiv_sample.jsonl.gz"
CATCH, ACCUSE = 0.98, 0.01
TODAY = date(2026, 1, 1)
ENTRIES, SECONDS = 5000, 20.0
PARSE_BYTES, PARSE_SECONDS = 4_000_000, 3.0
_OTHERS = 30  # other papers that a corruption may borrow from


@dataclass(frozen=True, slots=True)
class Case:
    """An entry, in which style it is written, and how it is wrong, or right and yet unlike its record (both None: it is
    right and like it)."""

    key: str
    text: str
    kind: str | None
    style: str
    variant: str | None = None

    @property
    def plain(self) -> bool:
        return self.kind is None and self.variant is None


def make_cases(papers: Sequence[Paper], count: int, seed: int) -> list[Case]:
    """`count` right entries and `count` wrong ones, the kinds in equal shares; the same for the same seed."""
    rng = random.Random(seed)
    usable = [paper for paper in papers if paper.complete]
    cases: list[Case] = []
    while len(cases) < count:
        right = write(rng.choice(usable), rng)
        key = f"right{len(cases)}"
        if len(parse_bib(right.text(key))) == 1:  # some titles have a brace too many
            cases.append(Case(key, right.text(key), None, right.style))
    kinds = list(CORRUPTIONS)
    while len(cases) < 2 * count:
        kind = kinds[len(cases) % len(kinds)]
        draft: Draft | None = None
        while draft is None or len(parse_bib(draft.text("key"))) != 1:
            record, *others = rng.sample(usable, _OTHERS + 1)
            draft = CORRUPTIONS[kind](record, others, rng)
        key = f"wrong{len(cases)}"
        cases.append(Case(key, draft.text(key), kind, draft.style))
    return cases


def make_variants(papers: Sequence[Paper], count: int, seed: int) -> list[Case]:
    """`count` right entries that are unlike their record, the kinds in equal shares; the same for the same seed."""
    rng = random.Random(f"variants {seed}")
    usable = [paper for paper in papers if paper.complete]
    nobodys = [paper for paper in papers if paper.title and not paper.authors]
    kinds = [kind for kind in VARIANTS if nobodys or kind != "record without authors"]
    cases: list[Case] = []
    while len(cases) < count:
        kind = kinds[len(cases) % len(kinds)]
        key, draft = f"unlike{len(cases)}", None
        while draft is None or len(parse_bib(draft.text(key))) != 1:
            record, *others = rng.sample(usable, _OTHERS + 1)
            draft = VARIANTS[kind](rng.choice(nobodys) if kind == "record without authors" else record, others, rng)
        cases.append(Case(key, draft.text(key), None, draft.style, kind))
    return cases


def accused(check: EntryCheck) -> bool:
    """Whether the check takes the entry for wrong."""
    return check.verdict in ("differs", "not_found")


def accused_at_error(check: EntryCheck) -> bool:
    """Whether the check says that the entry is another paper, or nobody's."""
    return accused(check) and check.severity == "error"


def citeplug(corpus: Corpus, takes_for_wrong: Callable[[EntryCheck], bool] = accused) -> Peer:
    """citeplug itself, offline, with the sample declared complete."""

    def flags(bib: str) -> Flags:
        lookup = Lookup(corpus, None, lambda _: True)
        return {check.key: takes_for_wrong(check) for check in check_entries(parse_bib(bib), lookup, today=TODAY)}

    return flags


def report(cases: Sequence[Case], flags: Mapping[str, Flags]) -> dict[str, tuple[float, float]]:
    """Print caught, missed and false alarms by kind; the shares caught and accused by checker."""
    names = list(flags)
    print(f"\n{'':34}" + "".join(f"{name:>16}" for name in names))
    for kind in CORRUPTIONS:
        part = [case for case in cases if case.kind == kind]
        print(f"{kind:34}" + "".join(_caught(part, flags[name]) for name in names))
    wrong = [case for case in cases if case.kind is not None]
    right = [case for case in cases if case.plain]
    print(f"{'wrong entries caught':34}" + "".join(_caught(wrong, flags[name]) for name in names))
    print(f"{'right entries accused':34}" + "".join(_caught(right, flags[name]) for name in names))
    print("\nright entries unlike their record, accused")
    for variant in VARIANTS:
        part = [case for case in cases if case.variant == variant]
        print(f"{variant:34}" + "".join(_caught(part, flags[name]) for name in names))
    styles = Counter(case.style for case in right)
    print("\nright entries accused, by style")
    for style in styles:
        part = [case for case in right if case.style == style]
        print(f"{style:34}" + "".join(_caught(part, flags[name]) for name in names))
    return {
        name: (
            sum(flags[name].get(case.key, False) for case in wrong) / len(wrong),
            sum(flags[name].get(case.key, False) for case in right) / len(right),
        )
        for name in names
    }


def _caught(cases: Sequence[Case], flags: Flags) -> str:
    count = sum(flags.get(case.key, False) for case in cases)
    return f"{f'{count}/{len(cases)} {count / max(1, len(cases)):6.1%}':>16}"


def measure_speed(papers: Sequence[Paper], corpus: Corpus, seed: int) -> bool:
    """Print what 5,000 entries and 4 MB cost; whether both are within their limits."""
    text = "\n".join(case.text for case in make_cases(papers, ENTRIES // 2, seed))
    entries = parse_bib(text)
    # Of one core, whatever else the machine does.
    start = time.process_time()
    check_entries(entries, Lookup(corpus, None, lambda _: True), today=TODAY)
    checked = time.process_time() - start
    large = text * (PARSE_BYTES // len(text) + 1)
    start = time.process_time()
    parse_bib(large[:PARSE_BYTES])
    parsed = time.process_time() - start
    print(f"\n{len(entries):,} entries checked in {checked:.1f} s of one core (limit {SECONDS:.0f} s)")
    print(f"{PARSE_BYTES / 1e6:.0f} MB of BibTeX read in {parsed:.1f} s of one core (limit {PARSE_SECONDS:.0f} s)")
    return checked <= SECONDS and parsed <= PARSE_SECONDS


def read_sample(file: Path) -> list[Paper]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [paper_from_record(json.loads(line)) for line in lines]


def _no_model() -> None:
    raise AssertionError("nothing is embedded here")


def main() -> int:
    default = Path(__file__).resolve().parents[1].parent / "shared" / "data"
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, default=default)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--show", action="store_true", help="print what citeplug got wrong")
    chosen = parser.parse_args()
    file = chosen.data / SAMPLE
    if not file.is_file():
        print(f"{file} is not there: nothing was measured")
        return 0
    papers = read_sample(file)
    corpus = Corpus(chosen.home or settings().home / "benchmarks", _no_model, _no_model)  # type: ignore[arg-type]
    if corpus.records < len(papers):
        corpus.add([file])
    cases = make_cases(papers, chosen.n, chosen.seed) + make_variants(papers, chosen.n, chosen.seed)
    bib = "\n".join(case.text for case in cases)
    print(f"{len(papers):,} records of {file}; seed {chosen.seed}, {chosen.n} right and {chosen.n} wrong entries")
    print(f"and {chosen.n} right ones that are unlike their record")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        peers: dict[str, Peer] = {"citeplug": citeplug(corpus), AT_ERROR: citeplug(corpus, accused_at_error)}
        peers |= {"exact title": exact_title(papers)}
        with _installed("refaudit"):
            peers["refaudit"] = refaudit(corpus)
        with _installed("academic-refchecker"):
            peers["refchecker"] = refchecker(papers, Path(folder))
        flags: dict[str, Flags] = {}
        for name, peer in peers.items():
            start = time.perf_counter()
            flags[name] = peer(bib)
            print(f"{name}: {time.perf_counter() - start:.1f} s")
    shares = report(cases, flags)
    if chosen.show:
        _show(cases, corpus)
    in_time = measure_speed(papers, corpus, chosen.seed) if chosen.speed else True
    corpus.close()
    caught, alarms = shares["citeplug"]
    wrongly = sum(flags[AT_ERROR].get(case.key, False) for case in cases if case.kind is None)
    good = caught >= CATCH and alarms <= ACCUSE and not wrongly
    outcome = "PASS" if good else "FAIL"
    print(
        f"\n{outcome}: caught {caught:.1%} (at least {CATCH:.0%}), accused {alarms:.1%} (at most {ACCUSE:.0%}),"
        f" {wrongly} of {2 * chosen.n} right ones at error (none)"
    )
    return 0 if good and in_time else 1


class _installed(suppress):  # noqa: N801
    """Leaves a checker out, with a word, where it is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(ImportError)
        self._name = name

    def __exit__(self, kind, error, trace):  # type: ignore[no-untyped-def]
        if kind is not None and issubclass(kind, ImportError):
            print(f"{self._name} is not installed and is left out (benchmarks/requirements.txt): {error}")
        return super().__exit__(kind, error, trace)


def _show(cases: Sequence[Case], corpus: Corpus) -> None:
    """Print what citeplug missed and whom it accused, for whoever works on the rule."""
    entries = parse_bib("\n".join(case.text for case in cases))
    checks = check_entries(entries, Lookup(corpus, None, lambda _: True), today=TODAY)
    for case, check in zip(cases, checks, strict=True):
        wrong = case.kind is not None
        if (accused_at_error if case.variant else accused)(check) != wrong:
            kind = case.kind or case.variant or "right"
            print(f"\n{kind} [{case.style}]: {check.verdict} {check.arxiv_id} {check.message}\n{case.text}")


if __name__ == "__main__":
    sys.exit(main())
