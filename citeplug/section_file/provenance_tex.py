"""What was recorded of a section, for the LaTeX package to read: `related-citeplug.tex` beside `related.tex`.

    %citeplug 1
    %version 0.1.0
    %made 2026-11-21
    %sources arXiv
    %model gpt-5
    %other \\paragraph{Graph attention.}
    %sentence 87 unreviewed 1 \\citet{velickovic2018graph} introduce attention ...
    %entry verified velickovic2018graph

To TeX every line is a comment; the package reads them as strings, and compares them with the lines of the section.
`sentence` gives the attribution in percent, the status, who wrote it (the number of a `model` line, 0: no model) and
its LaTeX. The file is not in `.citeplug/`: Overleaf leaves out files whose names begin with a dot when a project is
uploaded, and arXiv does so in a submission.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FIRST_LINE = "%citeplug 1"
_MOST_MODELS = 99
_SOURCES = {"arxiv": "arXiv", "catalogue": "arXiv", "crossref": "Crossref", "openalex": "OpenAlex", "dblp": "DBLP"}


def tex_record_of(section: Path) -> Path:
    """The file that belongs to a section's file."""
    return section.with_name(f"{section.stem}-citeplug.tex")


def is_tex_record(text: str) -> bool:
    """Whether citeplug wrote this text; one that git left with conflict marks too."""
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines()[:2]]
    return not lines or lines[0] == FIRST_LINE or (lines[0].startswith("<<<<<<<") and FIRST_LINE in lines)


def print_tex_record(record: Mapping[str, Any], section: str) -> str:
    """The lines for the record (`citeplug.project.provenance`) of `section`, the text of the section's file.

    What is damaged in the record, or missing in an older one, is left out.
    """
    sentences = [each for each in _dicts(record.get("sentences")) if _line(each.get("tex"))]
    models = list(dict.fromkeys(filter(None, (_name(each.get("by")) for each in sentences))))[:_MOST_MODELS]
    lines = [FIRST_LINE, f"%version {_ascii(record.get('citeplug'))}"]
    if made := re.fullmatch(r"\d{4}-\d\d-\d\d", str(record.get("made_on"))):
        lines.append(f"%made {made[0]}")
    entries = _dicts(record.get("entries"))
    if sources := dict.fromkeys(filter(None, (_SOURCES.get(str(e.get("checked_against"))) for e in entries))):
        lines.append(f"%sources {', '.join(sources)}")
    lines += [f"%model {model}" for model in models]
    headings = (" ".join(line.split()) for line in section.splitlines())
    lines += [f"%other {line}" for line in dict.fromkeys(headings) if re.fullmatch(r"\\paragraph\*?\{.*\}", line)]
    for sentence in sentences:
        model = _name(sentence.get("by"))
        writer = models.index(model) + 1 if model in models else 0
        status = "accepted" if sentence.get("status") == "accepted" else "unreviewed"
        lines.append(f"%sentence {_percent(sentence.get('attribution'))} {status} {writer} {_line(sentence['tex'])}")
    for entry in entries:
        if key := _line(entry.get("key")):
            verdict = "verified" if entry.get("verdict") == "verified" else "other"
            lines.append(f"%entry {verdict} {key}")
    return "\n".join(lines) + "\n"


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _name(value: Any) -> str:
    """A model's name, which TeX prints as it stands: short, and of ASCII signs that every font has."""
    return re.sub(r"[^!-~]+", "-", _line(value)).strip("-")[:60]


def _ascii(value: Any) -> str:
    return re.sub(r"[^0-9A-Za-z.+-]", "", str(value or ""))[:30]


def _percent(value: Any) -> int:
    number = value if isinstance(value, int | float) else 0.0
    return round(100 * min(max(number, 0.0), 1.0)) if number == number else 0
