"""`.citeplug/provenance.json`: the source of each sentence and entry, the files written, and what happened when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from citeplug.records.debate import Debate
from citeplug.records.section import Judgement, SourceText

Status = Literal["unreviewed", "accepted", "rejected"]
# `restored`: a rejected or changed sentence is in the section again; `deleted`: it went. `unchosen`: a paper is neither
# pinned nor excluded any more.
OfPaper = Literal["pinned", "excluded", "unchosen"]
OfSentence = Literal["generated", "accepted", "rejected", "unreviewed", "edited", "deleted", "restored", "inserted"]
Happened = Literal[OfSentence, OfPaper]
UNNAMED = "unnamed"  # a model whose name is not known
BY_MODEL = "language model"
EXTRACTIVE = "extractive"
MOST = 400  # events that a record keeps, the newest


@lru_cache(4096)  # an edit compares each sentence several times
def _collapsed(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class RecordedSource:
    """The stretch of a text that supports a sentence, as in `records.section.Source`; `quote` is its text.

    `others` are fields of a newer citeplug, as JSON has them; so in the records below.
    """

    arxiv_id: str | None = None
    version: int | None = None
    start: int | None = None
    end: int | None = None
    quote: str = ""
    of: SourceText = "abstract"
    section: str | None = None
    page: int | None = None
    newer: int | None = None
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedSentence:
    """A generated sentence; `paragraph` is the id of its block.

    `tex` is its LaTeX, None in old records. `attribution` is 0 to 1, None for a topic or a group. `by` names the
    language model that wrote it (`UNNAMED` if the name is not known), None for none. `judgement` is None until the
    meaning has been compared, and in old records. A `rejected` one was taken out of the section, and is not written
    again in the same words.
    """

    paragraph: str = ""
    text: str = ""
    tex: str | None = None
    kind: str = ""
    cites: tuple[str, ...] = ()
    sources: tuple[RecordedSource, ...] = ()
    attribution: float | None = 0.0
    status: Status = "unreviewed"
    by: str | None = None
    judgement: Judgement | None = None
    others: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> tuple[str, str]:
        """Paragraph and text, white space collapsed: equal for the same sentence in two records."""
        return self.paragraph, self.words

    @property
    def words(self) -> str:
        """The text, white space collapsed: equal for the same sentence in any paragraph."""
        return _collapsed(self.text)


@dataclass(frozen=True, slots=True)
class RecordedEntry:
    """A bibliography entry and its last check; `evidence` has a JSON object for each field that was compared.

    `digest` is that of what was checked (`entry_digests`); None in older records.
    """

    key: str
    arxiv_id: str | None = None
    origin: str | None = None
    verdict: str = ""
    checked_against: str | None = None
    evidence: tuple[Mapping[str, Any], ...] = ()
    digest: str | None = None
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedBlock:
    """A block that was generated for a file: the hash in its end mark, its heading, and its papers."""

    hash: str
    heading: str
    papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InsertedText:
    """A text that was put into the draft; `file` is its path as LaTeX writes it, from the project's folder."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to a sentence or a paper; `words` are the sentence's in the record, or the paper's arXiv id.

    `when` is the time in ISO 8601, UTC; of a generated sentence the day alone, so that equal runs leave equal records.
    `by` is the language model that wrote it, None for none.
    """

    when: str
    what: Happened
    paragraph: str
    words: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """All that runs recorded of a project; None and empty: not recorded.

    `citeplug` is the version that made the section, `made_by` `BY_MODEL` or `EXTRACTIVE`, `made_on` a day in ISO
    8601. `draft` is the name of the PDF or text, in the project's folder, that the section is for; None of a LaTeX
    document. `inputs` are digests of the draft's parts (`related.input_digests`). `options` are the settings of the
    run as JSON has them, checked where they are used. `deep` says how the citation graph counted, `dense` which
    vectors were consulted (`related.retrieve.candidates`). `queries` are those that services were asked, each with
    their names. `quotes_from` names the text that was quoted, by arXiv id. `blocks`, `deleted` (by the author) and
    `written` (hashes) are by the file's name. `asked` are sentences of answers that the author put into the draft;
    `file` and `question` are among their `others`. `history` is what happened, the earliest first. `debates` are
    those on the candidates of the last run that held any, by arXiv id. `ledger` has the rows of
    `citeplug gaps` (`records.gaps`) as JSON has them, files by their paths from the project's folder; `table` likewise
    the cells of `citeplug table` (`records.comparison`), each with its column and its work's key, empty for the draft.
    """

    citeplug: str | None = None
    format: int | None = None
    made_by: str | None = None
    draft: str | None = None
    inputs: Mapping[str, str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    deep: Mapping[str, Any] | None = None
    dense: str | None = None
    queries: tuple[Mapping[str, Any], ...] = ()
    quotes_from: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[RecordedSentence, ...] = ()
    entries: tuple[RecordedEntry, ...] = ()
    blocks: Mapping[str, tuple[RecordedBlock, ...]] = field(default_factory=dict)
    deleted: Mapping[str, tuple[RecordedBlock, ...]] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    made_on: str | None = None
    inserted: tuple[InsertedText, ...] = ()
    asked: tuple[RecordedSentence, ...] = ()
    history: tuple[Event, ...] = ()
    debates: Mapping[str, Debate] = field(default_factory=dict)
    ledger: tuple[Mapping[str, Any], ...] = ()
    table: tuple[Mapping[str, Any], ...] = ()
    others: Mapping[str, Any] = field(default_factory=dict)


NOTHING_RECORDED = Provenance()


def with_events(
    record: Provenance, before: Provenance, more: Iterable[tuple[Happened, RecordedSentence]] = ()
) -> Provenance:
    """The record with the history of the one `before`, and with what is new in it; `more` are further events.

    A sentence that only moved to another paragraph is not new.
    """
    statuses = {sentence.words: sentence.status for sentence in before.sentences}
    asked = {sentence.words for sentence in before.asked}
    result: list[tuple[Happened, RecordedSentence]] = []
    for sentence in record.sentences:
        if sentence.words not in statuses:
            result.append(("generated", sentence))
        elif sentence.status != statuses[sentence.words]:
            result.append((sentence.status, sentence))
    result += [("inserted", sentence) for sentence in record.asked if sentence.words not in asked]
    result += more
    now = _now()
    # The same run by a co-author, or after an undo in git, gives the same file: of what it wrote, the day alone.
    events = (
        Event(now[:10] if what == "generated" else now, what, sentence.paragraph, sentence.words, sentence.by)
        for what, sentence in result
    )
    return replace(record, history=(*before.history, *events)[-MOST:])


def with_choice_of(record: Provenance, arxiv_id: str, what: OfPaper) -> Provenance:
    """The record, in whose history a paper was pinned or excluded, or neither any more."""
    return replace(record, history=(*record.history, Event(_now(), what, "", arxiv_id))[-MOST:])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
