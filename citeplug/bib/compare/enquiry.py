"""Ask services beside arXiv about entries, one after another, and no more of them than needed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from citeplug.bib.compare.elsewhere import ServiceAnswer, judge_elsewhere, settles
from citeplug.errors import SourceUnavailable
from citeplug.protocols import PreparedSource, WorkSource
from citeplug.records.draft import BibEntry
from citeplug.records.entry_check import EntryCheck
from citeplug.records.finding import Finding, source_unavailable
from citeplug.records.work import SERVICE_NAMES
from citeplug.text.compare import entry_doi, entry_title
from citeplug.text.folding import split_name
from citeplug.text.people import split_authors


@dataclass(slots=True)
class Enquiry:
    """Questions to `sources`, in their order.

    A source that cannot be reached is noted once, in `findings` and `outage`, and not asked again: its silence
    is never an answer.
    """

    sources: Sequence[WorkSource]
    findings: list[Finding] = field(default_factory=list)
    outage: SourceUnavailable | None = None

    def prepare(self, entries: Sequence[BibEntry]) -> None:
        """Tell the first source that wants to know which DOIs it will be asked for."""
        dois = list(dict.fromkeys(doi for entry in entries if (doi := entry_doi(entry))))
        for source in self.sources[:1]:
            if dois and isinstance(source, PreparedSource):
                try:
                    source.prepare(dois)
                except SourceUnavailable as error:
                    self._give_up(source, error)

    def check(self, entry: BibEntry, before: EntryCheck, *, today: date) -> EntryCheck:
        """The verdict on `entry`, `before` where no service has a better one; asks until a record fits."""
        answers: list[ServiceAnswer] = []
        check = before
        for source in list(self.sources):
            answer = self._ask(source, entry, before, today)
            if answer is None:
                continue
            answers.append(answer)
            check = judge_elsewhere(entry, before, answers, today=today)
            if settles(check):
                return check
        if self.outage is not None and check.verdict == "not_found" and before.verdict != "not_found":
            # The one that could not be queried may have it.
            return replace(before, message=f"{before.message}; not every service could be asked")
        return check

    def _ask(self, source: WorkSource, entry: BibEntry, before: EntryCheck, today: date) -> ServiceAnswer | None:
        doi, title = entry_doi(entry), entry_title(entry)
        try:
            answer = ServiceAnswer(source.name)
            if doi and source.knows_dois:
                answer = ServiceAnswer(source.name, (), source.by_doi(doi), asked_doi=True)
                if settles(judge_elsewhere(entry, before, [answer], today=today)):
                    return answer
            names = split_authors(entry.fields.get("author", ""))[0]
            return replace(answer, works=tuple(source.by_title(title, [split_name(name).surname for name in names])))
        except SourceUnavailable as error:
            self._give_up(source, error)
            return None

    def _give_up(self, source: WorkSource, error: SourceUnavailable) -> None:
        self.sources = [other for other in self.sources if other is not source]
        self.outage = error
        consequence = f"the entries were checked without {SERVICE_NAMES[source.name]}"
        self.findings.append(source_unavailable(error, consequence))
