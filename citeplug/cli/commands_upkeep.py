"""`citeplug index export`, `verify` and `prune`."""

from dataclasses import asdict
from datetime import date
from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import print_json, progress, say
from citeplug.errors import Cancelled


@click.command(epilog="Example: citeplug index export records.jsonl.gz --category cs")
@click.argument("file", type=click.Path(path_type=Path))
@options.before
@options.categories
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
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
    """Write the records to FILE (.jsonl, .jsonl.gz or .jsonl.zst), in the format that 'index add' reads.

    Vectors are not exported: they are computed again where they are needed.
    """
    import time

    from citeplug.corpus.export import export_records
    from citeplug.corpus.stores import open_corpus
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.records.paper import Filter

    level, began = verbose - quiet, time.monotonic()
    try:
        with progress(level, as_json) as reporter, open_corpus(settings_of()) as corpus:
            count = export_records(
                corpus.catalogue,
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


@click.command(epilog="Example: citeplug index verify --no-repair")
@click.option("--repair/--no-repair", default=True, show_default=True, help="Repair what is wrong, or only report it.")
@options.as_json
@options.verbosity
def verify(repair: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Check the catalogue, the indexes made from it and the full texts, and repair what is wrong.

    Ends with exit code 1 if something is still wrong. No vectors are computed, and no network is used except to a
    Chroma server of yours.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.upkeep.catalogue import verify as check

    level = verbose - quiet
    try:
        with progress(level, as_json) as reporter:
            found = check(settings_of(), repair=repair, report=reporter.update)
    except KeyboardInterrupt:
        raise Cancelled("cancelled; repairs made so far are kept", "run the same command again to go on") from None
    if as_json:
        problems = [asdict(problem) for problem in found.problems]
        counts = {"records": found.records, "vectors": found.vectors, "sound": found.sound}
        print_json({**counts, "problems": problems, "seconds": round(found.seconds, 3)})
    else:
        for problem in found.problems:
            state = "repaired" if problem.mended else "not repaired"
            say(f"{problem.part}: {problem.count:,} {problem.message}: {state}")
        if level >= 0:
            end = "no problems left" if found.sound else "problems left"
            say(f"{found.records:,} records and {found.vectors:,} vectors in {found.seconds:.1f} s: {end}")
    if not found.sound:
        raise SystemExit(1)


@click.command(epilog="Example: citeplug index prune --yes")
@click.option("--yes", is_flag=True, help="Delete; without this, only what would be deleted is listed.")
@click.option(
    "--model", "models", multiple=True, metavar="NAME", help="Also the vectors of this model, as 'index info' names it."
)
@options.before
@click.option(
    "--category", "categories", multiple=True, metavar="C", help="Also the records of this category; 'cs': the archive."
)
@click.option(
    "--cache-mb",
    type=click.IntRange(0, 1_000_000),
    default=200,
    show_default=True,
    help="Keep this many megabytes of replies of each paper service.",
)
@options.as_json
@options.verbosity
def prune(
    yes: bool,
    models: tuple[str, ...],
    before: date | None,
    categories: tuple[str, ...],
    cache_mb: int,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """List what takes space and is not needed, and with --yes delete it.

    Old folders of indexes, vectors of texts that no paper has, the oldest replies of paper services, and the files of
    zips that 'citeplug review' has not opened for 30 days. Records, and their full texts from arXiv, are deleted only
    with --before or --category: those that match all that is given.
    """
    from citeplug.corpus.prune import PruneRequest
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.records.paper import Filter
    from citeplug.upkeep import catalogue

    request = PruneRequest(models, Filter(before, categories) if before or categories else None)
    done = catalogue.prune(settings_of(), request, cache_mb * 1_000_000, dry_run=not yes)
    total = sum(each.bytes for each in done)
    if as_json:
        print_json({"dry_run": not yes, "parts": [asdict(each) for each in done], "bytes": total})
    elif verbose - quiet >= 0:
        for each in done:
            say(f"{each.count:,} {each.message}: {each.bytes / 1e6:,.1f} MB")
        if not done:
            say("nothing to delete")
        elif not yes:
            say(f"about {total / 1e6:,.1f} MB would be deleted; 'citeplug index prune --yes' does it")


COMMANDS = (export, verify, prune)
