"""Full texts of papers: from arXiv, with consent, and from the author's own files; kept for good.

What they cite is taken into the citation graph.
"""

from collections.abc import Collection, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from citeplug.corpus.fulltext.store import READER, KeptText, TextStore
from citeplug.corpus.fulltext.text_reader import SUFFIXES, Reading, TextReader
from citeplug.corpus.local_records import LocalRecords
from citeplug.corpus.locking import one_job
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import SourceUnavailable, Unfit
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.paper import ArxivId, Paper, shown_id
from citeplug.records.passage import PaperText, TextSource
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences
from citeplug.sources.arxiv_texts import ArxivTexts
from citeplug.text.compare import compare_titles, share_of_words

if TYPE_CHECKING:
    from citeplug.corpus.index import Corpus

_AGAIN = timedelta(days=30)  # after which arXiv is asked again for a text that it did not have
# Nothing that arXiv said, but damage on the way: it may be whole the next time.
_PASSING = ("broken", "memory", "too_slow")
_OTHER_TITLE = "other_title"
_RETITLED = 0.5  # of the shorter title's words, as for entries: with fewer it is another paper's title


@dataclass(slots=True)
class FetchedTexts:
    """Texts of the papers that were asked for: `kept` before, `fetched` from arXiv now, `own` read from files now.

    `missing` have no text that can be read; `left` were not asked for, for want of consent or in an outage.
    """

    kept: int = 0
    fetched: int = 0
    own: int = 0
    missing: int = 0
    left: int = 0
    findings: list[Finding] = field(default_factory=list)
    outage: SourceUnavailable | None = None


def fetch_texts(
    settings: Settings,
    papers: Sequence[ArxivId],
    report: Report,
    *,
    online: bool,
    corpus: "Corpus | None" = None,
    named: Collection[str] = (),
) -> FetchedTexts:
    """Get the texts of these papers. Nothing but ids is sent, one at a time, and only with consent.

    A source with another paper's title is kept only for those that the user has `named` by their ids.

    `online` is consent for this call; the user's settings may give it for all. Each text is kept at once, so that a run
    that was ended goes on where it was. An outage ends the run. Raises StoreBroken on a full disk, StoreBusy if another
    process fetches. `corpus` is one that the caller has opened and will close.
    """
    consent = (online or read_preferences(settings.home).fetch_texts) and not settings.offline
    with (
        open_corpus(settings) if corpus is None else nullcontext(corpus) as corpus,
        closing(TextStore(settings.home)) as store,
        one_job(settings.home / "fulltext", "fetching", "fetch.lock", "fetching texts"),
        TextReader() as reader,
    ):
        job = _Job(store, reader, ArxivTexts(settings) if consent else None, datetime.now(UTC).date(), named)
        records = corpus.papers([paper.value for paper in papers])
        files = _own_files(corpus)
        for number, paper in enumerate(papers):
            report("fetch texts", number, len(papers))
            job.get(paper, records.get(paper.value), files.get(paper.value, ()))
        report("fetch texts", len(papers), len(papers))
        take_citations(corpus, store, job.new, report)
    done = job.done
    if done.outage is not None:
        done.findings.append(source_unavailable(done.outage, f"texts left: {done.left:,}; what came is kept"))
    elif done.left:
        message = f"arXiv was not asked for the texts of {done.left:,} of {len(papers):,} papers"
        fix = "fetch them with --online: their ids alone are sent"
        done.findings.append(Finding("full_text_missing", "warning", message, fix=fix))
    return done


def _own_files(corpus: LocalRecords) -> dict[str, list[Path]]:
    """The files of the library that have a text, by the value of their paper's id."""
    files_by_paper: dict[str, list[Path]] = {}
    for value, holding in corpus.library.holdings():
        if holding.file.suffix.lower() in SUFFIXES and holding.file.is_file():
            files_by_paper.setdefault(value, []).append(holding.file)
    return files_by_paper


