"""What the language server has done in processes of their own, each in a working copy of a project.

Each task returns the rest of a command's answer, and its findings.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.audit.run import audit_draft
from citeplug.corpus.stores import open_corpus, settings
from citeplug.editor.cards import arxiv_address
from citeplug.editor.proposed import proposed_sentences
from citeplug.editor.wishes import RunRequest
from citeplug.jobs.worker import Channel
from citeplug.latex.project import read_draft
from citeplug.project.find_project import find_project
from citeplug.project.section_targets import generated_files
from citeplug.records.audit import MissingWork
from citeplug.records.debate import debate_as_json
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.records.outcome import Options
from citeplug.related.draft_date import newer_than
from citeplug.related.job import write_related
from citeplug.related.near_papers import add_near_papers, words_to_send
from citeplug.related.papers import ListedPaper, Listing, contribution_of, list_for_draft
from citeplug.related.progress import FurtherSources
from citeplug.related.tools import Job
from citeplug.section_file.grammar import read_related
from citeplug.settings.known_settings import OF_A_RUN, read_value
from citeplug.text.cleaning import plain
from citeplug.text.people import cited_people
from citeplug.text.tex_text import decode_tex

if TYPE_CHECKING:
    from citeplug.llm.asked_model import ExpectedCost
    from citeplug.protocols import LanguageModel
    from citeplug.settings.environment import Settings

Done = tuple[Mapping[str, Any], Sequence[Finding]]


def write(channel: Channel, root: Path, request: RunRequest) -> Done:
    """Write or update the section."""
    from citeplug.llm.asked_model import ExpectedCost  # no other task needs what it loads

    job = _job(root, request, channel)
    expected = ExpectedCost(channel.report)
    with _model(request, channel, expected) as model:
        written = write_related(
            job,
            _settings(request),
            online=request.online,
            report=channel.report,
            announce=_announce(channel),
            model=model,
            begin=expected.begin,
        )
        expected.end(channel.log)
    if request.stream and model is None:
        _read_out(written.outcome.tex_content, channel.text)
    sentences = proposed_sentences(root, written.outcome.tex_content, written.outcome.papers) if request.preview else []
    return {"files": written.files, "sentences": sentences}, written.outcome.findings


def list_papers(channel: Channel, root: Path, request: RunRequest, *, missing: bool) -> Done:
    """List the papers that the section could discuss; `missing`: those that the draft does not cite."""
    listing = list_for_draft(
        _job(root, request, channel),
        _settings(request),
        online=request.online,
        report=channel.report,
        announce=_announce(channel),
        missing=missing,
    )
    newer, year = _newer(root, listing)
    return {"papers": [_paper(listed, newer) for listed in listing.papers], "draft_of": year}, listing.findings


def _newer(root: Path, listing: Listing) -> tuple[frozenset[str], str | None]:
    """Return the listed papers that are newer than the draft, and when it was written, where a finding says so."""
    if all(finding.code != "newer_than_draft" for finding in listing.findings):
        return frozenset(), None
    draft = read_draft(root, skip=generated_files(find_project(root).where))
    written, newer = newer_than(draft, [listed.paper for listed in listing.papers])
    return frozenset(paper.id.value for paper in newer), written.shown if written is not None else None


def add_near(channel: Channel, root: Path, request: RunRequest) -> Done:
    """Add papers near the draft, as `citeplug start --near` does; without `online`, what would be sent."""
    settings = _settings(request)
    draft = read_draft(root, skip=generated_files(find_project(root).where))
    if not request.online:
        return {"searches": words_to_send(draft)}, ()
    added = add_near_papers(draft, settings, _announce(channel), channel.report).added
    with open_corpus(settings) as corpus:
        return {"added": added, "records": corpus.records}, ()


def audit(channel: Channel, root: Path, request: RunRequest) -> Done:
    """Audit the draft; the findings on entries are those of the server's own check, and left out."""
    report, announce = channel.report, _announce(channel)
    audit = audit_draft(root, _settings(request), online=request.online, report=report, overrides={}, announce=announce)
    report_on = audit.report
    counts = {"entries": report_on.verdicts.total(), "compared": report_on.compared}
    commands = [" ".join(["citeplug fetch --online", *audit.lacking])] if audit.lacking else []
    missing = [_missing(work) for work in audit.missing]
    answer = {**fields_of(audit, "looked_at not_looked_at"), **counts, "commands": commands, "missing": missing}
    return answer, report_on.findings


def _missing(work: MissingWork) -> dict[str, str]:
    paper = work.paper
    by = f"{cited_people(paper.authors)} {paper.published.year}".strip()
    why = work.reasons[0].text if work.reasons else ""
    return {"arxiv_id": paper.id.value, "title": paper.title, "by": by, "why": why}


def _job(root: Path, request: RunRequest, channel: Channel) -> Job:
    values = {c.name: read_value(c, request.given[c.name]) for c in OF_A_RUN if c.name in request.given}
    only = (request.only,) if request.only else ()
    further = FurtherSources(announce=channel.log)
    return Job(root, Options(replan=request.replan), given=values, insert=request.insert, only=only, further=further)


def _settings(request: RunRequest) -> "Settings":
    return settings(offline=not request.online and not _is_hosted(request.llm), online=request.online)


def _announce(channel: Channel) -> Callable[[str], None]:
    return lambda query: channel.log(f"asking arXiv: {query}")


def _is_hosted(llm: str | None) -> bool:
    if llm is None:
        return False
    from citeplug.llm.chosen_model import is_hosted

    return is_hosted(llm, settings()) is True


@contextmanager
def _model(request: RunRequest, channel: Channel, expected: "ExpectedCost") -> "Iterator[LanguageModel | None]":
    """Open the model named in the editor; None without it, whatever config.toml says."""
    from citeplug.llm.asked_model import asked_model
    from citeplug.related.write.stream_prose import Aloud

    settings_of_run = _settings(request)
    afresh, most = request.only is not None, request.max_cost
    with asked_model(request.llm, settings_of_run, channel.consent, expected, afresh=afresh, max_cost=most) as model:
        yield model if model is None or not request.stream else Aloud(model, channel.text)


def _read_out(section: str, show: Callable[[str], None]) -> None:
    for block in read_related(section).blocks:
        show(f"[{block.plan.heading or block.id}]")
        for line in block.text.splitlines():
            if line.strip() and not line.startswith("\\paragraph"):
                show(f"  {line}")


def _paper(listed: ListedPaper, newer: Collection[str]) -> dict[str, Any]:
    paper = listed.paper
    return {
        "arxiv_id": paper.id.value,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": listed.year,
        "categories": list(paper.categories),
        "score": None if listed.score is None else round(listed.score, 4),
        **fields_of(listed, "found_by chosen choice key"),
        "abstract": plain(decode_tex(paper.abstract, keep_math=True)),
        "contribution": plain(decode_tex(contribution_of(paper), keep_math=True)),
        "newer": paper.id.value in newer,
        "cited_as": listed.key if listed.cited else None,
        "reasons": [asdict(reason) for reason in listed.reasons],
        "debate": debate_as_json(listed.debate),
        "verified": listed.sound,
        "url": arxiv_address(paper.id.value),
    }
