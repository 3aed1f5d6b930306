"""Volumes of other systems, simulated: the answers of this one are changed where citeplug asks."""

import os
import unicodedata
from pathlib import Path

import pytest


def ignore_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take names in capitals and small letters, composed and decomposed, for the same, as macOS does."""

    def on_disk(path: str | os.PathLike[str]) -> Path:
        place = Path(Path(path).anchor)
        for part in Path(path).parts[1:]:
            names = [entry.name for entry in place.iterdir()] if place.is_dir() else []
            place /= next((name for name in names if _folded(name) == _folded(part)), part)
        return place

    same, there = os.path.samefile, os.path.exists
    monkeypatch.setattr(Path, "samefile", lambda one, other: same(on_disk(one), on_disk(other)))
    monkeypatch.setattr(os.path, "exists", lambda path: there(on_disk(path)))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", name).casefold()
