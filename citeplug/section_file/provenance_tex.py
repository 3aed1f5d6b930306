"""Record of a section for the LaTeX package: `related-citeplug.tex` beside `related.tex`.

    %citeplug 1
    %version 0.1.0
    %made 2026-11-21
    %sources arXiv
    %model gpt-5
    %other \\paragraph{Graph attention.}
    %sentence 87 unreviewed 1 \\citet{velickovic2018graph} introduce attention ...
    %entry verified velickovic2018graph

To TeX every line is a comment; the package reads them as strings, and compares them with the lines of the section.
`sentence` gives the attribution in percent (00: it has none, as a topic or a group), the status, the writer (the number
of a `model` line, 0: no model) and its LaTeX. The file is not in `.citeplug/`: Overleaf leaves out files whose names
begin with a dot when a project is uploaded, and arXiv does so in a submission.
"""

import re
from pathlib import Path

from citeplug.records.provenance import Provenance

FIRST_LINE = "%citeplug 1"
_MOST_MODELS = 99
_SOURCES = {"arxiv": "arXiv", "catalogue": "arXiv", "crossref": "Crossref", "openalex": "OpenAlex", "dblp": "DBLP"}


def tex_record_of(section: Path) -> Path:
    """Return the path of the record of a section's file."""
    return section.with_name(f"{section.stem}-citeplug.tex")


def is_tex_record(text: str) -> bool:
    """Return True if citeplug wrote this text, also with git's conflict marks."""
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines()[:2]]
    return not lines or lines[0] == FIRST_LINE or (lines[0].startswith("<<<<<<<") and FIRST_LINE in lines)


def print_tex_record(record: Provenance, section: str) -> str:
    """The lines for the record of `section`, the text of the section's file; what is not recorded is left out."""
    recorded = (sentence for sentence in record.sentences if sentence.status != "rejected")
    sentences = [(sentence, tex) for sentence in recorded if (tex := _line(sentence.tex))]
    models = list(dict.fromkeys(filter(None, (_name(sentence.by) for sentence, _ in sentences))))[:_MOST_MODELS]
    lines = [FIRST_LINE, f"%version {_ascii(record.citeplug)}"]
    if made := re.fullmatch(r"\d{4}-\d\d-\d\d", record.made_on or ""):
        lines.append(f"%made {made[0]}")
    if sources := dict.fromkeys(filter(None, (_SOURCES.get(entry.checked_against or "") for entry in record.entries))):
        lines.append(f"%sources {', '.join(sources)}")
    lines += [f"%model {model}" for model in models]
    headings = (" ".join(line.split()) for line in section.splitlines())
    lines += [f"%other {line}" for line in dict.fromkeys(headings) if re.fullmatch(r"\\paragraph\*?\{.*\}", line)]
    for sentence, tex in sentences:
        model = _name(sentence.by)
        writer = models.index(model) + 1 if model in models else 0
        lines.append(f"%sentence {_percent(sentence.attribution)} {sentence.status} {writer} {tex}")
    for entry in record.entries:
        if key := _line(entry.key):
            lines.append(f"%entry {'verified' if entry.verdict == 'verified' else 'other'} {key}")
    return "\n".join(lines) + "\n"


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _name(model: str | None) -> str:
    """A model's name, which TeX prints as it is: short, and of ASCII signs that every font has."""
    return re.sub(r"[^!-~]+", "-", _line(model)).strip("-")[:60]


def _ascii(text: str | None) -> str:
    return re.sub(r"[^0-9A-Za-z.+-]", "", text or "")[:30]


def _percent(number: float | None) -> str:
    """Percent, and `00` for none: to a package of before there were topics, it is a number too."""
    if number is None:
        return "00"
    return str(round(100 * min(max(number, 0.0), 1.0)) if number == number else 0)
