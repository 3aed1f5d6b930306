"""Copies of a section's record and merge bases in the user's data directory.

Overleaf drops files whose names begin with a dot when a project is uploaded; without the copies the next run could not
distinguish the author's words from citeplug's.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

from citeplug.files.atomic import Change, write_at_home, write_together
from citeplug.project import merge_bases
from citeplug.project.author_files import read_or_none
from citeplug.project.targets import Targets
from citeplug.section_file.grammar import read_related

FOLDER = "kept"
_MOST_KEPT = 200
_MOST_BYTES = 20_000_000
_MOST_BLOCKS = 20  # block hashes in the name of a copy


def keep(home: Path, where: Targets) -> None:
    """Copy the record and the bases, under the hashes in the section's blocks."""
    hashes = _hashes(where)
    record = read_or_none(where.provenance)
    if not hashes or record is None:
        return
    data = json.dumps({"format": 1, "record": record, "bases": merge_bases.base_texts(where.project)}).encode()
    folder = home / FOLDER
    if len(data) <= _MOST_BYTES:
        write_at_home(folder / f"{'-'.join(hashes[:_MOST_BLOCKS])}.json", data)
    for old in list(_newest_first(folder, "*"))[_MOST_KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()


def bring_back(home: Path, where: Targets) -> bool:
    """Restore the record and the bases of a section that lacks them; False if it has them, or there is no copy.

    Existing files are not overwritten.
    """
    if where.provenance.exists():
        return False
    for sha in _hashes(where):
        for file in _newest_first(home / FOLDER, sha):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
                copy = json.loads(file.read_bytes())
                record, bases = str(copy["record"]), {Path(name).name: str(t) for name, t in copy["bases"].items()}
                folder = where.project / merge_bases.FOLDER
                files = {folder / name: text for name, text in bases.items() if not (folder / name).exists()}
                files[where.provenance] = record
                write_together([Change(path, text.encode(), makes_folder=True) for path, text in files.items()])
                return True
    return False


def _hashes(where: Targets) -> list[str]:
    blocks = read_related(read_or_none(where.tex) or "").blocks
    return list(dict.fromkeys(block.recorded for block in blocks if block.recorded and len(block.recorded) == 8))


def _newest_first(folder: Path, sha: str) -> Iterator[Path]:
    dated = []
    for file in folder.glob(f"*{sha}*.json" if sha != "*" else "*.json"):
        with contextlib.suppress(OSError):
            dated.append((file.stat().st_mtime, file))
    return (file for _, file in sorted(dated, reverse=True))