@dataclass(slots=True)
class _Job:
    store: TextStore
    reader: TextReader
    arxiv: ArxivTexts | None
    today: date
    named: Collection[str] = ()
    done: FetchedTexts = field(default_factory=FetchedTexts)
    new: list[str] = field(default_factory=list)  # papers with another text than before

    def get(self, paper: ArxivId, record: Paper | None, files: Sequence[Path]) -> None:
        """Get one paper's text: what is kept, the source, the PDF, the author's own file, in this order."""
        version = paper.version or (record.id.version if record is not None and paper.on_arxiv else None)
        wanted = ArxivId(paper.value, version)
        texts = self.store.kept([paper.value]).get(paper.value, [])
        here = [text for text in texts if text.source != "own" and version in (None, text.version)]
        if here:
            self.done.kept += 1
            self._read_anew(here, record)
            return
        why, asked = "", False
        if paper.on_arxiv:
            absence = self.store.absence(wanted.value, wanted.version)
            if absence is not None and absence.code == _OTHER_TITLE and paper.value in self.named:
                absence = None
            if absence is not None and (version is not None or self.today - absence.day < _AGAIN):
                why, asked = absence.why, True
            elif self.arxiv is not None and self.done.outage is None:
                why = self._from_arxiv(wanted, record)
                asked = self.done.outage is None
                if not why:
                    return
        if any(self._from_file(paper, file, record) for file in files):
            return
        if any(text.source == "own" for text in texts):
            self.done.kept += 1
        elif asked:
            self._say_missing(paper, why)
        elif paper.on_arxiv:
            self.done.left += 1
        else:
            self._say_missing(paper, "your library has no file with its text")

    def _say_missing(self, paper: ArxivId, why: str) -> None:
        self.done.missing += 1
        fix = "add a file of yours with 'citeplug library add', and fetch again"
        text = f"{shown_id(str(paper))} has no text that can be read: {why}"
        self.done.findings.append(Finding("full_text_missing", "warning", text, fix=fix))

    def _from_arxiv(self, wanted: ArxivId, record: Paper | None) -> str:
        """Get the source, or else the PDF; return why there is no text, empty if there is one."""
        assert self.arxiv is not None
        reasons: list[tuple[str, str]] = []
        kinds: tuple[Literal["eprint", "pdf"], ...] = ("eprint", "pdf")
        for kind in kinds:
            try:
                received = self.arxiv.get(kind, wanted)
            except SourceUnavailable as error:
                self.done.outage = error
                return str(error)
            if received is None:
                reasons.append(("none", "arXiv has no such version" if wanted.version else "arXiv does not have it"))
                continue
            try:
                reading = self.reader.read_eprint(received.data)
            except Unfit as error:
                what = "source" if kind == "eprint" else "PDF"
                reasons.append((error.code, f"of its {what}: {error}" if error.code != "withdrawn" else str(error)))
                if error.code == "web_page":  # of the network that this machine is on, for every paper
                    self.done.outage = SourceUnavailable(f"arXiv could not be queried: {error}", error.hint)
                    return str(error)
                if error.code == "withdrawn":
                    break
                continue
            # The title of a PDF is a guess by the size of its letters.
            if not reading.is_pdf and _is_anothers(reading, record) and wanted.value not in self.named:
                told = f"its source is titled {reading.text.title!r}, like another paper; fetch it by its id to keep it"
                reasons.append((_OTHER_TITLE, told))
                break
            source: TextSource = "pdf" if reading.is_pdf else "eprint"
            self._keep(ArxivId(wanted.value, received.version), source, reading, record)
            self.done.fetched += 1
            return ""
        why = "; ".join(dict.fromkeys(text for _, text in reasons))
        if not any(code in _PASSING for code, _ in reasons):
            self.store.note_absence(wanted.value, wanted.version, reasons[-1][0], why, self.today)
        return why

    def _from_file(self, paper: ArxivId, file: Path, record: Paper | None) -> bool:
        """Read a file of the author's own; True if it has a text."""
        try:
            reading = self.reader.read_own(file)
        except Unfit as error:
            text = f"{file} gives no text: {error}"
            self.done.findings.append(Finding("full_text_unreadable", "warning", text, file, fix=error.hint or None))
            return False
        if self._keep(ArxivId(paper.value), "own", reading, record):
            self.done.own += 1
        else:
            self.done.kept += 1
        return True

    def _read_anew(self, texts: Sequence[KeptText], record: Paper | None) -> None:
        """Read the source again that an older citeplug has read, which asks nobody."""
        for text in texts:
            original = self.store.original(text.paper, text.version) if text.reader != READER else None
            if original is not None and text.source == "eprint":
                with suppress(Unfit):  # what was read before stays
                    reading = self.reader.read_eprint(original)
                    self._keep(ArxivId(text.paper, text.version), "eprint", reading, record)

    def _keep(self, paper: ArxivId, source: TextSource, reading: Reading, record: Paper | None) -> bool:
        read = reading.text
        text = PaperText(paper.value, paper.version, source, read.title, read.sections, read.references, read.mentions)
        for code, message in read.doubts:
            self.done.findings.append(Finding(code, "info", f"{shown_id(str(paper))}: {message}"))
        if record is not None and read.title and compare_titles(read.title, record.title, same_authors=True) == "other":
            message = f"the text of {shown_id(str(paper))} is titled {read.title!r}, its abstract {record.title!r}"
            fix = "compare the two; a file of yours may belong to another paper"
            self.done.findings.append(Finding("full_text_other_title", "warning", message, fix=fix))
        is_new = self.store.put(text, self.today, reading.original)
        if is_new:
            self.new.append(paper.value)
        return is_new


def _is_anothers(reading: Reading, record: Paper | None) -> bool:
    """True if the title of a text is neither that of the record nor a former or later one of the same paper."""
    if record is None or not reading.text.title:
        return False
    printed, recorded = reading.text.title, record.title
    return (
        compare_titles(printed, recorded, same_authors=True) == "other"
        and share_of_words(printed, recorded) < _RETITLED
    )


def not_taken(corpus: LocalRecords, store: TextStore) -> list[str]:
    """The papers whose texts are here and whose citations are not yet in the graph."""
    papers = store.papers()
    known = corpus.graph.asked(papers, "eprint")
    return [paper for paper in papers if paper not in known]


def take_citations(corpus: "Corpus", store: TextStore, papers: Sequence[str], report: Report) -> int:
    """Put what the texts of these papers cite into the graph, resolved by their own lists; return how many had one."""
    own = [paper for paper in papers if ArxivId(paper).on_arxiv]
    if not own:
        return 0
    taken, today = 0, datetime.now(UTC).date()
    with corpus.one_change_of_graph():
        corpus.graph.catch_up(lambda count: report("titles of records", count, None))
        for number, paper in enumerate(own):
            report("citations in texts", number, len(own))
            text = store.read(paper)
            if text is not None and text.references:
                corpus.graph.put_text(paper, corpus.graph.resolve(text.references), text.mentions, today)
                taken += 1
            elif text is not None:
                corpus.graph.note_state([paper], "eprint", "unavailable", today)
    return taken
