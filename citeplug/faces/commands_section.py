"""`citeplug strip`, `accept` and `status`: what an author does with a section that is there."""

from pathlib import Path

import click

from citeplug.faces import options
from citeplug.faces.console import say, write_bytes


@click.command(epilog="Example: citeplug strip related.tex -o submission/related.tex")
@click.argument("section", metavar="[RELATED.tex]", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write here; default: standard output."
)
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is no earlier result; a copy is kept as .bak.")
@options.verbosity
def strip(section: Path | None, out: Path | None, force: bool, verbose: int, quiet: int) -> None:
    """Give the section without citeplug's comments, for a submission: arXiv publishes sources.

    The text, your own comments and what you wrote between the blocks stay byte for byte. The section itself is not
    changed: without -o the result goes to standard output.
    """
    from citeplug.build.stores import settings as settings_of
    from citeplug.build.stripping import strip_section, write_stripped

    level = verbose - quiet
    stripped = strip_section(section)
    if out is None:
        write_bytes(stripped.data)
    else:
        changed = write_stripped(stripped, out, settings_of().home, force=force)
        if level >= 0:
            say(f"wrote {out}, without {stripped.removed} lines of citeplug's" if changed else f"{out} is as it was")
    if stripped.unwritten and level >= 0:
        say(f"{', '.join(stripped.unwritten)}: a plan without a text, of which nothing is left", err=True)


COMMANDS = (strip,)
