"""Write docs/findings.md from citeplug/records/rules.toml and docs/findings.toml: `python build_findings.py`."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citeplug.records.rules import RULES

DOCS = Path(__file__).parent / "docs"
PAGE = DOCS / "findings.md"
SHARED = 3  # findings of a group whose advice is given once
INTRODUCTION = """\
<!-- Made by build_findings.py. -->
# Findings

Whatever citeplug doubts about a draft, an entry or a sentence is a finding, with a code that stays the same. An
**error** is wrong or stops LaTeX, a **warning** may be wrong, and an **info** is for you to know. No finding stops a
run. After the arrow is what to do, at the head of a group where several have it in common.

A [comment](check.md#ignoring-a-finding) can ignore the findings of a check, an audit and the editor:

    See \\cite{next}. % citeplug: ignore undefined_key

`--json` prints each finding as `{code, severity, message, file, line, column, fix}`. In reports the code
follows the message, in brackets.
"""


def page() -> str:
    """The page: what was run, then each finding with its meaning and what to do."""
    groups = tomllib.loads((DOCS / "findings.toml").read_text("utf-8"))
    return INTRODUCTION + "\n" + "\n".join(contents(groups)) + "\n" + "".join(sections(groups, "##"))


def contents(groups: Mapping[str, Any]) -> Iterator[str]:
    for heading, group in groups.items():
        inner = " · ".join(link(name) for name in subheadings(group))
        yield f"- {link(heading)}" + (f": {inner}" if inner else "")


def subheadings(group: Mapping[str, Any]) -> list[str]:
    return [name for name in group if " " in name or "." in name]


def link(heading: str) -> str:
    return f"[{heading}](#{re.sub(r'[^a-z0-9_ -]', '', heading.lower()).replace(' ', '-')})"


def sections(groups: Mapping[str, Any], level: str) -> Iterator[str]:
    for heading, group in groups.items():
        inner = {name: group[name] for name in subheadings(group)}
        yield f"\n{level} {heading}\n"
        if "intro" in group:
            yield f"\n{group['intro']}\n"
        told = {code: texts(code, about) for code, about in group.items() if code != "intro" and code not in inner}
        actions = Counter(action for _, _, action in told.values() if action)
        shared = [action for action, times in actions.items() if times >= SHARED]
        for action in shared:
            codes = ", ".join(f"`{code}`" for code in told if told[code][2] == action)
            yield f"\n{codes} → {action}\n"
        for code, (severity, meaning, action) in told.items():
            todo = f" → {action}" if action and action not in shared else ""
            yield f"\n#### `{code}`\n\n*{severity}* · {meaning}{todo}\n"
        yield from sections(inner, level + "#")


def texts(code: str, about: Mapping[str, str]) -> tuple[str, str, str]:
    """Severity, meaning, and what to do, which may be nothing."""
    rule = None if "meaning" in about else RULES[code]
    severity = about.get("severity") or (rule.severity if rule else "")
    meaning, action = (rule.meaning, rule.help) if rule else (about["meaning"], about["help"])
    note = f" {about['note']}" if "note" in about else ""
    return severity, f"{meaning}{note}", "" if action in ("Nothing.", "See the message.") else action


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
