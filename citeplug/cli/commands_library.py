"""`citeplug library`: the author's own .bib files and PDFs, searched and cited beside arXiv's papers."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from citeplug.cli.console import cancellable, counted, print_json, say, say_next, say_warning
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.options import Output
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import UsageError
from citeplug.records.paper import shown_id
from citeplug.text.people import cited_people

if TYPE_CHECKING:
    from citeplug.bib.collect_library import LibraryReport


@click.group(cls=WholeGroup)
def library() -> None:
    """Manage your own .bib files and PDFs, searched along with arXiv's."""


@parameters
class LibraryAddParams(Output):
    paths: tuple[Path, ...] = argument("FILE|DIR...", required=True)


@command("Example: citeplug library add refs.bib ~/papers", group=library)
def add(params: LibraryAddParams) -> None:
    """Add .bib files and PDFs, or folders of them; files added before are read again.

    A .tex, .md, .txt, .docx or .html file with a work's text is added only if you name it.

    Papers that are not on arXiv can then be found and cited with your own key and entry; papers on arXiv are cited with
    your entry too. A PDF or other text lends its abstract to the entry that it belongs to; without an entry, it can be
    found but not cited. Nothing is sent anywhere, and your files are not changed.
    """
    from citeplug.bib import collect_library as building

    with cancellable("your library is unchanged", ""), params.progress() as reporter:
        done = building.add(params.settings(), params.paths, reporter.update)
    _show(done, params.as_json, params.level)


@parameters
class LibrarySyncParams(Output):
    source: Literal["zotero", "jabref", "folder"] = argument("zotero|jabref|folder")
    path: Path | None = argument("[FILE|DIR]")
    offline: bool = option("Contact no program, not even one on this machine.")


@command("Example: citeplug library sync zotero", group=library)
def sync(params: LibrarySyncParams) -> None:
    """Bring your library up to date with Zotero on this machine, a JabRef file, or a folder.

    `zotero` reads Zotero's local API: entries, collections and PDFs, of groups too; where Better BibTeX is installed,
    its keys are the keys. Only what changed since the last time is read. `jabref FILE` reads a .bib file with its
    groups and the PDFs that it links to; `folder DIR` reads the .bib files and PDFs below it. Nothing is written there.
    """
    from citeplug.bib import collect_library as building
    from citeplug.bib.zotero_sync import sync_zotero

    if (params.path is None) != (params.source == "zotero"):
        words = {"zotero": "no path", "jabref": "a .bib file", "folder": "a folder"}
        raise UsageError(f"library sync {params.source} takes {words[params.source]}", "see 'citeplug library sync -h'")
    with cancellable("your library is unchanged", ""), params.progress() as reporter:
        if params.path is None:
            done = sync_zotero(params.settings(), reporter.update)
        else:
            done = building.add(params.settings(), [params.path], reporter.update, linked=params.source == "jabref")
    _show(done, params.as_json, params.level)


@parameters
class LibrarySaveParams(Output):
    ids: tuple[str, ...] = argument("ID...", required=True)
    collection: str | None = option("Zotero collection, by name or path, such as Thesis/Methods.", metavar="NAME")
    tag: tuple[str, ...] = option("Tag for new items; repeatable.", metavar="TAG")
    offline: bool = option("Contact no program, not even one on this machine.")


@command("Example: citeplug library save 1706.03762 --collection Thesis", group=library)
def save(params: LibrarySaveParams) -> None:
    """Save papers to Zotero, with their PDFs if these are here, and sync.

    Zotero 10 asks you for leave; with 'Always Allow' PDFs are saved too, and it does not ask again. A paper that Zotero
    has is only put into the collection.
    """
    from citeplug.bib.zotero_save import save_papers

    with params.progress() as reporter:
        saved = save_papers(params.settings(), params.ids, params.collection, params.tag, reporter.update)
    if params.as_json:
        print_json([asdict(paper) for paper in saved])
    elif params.level >= 0:
        where = f" in {params.collection}" if params.collection else ""
        words = {"saved": f"saved{where}", "filed": f"is now{where}", "there": f"was already{where or ' there'}"}
        for paper in saved:
            done = words.get(paper.status, "was not saved") + (", with its PDF" if paper.pdf else "")
            say(f"{shown_id(paper.id)} {done}{f': {paper.message}' if paper.message else ''}")
    if any(paper.status == "failed" for paper in saved):
        raise SystemExit(1)


