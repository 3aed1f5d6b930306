"""The demo: writes the section of an example project from a small library, offline.

The library holds real arXiv papers with summaries in our own words in place of arXiv's abstracts; it has a
catalogue of its own, so that no summary ever mixes with the user's records.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from citeplug.corpus.stores import DEMO, Report, for_project, open_corpus
from citeplug.corpus.stores import settings as settings_of
from citeplug.errors import UnreadableInput
from citeplug.project.find_project import find_project
from citeplug.records.outcome import Options
from citeplug.related.job import Written, write_related
from citeplug.related.section.status import state_of
from citeplug.related.tools import Job

CONTENT = Path(__file__).parent
TEX_SECONDS = 60


@dataclass(frozen=True, slots=True)
class DemoDone:
    """Result of the demo. `pdf` is None where it could not be built; `no_pdf` then gives the reason.

    `next` as in `State`.
    """

    main: Path
    written: Written
    pdf: Path | None
    no_pdf: str
    next: tuple[tuple[str, str], ...]


def run_demo(folder: Path, *, report: Report) -> DemoDone:
    """Make the example project in `folder`, unless it exists already, and write its related work.

    Files that exist are left as they are. Raises UnreadableInput if `folder` cannot be made.
    """
    main = _make_project(folder.absolute())
    settings = for_project(settings_of(offline=True), main)
    report("index the library", 0, None)
    with open_corpus(settings) as corpus:
        corpus.add([CONTENT / "library.jsonl"], complete=False)
    written = write_related(Job(main, Options(), given={}, insert=True), settings, online=False, report=report)
    report("build the PDF", 0, None)
    pdf, why = _build_pdf(main)
    return DemoDone(main, written, pdf, why, state_of(find_project(main)).next)


def _make_project(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in sorted((CONTENT / "example").iterdir()):
            target = folder / source.name
            if not target.exists():
                shutil.copyfile(source, target)
        (folder / DEMO).parent.mkdir(exist_ok=True)
        (folder / DEMO).write_text("citeplug searches the demo's own papers for this project.\n", "utf-8")
    except OSError as error:
        raise UnreadableInput(
            f"cannot make the example in {folder}: {error.strerror}", "choose another folder"
        ) from error
    return folder / "main.tex"


def _build_pdf(main: Path) -> tuple[Path | None, str]:
    """Run pdflatex and bibtex as often as references need, or say why not."""
    pdf = main.with_suffix(".pdf")
    if pdf.exists() and all(pdf.stat().st_mtime >= f.stat().st_mtime for f in main.parent.glob("*.[tb][ei][xb]")):
        return pdf, ""
    latex, bibtex = shutil.which("pdflatex"), shutil.which("bibtex")
    if latex is None or bibtex is None:
        return None, "TeX is not installed (on Debian: make system-deps)"
    typeset = [latex, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", main.name]
    draft = [*typeset[:1], "-draftmode", *typeset[1:]]
    environment = {**os.environ, "openout_any": "p"}
    for command in (draft, [bibtex, main.stem], draft, typeset):
        try:
            done = subprocess.run(
                command, cwd=main.parent, env=environment, capture_output=True, timeout=TEX_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, f"{Path(command[0]).name} did not finish: {type(error).__name__}"
        if done.returncode != 0:
            return None, f"{Path(command[0]).name} failed; see {main.with_suffix('.log')}"
    return pdf, ""
