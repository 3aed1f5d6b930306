"""`citeplug library sync zotero`: keep the author's library like that of the Zotero on this machine."""

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from citeplug.bib.collect_library import LibraryReport, store_holdings
from citeplug.bib.library.zotero_items import (
    holding_of_attachment,
    holding_of_item,
    is_work,
    item_name,
    names_of,
    own_key,
)
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.files.atomic import write_at_home
from citeplug.records.work import Holding
from citeplug.settings.environment import Settings
from citeplug.sources.zotero import Zotero, read_changes

_FOLDER = "zotero"  # the library's entries of Zotero stand under it; there are no files in it
_STATE = "zotero.json"


@dataclass(slots=True)
class ZoteroState:
    """What is remembered of Zotero: the id of its database, the versions read, collections by library and key.

    `key` is the leave to write that the user gave for good, in Zotero.
    """

    server: str | None = None
    versions: dict[str, int] = field(default_factory=dict)
    collections: dict[str, dict[str, str]] = field(default_factory=dict)
    key: str | None = None


def read_state(home: Path) -> ZoteroState:
    """What is remembered; nothing if the file is missing or damaged, so that all is read anew."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        return ZoteroState(**json.loads((home / _STATE).read_text("utf-8")))
    return ZoteroState()


def write_state(home: Path, state: ZoteroState) -> None:
    """Remember it, in a file that the user alone can read."""
    write_at_home(home / _STATE, json.dumps(asdict(state)).encode())
    with contextlib.suppress(OSError):
        (home / _STATE).chmod(0o600)


def sync_zotero(settings: Settings, report: Report) -> LibraryReport:
    """Take over what changed in Zotero since the last time: entries, PDFs and collections, of all its libraries.

    The library stays as it was if Zotero breaks off. Raises SourceUnavailable, StoreBusy.
    """
    began, done = time.monotonic(), LibraryReport()
    zotero = Zotero(settings)
    with open_corpus(settings) as corpus, corpus.one_change_of_library():
        sync_within(zotero, corpus, settings.home, done, report)
    done.seconds = time.monotonic() - began
    return done


def sync_within(zotero: Zotero, corpus: Corpus, home: Path, done: LibraryReport, report: Report) -> None:
    """As `sync_zotero`, for who holds the lock of the library."""
    state = read_state(home)
    if state.server != zotero.server:  # another database: its keys and versions are its own
        state = ZoteroState(zotero.server)
    before = corpus.library.holdings()
    mine = [(value, holding) for value, holding in before if names_of(holding)]
    others = [(value, holding) for value, holding in before if not names_of(holding)]
    taken = {holding.key.lower() for _, holding in others if holding.key}
    new: list[tuple[str | None, Holding]] = []
    libraries = zotero.libraries()
    for number, (library, name) in enumerate(libraries.items()):
        report("read Zotero", number, len(libraries))
        own = [pair for pair in mine if names_of(pair[1])[0].startswith(item_name(library, ""))]
        prefix = "" if library == "users/0" else f"{name}: "
        new += _sync_library(zotero, library, prefix, state, own, taken, home)
    done.files = len(libraries)
    then, now = {holding for _, holding in mine}, {holding for _, holding in new}
    done.added, done.unchanged, done.gone = len(now - then), len(now & then), len(then - now)
    store_holdings(corpus, [*others, *new], done, report, old=frozenset(holding for _, holding in before))
    state.versions = {library: version for library, version in state.versions.items() if library in libraries}
    write_state(home, state if zotero.server else ZoteroState())


def _sync_library(
    zotero: Zotero,
    library: str,
    prefix: str,
    state: ZoteroState,
    own: Sequence[tuple[str, Holding]],
    taken: set[str],
    home: Path,
) -> list[tuple[str | None, Holding]]:
    """The records of one library as they are now, each with the id that it has so far."""
    since = state.versions.get(library, 0) if own else 0
    version, there, items = read_changes(zotero, library, since)
    if there is None:
        taken |= {h.key.lower() for _, h in own if h.key}
        return list(own)
    state.versions[library] = version
    paths = {key: prefix + path for key, path in zotero.collections(library).items()}
    moved = {path: paths.get(key) for key, path in state.collections.get(library, {}).items() if paths.get(key) != path}
    state.collections[library] = paths
    read = {item_name(library, item["key"]) for item in items}
    alive = {item_name(library, key) for key in there}
    result: list[tuple[str | None, Holding]] = []
    for value, holding in own:
        names = names_of(holding)
        if alive.issuperset(names) and names[-1] not in read:
            result.append((value, _renamed(holding, moved)))
    taken |= {h.key.lower() for _, h in result if h.key}
    known = {names_of(h)[-1]: (value, h) for value, h in own}
    result += _read_items(zotero, library, items, known, taken, paths, home)
    return result


def _read_items(
    zotero: Zotero,
    library: str,
    items: Sequence[Mapping[str, Any]],
    known: Mapping[str, tuple[str, Holding]],
    taken: set[str],
    paths: Mapping[str, str],
    home: Path,
) -> list[tuple[str | None, Holding]]:
    """The records of changed items; a work keeps the key it had, unless Zotero or Better BibTeX has one for it."""
    works = [item for item in items if is_work(item)]
    keys = {item["key"]: key for item in works if (key := own_key(item))}
    if library == "users/0" and (without := [item["key"] for item in works if item["key"] not in keys]):
        keys |= zotero.citation_keys(without)
    result: list[tuple[str | None, Holding]] = []
    # Those that have a key first, so that no new one is theirs.
    for item in sorted(works, key=lambda item: item["key"] not in keys):
        value, old = known.get(item_name(library, item["key"]), (None, None))
        file = home / _FOLDER / library.replace("/", "-") / item["key"]
        key = keys.get(item["key"]) or (old.key if old and old.key.lower() not in taken else None)
        holding = holding_of_item(item, file, library, key, taken, paths)
        if holding is not None:
            result.append((value, holding))
    parents = {item["key"] for item in works} | {name.rpartition("/")[2] for name in known}
    for item in items:
        pdf = holding_of_attachment(item, library, parents)
        if pdf is not None:
            result.append((known.get(names_of(pdf)[-1], (None, None))[0], pdf))
    return result


def _renamed(holding: Holding, moved: Mapping[str, str | None]) -> Holding:
    if not any(path in moved for path in holding.collections):
        return holding
    paths = (moved.get(path, path) for path in holding.collections)
    return replace(holding, collections=tuple(sorted(path for path in paths if path)))
