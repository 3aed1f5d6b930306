"""Questions of the review page to the papers of a draft, in the conversation that `citeplug ask --chat` keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.ask import conversations
from citeplug.ask.added import Additions, is_here
from citeplug.ask.retrieval import checked_question
from citeplug.ask.session import AskSession, ConsentNeeded
from citeplug.bib.cite import is_generated
from citeplug.errors import Cancelled, ChangedMeanwhile, CiteplugError, UsageError
from citeplug.latex.project import read_draft
from citeplug.llm.chosen_model import Notice, is_hosted
from citeplug.project.find_project import Project
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, Turn
from citeplug.records.finding import Finding
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences
from citeplug.text.identifiers import parse_id
from citeplug.web.runs import Run


@dataclass(frozen=True, slots=True)
class Offer:
    """The language model that the user's config.toml names; `hosted`: it runs elsewhere than on this machine."""

    name: str
    hosted: bool


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that waits for consent to what would be sent, and the notice that says so."""

    question: str
    notice: Notice


class PageQuestions:
    """The conversation on one project. What opens texts and answers runs in the thread of the runs alone.

    `settings` are offline; `may_send`: a language model elsewhere may be asked.
    """

    def __init__(self, settings: Settings, *, may_send: bool) -> None:
        self._session = AskSession(settings)
        self._may_send = may_send
        self.pending: Pending | None = None
        self.notes: Sequence[Finding] = ()  # on the answer that was given last

    def turns(self, project: Project) -> list[Turn]:
        """The last conversation on the project, or the one that was begun here."""
        session = self._session
        session.conversation = conversations.current(session.settings.home, project.root, session.conversation)
        return session.conversation.turns

    def begin(self, project: Project) -> None:
        """Begin a new conversation; the old one stays among those that are kept."""
        self._session.conversation = conversations.begin(self._session.settings.home, project.root)
        self.pending, self.notes = None, ()

    def offer(self) -> Offer | None:
        """The model that may word answers, None if the user's settings name none. Raises UsageError on bad settings."""
        use = read_preferences(self._session.settings.home).use
        hosted = is_hosted(use, self._session.settings)
        return None if hosted is None or (hosted and not self._may_send) else Offer(use, hosted)

    def earlier(self, project: Project) -> list[conversations.Conversation]:
        """The conversations on the project that can be gone on with, beside the one that is shown."""
        earlier = conversations.earlier(self._session.settings.home, project.root)
        held = self._session.conversation
        return [conversation for conversation in earlier if held is None or conversation.path != held.path]

    def go_on(self, project: Project, name: str) -> None:
        """Go on with an earlier conversation, by the name of its file. Raises UsageError."""
        matching = [conversation for conversation in self.earlier(project) if conversation.path.stem == name]
        if not matching:
            raise UsageError("there is no such conversation any more", "look at the page again")
        self._session.conversation, self.pending, self.notes = matching[0], None, ()

    def additions(self, project: Project) -> Additions:
        return Additions(self._session.settings.home, project.root)

    def added_pdf(self, project: Project, name: str) -> Path | None:
        """The PDF of this name that was added."""
        paths = (addition.path for addition in self.additions(project).all())
        return next((path for path in paths if path.name == name and path.suffix.lower() == ".pdf"), None)

    def add(
        self, run: Run, project: Project, files: Sequence[tuple[str, bytes]], address: str, online: Settings | None
    ) -> tuple[str, Sequence[Finding]]:
        """Add files, and the paper at an address of arXiv's, to what is asked; arXiv is asked with `online` alone.

        What can be read is added. Raises what spoke against the first of the others.
        """
        additions, settings, errors, added = self.additions(project), self._session.settings, [], []
        findings: Sequence[Finding] = ()
        for name, data in files:
            try:
                with additions.adding(name, data) as path:
                    run.in_process("check_file", path=path, settings=settings)
                added.append(name)
            except Cancelled:
                raise
            except CiteplugError as error:
                errors.append(error)
        if address.strip():
            paper = parse_id(address.strip())
            if online is not None and not is_here(paper, settings, whole=True):
                findings = run.in_process("fetch_paper", paper=paper, settings=online)
            if is_here(paper, settings, whole=False):
                additions.add_paper(paper)
                added.append(f"arXiv:{paper.value}")
            else:
                why = findings[0].message if findings else f"arXiv:{paper.value} is not on this machine"
                errors.append(UsageError(why, "" if online else "allow that it is fetched: its id alone is sent"))
        if errors:
            raise errors[0]
        return f"Added: {', '.join(added)}.", [finding for finding in findings if finding.severity != "info"]

    def ask(
        self, run: Run, project: Project, question: str, *, by_model: bool, consent: str, added_alone: bool = False
    ) -> tuple[str, Sequence[Finding]]:
        """Answer a question, by the model only if it is offered; `consent` is the place that may be sent to.

        Asked are the draft's papers and what was added, or the latter alone.
        Without consent nothing is sent, and the question is `pending`.
        """
        self.pending = None
        checked_question(question)
        offer = self.offer() if by_model else None
        self.turns(project)
        selection = self.additions(project).selection(self._session.settings, None if added_alone else project.root)
        self._session.open(selection, run.report)
        run.report("answering", 0, None)
        llm, offline = offer.name if offer else "none", not self._may_send
        try:
            with self._session.model(llm, lambda notice: notice.place == consent, offline=offline) as model:
                if model is not None:
                    run.stop = model.cancel
                answer = self._session.ask(question, model)
        except ConsentNeeded as error:
            self.pending = Pending(question, error.notice)
            return "Nothing was sent yet: see below what would be.", ()
        finally:
            run.stop = lambda: None
        if run.stopping.is_set() and not answer.sentences:
            raise Cancelled("stopped")
        self._session.keep(answer)
        self.notes = self._session.findings_on(answer)
        return "", ()

    def close(self) -> None:
        self._session.close()


def own_bib_files(project: Project) -> list[Path]:
    """The draft's .bib files that citeplug did not write. Raises UsageError if there is none."""
    draft = read_draft(project.root)
    files = [path for path in draft.bib_files if path.is_file() and not is_generated(path)]
    if not files:
        raise UsageError(
            "the draft has no .bib file of its own for the entry",
            "name one with \\bibliography, and make the file, which may be empty",
        )
    return files


def turn_numbered(turns: Sequence[Turn], number: str) -> Answer:
    """The answer of a turn, counted from 1. Raises UsageError."""
    return turns[_index(number, len(turns))].answer


def sentence_numbered(answer: Answer, number: str, words: str | None = None) -> AnswerSentence:
    """The sentence with this number, from 1. Raises UsageError, ChangedMeanwhile if it has other `words`."""
    sentence = answer.sentences[_index(number, len(answer.sentences))]
    if words is not None and sentence.text != words:
        raise ChangedMeanwhile("this is another conversation than the page showed", "look at it again")
    return sentence


def citation_numbered(answer: Answer, sentence: str, number: str) -> AnswerCitation:
    """The citation of a sentence, both from 1; of sentence 0 a passage nearest to the question. Raises UsageError."""
    citations = answer.nearest if sentence == "0" else sentence_numbered(answer, sentence).citations
    return citations[_index(number, len(citations))]


def _index(number: str, count: int) -> int:
    if not (number.isascii() and number.isdecimal() and len(number) < 6 and 1 <= int(number) <= count):
        raise UsageError("the conversation has no such part", "look at it again")
    return int(number) - 1
