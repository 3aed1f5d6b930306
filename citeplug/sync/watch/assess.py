"""Assessment of a project: nothing to do, a section to be refreshed, or something that the author has to do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from citeplug.files.project_files import read_bytes
from citeplug.latex.project import read_draft
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.last_run import Finished
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.provenance import BY_MODEL, NOTHING_RECORDED, Provenance
from citeplug.related.input_digests import digest_of, digests_of
from citeplug.related.options import is_other, standing_options, without_model
from citeplug.related.section.status import OPTIONS, REASONS, changed_inputs, related_command
from citeplug.section_file.grammar import has_conflict_marks, read_related
from citeplug.settings.project_toml import places
from citeplug.sync.watch.context import WatchOverrides
from citeplug.text.people import listed

SECTION = "section"
CATALOGUE = "catalogue"
_NAMES: Mapping[str, str] = {**REASONS, CATALOGUE: "the catalogue"}

# The draft lacks something that may come: a new file matters to it.
_GAPS = frozenset({"missing_input", "unreadable_input", "missing_bib", "unreadable_bib", "unresolved_input"})
_MOST_FOLDERS = 100
CONFIGURATION = ("citeplug.toml", "latexmkrc", ".latexmkrc")

Verdict = Literal["current", "run", "due", "wait"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """`inputs` are digests of all that counts; two assessments with equal ones ask for the same.

    `changed` names what is another than when the section was made; `note` is for the author, `hint` the next step.
    """

    verdict: Verdict
    inputs: Mapping[str, str]
    options: Options
    draft: Draft
    changed: tuple[str, ...] = ()
    note: str = ""
    hint: str = ""

    @property
    def open_folders(self) -> list[Path]:
        """Folders in which a new file may matter: none, unless the draft lacks one."""
        if not any(finding.code in _GAPS for finding in self.draft.findings):
            return []
        top = self.draft.root.parent
        beneath = [folder for pattern in ("*/", "*/*/") for folder in top.glob(pattern) if _is_open(folder, top)]
        return [top, *sorted(beneath)[:_MOST_FOLDERS]]


def assess(project: Project, overrides: WatchOverrides, last: Finished | None, catalogue: int) -> Assessment:
    """Read the draft and the record, and say what there is to do. `catalogue` is the number of its last change.

    Raises UnreadableInput if the draft cannot be read.
    """
    where = project.where
    provenance = read_provenance(where.provenance)
    draft = read_draft(project.root, skip=generated_files(where))
    text = read_or_none(where.tex)
    options = standing_options(provenance, draft, overrides.options)
    digests = digests_of(draft, whole=options.whole_draft)
    inputs = {
        **digests,
        "plan": digest_of(_plan_in(text)),
        OPTIONS: digest_of([repr(replace(options, configured={})), options.configured]),
        CATALOGUE: str(catalogue),
        "record": _record(provenance),
    }
    assessment = Assessment("current", inputs, without_model(options), draft)
    unready = _unready(assessment, project, text)
    if unready is not None:
        return unready
    if text is None:
        if _lies_elsewhere(provenance, project) and (overrides.model or provenance.made_by != BY_MODEL):
            return replace(assessment, verdict="run", note=f"the section moves to {where.tex.name}")
        if provenance != NOTHING_RECORDED or (last is not None and last.end != "refused"):
            return replace(
                assessment,
                verdict="due",
                note=f"{where.tex.name} was deleted, and watch does not write it again",
                hint=related_command(project, draft, options),
            )
        return replace(assessment, verdict="run", note="there is no section yet")
    changed = list(changed_inputs(digests, where, provenance))
    if any(not block.text.strip() for block in read_related(text).blocks) and "plan" not in changed:
        changed.append("plan")
    if last is not None and last.inputs.get(CATALOGUE, inputs[CATALOGUE]) != inputs[CATALOGUE]:
        changed.append(CATALOGUE)
    if is_other(provenance, options):
        changed.append(OPTIONS)
    if not changed:
        return assessment
    if provenance.made_by == BY_MODEL and not overrides.model:
        return replace(
            assessment,
            verdict="due",
            changed=tuple(changed),
            note="a language model wrote the section, and watch does not ask one",
            hint=related_command(project, draft, options, "--llm", "NAME"),
        )
    return replace(assessment, verdict="run", changed=tuple(changed))


def inputs_after(assessment: Assessment, text: str, provenance: Provenance) -> dict[str, str]:
    """The inputs of the next assessment, if nothing but a run came between, which wrote this text and this record."""
    return {**assessment.inputs, "plan": digest_of(_plan_in(text)), "record": _record(provenance)}


def _record(provenance: Provenance) -> str:
    """A section that was put back, as by git, is another although the draft is the same."""
    return digest_of([provenance.inputs, provenance.written])


def _lies_elsewhere(provenance: Provenance, project: Project) -> bool:
    """True if the section was written, and never to the file that is named for it now."""
    return bool(provenance.written) and project.where.name_of(project.where.tex) not in provenance.written


def is_done(assessment: Assessment, last: Finished | None, first: bool) -> bool:
    """True if a run came to its end with exactly these inputs; what was refused is tried once more by a new process."""
    if last is None or last.inputs != assessment.inputs or last.end == "due":
        return False
    return not (first and last.end == "refused")


def reason(changed: tuple[str, ...]) -> str:
    """The inputs that changed, in words; empty without any."""
    names = [_NAMES[name] for name in changed]
    return f"{listed(names)} changed" if names else ""


def files_of(project: Project, draft: Draft) -> tuple[list[Path], list[Path]]:
    """The files that count, and those of them in which every byte does."""
    root = project.root
    files = [root, *(root.parent / name for name in draft.files), *draft.bib_files]
    where = project.where
    folders = dict.fromkeys((root.parent, root.parent.parent, *places(root.parent)))
    settings = [folder / name for folder in folders for name in CONFIGURATION]
    return files, [where.tex, where.bib, where.provenance, *settings]


def _is_open(folder: Path, top: Path) -> bool:
    return folder.is_dir() and not any(part.startswith(".") for part in folder.relative_to(top).parts)


def _unready(assessment: Assessment, project: Project, text: str | None) -> Assessment | None:
    """An assessment to wait, if a file has git's conflict marks; None otherwise."""
    files = [project.root.parent / name for name in assessment.draft.files]
    torn = [project.where.tex.name] if text is not None and has_conflict_marks(text) else []
    for file in files:
        try:
            data = read_bytes(file)
        except OSError:
            continue
        if has_conflict_marks(data.decode("latin-1")):
            torn.append(file.name)
    if not torn:
        return None
    return replace(assessment, verdict="wait", note=f"there are conflict markers of git in {', '.join(torn)}")


def _plan_in(text: str | None) -> list[Any]:
    """The plan in the file, with what is kept and what is still to be written."""
    if text is None:
        return []
    return [
        [b.id, b.plan.heading, b.keep, b.plan.words, not b.text.strip(), [li.content for li in b.plan.lines]]
        for b in read_related(text).blocks
    ]
