"""Zips under review: the files of each in the user's data directory, as its author left them."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from citeplug.corpus.prune import Pruned
from citeplug.errors import UnreadableInput
from citeplug.files.atomic import telling_of
from citeplug.project.find_project import find_project
from citeplug.project.keep_record import bring_back
from citeplug.project.zips import Archive

FOLDER = "zips"
DAYS = 30  # without use, after which `citeplug index prune` deletes the files of a zip


def unpack(archive: Archive, folder: Path, home: Path) -> None:
    """Unpack a project, with citeplug's record where the zip has lost it."""
    # A .citeplug folder marks the top of the project: no file above it is looked at.
    (folder / ".citeplug").mkdir(parents=True)
    archive.unpack(folder)
    with contextlib.suppress(UnreadableInput):  # which whoever reads the project tells of
        bring_back(home, find_project(folder).where)


def open_kept(path: Path, home: Path) -> tuple[Archive, Path]:
    """A zip, and the folder with its files: as an earlier review of the same bytes left them, or unpacked now.

    Raises UnreadableInput, UnsafeProject, CannotWrite.
    """
    archive = Archive(path)
    with path.open("rb") as stream:
        place = home / FOLDER / hashlib.file_digest(stream, "sha256").hexdigest()[:32]
    with telling_of(place, at_home=True):
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_dir():
            # Whole or not at all; its rights are those of the author alone, since drafts are not published.
            new = Path(tempfile.mkdtemp(prefix="new-", dir=place.parent))
            try:
                unpack(archive, new / "project", home)
                with contextlib.suppress(OSError):  # another review of the same zip was faster
                    new.rename(place)
            finally:
                shutil.rmtree(new, ignore_errors=True)
        os.utime(place)
    return archive, (place / "project").resolve()


def prune_kept(home: Path, *, dry_run: bool) -> list[Pruned]:
    """Delete the files of zips that were not under review for `DAYS` days."""
    since = time.time() - DAYS * 86400
    old = [place for place in (home / FOLDER).glob("*") if place.is_dir() and place.stat().st_mtime < since]
    size = sum(file.stat().st_size for place in old for file in place.rglob("*") if file.is_file())
    for place in old if not dry_run else ():
        shutil.rmtree(place, ignore_errors=True)
    return [Pruned("zips", len(old), size, f"reviews of zips not opened for {DAYS} days")] if old else []
