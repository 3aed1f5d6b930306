"""The table of a run's settings: names, bounds, and where each may be said. All places where one is set read it.

A project's own files, the document and `citeplug.toml`, are not trusted: what they may set is listed here, and none of
it can name a service, a price, a consent, or a path outside the project.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, get_args

from citeplug.records.outcome import Options
from citeplug.records.report import FailOn
from citeplug.records.rules import RULES
from citeplug.records.setting import Kind, Setting, settings_of
from citeplug.text.file_names import is_device

_LONGEST_LIST = 200
_CATEGORY = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?")
_WORDS = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,200}")
_LISTED = {"names": _CATEGORY, "papers": _WORDS, "topics": _WORDS}
_SWITCH = {"yes": True, "true": True, "no": False, "false": False}
_UNFIT = re.compile(r"[\\{}%#~^&$\"<>|:*?\x00-\x1f\x7f]")
_UNSAFE = re.compile(r"[\\<>|:*?\"\x00-\x1f\x7f]")


OF_A_RUN = settings_of(Options)
BREADTH, PIN, EXCLUDE = (entry for entry in OF_A_RUN if entry.name in ("breadth", "pin", "exclude"))
OUT = Setting("out", "path", "related.tex", "--out", "file", "related.out", suffix=".tex")
BIB = Setting("bib", "path", "related.bib", "--bib", None, "related.bib", suffix=".bib")
ROOT = Setting("root", "path", None, None, None, "root")
IGNORE = Setting("ignore", "codes", (), None, None, "ignore")
FAIL_ON = Setting("fail_on", "one", "error", "--fail-on", None, "check.fail_on", among=get_args(FailOn))
# Of `citeplug search --deep` alone: how far the citation graph is followed.
ROUNDS = Setting("rounds", "whole", 2, "--rounds", least=1, most=4)
SEEDS = Setting("seeds", "whole", 25, "--seeds", least=1, most=200)
MOST = Setting("most", "whole", 200, "--most", least=1, most=1000)

SETTINGS = (*OF_A_RUN, OUT, BIB, ROOT, IGNORE, FAIL_ON, ROUNDS, SEEDS, MOST)
JOINED = ("pin", "exclude")  # lists that are added up over all places; for all else the higher place wins


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant."""
    from citeplug.text.compare import most_like  # imported here: difflib takes 5 ms, and most runs need it not

    known = list(known)
    option_of = {"strategy": "style", "category": "categories"}  # options whose setting has another name in a file
    meant = option_of.get(name.lower())
    return meant if meant in known else most_like(name.lower(), known)


def read_table(
    document: Mapping[str, Any], keys: Mapping[str, Setting], doubt: Callable[[str, str, str], Exception]
) -> dict[str, Any]:
    """Read the values of a TOML document, by its keys with their tables (`related.breadth`).

    Raises `doubt(key, message, hint)` for an unknown key and a value out of its range.
    """
    values: dict[str, Any] = {}
    for key, value in flat(document, keys):
        setting = keys.get(key)
        if setting is None:
            raise doubt(key, *_unknown(key, keys))
        try:
            values[key] = read_value(setting, value)
        except ValueError as error:
            raise doubt(key, f"{key} {error}", "docs/configuration.md lists all settings") from None
    return values


