"""Questions of the review page to the papers of a draft, in the conversation that `citeplug ask --chat` keeps."""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citeplug.ask import conversations
from citeplug.ask.answer_question import answer_question
from citeplug.ask.conversations import Conversation
from citeplug.ask.draft_paragraphs import DraftParagraph
from citeplug.ask.insert_answer import Inserted, Place, insert_sentence
from citeplug.ask.run import AskedTexts, Wanted, checked_question, open_texts
from citeplug.bib.cite import is_generated
from citeplug.errors import Cancelled, ChangedMeanwhile, UsageError
from citeplug.latex.project import read_draft
from citeplug.llm.chosen_model import Notice, is_hosted, language_model
from citeplug.llm.chosen_model import Wanted as WantedModel
from citeplug.llm.guarded import CarefulModel
from citeplug.project.find_project import Project
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, Turn
from citeplug.records.finding import Finding
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences
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


class Asking:
    """The conversation on one project. What opens texts and answers runs in the thread of the runs alone.

    `chosen` is offline; `may_send`: a language model elsewhere may be asked.
    """

    def __init__(self, chosen: Settings, *, may_send: bool) -> None:
        self._chosen = chosen
        self._may_send = may_send
        self._conversation: Conversation | None = None
        self._opened = ExitStack()
        self._texts: tuple[Any, AskedTexts] | None = None
        self.pending: Pending | None = None

    def conversation(self, project: Project) -> Conversation:
        """The last conversation on the project, or the one that was begun here."""
        root = project.root
        if self._conversation is None or self._conversation.project != root:
            self._conversation = conversations.begin(self._chosen.home, root)
            with suppress(UsageError):  # there is none yet
                self._conversation = conversations.resume(self._chosen.home, root)
        self._conversation.refresh()
        return self._conversation

    def begin(self, project: Project) -> None:
        """Begin a new conversation; the old one stays among those that are kept."""
        self._conversation = conversations.begin(self._chosen.home, project.root)
        self.pending = None

    def offer(self) -> Offer | None:
        """The model that may word answers, None if the user's settings name none. Raises UsageError on bad settings."""
        use = read_preferences(self._chosen.home).use
        hosted = is_hosted(use, self._chosen)
        return None if hosted is None or (hosted and not self._may_send) else Offer(use, hosted)

    def ask(
        self, run: Run, project: Project, question: str, *, by_model: bool, consent: str
    ) -> tuple[str, Sequence[Finding]]:
        """Answer a question, by the model only if it is offered; `consent` is the place that may be sent to.

        Without consent nothing is sent, and the question is `pending`.
        """
        self.pending = None
        checked_question(question)
        offer = self.offer() if by_model else None
        conversation = self.conversation(project)
        texts = self._open(project, run)
        run.report("answering", 0, None)

        def announce(notice: Notice) -> None:
            if notice.place != consent:
                self.pending = Pending(question, notice)
                raise Cancelled("nothing was sent")

        settings = replace(self._chosen, offline=not self._may_send)
        wanted = WantedModel(offer.name if offer else "none")
        with language_model(wanted, settings, announce) as model:
            if isinstance(model, CarefulModel):
                run.stop = model.cancel
            try:
                answer = answer_question(texts, question, conversation.turns, model)
            except Cancelled:
                if self.pending is None:
                    raise
                return "Nothing was sent yet: see below what would be.", ()
            finally:
                run.stop = lambda: None
        if run.stopping.is_set() and not answer.sentences:
            raise Cancelled("stopped")
        conversation.add(Turn(question, answer))
        return "There is an answer." if answer.sentences else "", (*texts.findings, *answer.findings)

    def insert(
        self, answer: Answer, sentence: AnswerSentence, paragraph: DraftParagraph, bib: Path, *, dry_run: bool
    ) -> Inserted:
        """Put a sentence at the end of a paragraph, and its entries into `bib`; a dry run changes nothing."""
        place = Place(paragraph.file, paragraph.line)
        return insert_sentence(answer, sentence, place, self._chosen, bib=bib, dry_run=dry_run)

    def close(self) -> None:
        self._texts = None
        self._opened.close()

    def _open(self, project: Project, run: Run) -> AskedTexts:
        """The texts of the draft's papers, opened anew where a file of the project has changed."""
        files = (path for kind in ("*.tex", "*.bib", "*.toml") for path in project.root.parent.rglob(kind))
        state = (project.root, *sorted((str(path), path.stat().st_mtime_ns) for path in files if path.is_file()))
        if self._texts is None or self._texts[0] != state:
            self.close()
            wanted = Wanted(main=project.root)
            self._texts = state, self._opened.enter_context(open_texts(wanted, self._chosen, run.report))
        return self._texts[1]


def own_bib_files(project: Project) -> list[Path]:
    """The draft's .bib files that citeplug did not write. Raises UsageError if there is none."""
    draft = read_draft(project.root)
    found = [path for path in draft.bib_files if path.is_file() and not is_generated(path)]
    if not found:
        raise UsageError(
            "the draft has no .bib file of its own for the entry",
            "name one with \\bibliography, and make the file, which may be empty",
        )
    return found


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
