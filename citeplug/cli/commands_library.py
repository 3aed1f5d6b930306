"""`citeplug library`: the author's own .bib files and PDFs, searched and cited beside arXiv's papers."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli import options
from citeplug.cli.console import counted, first_authors, print_json, progress, say
from citeplug.errors import Cancelled

if TYPE_CHECKING:
    from citeplug.bib.collect_library import LibraryReport


@click.group()
def library() -> None:
    """Your own .bib files and PDFs, searched and cited beside arXiv's papers."""


@library.command(epilog="Example: citeplug library add refs.bib ~/papers")
@click.argument("paths", nargs=-1, required=True, metavar="FILE|DIR...", type=click.Path(path_type=Path))
@options.as_json
@options.verbosity
def add(paths: tuple[Path, ...], as_json: bool, verbose: int, quiet: int) -> None:
    """Add .bib files and PDFs, and those in folders; files added before are read again.

    A .tex, .md, .txt, .docx or .html file with a work's text is added where it is named.

    Papers in them that are not on arXiv can then be found and cited, with your own key and entry; papers on arXiv are
    cited with your entry too. A PDF or another text gives its abstract to the entry that it belongs to; without an
    entry it can be found but not cited. Nothing is sent anywhere, and your files are not changed.
    """
    from citeplug.bib import collect_library as building
    from citeplug.corpus.stores import settings as settings_of

    level = verbose - quiet
    try:
        with progress(level, as_json) as reporter:
            done = building.add(settings_of(), paths, reporter.update)
    except KeyboardInterrupt:
        raise Cancelled("cancelled; your library is unchanged") from None
    _show(done, as_json, level)


@library.command("list", epilog="Example: citeplug library list --json")
@options.as_json
@options.verbosity
def list_(as_json: bool, verbose: int, quiet: int) -> None:
    """List the works with your keys, and those known to be on arXiv."""
    from citeplug.bib import collect_library as building
    from citeplug.corpus.stores import settings as settings_of

    found = building.listed(settings_of())
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        say(f"{each.key or '(no entry)'}: {each.title}")
        place = f"arXiv:{each.id}" if each.on_arxiv else "not in the catalogue of arXiv"
        doi = f", doi:{each.doi}" if each.doi and not each.on_arxiv else ""
        lacks = "" if each.has_abstract else "; no abstract: only its title can be used"
        lacks = lacks if each.citable else "; not citable: no entry of yours names its authors"
        say(f"    {first_authors(each.authors)} ({each.year or 'no year'}); {place}{doi}{lacks}")
        if verbose - quiet > 0:
            for file in each.files:
                say(f"    {file}")
    if not found and verbose - quiet >= 0:
        say("your library is empty: 'citeplug library add FILE|DIR' adds .bib files and PDFs")


@library.command(epilog="Example: citeplug library remove refs.bib smith1998old")
@click.argument("names", nargs=-1, required=True, metavar="FILE|DIR|KEY...")
@options.as_json
@options.verbosity
def remove(names: tuple[str, ...], as_json: bool, verbose: int, quiet: int) -> None:
    """Remove the works of a file, a folder or a key. Your files are not changed."""
    from citeplug.bib import collect_library as building
    from citeplug.corpus.stores import settings as settings_of

    _show(building.remove(settings_of(), names), as_json, verbose - quiet)


def _show(done: "LibraryReport", as_json: bool, level: int) -> None:
    for problem in done.problems:
        say(f"warning: {problem}", err=True)
    if as_json:
        print_json({**asdict(done), "seconds": round(done.seconds, 3)})
    elif level >= 0:
        say(f"{done.added:,} added, {done.unchanged:,} unchanged, {done.gone:,} removed in {done.seconds:.1f} s")
        say(
            f"{counted(done.works, 'work', 'works')} in your library: {done.on_arxiv:,} known from arXiv,"
            f" {done.without_abstract:,} without abstract, {done.not_citable:,} not citable"
        )
