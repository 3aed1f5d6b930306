"""`citeplug index export`, `verify`, `prune`, `lock` and `restore`."""

import time
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from citeplug.cli.console import announce_query, cancellable, counted, print_json, say, say_next, say_warning
from citeplug.cli.options import Output, setting_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.paper import Filter, shown_id

if TYPE_CHECKING:
    from citeplug.related.lock import LockReport


@parameters
class ExportParams(Output):
    file: Path = argument()
    before: date | None = setting_option("before")
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    force: bool = option("Replace FILE if it exists.")


@command("Example: citeplug index export records.jsonl.gz --category cs")
def export(params: ExportParams) -> None:
    """Write the records to FILE (.jsonl, .jsonl.gz or .jsonl.zst), in the format that 'index add' reads.

    Vectors are not exported; they are computed again where they are needed.
    """

    from citeplug.corpus.export import export_records
    from citeplug.corpus.stores import open_corpus

    began = time.monotonic()
    with (
        cancellable("no file was written", ""),
        params.progress() as reporter,
        open_corpus(params.settings()) as corpus,
    ):
        count = export_records(
            corpus.catalogue,
            params.file,
            Filter(params.before, params.categories),
            force=params.force,
            progress=lambda done, total: reporter.update("export", done, total),
        )
    seconds, size = time.monotonic() - began, params.file.stat().st_size
    if params.as_json:
        print_json({"records": count, "file": str(params.file), "size_bytes": size, "seconds": round(seconds, 3)})
    elif params.level >= 0:
        say(f"{count:,} records in {params.file}, {size / 1e6:,.1f} MB, in {seconds:.1f} s")


@parameters
class VerifyParams(Output):
    repair: bool = option("Repair what is wrong instead of only reporting it.", default=True)


@command("Example: citeplug index verify --no-repair")
def verify(params: VerifyParams) -> None:
    """Check the catalogue, the indexes made from it and the full texts, and repair what is wrong.

    The exit code is 1 if something is still wrong. No vectors are computed, and no network is used except to a
    Chroma server of yours.
    """
    from citeplug.upkeep.catalogue import verify as check

    with cancellable("repairs made so far are kept"), params.progress() as reporter:
        outcome = check(params.settings(), repair=params.repair, report=reporter.update)
    if params.as_json:
        problems = [asdict(problem) for problem in outcome.problems]
        counts = {"records": outcome.records, "vectors": outcome.vectors, "sound": outcome.sound}
        print_json({**counts, "problems": problems, "seconds": round(outcome.seconds, 3)})
    else:
        for problem in outcome.problems:
            state = "repaired" if problem.mended else "not repaired"
            say(f"{problem.part}: {problem.count:,} {problem.message}: {state}")
        if params.level >= 0:
            end = "no problems left" if outcome.sound else "problems left"
            say(f"{outcome.records:,} records and {outcome.vectors:,} vectors in {outcome.seconds:.1f} s: {end}")
    if not outcome.sound:
        raise SystemExit(1)


@parameters
class PruneParams(Output):
    yes: bool = option("Delete it; without this, only list what would be deleted.")
    models: tuple[str, ...] = option(
        "Also delete the vectors of this model, named as in 'index info'.", "--model", metavar="NAME"
    )
    before: date | None = setting_option("before")
    categories: tuple[str, ...] = option(
        "Also delete the records of this category; 'cs' means the whole archive.", "--category", metavar="C"
    )
    cache_mb: int = option(
        "Keep this many megabytes of cached replies from each paper service.", between=(0, 1_000_000), default=200
    )


@command("Example: citeplug index prune --yes")
def prune(params: PruneParams) -> None:
    """List what takes up space without being needed, and delete it with --yes.

    Old folders of indexes, vectors of texts that no paper has, the oldest replies of paper services, and the files of
    zips that 'citeplug review' has not opened for 30 days. Records, and their full texts from arXiv, are deleted only
    with --before or --category: those that match both, if both are given.
    """
    from citeplug.corpus.prune import PruneRequest
    from citeplug.upkeep import catalogue

    request = PruneRequest(
        params.models, Filter(params.before, params.categories) if params.before or params.categories else None
    )
    done = catalogue.prune(params.settings(), request, params.cache_mb * 1_000_000, dry_run=not params.yes)
    total = sum(removal.bytes for removal in done)
    if params.as_json:
        print_json({"dry_run": not params.yes, "parts": [asdict(removal) for removal in done], "bytes": total})
    elif params.level >= 0:
        for removal in done:
            say(f"{removal.count:,} {removal.message}: {removal.bytes / 1e6:,.1f} MB")
        if not done:
            say("nothing to delete")
        elif not params.yes:
            say(f"about {total / 1e6:,.1f} MB would be deleted; 'citeplug index prune --yes' deletes it")


@parameters
class LockParams(Output):
    main: Path | None = argument("[MAIN.tex|DIR]")


@command("Example: citeplug index lock main.tex")
def lock(params: LockParams) -> None:
    """Write citeplug.lock beside your draft: ids and digests of the works that its section was made from.

    Commit it with the project. With 'citeplug index restore', a co-author's machine gets the same works.
    """
    from citeplug.related.lock import write_lock

    _show_lock(write_lock(params.settings_for(params.main), params.main), params)


@parameters
class RestoreParams(LockParams):
    offline: bool = option("Contact no paper source; use only what is on this machine.")


@command("Example: citeplug index restore main.tex")
def restore(params: RestoreParams) -> None:
    """Bring the works of citeplug.lock into your catalogue: arXiv is sent the ids of those that it lacks.

    Records that you have stay as they are. The exit code is 1 if a work is missing or has another text.
    """
    from citeplug.related.lock import restore_lock

    done = restore_lock(params.settings_for(params.main), params.main, announce_query)
    _show_lock(done, params)
    if done.missing or done.differs:
        raise SystemExit(1)


def _show_lock(done: "LockReport", params: LockParams) -> None:
    if params.as_json:
        print_json(asdict(done))
        return
    if params.level >= 0:
        say(f"{counted(done.works, 'work', 'works')} in {done.file}, {len(done.fetched)} fetched")
        if done.full_texts:
            say_next(f"citeplug fetch {' '.join(done.full_texts)}", "gets the full texts that the section quotes")
    for value in done.differs:
        say_warning(f"{shown_id(value)} has another text here than where the section was made")
    for value in done.missing:
        say_warning(
            f"{shown_id(value)} is not in the catalogue; an entry of your own comes with 'citeplug library add'"
        )


COMMANDS = (export, verify, prune, lock, restore)
