"""State of a section, and result of `citeplug remove`, printed: as JSON, and for a reader at a terminal."""

from textwrap import shorten
from typing import Any

from citeplug.cli.console import Part, counted, finding_as_json, say, say_next, show_table
from citeplug.project.provenance import PROVENANCE
from citeplug.project.section_targets import seen_from_here
from citeplug.records.json_form import fields_of
from citeplug.records.report import verdict_in_words
from citeplug.related.section.remove import Removed
from citeplug.related.section.status import REASONS, Condition, SectionBlock, State
from citeplug.text.people import listed

_NAME = 36  # characters of the first words of a paragraph without a heading
_CONDITIONS: dict[Condition, str] = {
    "missing": "there is no section yet",
    "conflict": "it has conflict markers from an unfinished git merge",
    "unwritten": "part of it is planned but not written yet",
    "due": "due",
    "current": "current",
}


def state_as_json(state: State) -> dict[str, Any]:
    """Return the document of `citeplug status --json`."""
    where = state.project.where
    return {
        "root": str(state.project.root),
        **fields_of(where, "tex bib"),
        **fields_of(state, "condition changed made_by inserted"),
        "blocks": [fields_of(block, "id heading line condition unreviewed accepted offered") for block in state.blocks],
        "sentences": {
            "unreviewed": _count(state, "unreviewed"),
            "accepted": _count(state, "accepted"),
            "edited": sum(sentence.edited for sentence in state.sentences),
            "rejected": _rejected(state),
        },
        "entries": {
            "total": len(state.entries),
            "verified": sum(entry.verdict == "verified" for entry in state.entries),
            "only_by_catalogue": _by_catalogue(state),
            "unverified": [
                fields_of(entry, "key verdict checked_against")
                for entry in state.entries
                if entry.verdict != "verified"
            ],
        },
        "next": [{"command": command, "message": message} for command, message in state.next],
    }


def show_state(state: State) -> None:
    """Print the state of each paragraph, counts of sentences and entries, and the next command."""
    why = f": {listed([REASONS[name] for name in state.changed])} changed" if state.changed else ""
    style = "good" if state.condition == "current" else "warning"
    say(f"{seen_from_here(state.project.where.tex)}: ", (_CONDITIONS[state.condition], style), why)
    show_table([_row(block) for block in state.blocks], indent=2)
    if state.sentences:
        unreviewed, rejected = _count(state, "unreviewed"), _rejected(state)
        edited = sum(sentence.edited for sentence in state.sentences)
        say(
            (f"{unreviewed} to review", "warning" if unreviewed else "good"),
            f", {_count(state, 'accepted')} accepted"
            + (f", {rejected} rejected" if rejected else "")
            + (f", {edited} changed or deleted by you" if edited else ""),
            lead=("Sentences  ", "title"),
        )
    if state.entries:
        verified = sum(entry.verdict == "verified" for entry in state.entries)
        by_catalogue = _by_catalogue(state)
        alone = "" if by_catalogue == verified else f"{by_catalogue} "
        against = f" ({alone}by the catalogue on this machine alone)" if by_catalogue else ""
        style = "good" if verified == len(state.entries) else "warning"
        say((f"{verified} of {len(state.entries)} verified", style), against, lead=("Entries    ", "title"))
        by_verdict: dict[str, list[str]] = {}
        for entry in state.entries:
            if entry.verdict != "verified":
                by_verdict.setdefault(verdict_in_words(entry.verdict), []).append(entry.key)
        for words, keys in by_verdict.items():
            say((words, "warning"), ": ", (", ".join(keys), "key"), lead="  ", hang=2)
    for command, message in state.next[:1]:
        say_next(command, message)


def _row(block: SectionBlock) -> tuple[Part, ...]:
    condition = (block.condition, "good" if block.condition == "current" else "warning")
    name = block.heading or shorten(block.opening, _NAME, placeholder=" ...")
    return (block.id, "key"), name, condition, _counts(block)


def is_settled(state: State) -> bool:
    """Return True if no sentence is unreviewed and every entry is verified."""
    return not _count(state, "unreviewed") and all(entry.verdict == "verified" for entry in state.entries)


def _count(state: State, status: str) -> int:
    return sum(sentence.stands and sentence.status == status for sentence in state.sentences)


def _rejected(state: State) -> int:
    return sum(sentence.status == "rejected" for sentence in state.sentences)


def _by_catalogue(state: State) -> int:
    return sum(entry.verdict == "verified" and entry.checked_against == "catalogue" for entry in state.entries)


def _counts(block: SectionBlock) -> str:
    both = (block.unreviewed, "to review"), (block.accepted, "accepted")
    counts = [f"{count} {what}" for count, what in both if count]
    counts += [counted(block.offered, "new version", "new versions") + " offered"] if block.offered else []
    return ", ".join(counts)


def removed_as_json(done: Removed) -> dict[str, Any]:
    return {
        **fields_of(done, "root dry_run"),
        "removed": [str(path) for path in done.files],
        "edited": [str(path) for path in done.edited],
        "findings": [finding_as_json(finding) for finding in done.findings],
    }


def show_removed(done: Removed) -> None:
    own = done.root.parent / PROVENANCE.parent
    would = "would be " if done.dry_run else ""
    for path in done.edited:
        say(f"{would}edited {seen_from_here(path)}: the lines that --insert added are taken out")
    accepted = sum(sentence.status == "accepted" for sentence in done.sentences)
    lost = f": {counted(len(done.sentences), 'sentence', 'sentences')}, {accepted} accepted" if done.sentences else ""
    for path in (path for path in done.files if not path.is_relative_to(own)):
        say(f"{would}deleted {seen_from_here(path)}{lost if path == done.tex else ''}")
    if any(path.is_relative_to(own) for path in done.files):
        say(f"{would}deleted {seen_from_here(own)}")
    if not (done.edited or done.files or done.findings):
        say(f"nothing to remove: citeplug has written nothing in {done.root.parent}")
    elif not (done.edited or done.files):
        say("nothing was removed")
