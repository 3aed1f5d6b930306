"""`citeplug gaps`: the ledger of what the works that a draft discusses leave open, and of what the draft says to it.

works -> what each states (abstract, full text, citations) -> the draft's sentences -> rows -> with a model: judged
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.corpus.stores import Report
from citeplug.files.atomic import write_together
from citeplug.positioning.by_model import Judging, judge_rows
from citeplug.positioning.draft_side import DraftSide, read_draft_side
from citeplug.positioning.stated import contribution_of
from citeplug.positioning.works import DiscussedWork, entries_of_works, read_works
from citeplug.project.any_draft import read_any_draft
from citeplug.project.author_files import as_tex_path, one_at_a_time
from citeplug.project.find_project import Project, find_project
from citeplug.project.provenance import read_provenance
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.gaps import Gaps, GapStatus, LookedThrough, OwnSentence, StatedPassage, WorkPosition
from citeplug.records.json_form import json_form
from citeplug.related.progress import Tools
from citeplug.related.section.files_before import record_change
from citeplug.related.tools import open_tools
from citeplug.settings.environment import Settings
from citeplug.text.language import language_of

# Cosines from which a sentence of the draft meets a limit: one that cites the work, and any other on the draft's work.
MEETS_CITING, MEETS = 0.45, 0.7
_ORDER: Mapping[GapStatus, int] = {"open": 0, "draft_alone": 1, "taken_up": 2, "none": 3}


def find_gaps(
    main: Path, settings: Settings, report: Report, model: LanguageModel | None = None, *, keep: bool = True
) -> Gaps:
    """The ledger of the works that the section discusses, or without a section of those that the draft cites.

    Without a model limits are told by words, and the draft's sentences by words and nearness. A `model` proposes and
    judges both; what it quotes is in the texts word for word. Where the project has a record of its section, the ledger is
    put into it, unless `keep` is False. Raises CorpusEmpty, UnreadableInput, ModelUnavailable, CannotWrite.
    """
    project = find_project(main)
    draft = read_any_draft(project.root)
    entries, of = entries_of_works(draft, project.where)
    report("read the draft", 0, None)
    side = read_draft_side(draft)
    with open_tools(settings, online=False) as tools:
        works, texts, looked = read_works(draft, entries, tools, report)
        report("compare limits with the draft", 0, None)
        rows = [
            position_of(work, side, nearness)
            for work, nearness in zip(works, _nearness(works, side, tools), strict=True)
        ]
    judging = Judging(tuple(rows))
    if model is not None and works:
        report("judge", 0, None)
        judging = judge_rows(rows, texts, draft, side, model)
    rows = sorted(judging.rows, key=lambda row: _ORDER[row.status])
    findings = (*_findings(draft, rows, looked, by_model=model is not None), *judging.findings)
    if keep:
        _record(project, rows, settings)
    return Gaps(draft.root, of, tuple(rows), looked, findings, dict(judging.dropped), judging.trouble)


def _record(project: Project, rows: Sequence[WorkPosition], settings: Settings) -> None:
    """Put the ledger into the project's record, if there is one: a draft without a section gets no file."""
    with one_at_a_time(settings.home, project.root):
        before = read_provenance(project.where.provenance)
        ledger = tuple(_recorded(row, project.root.parent) for row in rows)
        if before.citeplug is not None and ledger != before.ledger:
            write_together([record_change(project.where, replace(before, ledger=ledger))])


def _recorded(row: WorkPosition, folder: Path) -> dict[str, Any]:
    """The row as JSON has it, with the file's path from the project's folder: co-authors have it elsewhere."""
    form: dict[str, Any] = json_form(row)
    if row.draft is not None:
        form["draft"]["file"] = as_tex_path(row.draft.file, folder)
    return form


# The cosine of each limit of a work to each sentence of the draft, by their texts.
Nearness = Mapping[tuple[str, str], float]


def _nearness(works: Sequence[DiscussedWork], side: DraftSide, tools: Tools) -> list[Nearness]:
    limits = list(dict.fromkeys(limit.text for work in works for limit in work.limits))
    if not limits:
        return [{} for _ in works]
    apart = (sentence for work in works if work.limits for sentence in side.apart.get(work.key.lower(), ()))
    sentences = list(dict.fromkeys(sentence.text for sentence in (*side.own, *apart)))
    if not sentences:
        return [{} for _ in works]
    vectors = tools.index.embed([*limits, *sentences])
    cosines = np.round(vectors[: len(limits)] @ vectors[len(limits) :].T, 6)
    rows = {limit: at for at, limit in enumerate(limits)}
    return [
        {
            (limit.text, text): float(cosines[rows[limit.text], column])
            for limit in work.limits
            for column, text in enumerate(sentences)
        }
        for work in works
    ]


def position_of(work: DiscussedWork, side: DraftSide, nearness: Nearness) -> WorkPosition:
    """The row of a work: the limit that the draft takes up, if it takes up one, else the likeliest one."""
    does = contribution_of(work.paper) if work.paper is not None else None
    apart = side.apart.get(work.key.lower(), ())
    candidates = [*((sentence, MEETS_CITING) for sentence in apart), *((sentence, MEETS) for sentence in side.own)]
    pairs = (
        (nearness.get((stated.text, sentence.text), 0.0) - least, stated, sentence)
        for stated in work.limits
        for sentence, least in candidates
    )
    limit: StatedPassage | None = work.limits[0] if work.limits else None
    sentence: OwnSentence | None = None
    status: GapStatus = "open" if limit is not None else "none"
    margin, stated, nearest = max(pairs, key=lambda pair: pair[0], default=(-1.0, None, None))
    if margin >= 0:
        status, limit, sentence = "taken_up", stated, nearest
    elif apart:
        status, sentence = "draft_alone", apart[0]
    paper = work.paper
    on_arxiv = paper is not None and paper.id.on_arxiv
    published = paper.published if paper is not None and paper.published.year > 1 else None
    arxiv_id = paper.id.value if paper is not None and on_arxiv else None
    return WorkPosition(work.key, work.title, arxiv_id, published, status, does, limit, sentence)


def _findings(draft: Draft, rows: Sequence[WorkPosition], looked: LookedThrough, *, by_model: bool) -> list[Finding]:
    if not rows:
        fix = f"write a section first, with 'citeplug related {draft.root.name}', or cite the works in the draft"
        return [Finding("no_works", "info", "neither a section nor the draft cites a work", draft.root, fix=fix)]
    findings = []
    for row in rows:
        if row.status == "open" and row.limit is not None:
            message = f"{row.key} leaves open: “{row.limit.text}” No sentence of your draft addresses it"
            fix = "address it in the draft, or leave it: it may not concern you"
            findings.append(Finding("gap_open", "info", message, draft.root, fix=fix))
    if looked.full_texts < looked.abstracts:
        missing = looked.abstracts - looked.full_texts
        message = (
            f"{missing} of {looked.abstracts} works have no full text here; most limitations are stated in full texts"
        )
        findings.append(
            Finding(
                "full_text_missing",
                "info",
                message,
                fix=f"'citeplug fetch --cited {draft.root.name} --online' gets them",
            )
        )
    if not by_model and (language := language_of(draft)) != "English":
        message = f"the draft seems to be in {language}: without a model, only English is supported"
        findings.append(
            Finding("language_not_supported", "info", message, draft.root, fix="choose a model with --llm NAME")
        )
    return findings
