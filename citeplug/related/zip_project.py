"""`citeplug related project.zip -o out.zip`: a project as a zip, for authors without git."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from citeplug.errors import NameTaken, UnreadableInput, UsageError, WouldOverwrite
from citeplug.files.project_files import as_given
from citeplug.project.find_project import find_project
from citeplug.project.keep_record import keep
from citeplug.project.kept_zips import unpack
from citeplug.project.zips import Archive
from citeplug.records.finding import Finding
from citeplug.related.job import Written
from citeplug.related.tools import Job

SUFFIX = ".zip"


def is_archive(path: Path) -> bool:
    """Return True if the path is that of a zip."""
    return path.suffix.lower() == SUFFIX


def need_no_archive(job: Job) -> None:
    """Raise UsageError if `out` is a zip and `main` is not."""
    if job.out is not None and is_archive(job.out):
        raise UsageError(
            f"{job.out} is a zip, but {job.main} is not",
            "give the project as a zip too, or a .tex file for the section",
        )


def related_in_archive(
    job: Job, write: Callable[[Job], Written], home: Path, *, changed_only: bool = False
) -> tuple[Written, list[str]]:
    """Do `job`, whose `main` is a zip and whose `out` is the zip to write, by `write` on the unpacked project.

    All other members of the zip stay as they are, or are left out with `changed_only`. Files in the result are named as
    in the zip; the second value are the names of the files that are not as they were. `home` is the user's data
    directory, which has a copy of citeplug's record in case the zip has lost it. Raises UsageError without
    `out`, WouldOverwrite if it exists without `force`, UnsafeProject for an unsafe zip.
    """
    out, changed = _target(job), list[str]()
    with unpacked(job.main, home) as (archive, folder):
        try:
            written = write(replace(job, main=folder, out=None, bib=_inside(folder, job.bib)))
        except NameTaken as error:
            raise WouldOverwrite(
                f"{' and '.join(name for name, free in _usual(error) if free)} in {job.main} is not citeplug's",
                "choose other files: \\citeplugrelated[file=NAME.tex] in the draft, and --bib; or use --force",
            ) from error
        if out is not None and not written.dry_run:
            keep(home, written.targets)
            changed = archive.write(out, folder, changed_only=changed_only)
        return _named_as_in(folder, written), changed


@contextmanager
def unpacked(path: Path, home: Path) -> Iterator[tuple[Archive, Path]]:
    """A zip, and the temporary folder that it is unpacked to, with citeplug's record where the zip has lost it.

    Raises UnreadableInput, UnsafeProject, CannotWrite.
    """
    archive = Archive(path)
    with tempfile.TemporaryDirectory(prefix="citeplug-") as unpacked_in:
        folder = Path(unpacked_in).resolve() / "project"
        unpack(archive, folder, home)
        yield archive, folder


def changed_files(archive: Archive, folder: Path, home: Path) -> tuple[bytes, list[str]]:
    """A zip of the files beneath `folder` that are not as in the archive, and their names."""
    with contextlib.suppress(UnreadableInput):  # of a project that cannot be read the files are wanted all the more
        keep(home, find_project(folder).where)
    with tempfile.TemporaryDirectory(prefix="citeplug-") as place:
        out = Path(place) / "changed.zip"
        names = archive.write(out, folder, changed_only=True)
        return out.read_bytes(), names


def _usual(error: NameTaken) -> tuple[tuple[str, Path | None], ...]:
    return ("related.tex", error.out), ("related.bib", error.bib)


def _target(job: Job) -> Path | None:
    if job.out is None:
        if job.dry_run or job.diff:
            return None
        raise UsageError(f"{job.main} is a zip, so the result is a zip too", "give its file: -o out.zip")
    if not is_archive(job.out):
        raise UsageError(f"{job.out} is not a zip, but the project is one", "give a zip: -o out.zip")
    out = as_given(job.out)
    if out.is_dir() or not out.parent.is_dir():
        raise UsageError(f"{out} cannot be written", "give a file in an existing folder")
    if out.exists() and (out.samefile(job.main) if job.main.exists() else False):
        raise UsageError(f"{out} is the zip of the project", "give another file")
    if out.exists() and not job.force and not (job.dry_run or job.diff):
        raise WouldOverwrite(f"{out} exists already", "give another file, or use --force")
    return out


def _inside(folder: Path, bib: Path | None) -> Path | None:
    """Return the path of `--bib` in the unpacked project, beside its main file."""
    if bib is None:
        return None
    from citeplug.latex.project import find_root

    if bib.is_absolute() or ".." in bib.parts:
        raise UsageError(f"--bib {bib} is outside the zip", "give its path relative to the main file")
    place = find_root(folder).parent / bib
    if not place.resolve().is_relative_to(folder):
        raise UsageError(f"--bib {bib} is outside the zip", "give its path relative to the main file")
    return place


def _named_as_in(folder: Path, written: Written) -> Written:
    """Return the result with paths as in the archive: the temporary folder is deleted."""

    def named(path: Path) -> Path:
        return path.relative_to(folder) if path.is_relative_to(folder) else path

    def renamed(finding: Finding) -> Finding:
        message, fix = (text and text.replace(f"{folder}/", "") for text in (finding.message, finding.fix))
        file = None if finding.file is None else named(Path(finding.file))
        return replace(finding, file=file, message=message or "", fix=fix)

    where = written.targets
    targets = replace(where, tex=named(where.tex), bib=named(where.bib), provenance=named(where.provenance))
    entries = tuple(
        replace(entry, file=None if entry.file is None else named(entry.file)) for entry in written.outcome.entries
    )
    outcome = replace(written.outcome, findings=tuple(map(renamed, written.outcome.findings)), entries=entries)
    return replace(
        written,
        outcome=outcome,
        targets=targets,
        files=tuple(map(named, written.files)),
        changed=tuple(map(named, written.changed)),
    )
