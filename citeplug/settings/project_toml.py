"""`citeplug.toml`: what a project settles for everybody who works on it.

    root = "main.tex"

    [related]
    breadth = 12

    [check]
    fail_on = "warning"

The keys are those of `settings/choices.py`. The file came with the project, so nothing in it is trusted further.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.files.project_files import read_bytes
from citeplug.settings.choices import CHOICES, Choice, as_plain, nearest, read_value, users_own

FILE = "citeplug.toml"
_LARGEST = 100_000  # bytes
_REPOSITORY = (".git", ".hg", ".svn")
_KEYS: Mapping[str, Choice] = {choice.toml: choice for choice in CHOICES if choice.toml}
_TABLES = tuple(dict.fromkeys(key.partition(".")[0] for key in _KEYS if "." in key))
_HEADER = re.compile(r"[ \t]*\[[ \t]*([^\[\]#]+?)[ \t]*\][ \t]*(?:#.*)?$")
_KEY = re.compile(
    r"[ \t]*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)[ \t]*="
)


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the file says, by the names of the choices; `path` is None where there is none.

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
        """The values as JSON has them."""
        return {name: as_plain(value) for name, value in self.values.items()}


NOTHING = Configuration()


class WrongConfiguration(UnreadableInput):
    """`path` is a `citeplug.toml` that no run can heed; `what` is wrong with it at `line`, from 1 where it is known."""

    def __init__(self, path: Path, line: int | None, what: str, hint: str) -> None:
        super().__init__(f"{path}:{line}: {what}" if line else f"{path} {what}", hint)
        self.path = path
        self.line = line
        self.what = what


def places(folder: Path) -> Iterator[Path]:
    """Where the file may lie, the nearest place first.

    From the folder of the root document up to the top of its repository; without one, there and in the folder above.
    The user's home is no project, even where it is under version control.
    """
    folder = folder.absolute()
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
    """The nearest file, whatever it may be."""
    return next((path for place in places(folder) if _is_there(path := place / FILE, held)), None)


def read_configuration(folder: Path, held: Mapping[Path, str] | None = None) -> Configuration:
    """What is settled for a root document in `folder`.

    Texts that an editor has `held` count before those of the disk. Raises WrongConfiguration, with the line, on a file
    that cannot be read, an unknown key, a value out of its range, and on what only the user may say.
    """
    path = find_configuration(folder, held)
    if path is None:
        return NOTHING
    text = _text(path, folder, held)
    document = _parsed(path, text)
    lines = _lines(text)
    values: dict[str, Any] = {}
    for key, value in _flat(document):
        choice = _KEYS.get(key)
        if choice is None:
            raise _unknown(path, key, lines)
        try:
            values[choice.name] = read_value(choice, value)
        except ValueError as error:
            hint = f"docs/configuration.md lists what {FILE} may say"
            raise WrongConfiguration(path, _at(key, lines), f"{key} {error}", hint) from None
    return Configuration(path, values, {_KEYS[key].name: line for key, line in lines.items() if key in _KEYS})


def read_root(folder: Path, held: Mapping[Path, str] | None = None) -> tuple[str, int | None] | None:
    """The key `root` of the file in this very folder, and its line; nothing else of it is looked at.

    `held` as in `read_configuration`. Raises WrongConfiguration if the file cannot be read.
    """
    path = folder / FILE
    if not _is_there(path, held):
        return None
    text = _text(path, folder, held)
    root = _parsed(path, text).get("root")
    if root is None:
        return None
    line = _lines(text).get("root")
    if not isinstance(root, str):
        raise WrongConfiguration(path, line, "root must be the name of a .tex file", "correct the key `root` there")
    return root, line


def _is_there(path: Path, held: Mapping[Path, str] | None) -> bool:
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
        said = getattr(error, "strerror", None) or error
        raise WrongConfiguration(path, None, f"cannot be read: {said}", hint) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise WrongConfiguration(path, line, "it is not UTF-8", "save the file as UTF-8") from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\s*\(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        said = re.sub(r"\s*\(at [^()]*\)", "", str(error))
        raise WrongConfiguration(path, line, f"it is not TOML: {said}", "correct the line") from error
    except RecursionError as error:
        said = "is not TOML that can be read: too much in each other"
        raise WrongConfiguration(path, None, said, "correct it") from error


def _flat(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every key with its table in front."""
    for name, value in document.items():
        if isinstance(value, dict) and name in _TABLES:
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def _unknown(path: Path, key: str, lines: Mapping[str, int]) -> WrongConfiguration:
    """What to say of a key that means nothing here: where it belongs, or which was meant."""
    line = _at(key, lines)
    bare = key.rpartition(".")[2]
    where = users_own(bare)
    if where:
        return WrongConfiguration(path, line, f"a project may not set {key}", where)
    if key in _TABLES:
        return WrongConfiguration(path, line, f"{key} is a table", f"write [{key}], and its keys beneath it")
    names = {known.rpartition(".")[2]: known for known in _KEYS}
    meant = bare if bare in names else nearest(bare, (*names, *_TABLES))
    if meant is None or meant in _TABLES:
        hint = f"did you mean [{meant}]?" if meant else f"there are {', '.join(_KEYS)}"
    else:
        table, dot, name = names[meant].rpartition(".")
        hint = f"did you mean {name}{f' beneath [{table}]' if dot else ' at the top'}?"
    return WrongConfiguration(path, line, f"{key} means nothing", hint)


def _at(key: str, lines: Mapping[str, int]) -> int | None:
    return lines.get(key) or lines.get(key.partition(".")[0])


def _lines(text: str) -> dict[str, int]:
    """The line of each key, tables in front: tomllib does not tell them."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = _name(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(f"{table}.{_name(key[1])}" if table else _name(key[1]), number)
    return found


def _name(written: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in written.split("."))
