"""New entries of `citeplug cite`, printed: as JSON, and for a reader."""

from typing import Any

from citeplug.bib.cite import Citing
from citeplug.bib.find_paper import Cited, Record
from citeplug.cli.console import Part, say, show_unwrapped
from citeplug.records.json_form import fields_of
from citeplug.records.paper import Paper, shown_id
from citeplug.text.people import cited_people


def citing_as_json(done: Citing, appended: bool) -> list[dict[str, Any]]:
    return [
        {
            "query": one.query,
            "status": "appended" if one.status == "new" and appended else one.status,
            "key": one.key,
            "file": str(done.file.path) if done.file else None,
            "line": one.line,
            **_record_as_json(one.record),
            "entry": one.entry,
            "candidates": [_record_as_json(record) for record in one.candidates],
            "message": one.message or None,
            "fix": one.fix,
        }
        for one in done.cited
    ]


def _record_as_json(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {"arxiv_id": None, "doi": None, "title": None, "authors": [], "year": None}
    return {
        "arxiv_id": record.id.value if isinstance(record, Paper) else record.arxiv_id,
        **fields_of(record, "doi title authors"),
        "year": record.published.year if isinstance(record, Paper) else record.year,
    }


def show_cited(done: Citing, appended: bool, level: int) -> None:
    new = [one for one in done.cited if one.entry is not None]
    if appended and done.file is not None:
        for one in new:
            if level >= 0:
                say(f"added {one.key} to {done.file.path}")
    else:
        for number, one in enumerate(new):
            show_unwrapped(("\n" if number else "") + (one.entry or ""))
    for one in done.cited:
        if one.entry is None:
            _show_refused(one, done)


def _show_refused(one: Cited, done: Citing) -> None:
    place: Part = f"{done.file.path}:{one.line}:" if done.file and one.line else ("citeplug:", "error")
    say(place, f" {one.query}: {one.message}", err=True, hang=4)
    for record in one.candidates or ([one.record] if one.record and one.status == "refused" else []):
        say(f"    {_described(record)}", err=True)
    if one.fix:
        say(one.fix, lead="    ", err=True)


def _described(record: Record) -> str:
    shown = _record_as_json(record)
    place = shown_id(shown["arxiv_id"]) if shown["arxiv_id"] else f"doi:{shown['doi']}"
    who = cited_people(shown["authors"])
    return f"{place}  {shown['title']}{f'. {who}' if who else ''} ({shown['year'] or 'year not known'})"
