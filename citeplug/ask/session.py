"""Questions to papers, one after the other: what the command line, the review page and the language server hold."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

from citeplug.ask.by_model.write import Show, write_answer
from citeplug.ask.conversations import Conversation
from citeplug.ask.extractive import answer_extractively
from citeplug.ask.follow_ups import standing_alone
from citeplug.ask.outline import is_on_the_whole
from citeplug.ask.retrieval import (
    LONGEST_QUESTION,
    PASSAGES,
    EmbeddedQuery,
    checked_question,
    choose_passages,
    with_history,
    with_more,
    with_overviews,
)
from citeplug.ask.shown import conversation_markdown, references_of
from citeplug.ask.summary import summarize
from citeplug.ask.texts import AskedTexts, Selection
from citeplug.corpus.fulltext.documents import documents_store
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import Report, need_models, open_corpus
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.errors import Cancelled, UsageError, WouldOverwrite
from citeplug.files.atomic import write_atomically
from citeplug.files.project_files import as_given
from citeplug.latex.project import read_draft
from citeplug.llm.chosen_model import Notice, language_model
from citeplug.llm.chosen_model import Wanted as ModelChoice
from citeplug.llm.guarded import CarefulModel
from citeplug.protocols import LanguageModel
from citeplug.records.answer import Answer, AskedPassage, AskedText, Turn
from citeplug.records.finding import Finding
from citeplug.records.prepared import FoundPair
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.language import language_of_question
from citeplug.text.stems import telling_stems

_OF_A_QUESTION = 2  # passages of those that a further question finds


class ConsentNeeded(Cancelled):
    """Nothing was sent: the user has not agreed yet to what the `notice` says."""

    def __init__(self, notice: Notice) -> None:
        super().__init__("nothing was sent", "leave the language model out, or allow it")
        self.notice = notice


class AskSession:
    """A conversation with papers, whose texts stay open between the questions.

    `texts` are those of the last `open` or `select`. `asked_too` are the further questions beside the last one. What
    opens texts and asks them runs in one thread.
    """

    texts: AskedTexts

    def __init__(self, settings: Settings, conversation: Conversation | None = None) -> None:
        """Without a `conversation`, what is said is not saved."""
        self.settings = settings
        self.conversation = conversation
        self.asked_too: list[str] = []
        self._unsaved: list[Turn] = []
        self._stores = ExitStack()
        self._select: Callable[[Selection, Report], AskedTexts] | None = None
        self._opened: object = None  # what is open, with the state in which it was then

    @property
    def turns(self) -> list[Turn]:
        """The questions and answers before the next question, the earliest first."""
        return self._unsaved if self.conversation is None else self.conversation.turns

    @property
    def now(self) -> Sequence[AskedText] | None:
        """The texts as they are, for a comparison with earlier answers; None where each question has its own."""
        return None if self.texts.selection.is_whole_corpus else self.texts.texts

    def open(self, selection: Selection, report: Report) -> AskedTexts:
        """Open the texts that are asked; those that are open already are opened anew where something has changed.

        Raises the errors of `AskedTexts`.
        """
        wanted = selection, self._state_of(selection)
        if self._opened != wanted:
            self.close()
            self.select(selection, report).query("ready")  # loads the model, which the first question need not wait for
            self._opened = wanted
        return self.texts

    def select(self, selection: Selection, report: Report) -> AskedTexts:
        """Take other texts from what is open. Raises the errors of `AskedTexts`."""
        if self._select is None:
            need_models(self.settings)
            home = self.settings.home
            stores = tuple(self._stores.enter_context(closing(s)) for s in (TextStore(home), documents_store(home)))
            embedder = open_embedder(self.settings.embedder, self.settings.device)
            self._select = lambda selected, told: AskedTexts(selected, self.settings, stores, embedder, told)
        self.texts = self._select(selection, report)
        return self.texts

    def ask(self, question: str, model: LanguageModel | None = None, show: Show = lambda _: None) -> Answer:
        """Answer from the texts that are asked, or refuse. Without `model`, or if it fails, their own words answer.

        `show` is called with each sentence of the model's once it has passed the checks in code; the judge may drop it
        yet. Raises UsageError for an empty question, KeyboardInterrupt before the first sentence.
        """
        asked = checked_question(question)
        earlier = [] if is_on_the_whole(asked) else [turn.question for turn in self.turns]
        topic = standing_alone(asked, earlier, self.texts.split)
        findings: list[Finding] = []
        if self.texts.selection.is_whole_corpus:
            self.select(replace(self.texts.selection, question=topic), lambda *_: None)
            findings, self.texts.findings = self.texts.findings, []
        query = self.texts.query(topic)
        if topic != asked:
            query = replace(query, last=asked)
        near, passages = self.retrieve(query, model, findings)
        answer = None
        if model is not None:
            answer = write_answer(asked, self.turns, passages, self.texts.texts, model, show)
            findings += answer.findings
        if answer is None or not (answer.refused or answer.sentences):
            if is_on_the_whole(asked):
                answer = summarize(query.text, self.texts.texts, passages)
            else:
                # "Why?" wants more than what was quoted.
                so_far = () if telling_stems(asked) else [s.text for turn in self.turns for s in turn.answer.sentences]
                texts = self.texts
                answer = answer_extractively(query, texts.texts, passages, texts.embed, texts.split, so_far, near)
        findings += _doubts_about(question, answer)
        return replace(self.texts.with_pages(answer), question=asked, findings=tuple(findings))

    def retrieve(
        self, query: EmbeddedQuery, model: LanguageModel | None = None, findings: list[Finding] | None = None
    ) -> tuple[list[FoundPair], tuple[AskedPassage, ...]]:
        """The prepared questions near a question; the passages nearest to it, of a follow-up also with the history, and
        those that answer the prepared questions and a model's further ones; `findings` gets what went wrong with these.
        """
        texts = self.texts
        conversation = texts.query(with_history(query.text, self.turns)) if query.last else None
        candidates = texts.candidates([query] if conversation is None else [query, conversation])
        passages = choose_passages(candidates, texts.texts, query, conversation)
        if is_on_the_whole(query.parts[-1]):
            nearest = sorted(passages, key=lambda passage: -passage.score)
            ids = dict.fromkeys((*(passage.text_id for passage in nearest), *(text.id for text in texts.texts)))
            overviews = [overview for text in [*ids][:PASSAGES] if (overview := texts.overview(text))]
            passages = with_overviews(overviews, () if overviews else passages, texts.texts)
        near, answering = texts.prepared(query)
        further = texts.sub_questions(query, near, model, [] if findings is None else findings) if model else []
        self.asked_too = [one.text for one in further]
        more = [
            p
            for one in further
            for p in choose_passages(texts.candidates([one]), texts.texts, one, None, _OF_A_QUESTION)
        ]
        passages = with_more(passages, [*answering, *more], texts.texts)
        abstracts = [
            passage for text in dict.fromkeys(p.text_id for p in passages) for passage in texts.overview(text)[:1]
        ]
        return near, with_more(passages, abstracts, texts.texts)

    def findings_on(self, answer: Answer) -> tuple[Finding, ...]:
        """What is to be said beside an answer, of the texts and of itself: that some have no text is no warning here."""
        of_texts = (
            replace(finding, severity="info") if finding.code == "full_text_missing" else finding
            for finding in self.texts.findings
        )
        return (*of_texts, *answer.findings)

    def keep(self, answer: Answer) -> None:
        """Make an answer part of the conversation. Raises StoreBusy, UnreadableInput, CannotWrite."""
        turn = Turn(answer.question, answer)
        if self.conversation is None:
            self._unsaved.append(turn)
        else:
            self.conversation.add(turn)

    def save(self, path: Path) -> None:
        """Write the conversation with references to a new file; what has changed since in the texts is marked.

        Raises WouldOverwrite if there is a file, UsageError for another kind than Markdown, CannotWrite.
        """
        if path.suffix.lower() not in (".md", ".markdown"):
            raise UsageError(f"{path} is not a Markdown file", "give a name that ends in .md")
        path = as_given(path)

        def still_free() -> None:
            if path.exists() or path.is_symlink():
                raise WouldOverwrite(f"{path} already exists; it is left alone", "choose another name")

        still_free()
        references = references_of([turn.answer for turn in self.turns], self.settings)
        text = conversation_markdown(self.turns, references, self.now)
        write_atomically(path, text.encode("utf-8", "replace"), check=still_free)

    @contextmanager
    def model(
        self, llm: str, allows: Callable[[Notice], bool], *, offline: bool = False
    ) -> Iterator[CarefulModel | None]:
        """A language model for a question, None if `llm` is `none`.

        Before the first request to a service of which the user was not told ConsentNeeded is raised, unless `allows` it.
        """

        def announce(notice: Notice) -> None:
            if not allows(notice):
                raise ConsentNeeded(notice)

        with language_model(ModelChoice(llm), replace(self.settings, offline=offline), announce) as model:
            yield model if isinstance(model, CarefulModel) else None

    def close(self) -> None:
        """Close the texts; the conversation can go on once some are opened again."""
        self._opened = self._select = None
        self._stores.close()

    def _state_of(self, selection: Selection) -> object:
        """A value that is another one once the draft that is asked, the records or the full texts have changed."""
        if selection.main is None:
            return None
        draft = read_draft(selection.main)
        folder = draft.root.parent
        files = [*(folder / name for name in draft.files), *draft.bib_files, *sorted(folder.glob("*.toml"))]
        with open_corpus(self.settings) as corpus, closing(TextStore(self.settings.home)) as store:
            records = corpus.last_change, corpus.library.works(), corpus.graph.stamp(), store.stamp()
        return records, [(file, file.stat().st_mtime_ns) for file in files if file.is_file()]


def _doubts_about(question: str, answer: Answer) -> Iterator[Finding]:
    """Findings on a question, as the user gave it, of which a part was not asked, or that is in another language."""
    if len(plain(question)) > LONGEST_QUESTION:
        message = f"only the first {LONGEST_QUESTION:,} characters of the question were asked"
        yield Finding("question_cut", "warning", message, fix="ask in a few sentences")
    language = language_of_question(answer.question)
    if answer.refused and answer.model is None and language != "English":
        named = f"in {language}" if language != "other" else "in another script"
        message = f"the question seems to be {named}: without a language model it is compared word for word"
        yield Finding("language_not_supported", "warning", message, fix="ask in the language of the papers")
