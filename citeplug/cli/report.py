"""Outcomes of a run, printed: as the JSON of docs/interface.md, and for a reader at a terminal."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import filterfalse
from pathlib import Path
from textwrap import shorten
from typing import Any

from citeplug.bibtex.entries import parse_bib
from citeplug.cli.console import (
    Part,
    clipped,
    counted,
    finding_as_json,
    safe,
    say,
    say_next,
    show_findings,
    show_table,
    write_utf8,
)
from citeplug.cli.results import links_as_json
from citeplug.cli.sentences import judgement_as_json, source_as_json
from citeplug.demo import DemoDone
from citeplug.errors import CiteplugError
from citeplug.project.author_files import as_tex_path, read_or_none
from citeplug.project.provenance import PROVENANCE
from citeplug.project.section_targets import seen_from_here
from citeplug.project.take_back import readers_of_section
from citeplug.project.targets import own_text
from citeplug.records.debate import debate_as_json
from citeplug.records.entry_check import Verdict
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of
from citeplug.records.outcome import GraphUse, Outcome
from citeplug.records.paper import Query, Shortlisted, shown_id
from citeplug.records.plan import Plan
from citeplug.records.report import verdicts_in_words
from citeplug.records.section import Sentence
from citeplug.related.draft_date import newer_than
from citeplug.related.job import PlanWritten, Written
from citeplug.related.retrieve.longlist import OWN_QUERIES
from citeplug.related.section.accept import is_summary
from citeplug.related.section.in_print import PrintedWork, cited_prose, printed_works, readable
from citeplug.section_file.cite_style import cite_style
from citeplug.section_file.print_block import print_plan
from citeplug.section_file.print_sentence import print_sentence
from citeplug.text.people import listed

_AGAINST: Mapping[str | None, str] = {
    "arxiv": "arXiv",
    "catalogue": "the catalogue on this machine",
    "library": "your library",
}
_ONLY_NAMED, _NEWER, _NO_COMPARISON = "cited_only_named", "newer_than_draft", "no_comparison"
_TEXTS = ("abstract", "full text")
_BEGINNING = 2  # sentences
_QUOTED = re.compile("“([^”]+?),?”")
_LABEL = 13  # columns


def outcome_as_json(written: Written) -> dict[str, Any]:
    """Return the document of `citeplug related --json`."""
    outcome = written.outcome
    return {
        **fields_of(written.targets, "tex bib"),
        **fields_of(written, "dry_run files"),
        **fields_of(outcome, "tex_content bib_content"),
        "plan": plan_as_json(outcome.plan),
        "section": {
            "paragraphs": [
                {
                    **fields_of(paragraph, "id heading"),
                    "sentences": [_sentence(sentence, outcome) for sentence in paragraph.sentences],
                }
                for paragraph in outcome.section.paragraphs
            ]
        },
        "entries": [
            {
                **fields_of(entry.check, "key arxiv_id"),
                "file": str(entry.file or written.targets.bib),
                "origin": entry.origin,
                **fields_of(entry.check, "verdict checked_against fields"),
                "message": entry.check.message or None,
            }
            for entry in outcome.entries
        ],
        "shortlist": [
            {**item, "summary": outcome.summaries.get(item["arxiv_id"])}
            for item in _shortlist(outcome.shortlist, outcome.left_out)
        ],
        "queries": queries_as_json(outcome.queries),
        "deep": graph_as_json(outcome.graph),
        "findings": [finding_as_json(finding) for finding in outcome.findings],
        "stages": [fields_of(stage, "name seconds calls cost") for stage in outcome.stages],
    }


def _shortlist(discussed: Sequence[Shortlisted], left_out: Sequence[Shortlisted]) -> list[dict[str, Any]]:
    """The shortlist: the papers that are discussed, then those that fit the draft too little."""
    return [*(_shortlisted(item, fits=True) for item in discussed), *(_shortlisted(i, fits=False) for i in left_out)]


def _shortlisted(item: Shortlisted, *, fits: bool) -> dict[str, Any]:
    return {
        "arxiv_id": item.paper.id.value,
        "title": item.paper.title,
        "score": round(item.score, 4),
        "fits": fits,
        **links_as_json(item.links),
        "debate": debate_as_json(item.debate),
    }


def queries_as_json(queries: Sequence[Query]) -> list[dict[str, Any]]:
    """The queries that a model wrote or a service was asked, with the services that each went to."""
    return [fields_of(query, "text aspect asked") for query in _of_others(queries)]


def show_queries(queries: Sequence[Query]) -> None:
    """Print the queries that a model wrote or a service was asked."""
    for query in _of_others(queries):
        asked = f", asked at {', '.join(query.asked)}" if query.asked else ""
        say(f"  query ({query.aspect}): {shorten(query.text, 200)}{asked}")


def _of_others(queries: Sequence[Query]) -> list[Query]:
    """Those that are more than parts of the draft that were compared with the catalogue on this machine."""
    return [query for query in queries if query.asked or query.aspect.startswith(OWN_QUERIES)]


def graph_as_json(graph: GraphUse | None) -> dict[str, Any] | None:
    """Use of citations in the ranking; None where nothing was searched for."""
    if graph is None:
        return None
    works = [fields_of(work, "title year doi cited_by") for work in graph.not_on_arxiv]
    return {**fields_of(graph, "wanted used seeds known fetched left"), "not_on_arxiv": works}


def plan_as_json(plan: Plan) -> dict[str, Any]:
    return {
        "paragraphs": [
            {
                **fields_of(paragraph, "id heading words"),
                "lines": [
                    {**fields_of(line, "intent cites"), "kind": line.role, "weight": line.weight}
                    for line in paragraph.lines
                ],
            }
            for paragraph in plan.paragraphs
        ]
    }


def plan_written_as_json(made: PlanWritten) -> dict[str, Any]:
    """Return the document of `citeplug plan --json`."""
    return {
        **fields_of(made, "tex dry_run"),
        "plan": plan_as_json(made.plan),
        "topics": {paragraph: fields_of(topic, "number name papers") for paragraph, topic in made.topics.items()},
        "shortlist": _shortlist(made.shortlist, made.left_out),
        "queries": queries_as_json(made.queries),
        "deep": graph_as_json(made.graph),
        "findings": [finding_as_json(finding) for finding in made.findings],
    }


def show_plan(made: PlanWritten, main: Path, verbosity: int) -> None:
    """Print the path of the plan, with -v its queries and topics; in a dry run the plan itself."""
    if verbosity < 0:
        return
    if made.dry_run:
        for line in print_plan(made.plan).splitlines():
            say(line, hang=4)
        say(f"would write the plan to {seen_from_here(made.tex)}")
    else:
        say(f"wrote the plan to {seen_from_here(made.tex)}")
    if verbosity > 0:
        show_queries(made.queries)
    for paragraph in made.plan.paragraphs if verbosity > 0 else ():
        if (topic := made.topics.get(paragraph.id)) is not None:
            say(f"{paragraph.id}: {topic.papers} papers of topic {topic.number} ({topic.name})")


def _sentence(sentence: Sentence, outcome: Outcome) -> dict[str, Any]:
    *_notes, text = print_sentence(sentence, outcome.keys, cite_style(outcome.draft), outcome.papers)
    return {
        "text": text,
        "kind": sentence.kind,
        "cites": [
            {"key": outcome.keys.get(cite, cite), "arxiv_id": cite if cite in outcome.papers else None}
            for cite in sentence.cites
        ],
        "sources": [source_as_json(source, source.text) for source in sentence.sources],
        "attribution": None if sentence.attribution is None else round(sentence.attribution, 4),
        "judgement": judgement_as_json(sentence.judgement),
        "status": sentence.status,
    }


def show_outcome(written: Written, verbosity: int, *, with_text: bool = False) -> None:
    """Print the papers of the section; in a dry run or `with_text`, the section too. `show_end` says the rest."""
    if verbosity < 0:
        return
    outcome = written.outcome
    if with_text and not written.dry_run:
        say("The section, as far as it passed the checks:")
    if with_text or written.dry_run:
        write_utf8(safe(outcome.tex_content))
    if written.dry_run:
        write_utf8(safe(outcome.bib_content))
    paragraphs = outcome.section.paragraphs
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph.sentences]
    is_current = not written.dry_run and written.targets.tex not in written.changed
    is_whole = verbosity > 0
    generated = {entry.check.arxiv_id for entry in outcome.entries if entry.origin == "generated"}
    new = [value for value in outcome.papers if value in generated]
    cited = len(outcome.papers) - len(new)
    parts = (paragraphs, "paragraph"), (sentences, "sentence"), (outcome.papers, "paper")
    counts = ", ".join(counted(len(changes), name, f"{name}s") for changes, name in parts)
    counts += f" ({cited} that you cite, {len(new)} new)" if new and cited else ""
    before = f"{seen_from_here(written.targets.tex)} is up to date: " if is_current else ""
    say(before, (counts, "number"))
    entries = [*outcome.draft.entries, *parse_bib(outcome.bib_content)]
    titles = {outcome.keys.get(value, value): outcome.papers[value].title for value in new}
    if titles and (is_whole or not is_current):
        say(("\nNew papers", "title"))
        width = max(map(len, titles))
        for key, title in titles.items():
            say(title if is_whole else clipped(title, 1, width + 4), lead=(f"  {key:{width}}  ", "key"))
    if not (written.dry_run or with_text or is_current):
        _show_beginning(outcome, sentences, printed_works(entries))
    if not is_whole:
        return
    say()
    show_queries(outcome.queries)
    stages = [(stage.name, f"{stage.seconds:.2f} s", f"{stage.calls} calls") for stage in outcome.stages]
    show_table([(*row[:2], row[2] if not row[2].startswith("0 ") else "") for row in stages], indent=2)


def _show_beginning(outcome: Outcome, sentences: Sequence[Sentence], works: Mapping[str, PrintedWork]) -> None:
    """Print the first sentences that rest on the text of a paper, as LaTeX prints them, each with its source."""
    shown = [sentence for sentence in sentences if any(source.of in _TEXTS for source in sentence.sources)][:_BEGINNING]
    if shown:
        say(f"\n{len(shown)} of {counted(len(sentences), 'sentence', 'sentences')}, each with its source:")
    for sentence in shown:
        *_notes, tex = print_sentence(sentence, outcome.keys, cite_style(outcome.draft), outcome.papers)
        prose = "".join(words for words, _ in cited_prose(readable(tex), works, tex))
        say(prose, lead="  ")
        for source in sentence.sources:
            paper = outcome.papers.get(source.arxiv_id or "")
            words, where = (source.text, "summary") if is_summary(source, paper) else (f"“{source.text}”", source.of)
            place = f"{shown_id(source.arxiv_id) if source.arxiv_id else 'your draft'}, {where}"
            quoted = _QUOTED.search(prose)
            is_here = quoted is not None and quoted[1] in source.text
            say((f"quoted from {place}" if is_here else f"{place}: {words}", "aside"), lead="    ", hang=2)


def show_end(written: Written, verbosity: int, steps: Sequence[tuple[str, str]] = ()) -> None:
    """Print what was written, what there is to know of it, a line each, and the next command."""
    if verbosity < 0:
        return
    # The record beside them is nothing to look at.
    changed = sorted(file for file in written.changed if PROVENANCE.parent.name not in file.parts)
    names = [_place(file, written) for file in sorted(changed, key=lambda file: file != written.targets.tex)]
    if names:
        say((listed(names), "title"), lead="would write " if written.dry_run else "wrote ")
    else:
        say("no file was changed")
    for label, parts in (*_to_look_at(written.outcome, verbosity), *_own_text(written)):
        say(*parts, lead=(f"{label:{_LABEL}}", "title"))
    for command, does in steps[:1]:
        say_next(command, does)


def _place(file: Path, written: Written) -> str:
    """A changed file, one of the draft's with the line that reads the section."""
    where, name = written.targets, seen_from_here(file)
    if written.dry_run or file in (where.tex, where.bib):
        return name
    read = readers_of_section({file: read_or_none(file) or ""}, as_tex_path(where.tex, where.project))
    return f"{name}:{read[0][1]}" if read else name


