"""Bases of merges, in `.citeplug/base/`: the last generated text, one small file for each block and entry.

A file's name begins with the hash that its block records, and ends with that of its own content: a block that was
moved, copied or came with a clone finds its base, and two branches never write the same file. The folder is committed
with the project, so its files are not trusted: they are bounded, and must fit their names.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from citeplug.files.atomic import Change
from citeplug.files.project_files import names_in, read_bytes
from citeplug.records.from_json import record_from
from citeplug.records.section import Generated, GeneratedEntry
from citeplug.section_file.merge import hash_of
from citeplug.text.cleaning import plain

FOLDER = Path(".citeplug") / "base"
_BLOCK = re.compile(r"([0-9a-f]{8})-([0-9a-f]{8})\.json")
_ENTRY = re.compile(r"entry-([0-9a-f]{16})\.json")
_DAMAGED = (ValueError, TypeError, KeyError, OverflowError, RecursionError)  # what reading a damaged file raises
_MOST_BYTES = 400_000
_MOST_FILES = 5_000
_SPARE = 40  # superseded bases that are kept: an editor's undo may bring their blocks back
_SPARE_ENTRIES = 200  # likewise, and those that belong to another file of the project


@dataclass(frozen=True, slots=True)
class Bases:
    """All bases of a project: of blocks by their hash, of entries by their key; several where branches were merged."""

    blocks: Mapping[str, tuple[Generated, ...]] = field(default_factory=dict)
    entries: Mapping[str, tuple[GeneratedEntry, ...]] = field(default_factory=dict)


def read_bases(project: Path) -> Bases:
    """The bases of a project; a file that is damaged, too large or does not fit its name is left out."""
    return bases_in((path.name, data) for path in _files(project / FOLDER) if (data := _read(path)) is not None)


def bases_in(files: Iterable[tuple[str, bytes]]) -> Bases:
    """The bases in these files, each by its name and content; see `read_bases`."""
    blocks: dict[str, tuple[Generated, ...]] = {}
    entries: dict[str, tuple[GeneratedEntry, ...]] = {}
    for name, data in files:
        with contextlib.suppress(*_DAMAGED):
            if match := _BLOCK.fullmatch(name):
                block = _block(data)
                if hash_of(block) == match[1]:
                    blocks[match[1]] = (*blocks.get(match[1], ()), block)
            elif _ENTRY.fullmatch(name):
                entry = _entry(data)
                if _entry_name(entry) == name:
                    entries[entry.key] = (*entries.get(entry.key, ()), entry)
    return Bases(blocks, entries)


def base_texts(project: Path) -> dict[str, str]:
    """The texts of the project's bases, by the names of their files; those that cannot be read are left out."""
    files = {path.name: _read(path) for path in _files(project / FOLDER) if path.suffix == ".json"}
    return {name: data.decode("utf-8", "replace") for name, data in files.items() if data is not None}


def base_changes(project: Path, made: Iterable[Generated], entries: Iterable[GeneratedEntry]) -> list[Change]:
    """The files of the bases that are not there yet. Of one text only the newest base stays."""
    folder = project / FOLDER
    files: dict[str, bytes] = {}
    others: dict[Path, Generated] = {}
    blocks = list(made)
    for block in blocks:
        same_text = dict(_of_same_text(folder, block))
        others |= {path: other for path, other in same_text.items() if other.directives == block.directives}
        # Written by an earlier citeplug, it may say the same in other bytes.
        if block not in same_text.values():
            files[_block_name(block)] = _block_data(block)
    older = [path for path, other in others.items() if other not in blocks and path.name not in files]
    files |= {_entry_name(entry): _dump(asdict(entry)) for entry in entries}
    new = [
        Change(folder / name, data, within=project, makes_folder=True)
        for name, data in files.items()
        if _read(folder / name) != data
    ]
    return [*new, *(Change(path, None, within=project) for path in dict.fromkeys(older))]


def _of_same_text(folder: Path, block: Generated) -> Iterator[tuple[Path, Generated]]:
    """Bases of the same text. If older ones of other inputs by the same planner stayed, it would be written again."""
    for path in _files(folder):
        if path.name.startswith(f"{hash_of(block)}-") and (data := _read(path)) is not None:
            with contextlib.suppress(*_DAMAGED):
                yield path, _block(data)


def prune_bases(project: Path, superseded: Iterable[str], texts: Iterable[str]) -> None:
    """Remove bases of blocks whose hashes were superseded and are in none of `texts`, the oldest first.

    The newest forty of them stay all the same; so do all other files in the folder.
    """
    folder = project / FOLDER
    gone = set(superseded)
    for text in texts if gone else ():
        gone -= {sha for sha in gone if sha in text}
    files = [path for path in _files(folder) if (match := _BLOCK.fullmatch(path.name)) and match[1] in gone]
    _remove_all_but_newest(files, _SPARE)


def prune_entries(project: Path, current: Iterable[GeneratedEntry]) -> None:
    """Remove bases of entries that are others than the `current` ones, the oldest first; the newest 200 stay."""
    needed = {_entry_name(entry) for entry in current}
    _remove_all_but_newest(
        [path for path in _files(project / FOLDER) if _ENTRY.fullmatch(path.name) and path.name not in needed],
        _SPARE_ENTRIES,
    )


def _remove_all_but_newest(files: list[Path], spare: int) -> None:
    with contextlib.suppress(OSError):
        files.sort(key=lambda path: (path.stat().st_mtime, path.name))
        for path in files[: max(0, len(files) - spare)]:
            path.unlink(missing_ok=True)


def files_of_bases(project: Path) -> list[Path]:
    return [path for path in _files(project / FOLDER) if is_base_name(path.name)]


def is_base_name(name: str) -> bool:
    return bool(_BLOCK.fullmatch(name) or _ENTRY.fullmatch(name))


def _files(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in names_in(folder)[:_MOST_FILES]]
    except OSError:
        return []


def _read(path: Path) -> bytes | None:
    try:
        return read_bytes(path, _MOST_BYTES).replace(b"\r\n", b"\n")
    except OSError:
        return None


def _dump(value: Mapping[str, Any]) -> bytes:
    return (json.dumps({"format": 1, **value}, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _block_data(block: Generated) -> bytes:
    return _dump(asdict(block))


def _block_name(block: Generated) -> str:
    return f"{hash_of(block)}-{hashlib.sha256(_block_data(block)).hexdigest()[:8]}.json"


def _entry_name(entry: GeneratedEntry) -> str:
    digest = hashlib.sha256(f"{entry.arxiv_id}\n{entry.text}".encode()).hexdigest()
    return f"entry-{digest[:16]}.json"


def _block(data: bytes) -> Generated:
    value = json.loads(data)
    value |= {"plan": _plain(value["plan"]), "sentences": _plain(value["sentences"])}
    return record_from(Generated, _of_known_format(value))


def _entry(data: bytes) -> GeneratedEntry:
    return record_from(GeneratedEntry, _of_known_format(json.loads(data)))


def _of_known_format(value: Any) -> Any:
    if value["format"] != 1:
        raise ValueError("made by a newer citeplug")
    return value


def _plain(value: Any) -> Any:
    """A value of JSON without control characters in its texts, which reach a terminal."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return plain(value) if isinstance(value, str) else value
