"""`citeplug.toml`: settings of a project, for everybody who works on it.

    root = "main.tex"

    [related]
    breadth = 12

    [check]
    fail_on = "warning"

The keys are those of `settings/known_settings.py`. The file came with the project, so nothing in it is trusted further.
"""

import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import read_bytes
from citeplug.records.outcome import Options
from citeplug.records.setting import Setting
from citeplug.settings.environment import Settings
from citeplug.settings.known_settings import SETTINGS, as_plain, flat, read_table
from citeplug.settings.user_toml import PREFERENCES

FILE = "citeplug.toml"
_LARGEST = 100_000  # bytes
_REPOSITORY = (".git", ".hg", ".svn")
_KEYS: Mapping[str, Setting] = {setting.toml: setting for setting in SETTINGS if setting.toml}
_ENVIRONMENT = "set it in the environment (docs/configuration.md): a project cannot choose what is contacted or loaded"
# What only the user may set, and where. A project's file that sets it is refused either way; this is for the message.
_USERS_OWN: Mapping[str, Collection[str]] = {
    "say it on the command line: a project cannot consent to what is sent from your machine": (
        "online",
        "offline",
        "sources",
        "consent",
    ),
    "set it on the command line, or in config.toml of CITEPLUG_HOME (docs/configuration.md)": {
        name
        for key, setting in PREFERENCES.items()
        for name in (*key.split("."), setting.name, (setting.option or "").lstrip("-"))
    },
    "say it on the command line, for one run": {entry.name for entry in fields(Options) if not entry.metadata},
    _ENVIRONMENT: {entry.name for entry in fields(Settings)},
}
_OF_SERVICES = ("url", "key", "token", "delay")  # the last word of such a name, whatever stands before it
_HEADER = re.compile(r"[ \t]*\[[ \t]*([^\[\]#]+?)[ \t]*\][ \t]*(?:#.*)?$")
_KEY = re.compile(
    r"[ \t]*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)[ \t]*="
)


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings of the file, by the names of the settings; `path` is None without a file.

    Paths are as written, relative to `folder`, that of the file.
    """

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> Path | None:
        return None if self.path is None else self.path.parent

    @property
    def plain(self) -> dict[str, Any]:
        """Values as JSON has them."""
        return {name: as_plain(value) for name, value in self.values.items()}


NOTHING = Configuration()


class WrongConfiguration(UnreadableInput):
    """A `citeplug.toml` that cannot be used: `what` is wrong at `line` (from 1, None if unknown)."""

    def __init__(self, path: Path, line: int | None, what: str, hint: str) -> None:
        super().__init__(f"{path}:{line}: {what}" if line else f"{path} {what}", hint)
        self.path = path
        self.line = line
        self.what = what


def users_own(name: str) -> str | None:
    """Return the hint where the user may set something that a project may not; None for any other name."""
    bare = name.lower().replace("-", "_").strip()
    if bare.rpartition("_")[2] in _OF_SERVICES:
        return _ENVIRONMENT
    return next((hint for hint, names in _USERS_OWN.items() if bare in names), None)


def places(folder: Path) -> Iterator[Path]:
    """Yield the folders in which the file may be, the nearest first.

    From the folder of the root document up to the top of its repository; without one, there and in the folder above.
    The user's home is not a project, even if it is under version control.
    """
    folder = folder.resolve() if os.pardir in folder.parts else folder.absolute()
    home = Path.home()
    above: list[Path] = []
    for candidate in (folder, *folder.parents):
        if candidate == home or (candidate == Path(candidate.anchor) and candidate != folder):
            break
        above.append(candidate)
        if any((candidate / mark).exists() for mark in _REPOSITORY):
            yield from above
            return
    yield from above[:2]


def find_configuration(folder: Path, held: Mapping[Path, str] | None = None) -> Path | None:
    """Return the nearest citeplug.toml, even if it cannot be read."""
    return next((path for place in places(folder) if _exists(path := place / FILE, held)), None)


def read_configuration(folder: Path, held: Mapping[Path, str] | None = None) -> Configuration:
    """Read the settings for a root document in `folder`.

    Texts `held` by an editor replace those on disk. Raises WrongConfiguration, with the line, on a file that cannot be
    read, an unknown key, a value out of its range, and a setting that only the user may make.
    """
    path = find_configuration(folder, held)
    if path is None:
        return NOTHING
    text = _text(path, folder, held)
    document = _parse(path, text)
    lines = _lines(text)
    for key, _ in flat(document, _KEYS):
        if key not in _KEYS and (where := users_own(key.rpartition(".")[2])):
            raise WrongConfiguration(path, _at(key, lines), f"a project may not set {key}", where)
    values = read_table(document, _KEYS, lambda key, what, hint: WrongConfiguration(path, _at(key, lines), what, hint))
    return Configuration(
        path,
        {_KEYS[key].name: value for key, value in values.items()},
        {_KEYS[key].name: line for key, line in lines.items() if key in _KEYS},
    )


def read_root(folder: Path, held: Mapping[Path, str] | None = None) -> tuple[str, int | None] | None:
    """Read the key `root` of the file in this folder, and its line; its other keys are not checked.

    `held` as in `read_configuration`. Raises WrongConfiguration if the file cannot be read.
    """
    path = folder / FILE
    if not _exists(path, held):
        return None
    text = _text(path, folder, held)
    root = _parse(path, text).get("root")
    if root is None:
        return None
    line = _lines(text).get("root")
    if not isinstance(root, str):
        raise WrongConfiguration(path, line, "root must be the name of a .tex file", "correct the key `root` there")
    return root, line


def _exists(path: Path, held: Mapping[Path, str] | None) -> bool:
    return (held is not None and path in held) or path.exists() or path.is_symlink()


def _text(path: Path, folder: Path, held: Mapping[Path, str] | None) -> str:
    if held is not None and path in held:
        return held[path].replace("\r\n", "\n")
    hint = f"{FILE} is a small text file that docs/configuration.md describes; correct or remove it"
    try:
        top = [folder, *places(folder)][-1].resolve()
        if not path.resolve().is_relative_to(top):
            raise WrongConfiguration(path, None, "is a link that leads out of the project; it is not read", hint)
        data = read_bytes(path, _LARGEST)
    except (OSError, RuntimeError) as error:  # RuntimeError: a link to itself
        reason = getattr(error, "strerror", None) or error
        raise WrongConfiguration(path, None, f"cannot be read: {reason}", hint) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise WrongConfiguration(path, line, "it is not UTF-8", "save the file as UTF-8") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\s*\(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        reason = re.sub(r"\s*\(at [^()]*\)", "", str(error))
        raise WrongConfiguration(path, line, f"it is not TOML: {reason}", "correct the line") from error
    except RecursionError as error:
        raise WrongConfiguration(
            path, None, "is not TOML that can be read: it is nested too deeply", "correct it"
        ) from error
    except ValueError as error:  # Python bounds the digits of a number
        raise WrongConfiguration(
            path, None, "is not TOML that can be read: a number in it has too many digits", "correct it"
        ) from error


def _at(key: str, lines: Mapping[str, int]) -> int | None:
    return lines.get(key) or lines.get(key.partition(".")[0])


def _lines(text: str) -> dict[str, int]:
    """Return the line of each key, prefixed by its table; tomllib does not give lines."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = _name(header[1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault(f"{table}.{_name(key[1])}" if table else _name(key[1]), number)
    return lines


def _name(written: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in written.split("."))