def flat(document: Mapping[str, Any], keys: Iterable[str], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every key, prefixed by its table, where that is a table of `keys`."""
    for name, value in document.items():
        if isinstance(value, dict) and any(key.startswith(f"{above}{name}.") for key in keys):
            yield from flat(value, keys, f"{above}{name}.")
        else:
            yield above + name, value


def _unknown(key: str, keys: Iterable[str]) -> tuple[str, str]:
    """What is wrong with an unknown key, and where the setting belongs, or which key was meant."""
    tables = tuple(dict.fromkeys(known.rpartition(".")[0] for known in keys if "." in known))
    if any(table == key or table.startswith(f"{key}.") for table in tables):
        return f"{key} is a table", f"write [{key}], and its keys below"
    bare = key.rpartition(".")[2]
    names = {known.rpartition(".")[2]: known for known in keys}
    meant = bare if bare in names else nearest(bare, (*names, *tables))
    if meant is None or meant in tables:
        hint = f"did you mean [{meant}]?" if meant else f"known are {', '.join(keys)}"
    else:
        table, dot, name = names[meant].rpartition(".")
        hint = f"did you mean {name}{f' below [{table}]' if dot else ' at the top'}?"
    return f"unknown key {key}", hint


def read_text(setting: Setting, text: str) -> Any:
    """Read a value from a text in the document. Raises ValueError that names the possible values."""
    text = text.strip()
    if len(text) > 10_000:
        raise ValueError("is too long")
    if setting.kind == "path" and "." not in text.rpartition("/")[2]:
        text += setting.suffix
    if setting.kind in ("names", "papers"):
        return read_value(setting, [part.strip() for part in text.split(",") if part.strip()])
    if setting.kind == "whole":
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise ValueError(_requirement(setting))
        return read_value(setting, int(text))
    if setting.kind == "switch":
        return read_value(setting, _SWITCH.get(text.lower(), text))
    if setting.kind == "number":
        if not re.fullmatch(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})", text):
            raise ValueError(_requirement(setting))
        return read_value(setting, float(text))
    return read_value(setting, text)


def read_value(setting: Setting, value: Any) -> Any:
    """Read a value of TOML or JSON. Raises ValueError that names the possible values."""
    fits = _READERS[setting.kind](setting, value)
    if fits is None:
        raise ValueError(_requirement(setting))
    return fits


def as_plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    return value.isoformat() if isinstance(value, date) else list(value) if isinstance(value, tuple) else value


def _requirement(setting: Setting) -> str:
    begin = {"whole": "a whole number from ", "number": "a number from ", "one": "one of ", "codes": "a list of "}
    return f"must be {begin.get(setting.kind, '')}{setting.range}"


def _number(setting: Setting, value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int if setting.kind == "whole" else int | float):
        return None
    if not setting.least <= value <= setting.most:
        return None
    return int(value) if setting.kind == "whole" else float(value)


def _day(setting: Setting, value: Any) -> date | None:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{4}(?:-[0-9]{2}-[0-9]{2})?", text):
        return None
    try:
        return date.fromisoformat(text if "-" in text else f"{text}-01-01")
    except ValueError:
        return None


def _names(setting: Setting, value: Any) -> tuple[str, ...] | None:
    pattern = _LISTED[setting.kind]
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or len(values) > _LONGEST_LIST:
        return None
    if not all(isinstance(value, str) and len(value) <= 200 and pattern.fullmatch(value.strip()) for value in values):
        return None
    return tuple(dict.fromkeys(value.strip() for value in values))


def _codes(setting: Setting, value: Any) -> tuple[str, ...] | None:
    """Return the codes. Raises ValueError that names an unknown one."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        return None
    if unknown := unknown_code(value):
        raise ValueError(f"has an unknown code: {unknown}")
    return tuple(dict.fromkeys(value))


def unknown_code(codes: Iterable[str]) -> str | None:
    """The first that is no code of a finding, with the one that was probably meant; None if all are."""
    for code in codes:
        if code not in RULES:
            meant = nearest(code[:100], RULES)
            return code[:100] + (f"; did you mean {meant}?" if meant else "")
    return None


def _path(setting: Setting, value: Any) -> str | None:
    """Return a relative path with `/`; None if a part leads up, is hidden, or is special to Windows or LaTeX."""
    if not isinstance(value, str) or not 0 < len(value) <= 200 or value != value.strip():
        return None
    # A main document's name may have characters that LaTeX cannot \input: it is never read by a command.
    if (_UNFIT if setting.suffix else _UNSAFE).search(value):
        return None
    parts = value.split("/")
    plain = all(part and not part.startswith(".") and not part.endswith((".", " ")) for part in parts)
    if not plain or any(map(is_device, parts)):
        return None
    fits = value.lower().endswith(setting.suffix) and len(parts[-1]) > len(setting.suffix)
    return value if fits else None


_READERS: Mapping[Kind, Callable[[Setting, Any], Any]] = {
    "whole": _number,
    "number": _number,
    "switch": lambda _, value: value if isinstance(value, bool) else None,
    "day": _day,
    "one": lambda setting, value: value if isinstance(value, str) and value in setting.among else None,
    "text": lambda _, value: value.strip() or None if isinstance(value, str) and value.isprintable() else None,
    "names": _names,
    "papers": _names,
    "topics": _names,
    "codes": _codes,
    "path": _path,
}
