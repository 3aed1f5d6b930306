"""The record and the bases of a section, kept for the user too: Overleaf drops files whose names begin with a dot when
a project is uploaded, and without them the next run could not tell the author's words from citeplug's.
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
_MOST_BLOCKS = 20  # of whose hashes the name of a file is made


def keep(home: Path, where: Targets) -> None:
    """Remember the record and the bases, under the hashes that the section's blocks record."""
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
    """Put the record and the bases beside a section that came without them; False if that is not so, or none is kept.

    Nothing that is there is written over.
    """
    if where.provenance.exists():
        return False
    for sha in _hashes(where):
        for file in _newest_first(home / FOLDER, sha):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
                said = json.loads(file.read_bytes())
                record, found = str(said["record"]), {Path(name).name: str(t) for name, t in said["bases"].items()}
                folder = where.project / merge_bases.FOLDER
                files = {folder / name: text for name, text in found.items() if not (folder / name).exists()}
                files[where.provenance] = record
                write_together([Change(path, text.encode(), makes_folder=True) for path, text in files.items()])
                return True
    return False


def _hashes(where: Targets) -> list[str]:
    blocks = read_related(read_or_none(where.tex) or "").blocks
    return list(dict.fromkeys(block.recorded for block in blocks if block.recorded and len(block.recorded) == 8))


def _newest_first(folder: Path, sha: str) -> Iterator[Path]:
    found = []
    for file in folder.glob(f"*{sha}*.json" if sha != "*" else "*.json"):
        with contextlib.suppress(OSError):
            found.append((file.stat().st_mtime, file))
    return (file for _, file in sorted(found, reverse=True))
