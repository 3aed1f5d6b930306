"""An audit as HTML: one file without script that asks for nothing, and the part of it that the review page shows."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from citeplug.audit.ranking import OF_CITATIONS, OnKey, doubts_of, ranked
from citeplug.bib.compare.verify import NOT_HELD
from citeplug.latex.prose import read_prose
from citeplug.records.audit import Audit, Balance
from citeplug.records.paper import shown_id
from citeplug.records.prose import ProseSentence
from citeplug.records.report import BibReport, EntryReport, verdicts_in_words
from citeplug.records.rules import rule
from citeplug.related.section.in_print import in_names, names_of
from citeplug.text.compare import entry_title
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.tex_text import decode_tex
from citeplug.web.assets import templates
from citeplug.web.filters import shown_reason

OUTAGE = "source_unavailable"
_ELSEWHERE = ("missing_work", "newer_than_draft", *OF_CITATIONS, "novelty_claim", OUTAGE)


def audit_values(audit: Audit, folder: Path | None = None) -> dict[str, Any]:
    """Return what the template `audit_found.html` shows; paths are from `folder`, or else that of the main file.

    Sentences of the draft are whole, with the works that they cite in brackets.
    """
    draft = audit.report.draft
    folder = folder or (Path.cwd() if draft is None else draft.root.parent)
    on_keys = ranked(audit.report)
    causes: dict[str, list[OnKey]] = {}
    for on_key in on_keys:  # worst first, so that the causes are, too
        if on_key.finding.code not in _ELSEWHERE:
            causes.setdefault(on_key.finding.code, []).append(on_key)
    sentences = [] if draft is None else [(p.file, s) for p in read_prose(draft) for s in p.sentences]
    entries = [entry.entry for entry in audit.report.entries if entry.entry]
    names = names_of([*entries, *(() if draft is None else draft.entries)])

    def named(sentence: ProseSentence) -> str:
        return sentence.with_citations(lambda keys: f"({'; '.join(names.get(key, key) for key in keys)})")

    return {
        "audit": audit,
        "outages": [on_key.finding for on_key in on_keys if on_key.finding.code == OUTAGE],
        "not_checked": rule("entry_unchecked"),
        "groups": [(rule(code), group[0].finding.severity, group) for code, group in causes.items()],
        "doubts": doubts_of(audit),
        "missing": [work for work in audit.missing if not work.newer],
        "perhaps": [work for work in audit.perhaps if not work.newer],
        "newer": [work for work in (*audit.missing, *audit.perhaps) if work.newer],
        "cited_as": {sentence.text: named(sentence) for _, sentence in sentences},
        "sentence_at": {(file, sentence.line): named(sentence) for file, sentence in reversed(sentences)},
        "ids": {entry.key: entry.check.arxiv_id for entry in audit.report.entries if entry.check.arxiv_id},
        "entries": {entry.key: entry for entry in audit.report.entries},
        "names": names,
        "title_of": title_of,
        "not_held": NOT_HELD,
        "in_names": partial(in_names, names=names),
        "reason_of": shown_reason,
        "path_of": partial(path_in, folder=folder),
        "shown_id": shown_id,
        "arxiv": lambda value: (known := as_arxiv_id(value)) and f"https://arxiv.org/abs/{known}",
        "acts": False,
    }


def path_in(file: Path, folder: Path) -> str:
    """What the page calls a file: its path from the folder, or the whole one."""
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)


def title_of(report: EntryReport) -> str:
    return decode_tex(entry_title(report.entry)) if report.entry else ""


def audit_as_html(audit: Audit) -> str:
    """Return the document of `citeplug audit --format html`. Texts of papers and drafts are escaped."""
    draft = audit.report.draft
    return _document(audit_values(audit), f"Audit of {'' if draft is None else draft.root.name}")


def check_as_html(report: BibReport, files: Sequence[Path]) -> str:
    """Return the document of `citeplug check --format html`: an audit that looked at the entries alone."""
    names = ", ".join(file.name for file in files)
    return _document(check_values(report, files), f"Check of {names}" if names else "Check")


def check_values(report: BibReport, files: Sequence[Path]) -> dict[str, Any]:
    """Return what the template `audit_found.html` shows of a check; paths are from the folder of the only file."""
    folder = files[0].absolute().parent if len(files) == 1 and files[0].is_file() else None
    values = audit_values(Audit(report, (), Balance(0, None, None, 0, ()), (), ()), folder)
    return {**values, "verdicts": verdicts_in_words(report.verdicts)}


def _document(values: Mapping[str, Any], title: str) -> str:
    return templates().get_template("audit_file.html").render({**values, "title": title}) + "\n"