def _own_text(written: Written) -> Iterator[tuple[str, Sequence[Part]]]:
    """The author's own related work, as long as the draft does not read the section beside it."""
    draft, own = written.outcome.draft, None
    with suppress(CiteplugError):  # a project from a zip is packed again
        own = own_text(draft, written.targets)
    if own is not None and draft.related_work is not None:
        place = f"{draft.related_work.span.file.name}:{draft.related_work.span.line}"
        yours = f"“{draft.related_work.title}” ({place}) cites {counted(draft.related_works, 'work', 'works')}"
        missing = shlex.join(["citeplug", "papers", seen_from_here(draft.root), "--missing"])
        yield "Yours", [f"{yours}: --insert puts the section after it; or '{missing}' lists what it lacks"]


def _to_look_at(outcome: Outcome, verbosity: int) -> Iterator[tuple[str, Sequence[Part]]]:
    """What the author is to look at, by its label: sentences that nobody has read, entries, and what is folded."""
    unread = sum(s.status == "unreviewed" for paragraph in outcome.section.paragraphs for s in paragraph.sentences)
    yield "To read", [(counted(unread, "sentence", "sentences") if unread else "no new sentences", "number")]
    checks = [entry.check for entry in outcome.entries]
    verdicts = Counter[Verdict](check.verdict for check in checks)
    style = "good" if verdicts["verified"] == len(checks) else "warning"
    against = dict.fromkeys(_AGAINST[check.checked_against] for check in checks if check.checked_against in _AGAINST)
    compared = f" compared with {' and '.join(against)}" if against else ""
    folded = list(filterfalse(unfolded(outcome), outcome.findings)) if verbosity <= 0 else []
    places = ", ".join(f"{finding.file.name}:{finding.line}" for finding in folded if finding.file is not None)
    shown = f"; citeplug check shows {places}" if places else ""
    yield "Entries", [f"{len(checks)}{compared}: ", (verdicts_in_words(verdicts), style), shown]
    codes = [finding.code for finding in folded]
    if _NO_COMPARISON in codes:
        yield "Left to you", ["a sentence on how your draft differs from these works"]
    for finding in folded:
        if finding.code == _ONLY_NAMED:
            yield "Abstracts", [f"{finding.message}: {finding.fix}"]
    if _NEWER in codes:
        written, newer = newer_than(outcome.draft, outcome.papers.values())
        of = f", of {written.shown}" if written is not None else ""
        yield "Newer", [f"{counted(len(newer), 'paper', 'papers')} newer than your draft{of} (-v lists them)"]


def unfolded(outcome: Outcome) -> Callable[[Finding], bool]:
    """Whether a finding is printed by itself; the others are in the last lines, or are printed with -v."""
    doubts = {
        e.check.message for e in outcome.entries if e.check.verdict == "differs" and e.check.severity == "warning"
    }
    return lambda finding: finding.code not in (_ONLY_NAMED, _NEWER, _NO_COMPARISON) and finding.message not in doubts


def show_demo(done: DemoDone, verbosity: int) -> None:
    """Print the demo's result, its PDF, and the next command."""
    show_outcome(done.written, verbosity)
    if verbosity < 0:
        return
    show_findings(done.written.outcome.findings if verbosity > 0 else (), verbosity)
    say("\nThis demo's papers have summaries in our own words, not arXiv's abstracts, so nothing is quoted.")
    say(f"PDF: {seen_from_here(done.pdf)}" if done.pdf else f"no PDF: {done.no_pdf}")
    say()
    show_end(done.written, verbosity, done.next)
