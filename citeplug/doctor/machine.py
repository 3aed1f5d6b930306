"""Checks of Python, disk space and other programs."""

import os
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from citeplug import __version__
from citeplug.doctor.checks import Result, hint, ok, problem
from citeplug.errors import GitUnusable

_TIGHT, _TOO_TIGHT = 2 * 10**9, 200 * 10**6  # bytes
_ENGINES = ("pdflatex", "xelatex", "lualatex")
_OTHERS = ("bibtex", "biber", "latexmk")
_SECONDS = 5.0


def python() -> Result:
    where = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    return ok(f"citeplug {__version__}, {where}")


def disk(home: Path) -> Result:
    """Check that the user's data directory can be written, and the free space on its disk."""
    there = next(place for place in (home, *home.parents) if place.exists())
    if not there.is_dir():
        return problem(f"{there} is not a folder", "set CITEPLUG_HOME to another folder")
    if not os.access(there, os.W_OK):
        return problem(
            f"{there} cannot be written to", "change its permissions, or set CITEPLUG_HOME to another folder"
        )
    free = shutil.disk_usage(there).free
    space = f"{home}: {free / 1e9:.1f} GB free"
    if free < _TOO_TIGHT:
        return problem(space, "free some space, or run 'citeplug index prune'")
    if free < _TIGHT:
        return hint(space, "all of arXiv's records need about 10 GB; 'citeplug index prune' lists what can be deleted")
    return ok(space)


def tex() -> Result:
    """Check for the programs that make a PDF; citeplug itself needs none of them."""
    names = (*_ENGINES, *_OTHERS)
    with ThreadPoolExecutor(len(names)) as pool:
        versions = dict(zip(names, pool.map(_version, names), strict=True))
    there = [f"{name} {version}".strip() for name, version in versions.items() if version is not None]
    lacking = [name for name, version in versions.items() if version is None]
    if all(engine in lacking for engine in _ENGINES):
        return hint("LaTeX is not installed", "citeplug does not need it; to build a PDF, install TeX Live or MiKTeX")
    if lacking:
        return hint(f"{', '.join(there)}; not installed: {', '.join(lacking)}", "install what your paper needs")
    return ok(", ".join(there))


def git() -> Result:
    from citeplug.project.git import Git

    try:
        return ok(Git(Path.cwd()).run("--version", seconds=_SECONDS).text.strip())
    except GitUnusable as error:
        return hint(str(error), error.hint)


def program(name: str) -> str | None:
    """Return the path of a program, None if it is not installed.

    A program in the current folder came with the project, and is not run.
    """
    path = shutil.which(name)
    if path is None or Path(path).resolve().parent == Path.cwd().resolve():
        return None
    return str(Path(path).absolute())


def run_program(path: str, option: str, *, seconds: float) -> "subprocess.CompletedProcess[str] | None":
    """Run a program with one option and no input; None if it cannot be run or takes longer than `seconds`.

    In its own folder: in the project's, latexmk would run the `latexmkrc` that lies there, even to tell its version.
    """
    try:
        return subprocess.run(
            [path, option],
            cwd=Path(path).parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _version(name: str) -> str | None:
    """Return the version that a program prints, "" if it prints none; None if it is not installed."""
    path = program(name)
    if path is None:
        return None
    ran = run_program(path, "--version", seconds=_SECONDS)
    if ran is None:
        return ""
    printed = re.search(r"\d+(?:\.\d+)+\w*", f"{ran.stdout}\n{ran.stderr}"[:2_000])
    return printed[0][:40] if printed else ""
