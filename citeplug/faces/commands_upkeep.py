"""`citeplug index export`, `verify` and `prune`."""

from datetime import date
from pathlib import Path

import click

from citeplug.errors import Cancelled
from citeplug.faces import options
from citeplug.faces.console import print_json, progress, say


@click.command(epilog="Example: citeplug index export records.jsonl.gz --category cs")
@click.argument("file", type=click.Path(path_type=Path))
@options.before
@options.categories
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@options.as_json
@options.verbosity
def export(
    file: Path,
    before: date | None,
    categories: tuple[str, ...],
    force: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Write the records into FILE (.jsonl, .jsonl.gz or .jsonl.zst), as 'index add' takes them.

    Vectors are not in it: they are computed again where they are needed.
    """
    import time

    from citeplug.build.stores import open_corpus
    from citeplug.build.stores import settings as settings_of
    from citeplug.records.paper import Filter

    level, began = verbose - quiet, time.monotonic()
    try:
        with progress(level, as_json) as reporter, open_corpus(settings_of()) as corpus:
            count = corpus.export(
                file,
                Filter(before, categories),
                force=force,
                progress=lambda done, total: reporter.update("export", done, total),
            )
    except KeyboardInterrupt:
        raise Cancelled("cancelled; no file was written") from None
    seconds, size = time.monotonic() - began, file.stat().st_size
    if as_json:
        print_json({"records": count, "file": str(file), "size_bytes": size, "seconds": round(seconds, 3)})
    elif level >= 0:
        say(f"{count:,} records in {file}, {size / 1e6:,.1f} MB, in {seconds:.1f} s")


COMMANDS = (export,)
