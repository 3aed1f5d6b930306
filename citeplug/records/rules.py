"""Meaning of the finding codes that a project can ignore: of a check, and of the editor (docs/findings.md)."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from citeplug.records.finding import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """Description of a code. `severity` is the usual one; a finding may differ. `meaning`, `help`: sentences."""

    severity: Severity
    meaning: str
    help: str


_FILE = files(__package__).joinpath("rules.toml")
RULES = {code: Rule(*row) for code, row in tomllib.loads(_FILE.read_text("utf-8")).items()}


def rule(code: str) -> Rule:
    """Return the rule of a code; an unlisted code is described by its own name."""
    return RULES.get(code) or Rule("warning", code.replace("_", " ").capitalize() + ".", "See the list of findings.")
