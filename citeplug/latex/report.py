"""Report of what was read from a draft, for people and for programs (`citeplug draft`)."""

import os
import re
from pathlib import Path
from typing import Any

from citeplug.latex.plain import plain_line
from citeplug.records.draft import BibEntry, Cite, Draft, DraftSection
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_SHOWN = 12
LABEL = 12  # columns before each line of the text


def draft_as_json(draft: Draft) -> dict[str, Any]:
    """The document of `citeplug draft --json` (docs/interface.md); paths are relative to the root's folder."""
    folder = draft.root.parent

    def name(path: Path | None) -> str | None:
        return None if path is None else relative(path, folder)

    def placed(record: BibEntry | Cite | DraftSection, names: str) -> dict[str, Any]:
        return fields_of(record, names) | {"file": name(record.span.file), "line": record.span.line}

    related = draft.related_work
    return {
        "root": str(draft.root),
        "files": [name(path) for path in draft.files],
        "title": draft.title or None,
        "abstract": draft.abstract or None,
        "sections": [placed(section, "level title text") for section in draft.sections],
        "cites": [placed(cite, "keys command") | {"context": cite.context or None} for cite in draft.cites],
        "bib_files": [name(path) for path in draft.bib_files],
        "bib_style": draft.bib_style,
        "bib_engine": None if draft.bib_engine == "none" else draft.bib_engine,
        "document_class": draft.document_class,
        "entries": [
            {
                "key": entry.key,
                "type": entry.kind,
                "title": plain_line(entry.fields["title"]) if "title" in entry.fields else None,
            }
            | placed(entry, "arxiv_id doi")
            for entry in draft.entries
        ],
        "related_work": related and placed(related, "title"),
        "findings": [finding_as_json(finding, folder) for finding in draft.findings],
    }


def finding_as_json(finding: Finding, folder: Path) -> dict[str, Any]:
    """One finding, with its file relative to `folder`."""
    file = None if finding.file is None else relative(finding.file, folder)
    return fields_of(finding, "code severity message file line column fix") | {"file": file}


def relative(path: Path, folder: Path) -> str:
    """The path as seen from `folder`, with `/`; absolute where there is no way (another drive)."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path.as_posix()


def draft_as_text(draft: Draft) -> str:
    """A summary for a terminal, without the findings. Control characters from the draft's files are taken out."""
    folder = draft.root.parent
    keys = {key for cite in draft.cites for key in cite.keys}
    defined = {entry.key for entry in draft.entries}
    with_id = sum(entry.arxiv_id is not None for entry in draft.entries)
    lines = [
        f"Root        {draft.root}",
        f"Files       {_listed([relative(path, folder) for path in draft.files])}",
        f"Class       {draft.document_class or 'not found'}",
        f"Title       {draft.title or 'not found'}",
        f"Abstract    {_shortened(draft.abstract, 300) or 'not found'}",
        f"Sections    {len(draft.sections)}",
        *(f"            {'  ' * max(section.level - 1, 0)}{section.title}" for section in draft.sections[:_SHOWN]),
        *([f"            and {len(draft.sections) - _SHOWN} more"] if len(draft.sections) > _SHOWN else []),
        f"Citations   {len(draft.cites)} commands, {len(keys)} keys"
        + (f" ({', '.join(f'{name} {count}' for name, count in _most(draft.cite_commands))})" if draft.cites else ""),
        f"Entries     {len(draft.entries)}, {with_id} with an arXiv id",
        f"Bib files   {_listed([relative(path, folder) for path in draft.bib_files]) or 'none'}",
        f"Style       {draft.bib_style or 'not set'}, engine {draft.bib_engine}",
    ]
    related = draft.related_work
    place = "not found"
    if related is not None:
        place = (
            f"{related.title} ({relative(related.span.file, folder)}:{related.span.line}), cites {draft.related_works}"
        )
    lines.append(f"Related     {place}")
    unknown = sorted(keys - defined - {"*"})
    if unknown:
        lines.append(f"Undefined   {_listed(unknown)}")
    return "\n".join(clean(line) for line in lines) + "\n"


def clean(text: str) -> str:
    """The text without what could steer a terminal or reorder what it shows, in one line."""
    return _CONTROL.sub("", text.replace("\n", " ").replace("\t", " "))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _shortened(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:6]
