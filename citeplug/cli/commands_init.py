"""`citeplug init`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.cli.console import print_json, say, say_next
from citeplug.cli.options import AsJson
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.project.start_project import Started


@parameters
class InitParams(AsJson):
    start: Path | None = argument("[DIR|MAIN.tex]")
    sty: bool = option("Also write the LaTeX package citeplug.sty next to the draft.")
    force: bool = option("Overwrite existing files; a copy is kept as .bak.")


@command("Example: citeplug init paper/ --sty")
def init(params: InitParams) -> None:
    """Show how a project is read, and write a commented citeplug.toml.

    An existing citeplug.toml stays as it is. Nothing else is written or changed.
    """
    from citeplug.project.start_project import start_project

    started = start_project(params.start, params.settings().home, force=params.force, sty=params.sty)
    if params.as_json:
        print_json(_as_json(started))
    else:
        _show(started)


def _as_json(started: "Started") -> dict[str, Any]:
    from citeplug.project.start_project import latex_engine

    draft = started.draft
    related = draft.related_work
    return {
        **fields_of(draft, "root document_class"),
        "engine": latex_engine(draft),
        **fields_of(draft, "bib_engine bib_files"),
        "related_work": related and {"title": related.title, "file": str(related.span.file), "line": related.span.line},
        "section": started.section and str(started.section),
        **fields_of(started, "reads_section remote"),
        "catalogue_records": started.records,
        "configuration": str(started.settled),
        **fields_of(started, "kept written notes"),
    }


def _show(started: "Started") -> None:
    from citeplug.project.section_targets import seen_from_here

    document = _as_json(started)
    related = document["related_work"]
    names = ", ".join(Path(name).name for name in document["bib_files"]) or "none"
    root, section = seen_from_here(Path(document["root"])), document["section"]
    facts = {
        "main document": f"{root} ({document['document_class'] or 'no class'}, {document['engine']})",
        "bibliography": f"{names} ({document['bib_engine']})",
    }
    where = (
        f"{Path(related['file']).name}:{related['line']}, “{related['title']}”" if related else "no such section yet"
    )
    facts |= {
        "related work": where,
        "section": seen_from_here(Path(section)) if section else "not written yet",
    }
    if document["remote"]:
        overleaf = "; citeplug overleaf sync pushes the section there" if "overleaf.com" in document["remote"] else ""
        facts["git remote"] = f"{document['remote']}{overleaf}"
    records = document["catalogue_records"]
    facts["catalogue"] = f"{records:,} records" if records else "empty; 'citeplug start' fills it"
    for name, value in facts.items():
        say(value, lead=(f"{name + ':':15}", "title"))
    for file in document["written"]:
        say("wrote ", (seen_from_here(Path(file)), "title"))
    if document["kept"]:
        say(f"{seen_from_here(Path(document['configuration']))} exists and is left unchanged")
    for note in document["notes"]:
        say(note)
    insert = "" if document["reads_section"] else " --insert"
    say_next(f"citeplug related {Path(document['root']).name}{insert}", "writes the section")
