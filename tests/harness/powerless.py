"""A process that may only write what the permissions say, even where the tests run as root."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

# Without its capabilities even root may only do what the permissions say.
_POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def powerless(*command: object, env: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a command from the project's root."""
    prefix = _POWERLESS if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return subprocess.run(
        [*prefix, *map(str, command)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **(env or {})},
        timeout=240,
    )


@contextmanager
def read_only(place: Path) -> Iterator[Path]:
    """A file, or a folder with all folders in it, that cannot be written for so long; skips where that cannot be."""
    if os.name != "posix" or (os.geteuid() == 0 and shutil.which("setpriv") is None):
        pytest.skip("this system cannot keep root from writing")
    places = [place, *(path for path in place.rglob("*") if path.is_dir())]
    modes = [path.stat().st_mode for path in places]
    for path, mode in zip(places, modes, strict=True):
        path.chmod(mode & 0o555)
    try:
        probe = place / "probe" if place.is_dir() else place
        if powerless(sys.executable, "-c", "open(__import__('sys').argv[1], 'a')", probe).returncode == 0:
            pytest.skip("this system does not keep root from writing")
        yield place
    finally:
        for path, mode in zip(places, modes, strict=True):
            path.chmod(mode)
