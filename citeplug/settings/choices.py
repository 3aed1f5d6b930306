"""The table of a run's choices: names, bounds, and where each may be said. All places of choosing read it.

A project's own files, the document and `citeplug.toml`, are not trusted: what they may set is listed here, and none of
it can name a service, a price, a consent, or a path outside the project.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, get_args

from citeplug.records.outcome import Options
from citeplug.records.report import FailOn
from citeplug.records.rules import RULES
from citeplug.records.setting import Setting, settings_of

_LONGEST_LIST = 200
_CATEGORY = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?")
_WORDS = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,200}")
_LISTED = {"names": _CATEGORY, "papers": _WORDS, "topics": _WORDS}
_SWITCH = {"yes": True, "true": True, "no": False, "false": False}
_UNFIT = re.compile(r"[\\{}%#~^&$\"<>|:*?\x00-\x1f\x7f]")
_UNSAFE = re.compile(r"[\\<>|:*?\"\x00-\x1f\x7f]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)  # devices of Windows


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

CHOICES = (*OF_A_RUN, OUT, BIB, ROOT, IGNORE, FAIL_ON, ROUNDS, SEEDS, MOST)
JOINED = ("pin", "exclude")  # lists that are added up over all places; for all else the higher place wins

# What only the user may say, by the names under which somebody may try it in a project's file.
_CONFIG = "set it on the command line, or in config.toml of CITEPLUG_HOME (docs/models.md)"
_CONSENT = "say it on the command line: a project cannot consent to what is sent from your machine"
_COMMAND = "say it on the command line, for one run"
_ENVIRONMENT = "set it in the environment (docs/configuration.md): a project cannot choose what is contacted or loaded"
USERS_OWN: Mapping[str, str] = {
    **dict.fromkeys(
        "llm provider service use language_model model models stages max_cost max_tokens budget cost at_once"
        " summaries polish".split(),
        _CONFIG,
    ),
    **dict.fromkeys("online offline consent sources".split(), _CONSENT),
    "as_published": _COMMAND,
    **dict.fromkeys(
        "url base_url arxiv_url oai_url chroma_url crossref_url openalex_url dblp_url semanticscholar_url"
        " anthropic_url openai_url anthropic_base_url openai_base_url arxiv_delay delay home mailto embedder rescorer"
        " device dense key keys"
        " api_key token proxy".split(),
        _ENVIRONMENT,
    ),
}
_OTHER_NAMES = {"strategy": "style", "category": "categories", "pins": "pin", "excludes": "exclude", "length": "words"}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant."""
    import difflib  # imported here: it takes 5 ms, and most runs need it not

    known = list(known)
    other = _OTHER_NAMES.get(name.lower())
    if other in known:
        return other
    found = difflib.get_close_matches(name.lower(), known, 1, 0.6)
    return found[0] if found else None


def users_own(name: str) -> str | None:
    """Return the hint where the user may set something that a project may not; None for any other name."""
    return USERS_OWN.get(name.lower().replace("-", "_").strip())


def read_text(choice: Setting, text: str) -> Any:
    """Read a value from a text in the document. Raises ValueError that names the possible values."""
    text = text.strip()
    if len(text) > 10_000:
        raise ValueError("is too long")
    if choice.kind == "path" and "." not in text.rpartition("/")[2]:
        text += choice.suffix
    if choice.kind in ("names", "papers"):
        return read_value(choice, [part.strip() for part in text.split(",") if part.strip()])
    if choice.kind == "whole":
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            raise ValueError(_requirement(choice))
        return read_value(choice, int(text))
    if choice.kind == "switch":
        return read_value(choice, _SWITCH.get(text.lower(), text))
    if choice.kind == "number":
        if not re.fullmatch(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})", text):
            raise ValueError(_requirement(choice))
        return read_value(choice, float(text))
    return read_value(choice, text)


def read_value(choice: Setting, value: Any) -> Any:
    """Read a value of TOML or JSON. Raises ValueError that names the possible values."""
    fits = _READERS[choice.kind](choice, value)
    if fits is None:
        raise ValueError(_requirement(choice))
    return fits


def as_plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    return value.isoformat() if isinstance(value, date) else list(value) if isinstance(value, tuple) else value


def _requirement(choice: Setting) -> str:
    if choice.kind in ("whole", "number"):
        return f"must be a {'whole ' if choice.kind == 'whole' else ''}number from {choice.least:g} to {choice.most:g}"
    return {
        "switch": "must be true or false",
        "day": "must be a day written YYYY-MM-DD",
        "one": f"must be one of {', '.join(choice.among)}",
        "names": "must be arXiv categories, such as cs.CL",
        "papers": "must be arXiv ids, keys of a bibliography, or titles",
        "topics": "must be numbers, names, or words of names, of topics",
        "codes": "must be a list of codes of findings, such as key_case",
        "path": f"must be the relative path of a {choice.suffix or 'LaTeX'} file in the project, as LaTeX can read it",
    }[choice.kind]


def _number(choice: Setting, value: Any) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int if choice.kind == "whole" else int | float):
        return None
    if not choice.least <= value <= choice.most:
        return None
    return int(value) if choice.kind == "whole" else float(value)


def _switch(choice: Setting, value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _day(choice: Setting, value: Any) -> date | None:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value.strip()):
        return None
    try:
        return date.fromisoformat(value.strip())
    except ValueError:
        return None


def _one(choice: Setting, value: Any) -> str | None:
    return value if isinstance(value, str) and value in choice.among else None


def _names(choice: Setting, value: Any) -> tuple[str, ...] | None:
    pattern = _LISTED[choice.kind]
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or len(values) > _LONGEST_LIST:
        return None
    if not all(isinstance(each, str) and len(each) <= 200 and pattern.fullmatch(each.strip()) for each in values):
        return None
    return tuple(dict.fromkeys(each.strip() for each in values))


def _codes(choice: Setting, value: Any) -> tuple[str, ...] | None:
    """Return the codes. Raises ValueError that names an unknown one."""
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        return None
    for each in value:
        if each not in RULES:
            meant = nearest(each[:100], RULES)
            raise ValueError(f"has an unknown code: {each[:100]}" + (f"; did you mean {meant}?" if meant else ""))
    return tuple(dict.fromkeys(value))


def _path(choice: Setting, value: Any) -> str | None:
    """Return a relative path with `/`; None if a part leads up, is hidden, or is special to Windows or LaTeX."""
    if not isinstance(value, str) or not 0 < len(value) <= 200 or value != value.strip():
        return None
    # A main document's name may have characters that LaTeX cannot \input: it is never read by a command.
    if (_UNFIT if choice.suffix else _UNSAFE).search(value):
        return None
    parts = value.split("/")
    plain = all(part and not part.startswith(".") and not part.endswith((".", " ")) for part in parts)
    if not plain or any(_RESERVED.match(part) for part in parts):
        return None
    fits = value.lower().endswith(choice.suffix) and len(parts[-1]) > len(choice.suffix)
    return value if fits else None


_READERS = {
    "whole": _number,
    "number": _number,
    "switch": _switch,
    "day": _day,
    "one": _one,
    "names": _names,
    "papers": _names,
    "topics": _names,
    "codes": _codes,
    "path": _path,
}