@parameters
class LibraryExportParams(Output):
    main: Path | None = argument("[MAIN.tex]")
    notes: Path | None = option("Write a Markdown note for each work to this folder.", metavar="DIR")
    csl: Path | None = option("Write all entries to this file as CSL-JSON.", metavar="FILE")


@command("Example: citeplug library export main.tex --notes vault/papers --csl library.json", group=library)
def export(params: LibraryExportParams) -> None:
    """Write your library as Markdown notes, such as for Obsidian, or as CSL-JSON.

    A note has the citation, the main contribution and, with MAIN.tex, what your section quotes and where your draft
    cites the work. What you write below its mark stays, and a file without the mark is left alone.
    """
    from citeplug.related.library_notes import export_library

    if params.notes is None and params.csl is None:
        raise UsageError("nothing to write", "give --notes DIR, --csl FILE or both")
    done = export_library(params.settings(), params.notes, params.csl, params.main)
    for path in done.left:
        say_warning(f"{path} is your own file and was left alone")
    if params.as_json:
        print_json({**asdict(done), "left": [str(path) for path in done.left]})
    elif params.level >= 0:
        say(f"{counted(done.works, 'work', 'works')}, {counted(done.written, 'file', 'files')} written")


@command("Example: citeplug library list --json", group=library)
def list_(params: Output) -> None:
    """List the works in your library, with your keys, and say which are on arXiv."""
    from citeplug.bib import collect_library as building

    works = building.listed(params.settings())
    if params.as_json:
        print_json([asdict(work) for work in works])
        return
    for work in works:
        say((work.key or "(no entry)", "key"), ": ", (work.title, "title"), hang=4)
        place = f"arXiv:{work.id}" if work.on_arxiv else "not known to be on arXiv"
        doi = f", doi:{work.doi}" if work.doi and not work.on_arxiv else ""
        lacks = "" if work.has_abstract else "; no abstract, so only its title can be used"
        lacks = lacks if work.citable else "; not citable, because no entry of yours names its authors"
        say(f"    {cited_people(work.authors) or 'Authors unknown'} ({work.year or 'no year'}); {place}{doi}{lacks}")
        if work.collections:
            say(f"    in {', '.join(work.collections)}", hang=4)
        if params.level > 0:
            for file in work.files:
                say(f"    {file}")
    if not works and params.level >= 0:
        say("Your library is empty.")
        say_next("citeplug library add FILE|DIR", "adds .bib files and PDFs")


@parameters
class LibraryRemoveParams(Output):
    names: tuple[str, ...] = argument("FILE|DIR|KEY|zotero...", required=True)


@command("Example: citeplug library remove refs.bib smith1998old", group=library)
def remove(params: LibraryRemoveParams) -> None:
    """Remove the works of a file, a folder, a key or Zotero. Your files are not changed."""
    from citeplug.bib import collect_library as building

    _show(building.remove(params.settings(), params.names), params.as_json, params.level)


def _show(done: "LibraryReport", as_json: bool, level: int) -> None:
    for problem in done.problems:
        say_warning(problem)
    if as_json:
        print_json({**asdict(done), "seconds": round(done.seconds, 3)})
    elif level >= 0:
        say(f"{done.added:,} added, {done.unchanged:,} unchanged, {done.gone:,} removed in {done.seconds:.1f} s")
        say(
            f"{counted(done.works, 'work', 'works')} in your library: {done.on_arxiv:,} known from arXiv,"
            f" {done.without_abstract:,} without abstract, {done.not_citable:,} not citable"
        )
