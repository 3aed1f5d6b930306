"""A sentence of an answer put into the draft: the sentence, its entry and its provenance, all of it or nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from citeplug.ask.shown import in_quotation_marks, is_verbatim
from citeplug.bib.cite import Citing, cite_papers
from citeplug.corpus.stores import Announce, open_corpus
from citeplug.errors import ChangedMeanwhile, UsageError
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import as_given
from citeplug.latex.live import why_no_text
from citeplug.latex.project import find_root, read_draft
from citeplug.project.author_files import (
    as_tex_path,
    bytes_or_none,
    edited,
    edits_as_changes,
    one_at_a_time,
    read_exactly,
)
from citeplug.project.provenance import ProvenanceFile, read_provenance_file
from citeplug.project.targets import Targets, targets
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.paper import Paper
from citeplug.records.provenance import Happened, RecordedSentence, RecordedSource, with_events
from citeplug.records.section import Sentence
from citeplug.related.section.files_before import record_change
from citeplug.related.write.extractive.contributions import find_contributions, find_deeds
from citeplug.related.write.extractive.sentences import clause
from citeplug.section_file.cite_style import cite_style, unfit_for_cite
from citeplug.section_file.print_sentence import print_sentence
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import collapsed
from citeplug.text.letters import capital
from citeplug.text.scanning import newline_of
from citeplug.text.three_way_merge import unified

_WAIT = 2.0  # seconds for the lock of a project, while an editor waits
_POINT = re.compile(r"(?P<file>.+):(?P<line>\d{1,7})")
_STOP = re.compile(r"\s*([.!?]*)\s*$")


@dataclass(frozen=True, slots=True)
class InsertionPoint:
    """A line of a file of the draft, from 1, behind which a sentence is put."""

    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class Inserted:
    """A sentence in the draft: its record, the keys it cites, and those that are new in the .bib file.

    `diff` is the unified diff of the draft's file and the .bib file. `inserted_text` is what `point.file` got,
    `entries` what the .bib file is with and without.
    """

    record: RecordedSentence
    keys: tuple[str, ...]
    new_keys: tuple[str, ...]
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    diff: str
    root: Path
    point: InsertionPoint
    inserted_text: str
    entries: Citing

    @property
    def tex(self) -> str:
        return self.record.tex or ""


def read_point(text: str) -> InsertionPoint:
    """The point in `FILE:LINE`. Raises UsageError."""
    match = _POINT.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is not a place in a file", "write FILE.tex:LINE; the sentence goes after that line")
    return InsertionPoint(as_given(match["file"]), int(match["line"]))


def insert_sentence(
    answer: Answer,
    sentence: AnswerSentence,
    point: InsertionPoint,
    settings: Settings,
    *,
    bib: Path | None = None,
    announce: Announce | None = None,
    dry_run: bool = False,
) -> Inserted:
    """Put a sentence of `answer` behind a line of the draft, and the entries of what it cites into its .bib file.

    `bib` names that file where the draft has several. A dry run changes nothing. Raises UsageError for a place or a
    paper that cannot be, UnreadableInput, ChangedMeanwhile, WouldOverwrite; then nothing was changed.
    """
    cited = cited_papers(sentence, answer)
    root = find_root(point.file)
    draft = read_draft(root)
    folder = draft.root.parent
    text, _ = read_exactly(point.file)
    at = _offset(text, point)
    before = f"{newline_of(text)}{_indent(text, at)}"
    need_paragraph(draft, point.file, text, at, before)
    citing = cite_papers(cited, settings, bib=bib or root, announce=announce)
    keys = _keys(cited, citing)
    record = recorded_sentence(answer, sentence, keys, draft, point.file, records_of(cited, settings))
    inserted_text = f"{before}{record.tex}"
    edit = TextEdit(point.file, at, at, inserted_text)
    changes = edits_as_changes([edit], folder, lambda file: partial(_need_text, file, text))
    changes += _entry_changes(citing)
    with ExitStack() as locks:
        for path in () if dry_run else sorted({draft.root, *([citing.file.path] if citing.file else [])}):
            locks.enter_context(one_at_a_time(settings.home, path))
        where = targets(draft.root, None, None)
        provenance = read_provenance_file(where.provenance)
        if not dry_run:
            write_together([*changes, _record(where, provenance, _with(provenance, record))])
    diff = unified(text, edited(text, [edit]), as_tex_path(point.file, folder))
    if citing.file is not None:
        diff += unified(citing.file.text, citing.after, citing.file.path.name)
    new = tuple(one.key for one in citing.cited if one.entry is not None and one.key)
    files = tuple(change.path for change in changes)
    return Inserted(
        record, tuple(keys.values()), new, files, citing.findings, diff, draft.root, point, inserted_text, citing
    )


def cited_papers(sentence: AnswerSentence, answer: Answer) -> tuple[str, ...]:
    """The papers that a sentence cites, in its order. Raises UsageError for a file: there is no entry for one."""
    documents = {text.id for text in answer.looked_through if text.of == "document"}
    papers = tuple(dict.fromkeys(citation.paper for citation in sentence.citations))
    for paper in papers:
        if paper in documents:
            raise UsageError(
                f"{paper} is a file, and has no entry that could be cited",
                "add it with 'citeplug library add', and ask the library",
            )
    return papers


def records_of(papers: Sequence[str], settings: Settings) -> Mapping[str, Paper]:
    """The records of those papers that the corpus holds, by id."""
    with open_corpus(settings) as corpus:
        return corpus.papers(list(papers))


def recorded_sentence(
    answer: Answer,
    sentence: AnswerSentence,
    keys: Mapping[str, str],
    draft: Draft,
    file: Path,
    records: Mapping[str, Paper],
) -> RecordedSentence:
    """The record of a sentence that is put into a file of the draft, with its LaTeX; `keys` and `records` are by paper."""
    texts = {text.id: text for text in answer.looked_through}
    stop = _STOP.search(sentence.text)
    assert stop is not None  # it matches nothing, too
    words = sentence.text[: stop.start()].replace("{{", "{ {")  # a passage may hold what looks like a marker
    if is_verbatim(sentence):
        words = in_quotation_marks(words)
    printed = _reported(sentence, records, draft) or f"{words} {{{{cite:{','.join(keys)}}}}}{stop[1] or '.'}"
    tex = print_sentence(Sentence(printed, "paper", tuple(keys), ()), keys, cite_style(draft), records)[-1]
    return RecordedSentence(
        paragraph="",
        text=printed,
        tex=tex,
        kind="answer",
        cites=tuple(keys),
        sources=tuple(_source(citation, texts[citation.paper]) for citation in sentence.citations),
        attribution=round(sentence.attribution, 4),
        status="accepted",
        by=answer.model,
        judgement=sentence.judgement,
        others={"file": as_tex_path(file, draft.root.parent), "question": answer.question},
    )


def _reported(sentence: AnswerSentence, records: Mapping[str, Paper], draft: Draft) -> str | None:
    """A sentence of an abstract as the section would report it of its authors, in place of "we" and "the paper"."""
    citation, *others = sentence.citations
    paper = records.get(citation.paper)
    if others or citation.passage or paper is None or collapsed(sentence.text) != collapsed(citation.quote):
        return None
    alone = replace(paper, abstract=collapsed(citation.quote))
    told = [*find_contributions(alone, draft.packages), *find_deeds(alone, draft.packages)]
    whole = next((one for one in told if alone.abstract[: one.end] == alone.abstract and not one.start), None)
    return None if whole is None else f"{capital(clause(whole, alone).text)}."


def _source(citation: AnswerCitation, text: AskedText) -> RecordedSource:
    whole = text.of == "abstract"
    return RecordedSource(
        citation.paper,
        text.version,
        citation.start if whole else None,
        citation.end if whole else None,
        " ".join(citation.quote.split()),
        "abstract" if whole else "full text",
        citation.section or None,
        citation.page,
    )


def take_out(done: Inserted, home: Path) -> None:
    """Take an inserted sentence out of the draft and of the record; its new entries go where nothing else cites them.

    Raises ChangedMeanwhile if the sentence is not in the file as it was put there, CannotWrite, UnreadableInput.
    """
    file, where = done.point.file, targets(done.root, None, None)
    with one_at_a_time(home, done.root):
        text, _ = read_exactly(file)
        if text.count(done.inserted_text) != 1:
            raise ChangedMeanwhile(f"the sentence in {file.name} was changed meanwhile", "change it in your editor")
        at = text.index(done.inserted_text)
        edit = TextEdit(file, at, at + len(done.inserted_text), "")
        changes = edits_as_changes([edit], where.project, lambda file: partial(_need_text, file, text))
        bib, cites = done.entries.file, [key for cite in read_draft(done.root).cites for key in cite.keys]
        if bib is not None and done.new_keys and all(cites.count(key) <= 1 for key in done.new_keys):
            now, encode = read_exactly(bib.path)
            if now == done.entries.after:
                changes.append(Change(bib.path, encode(bib.text), check=partial(_need_text, bib.path, now)))
        provenance = read_provenance_file(where.provenance)
        left = [sentence for sentence in provenance.record.asked if sentence.tex != done.tex]
        write_together([*changes, _record(where, provenance, left)])


def keep_record(root: Path, record: RecordedSentence, home: Path) -> Callable[[], None]:
    """Record a sentence that an editor puts into the draft; return what takes the record back, and no other one.

    Raises StoreBusy, ChangedMeanwhile, CannotWrite, UnreadableInput.
    """
    where = targets(root, None, None)
    with one_at_a_time(home, root, _WAIT):
        before = read_provenance_file(where.provenance)
        written = _record(where, before, _with(before, record))
        write_together([written])

    def take_back() -> None:
        with one_at_a_time(home, root, _WAIT):
            now = read_provenance_file(where.provenance)
            if now.data == written.data:
                write_together([Change(where.provenance, before.data, within=where.project)])
                return
            replaced = [sentence for sentence in before.record.asked if sentence not in now.record.asked]
            write_together([_record(where, now, (*replaced, *_with(now, record)[:-1]))])

    return take_back


def _with(provenance: ProvenanceFile, new: RecordedSentence) -> list[RecordedSentence]:
    """The inserted sentences, this one last, without an earlier one of the same words in the same file."""
    name = new.tex, new.others.get("file")
    return [*(old for old in provenance.record.asked if (old.tex, old.others.get("file")) != name), new]


def _record(where: Targets, before: ProvenanceFile, inserted: Sequence[RecordedSentence]) -> Change:
    """The record with these sentences; refused if the file is not as it was before."""

    def need_unchanged() -> None:
        if bytes_or_none(where.provenance) != before.data:
            raise ChangedMeanwhile(f"{where.provenance} was changed in the meantime", "run the same command again")

    left = {sentence.words for sentence in inserted}
    gone: list[tuple[Happened, RecordedSentence]] = [
        ("deleted", sentence) for sentence in before.record.asked if sentence.words not in left
    ]
    record = with_events(replace(before.record, asked=tuple(inserted)), before.record, gone)
    return replace(record_change(where, record), check=need_unchanged)


def need_paragraph(draft: Draft, file: Path, text: str, at: int, before: str) -> None:
    """Raise UsageError if a sentence at the offset `at` of `text`, behind the white space `before`, is in no paragraph.

    `text` is that of `file`, which must be one of the draft's.
    """
    if file.resolve() not in [(draft.root.parent / name).resolve() for name in draft.files]:
        raise UsageError(f"{file} is not a file of the draft {draft.root}", "name one that the draft reads")
    why = why_no_text(text, at, before)
    if why is not None:
        line = len(re.findall(r"\r\n|\r|\n", text[:at])) + 1
        raise UsageError(f"line {line} of {file.name} is {why}, where no sentence can be put", "choose a paragraph")


def _offset(text: str, point: InsertionPoint) -> int:
    """The end of the line. Raises UsageError for one that is not there."""
    ends = [match.start() for match in re.finditer(r"\r\n|\r|\n|\Z", text)]
    if not 1 <= point.line <= len(ends):
        raise UsageError(f"{point.file} has {len(ends)} lines", "name a line of the file")
    return ends[point.line - 1]


def _keys(cited: Sequence[str], citing: Citing) -> dict[str, str]:
    """The keys by paper. Raises UsageError for one that cannot be cited."""
    keys: dict[str, str] = {}
    for value, one in zip(cited, citing.cited, strict=True):
        if one.status not in ("new", "exists") or not one.key:
            raise UsageError(one.message or f"{value} cannot be cited", one.fix or "cite it yourself")
        if why := unfit_for_cite(one.key):
            raise UsageError(f"LaTeX cannot cite the key {one.key}: {why}", "change it in your .bib file")
        keys[value] = one.key
    return keys


def _entry_changes(citing: Citing) -> list[Change]:
    file = citing.file
    if file is None or citing.after == file.text:
        return []
    return [Change(file.path, file.encoded(citing.after), check=file.need_unchanged)]


def _need_text(file: Path, text: str) -> None:
    if read_exactly(file)[0] != text:
        raise ChangedMeanwhile(f"{file} was changed in the meantime; it is left alone", "run the same command again")


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line that ends at `at`."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip())]
