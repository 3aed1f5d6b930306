"""check, fix, cite and related on .bib files that were mishandled before: what nobody had a reason to change stays."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

import citeplug.demo
from benchmarks.check_quality import make_cases
from citeplug.bib.check import check_bibliography
from citeplug.bib.cite import cite_papers
from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import Fixed, FixRequest
from citeplug.corpus.index import Corpus
from citeplug.errors import CiteplugError
from citeplug.records.paper import Paper
from citeplug.settings.environment import Settings
from citeplug.sources.snapshot import paper_from_record
from tests.bib.bib_texts import bib_texts
from tests.corpus.stores import MemoryStore, WordModel
from tests.torture.case import Case, demand
from tests.torture.damage import damaged, with_entries
from tests.torture.judge import appended, fields_kept, kept_outside

PROJECT = Path(__file__).parents[2]
REAL = PROJECT.parent / "shared" / "data" / "latex"
LIBRARY = Path(citeplug.demo.__file__).parent / "library.jsonl"
_OWN = 40  # texts of the tests' own
_TODAY = date(2026, 1, 15)
_LARGEST = 60_000  # bytes; a longer file is cut to some of its entries' worth before anything else


class Bibliographies:
    """Files to work on, and a catalogue that knows some of the papers. `home` is the user's data directory."""

    def __init__(self, home: Path) -> None:
        self.texts = [*_real(), *_own()]
        self.papers = _library()
        corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
        corpus.add([LIBRARY], complete=False)
        corpus.close()
        self.chosen = Settings(home, offline=True)
        self._jobs: tuple[tuple[str, Callable[[Path, random.Random], None]], ...] = (
            ("fix", self._fix),
            ("cite --append", self._cite),
            ("fix", self._fix),
            ("check", self._check),
        )

    def play(self, case: Case) -> None:
        """One command on one damaged file."""
        chance = case.chance
        path = case.folder / "refs.bib"
        path.write_bytes(self._file(chance))
        name, job = self._jobs[case.number % len(self._jobs)]
        before = path.read_bytes()
        (case.folder / "before.bib").write_bytes(before)
        try:
            job(path, chance)
        except CiteplugError:
            case.counts[f"{name}, refused"] += 1
            demand(None if path.read_bytes() == before else "it was refused, and the file changed all the same")
        else:
            changed = "nothing to do" if path.read_bytes() == before else "changed"
            case.counts[f"{name}, {changed}"] += 1

    def _file(self, chance: random.Random) -> bytes:
        data = chance.choice(self.texts)
        while len(data) > _LARGEST:
            at = data.find(b"\n@", chance.randrange(len(data) // 2)) + 1
            data = data[at : at + _LARGEST]
        drawn = make_cases(self.papers, chance.randrange(1, 4), chance.randrange(10**9))
        wrong = [each.text.encode() for each in drawn]
        return damaged(with_entries(data, wrong, chance), wrong, chance)

    def _check(self, path: Path, chance: random.Random) -> None:
        before = path.read_bytes()
        check_bibliography([path], self.chosen, report=_silent, today=_TODAY)
        demand(None if path.read_bytes() == before else "check changed the file")

    def _fix(self, path: Path, chance: random.Random) -> None:
        before = path.read_bytes()
        request = FixRequest(published=chance.random() < 0.5)
        done = fix_bibliography([path], self.chosen, request, report=_silent, today=_TODAY)
        done.write(self.chosen.home)
        after = path.read_bytes()
        encoding = done.files[0].file.encoding if done.files else "utf-8"
        keys = named(done.fixed, "utf-8" if encoding.startswith("utf") else encoding)
        demand(kept_outside(before, after, keys))
        demand(fields_kept(before, after, keys))

    def _cite(self, path: Path, chance: random.Random) -> None:
        before = path.read_bytes()
        wanted = [paper.id.value for paper in chance.sample(self.papers, 3)]
        done = cite_papers(wanted, self.chosen, bib=path, today=_TODAY)
        done.write(self.chosen.home)
        demand(appended(before, path.read_bytes(), sum(each.entry is not None for each in done.cited)))


def named(fixed: Sequence[Fixed], encoding: str) -> dict[bytes, set[bytes]]:
    """The fields that a report names, in small letters, by the key of their entry.

    Of an entry whose writing was mended, or that was replaced by another version, any field may differ.
    """
    found: dict[bytes, set[bytes]] = {}
    whole: set[bytes] = set()
    for each in fixed:
        key = (each.key.split() or [""])[0].encode(encoding, "surrogateescape")
        found.setdefault(key, set()).add((each.field or "").lower().encode())
        if each.field is None or each.code == "published_version":
            whole.add(key)
    return {key: _Any(names) if key in whole else names for key, names in found.items()}


class _Any(set[bytes]):
    def __contains__(self, name: object) -> bool:
        return True


@cache
def _library() -> list[Paper]:
    return [paper_from_record(json.loads(line)) for line in LIBRARY.read_text("utf-8").splitlines()]


def _real() -> list[bytes]:
    """The .bib files of real papers, where they lie beside the project; none where not."""
    return sorted({path.read_bytes() for path in REAL.rglob("*.bib")}) if REAL.is_dir() else []


def _own() -> list[bytes]:
    """The tests' own texts, the same each time."""
    found: list[bytes] = []

    @seeded(0)
    @settings(max_examples=_OWN, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(bib_texts())
    def collect(text: str) -> None:
        found.append(text.encode())

    collect()
    example = Path(citeplug.demo.__file__).parent / "example"
    return [*(path.read_bytes() for path in sorted(example.glob("*.bib"))), *found]


def _silent(*_: object) -> None:
    pass
