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
from typing import Any, get_args

from citeplug.files.atomic import Change
from citeplug.files.project_files import names_in, read_bytes
from citeplug.records.plan import LineKind, PlanLine, PlanParagraph, Weight
from citeplug.records.section import Generated, GeneratedEntry, Judgement, Kind, Sentence, Source, SourceText, Verdict
from citeplug.section_file.merge import hash_of
from citeplug.text.cleaning import plain

FOLDER = Path(".citeplug") / "base"
_BLOCK = re.compile(r"([0-9a-f]{8})-([0-9a-f]{8})\.json")
_ENTRY = re.compile(r"entry-([0-9a-f]{16})\.json")
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
    """The bases of a project; a file that is damaged, too large or does not fit its name is passed over."""
    blocks: dict[str, tuple[Generated, ...]] = {}
    entries: dict[str, tuple[GeneratedEntry, ...]] = {}
    for path in _files(project / FOLDER):
        data = _read(path)
        if data is None:
            continue
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            if match := _BLOCK.fullmatch(path.name):
                block = _block(json.loads(data))
                if hash_of(block) == match[1]:
                    blocks[match[1]] = (*blocks.get(match[1], ()), block)
            elif match := _ENTRY.fullmatch(path.name):
                entry = _entry(json.loads(data))
                if _entry_name(entry) == path.name:
                    entries[entry.key] = (*entries.get(entry.key, ()), entry)
    return Bases(blocks, entries)


def base_texts(project: Path) -> dict[str, str]:
    """The texts of the project's bases, by the names of their files; those that cannot be read are left out."""
    found = {path.name: _read(path) for path in _files(project / FOLDER) if path.suffix == ".json"}
    return {name: data.decode("utf-8", "replace") for name, data in found.items() if data is not None}


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
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError, OSError):
                yield path, _block(json.loads(data))


def prune_bases(project: Path, superseded: Iterable[str], texts: Iterable[str]) -> None:
    """Remove bases of blocks whose hashes were superseded and are in none of `texts`, the oldest first.

    The newest forty of them stay all the same; so do all other files in the folder.
    """
    folder = project / FOLDER
    gone = set(superseded)
    for text in texts if gone else ():
        gone -= {sha for sha in gone if sha in text}
    found = [path for path in _files(folder) if (match := _BLOCK.fullmatch(path.name)) and match[1] in gone]
    _remove_all_but_newest(found, _SPARE)


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
    """The files in the folder that are named as bases are."""
    return [path for path in _files(project / FOLDER) if _BLOCK.fullmatch(path.name) or _ENTRY.fullmatch(path.name)]


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


def _block(value: Any) -> Generated:
    _known_format(value)
    inputs = value["inputs"]
    return Generated(
        _plan(value["plan"]),
        tuple(_texts(value["directives"])),
        tuple(_texts(value["lines"])),
        inputs if isinstance(inputs, str) else None,
        tuple(map(_sentence, value["sentences"])),
        {str(name): str(key) for name, key in value["keys"].items()},
    )


def _entry(value: Any) -> GeneratedEntry:
    _known_format(value)
    key, text, arxiv_id = _texts([value["key"], value["text"], value["arxiv_id"]])
    return GeneratedEntry(key, text, arxiv_id)


def _known_format(value: Any) -> None:
    if value["format"] != 1:
        raise ValueError("made by a newer citeplug")


def _plan(value: Any) -> PlanParagraph:
    lines = tuple(map(_line, value["lines"]))
    return PlanParagraph(plain(value["id"]), plain(value["heading"]), lines, int(value["words"]), bool(value["keep"]))


def _line(value: Any) -> PlanLine:
    kind, weight = value.get("kind"), value.get("weight")
    return PlanLine(
        plain(value["intent"]),
        tuple(map(plain, value["cites"])),
        None if kind is None else _one_of(LineKind, kind),
        None if weight is None else _one_of(Weight, weight),
    )


def _sentence(value: Any) -> Sentence:
    judgement = value.get("judgement")
    return Sentence(
        plain(value["text"]),
        _one_of(Kind, value["kind"]),
        tuple(map(plain, value["cites"])),
        tuple(map(_source, value["sources"])),
        None if value["attribution"] is None else float(value["attribution"]),
        quoted=bool(value["quoted"]),
        by_model=bool(value.get("by_model")),
        judgement=None if judgement is None else _judgement(judgement),
        pinpoint=plain(value.get("pinpoint", "")),
    )


def _source(value: Any) -> Source:
    section, page = value.get("section"), value.get("page")
    return Source(
        value["arxiv_id"],
        value["version"],
        plain(value["text"]),
        int(value["start"]),
        int(value["end"]),
        _one_of(SourceText, value.get("of", "abstract")),
        None if section is None else plain(section),
        None if page is None else int(page),
        plain(value.get("place", "")),
    )


def _judgement(value: Any) -> Judgement:
    verdict, by = value["verdict"], value["by"]
    return Judgement(
        None if verdict is None else _one_of(Verdict, verdict),
        plain(value["unsupported"]),
        None if by is None else plain(by),
        plain(value["suspicion"]),
    )


def _one_of(names: Any, value: Any) -> Any:
    """`value`, if it is among the `names` of a Literal. Raises ValueError else."""
    if value not in get_args(names):
        raise ValueError(f"not known: {value}")
    return value


def _texts(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("not a list of texts")
    return values
