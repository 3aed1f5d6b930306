"""The hunt: every part with its cases, to the first loss."""

import os
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.torture import edits
from tests.torture.bibs import Bibliographies
from tests.torture.case import Case, Loss, Play
from tests.torture.git_settings import SETTINGS, GitSettings
from tests.torture.homes import Homes
from tests.torture.hostile import play_project, play_text
from tests.torture.kills import Kills, run_here
from tests.torture.merging import LIBRARY, Section
from tests.torture.peers import Peers


@dataclass(frozen=True, slots=True)
class Part:
    """`cases` are how many make the whole hunt, and `quick` how many the short one. `open` gets what they need ready in
    a folder of its own."""

    name: str
    cases: int
    quick: int
    open: Callable[[Path], AbstractContextManager[Play]]


@contextmanager
def _bibs(folder: Path) -> Iterator[Play]:
    yield Bibliographies(folder / "home").play


@contextmanager
def _merging(folder: Path) -> Iterator[Play]:
    with closing(Section(folder)) as section:
        yield section.play


@contextmanager
def _edits(folder: Path) -> Iterator[Play]:
    yield edits.play


@contextmanager
def _kills(folder: Path) -> Iterator[Play]:
    yield Kills(folder).play


@contextmanager
def _homes(folder: Path) -> Iterator[Play]:
    with closing(Homes(folder)) as homes:
        yield homes.play


@contextmanager
def _crowds(folder: Path) -> Iterator[Play]:
    yield Kills(folder).crowd


@contextmanager
def _full_disks(folder: Path) -> Iterator[Play]:
    yield Kills(folder).fill_disk


@contextmanager
def _projects(folder: Path) -> Iterator[Play]:
    run_here("index", "add", str(LIBRARY))
    yield play_project


@contextmanager
def _texts(folder: Path) -> Iterator[Play]:
    yield play_text


@contextmanager
def _peers(folder: Path) -> Iterator[Play]:
    with closing(Peers(folder)) as peers:
        yield peers.play


@contextmanager
def _git(folder: Path) -> Iterator[Play]:
    with closing(GitSettings(folder)) as settings:
        yield settings.play


_POSIX = ("git", "full disks", "projects")
PARTS: Mapping[str, Part] = {
    part.name: part
    for part in (
        Part("bibs", 300, 8, _bibs),
        Part("merging", 60, 1, _merging),
        Part("edits", 20_000 // edits.EDITS, 1_000 // edits.EDITS, _edits),
        Part("kills", 102, 1, _kills),
        Part("homes", 30, 1, _homes),
        Part("crowds", 18, 1, _crowds),
        Part("full disks", 36, 1, _full_disks),
        Part("projects", 80, 1, _projects),
        Part("texts", 120, 2, _texts),
        Part("peers", 150, 6, _peers),
        Part("git", len(SETTINGS), 4, _git),
    )
    if part.name not in _POSIX or (os.name == "posix" and (part.name != "git" or shutil.which("git")))
}


@dataclass(frozen=True, slots=True)
class Found:
    """What one part did, in `seconds`; `lost` is the first loss, with the number of its case."""

    counts: Counter[str]
    seconds: float
    lost: tuple[int, Loss] | None = None


def hunt(part: Part, numbers: Sequence[int], seed: int, folder: Path) -> Found:
    """Play these cases of a part, to the first loss. A traceback is one too: then nobody knows what was written."""
    counts: Counter[str] = Counter()
    start, number = time.monotonic(), -1
    folder.mkdir(parents=True)
    try:
        with part.open(folder) as play:
            for number in numbers:
                case = Case(seed, part.name, number, folder / str(number), counts)
                case.folder.mkdir()
                play(case)
                shutil.rmtree(case.folder)
    except Loss as loss:
        return Found(counts, time.monotonic() - start, (number, loss))
    except Exception:
        return Found(counts, time.monotonic() - start, (number, Loss(traceback.format_exc())))
    return Found(counts, time.monotonic() - start)
