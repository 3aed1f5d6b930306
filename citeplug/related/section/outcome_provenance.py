"""The record that an outcome leaves: statuses taken from the record of the last run, and digests of the written files.

By the digests a later run sees what the author has changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from citeplug import __version__
from citeplug.bibtex.entries import parse_bib
from citeplug.project.any_draft import text_name
from citeplug.project.provenance import rejected_sentences, reviewed_names, with_blocks
from citeplug.project.targets import Targets
from citeplug.records.outcome import Outcome
from citeplug.records.plan import Plan
from citeplug.records.provenance import (
    BY_MODEL,
    EXTRACTIVE,
    UNNAMED,
    Provenance,
    RecordedBlock,
    RecordedEntry,
    RecordedSentence,
    RecordedSource,
)
from citeplug.records.section import Sentence
from citeplug.related.input_digests import digests_of, entry_digests
from citeplug.section_file.cite_style import CiteStyle, cite_style
from citeplug.section_file.current import papers_of
from citeplug.section_file.grammar import read_related
from citeplug.section_file.merge import hash_of
from citeplug.section_file.print_sentence import print_sentence
from citeplug.settings.known_settings import as_plain

_OF_ONE_RUN = ("plan_text", "replan", "plan")  # the last is in the document


def provenance_of(outcome: Outcome) -> Provenance:
    """The sources of each sentence, the evidence for each entry, and what the section was made from."""
    style = cite_style(outcome.draft)
    digests = entry_digests([*outcome.draft.entries, *parse_bib(outcome.bib_content)])
    return Provenance(
        citeplug=__version__,
        format=1,
        made_by=EXTRACTIVE if outcome.model is None else BY_MODEL,
        draft=text_name(outcome.draft.root),
        inputs=digests_of(outcome.draft, whole=outcome.options.whole_draft),
        options={name: as_plain(value) for name, value in asdict(outcome.options).items() if name not in _OF_ONE_RUN},
        deep=None if outcome.graph is None else {**asdict(outcome.graph), "links": _links_of(outcome)},
        dense=outcome.dense,
        queries=tuple({"text": q.text, "aspect": q.aspect, "asked": list(q.asked)} for q in outcome.queries if q.asked),
        quotes_from={value: paper.quoted_text for value, paper in sorted(outcome.papers.items())},
        sentences=tuple(
            _sentence(paragraph.id, sentence, outcome, style)
            for paragraph in outcome.section.paragraphs
            for sentence in paragraph.sentences
        ),
        entries=tuple(
            RecordedEntry(
                entry.check.key,
                entry.check.arxiv_id,
                entry.origin,
                entry.check.verdict,
                entry.check.checked_against,
                tuple(map(asdict, entry.check.fields)),
                digests.get(entry.check.key),
            )
            for entry in outcome.entries
        ),
        debates=outcome.debates,
    )


def with_blocks_of(record: Provenance, name: str, outcome: Outcome, deleted: Iterable[RecordedBlock]) -> Provenance:
    """The record with the blocks that the outcome has for the file `name`, as in `with_blocks`."""
    bases = {hash_of(base): base for base in outcome.bases}
    there = [
        RecordedBlock(block.recorded, bases[block.recorded].plan.heading, papers_of(bases[block.recorded]))
        for block in read_related(outcome.tex_content).blocks
        if block.recorded in bases
    ]
    return with_blocks(record, name, there, deleted)


def with_statuses(outcome: Outcome, record: Provenance) -> Outcome:
    """The outcome with the sentences accepted that the author accepted, word for word, as the record has it."""
    reviewed = reviewed_names([record])

    def judged(paragraph: str, sentence: Sentence) -> Sentence:
        known = reviewed.get(RecordedSentence(paragraph, sentence.text).name)
        return replace(sentence, status="accepted" if known == "accepted" else "unreviewed")

    paragraphs = tuple(
        replace(p, sentences=tuple(judged(p.id, sentence) for sentence in p.sentences))
        for p in outcome.section.paragraphs
    )
    return replace(outcome, section=replace(outcome.section, paragraphs=paragraphs))


def with_rejected(record: Provenance, before: Provenance, section: str) -> Provenance:
    """The record with the sentences that the one `before` has as rejected, and that are not in the section's text."""
    return replace(record, sentences=(*record.sentences, *rejected_sentences(before, section)))


def _sentence(paragraph: str, sentence: Sentence, outcome: Outcome, style: CiteStyle) -> RecordedSentence:
    return RecordedSentence(
        paragraph=paragraph,
        text=sentence.text,
        tex=print_sentence(sentence, outcome.keys, style, outcome.papers)[-1],
        kind=sentence.kind,
        cites=sentence.cites,
        sources=tuple(
            RecordedSource(s.arxiv_id, s.version, s.start, s.end, s.text, s.of, s.section, s.page, s.newer)
            for s in sentence.sources
        ),
        attribution=None if sentence.attribution is None else round(sentence.attribution, 4),
        status=sentence.status,
        by=UNNAMED if sentence.by_model else None,
        judgement=sentence.judgement,
    )


def _links_of(outcome: Outcome) -> dict[str, str]:
    """The citations that brought a paper into the shortlist, in words, by arXiv id."""
    return {item.paper.id.value: item.links.reason for item in outcome.shortlist if item.links is not None}


def plan_digest(plan: Plan) -> str:
    """The digest that is recorded of a section: that of its plan, without ids and lengths."""
    return _digest(json.dumps([[p.heading, [li.content for li in p.lines]] for p in plan.paragraphs]))


def entries_digest(text: str) -> str:
    """The digest that is recorded of the file of entries; its line ends do not count."""
    return _digest(text.replace("\r\n", "\n"))


def is_recorded(record: Provenance, path: Path, where: Targets, digest: str) -> bool:
    """True if the file was last written with this digest."""
    return record.written.get(where.name_of(path)) == digest


def with_written(record: Provenance, where: Targets, digests: Mapping[Path, str]) -> Provenance:
    """The record with the digests of files that were written; those of other --out and --bib files stay."""
    new = {where.name_of(path): digest for path, digest in digests.items()}
    return replace(record, written={**record.written, **new})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
