"""Questions to the papers of a draft, and sentences of the answers put at the cursor."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from citeplug.ask import conversations
from citeplug.ask.cited_passages import passage_of
from citeplug.ask.insertion import cited_papers, keep_record, need_paragraph, recorded_sentence, records_of
from citeplug.ask.session import AskSession, ConsentNeeded
from citeplug.ask.shown import (
    answer_as_json,
    answer_markdown,
    as_shown,
    looked_through,
    place_of,
    quotation_beside,
    references_of,
    status_in_words,
)
from citeplug.ask.texts import Selection
from citeplug.editor.applying import Edited, apply_edits
from citeplug.editor.copies import WorkingCopy, working_copy
from citeplug.editor.documents import Document, scheme_of
from citeplug.editor.edits import Planned
from citeplug.editor.entries import entries_of
from citeplug.editor.generation import TEXT
from citeplug.editor.messages import Progress, may_send
from citeplug.editor.remote import is_remote
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.editor.wishes import ARGUMENTS_HINT
from citeplug.errors import UsageError
from citeplug.llm.chosen_model import Sending
from citeplug.llm.guarded import CarefulModel
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence
from citeplug.records.finding import TextEdit
from citeplug.records.json_form import fields_of

Result = dict[str, Any]
T = TypeVar("T")
_ANSWERS = 40  # whose sentences can be inserted, and whose passages can be shown
_SENT = "your question, what was answered before, and the passages found for it"
_TURNS = 20  # of a conversation that are shown: the last ones


@dataclass(slots=True)
class EditorQuestion:
    """A question to be answered; `model` is what answers it now, `allowed`: the author has agreed that it is sent.

    `copy` is the draft on this machine where the client alone has it.
    """

    text: str
    llm: str
    copy: WorkingCopy | None
    show: Callable[[AnswerSentence | None], None]
    report: Callable[[str, int, int | None], None]
    allowed: bool = False
    model: CarefulModel | None = None


class EditorQuestions:
    """Questions of a session, one at a time in a thread of its own; the texts of the last project stay open.

    `cancellable` are the running tasks by the tokens of their progress.
    """

    def __init__(self, session: SessionState, cancellable: dict[Any, asyncio.Task[Any]]) -> None:
        self._session = session
        self._cancellable = cancellable
        self._worker = ThreadPoolExecutor(1, "citeplug-ask")
        self._asked: dict[Path, AskSession] = {}
        self._copies: dict[Path, WorkingCopy] = {}
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._running: EditorQuestion | None = None

    async def ask(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """Answer a question from the papers of the draft: what its section would discuss, and what it cites."""
        text = next((str(argument[n]) for n in ("question", "selection") if str(argument.get(n) or "").strip()), "")
        progress = await Progress.begin(self._session, argument.get("token"), "Ask the papers")
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if progress.token is not None and task is not None:
            self._cancellable[progress.token] = task

        def show(sentence: AnswerSentence | None) -> None:
            line = "... again:" if sentence is None else as_shown(sentence)
            notify = self._session.server.protocol.notify
            loop.call_soon_threadsafe(notify, TEXT, {"token": progress.token, "text": line})

        def report(stage: str, done: int, total: int | None) -> None:
            loop.call_soon_threadsafe(progress.report, stage, done, total)

        # A model is opened only where the client names one: a key or config.toml alone is no consent here.
        llm = argument["llm"] if isinstance(argument.get("llm"), str) else "none"
        question = EditorQuestion(text, llm or "none", self._copy_of(snapshot), show, report)
        try:
            try:
                result = await loop.run_in_executor(self._worker, self._answer, snapshot, question)
            except ConsentNeeded as error:
                # The worker does not wait for the author: others' questions go on.
                question.allowed = await may_send(self._session, Sending.of(error.notice, _SENT)) is True
                if not question.allowed:
                    raise
                result = await loop.run_in_executor(self._worker, self._answer, snapshot, question)
        except asyncio.CancelledError:
            if question.model is not None:
                question.model.cancel()
            raise
        finally:
            progress.end("done")
            self._cancellable.pop(progress.token, None)
        return {"done": True, **result}

    async def conversation(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """The conversation on the draft: its last turns, the earliest first; with `new` another one begins."""
        session = self._session_on(snapshot.root)
        home = session.settings.home
        if argument.get("new") is True:
            session.conversation = conversations.begin(home, snapshot.root)
        loop = asyncio.get_running_loop()
        turns = await loop.run_in_executor(self._worker, self._turns, session, snapshot)
        return {"done": True, "turns": turns}

    async def passage(self, argument: Mapping[str, Any]) -> Result:
        """The passage of a citation, in parts of which those that are quoted are marked."""
        answer, citation = self._cited(argument)
        loop, settings = asyncio.get_running_loop(), self._session.library.settings
        passage = await loop.run_in_executor(self._worker, passage_of, citation, answer, settings)
        return {
            "done": True,
            "title": passage.text.title if passage.text else citation.paper,
            "place": place_of(citation),
            "parts": [{"text": mark.text, "marked": mark.kind == "this"} for mark in passage.marks],
            "found": passage.found,
        }

    async def insert(self, snapshot: Snapshot, document: Document, argument: Mapping[str, Any]) -> tuple[Edited, str]:
        """Put a sentence of an answer at a position, with its citation; the entries come in the same edit."""
        answer = self._answer_named(argument)
        sentence = _numbered(answer.sentences, argument, "number")
        line, character = (argument.get(name) for name in ("line", "character"))
        if not isinstance(line, int) or not isinstance(character, int):
            raise UsageError("the command needs 'line' and 'character'", ARGUMENTS_HINT)
        text, offset = document.lined.text, document.lined.offset(line, character, self._session.documents.encoding)
        before, after = _apart(text, offset)
        need_paragraph(snapshot.draft, document.path, text, offset, before)
        cited = cited_papers(sentence, answer)
        keys, planned = await entries_of(self._session, snapshot, cited)
        loop = asyncio.get_running_loop()
        records = await loop.run_in_executor(self._worker, records_of, cited, self._session.library.settings)
        record = recorded_sentence(answer, sentence, keys, snapshot.draft, document.path, records)
        edit = TextEdit(document.path, offset, offset, f"{before}{record.tex}{after}")
        planned[document.path] = Planned(document.lined, (edit,))
        home = self._session.library.settings.home
        keep = None if scheme_of(snapshot.root) is not None else lambda: keep_record(snapshot.root, record, home)
        edited = await apply_edits(self._session, "Insert the sentence", planned, before_answer=keep)
        return edited, record.tex or ""

    def close(self) -> None:
        if self._running is not None and self._running.model is not None:
            self._running.model.cancel()
        for session in self._asked.values():
            self._worker.submit(session.close)
        for copy in self._copies.values():
            self._worker.submit(copy.remove)
        self._worker.shutdown(wait=False)

    def _answer(self, snapshot: Snapshot, question: EditorQuestion) -> Result:
        """What is told of the answer. Raises ConsentNeeded before the first request to a service."""
        settings = self._session.library.settings
        session = self._session_on(snapshot.root)
        session.conversation = conversations.current(settings.home, snapshot.root, session.conversation)
        for other in self._asked.values():
            if other is not session:
                other.close()
        copy = question.copy
        if copy is not None and not copy.root.exists():
            copy.make()
        session.open(Selection(main=snapshot.root if copy is None else copy.root), question.report)
        self._running = question
        with session.model(question.llm, lambda _: question.allowed) as question.model:
            answer = session.ask(question.text, question.model, question.show)
        self._running = question.model = None
        session.keep(answer)
        findings = session.findings_on(answer)
        answer = replace(answer, findings=findings if copy is None else tuple(map(copy.finding_in_project, findings)))
        return self._as_json(answer, snapshot)

    def _copy_of(self, snapshot: Snapshot) -> WorkingCopy | None:
        """A copy of a draft that is not on this machine: the last one, if nothing has changed since."""
        if not is_remote(snapshot.root):
            return None
        last = self._copies.get(snapshot.root)
        if last is not None and last.snapshot.texts == snapshot.texts:
            return last
        copy = working_copy(snapshot, self._session.library.settings.home, self._session.projects.held())
        self._copies[snapshot.root] = copy
        if last is not None:
            self._worker.submit(last.remove)  # behind the question that may read it
        return copy

    def _session_on(self, root: Path) -> AskSession:
        return self._asked.setdefault(root, AskSession(self._session.library.settings))

    def _turns(self, session: AskSession, snapshot: Snapshot) -> list[Result]:
        session.conversation = conversations.current(session.settings.home, snapshot.root, session.conversation)
        return [self._as_json(turn.answer, snapshot) for turn in session.conversation.turns[-_TURNS:]]

    def _answer_named(self, argument: Mapping[str, Any]) -> Answer:
        """Raises UsageError."""
        answer = self._answers.get(str(argument.get("answer")))
        if answer is None:
            raise UsageError("this answer is no longer available", "ask again")
        return answer

    def _cited(self, argument: Mapping[str, Any]) -> tuple[Answer, AnswerCitation]:
        """An answer, and the citation of its sentence `number`; of sentence 0 a passage nearest to the question.

        Raises UsageError.
        """
        answer = self._answer_named(argument)
        if argument.get("number") == 0:
            return answer, _numbered(answer.nearest, argument, "citation")
        return answer, _numbered(_numbered(answer.sentences, argument, "number").citations, argument, "citation")

    def _as_json(self, answer: Answer, snapshot: Snapshot) -> Result:
        """What is told of an answer, with a name by which it is known later."""
        name = uuid.uuid4().hex
        self._answers[name] = answer
        while len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)
        document = answer_as_json(answer)
        for fields, sentence in zip(document["sentences"], answer.sentences, strict=True):
            fields |= {"shown": as_shown(sentence), "remark": status_in_words(sentence)}
            for citation, of in zip(fields["citations"], sentence.citations, strict=True):
                citation |= {"place": place_of(of), "summary": not of.by_authors}
                citation["beside"] = quotation_beside(sentence, of)
        for citation, of in zip(document["nearest"], answer.nearest, strict=True):
            citation |= {"place": place_of(of), "summary": not of.by_authors}
        cited = {of.paper for sentence in answer.sentences for of in sentence.citations}
        cited |= {of.paper for of in answer.nearest} if answer.refused else set()
        entries = {entry.arxiv_id: entry for entry in snapshot.draft.entries if entry.arxiv_id is not None}
        references = references_of([answer], self._session.library.settings, entries)
        return {
            "answer": name,
            **document,
            "markdown": answer_markdown(answer, references),
            "references": {paper: references.get(paper, paper) for paper in sorted(cited)},
            "looked": looked_through(answer.looked_through),
            "texts": len(answer.looked_through),
            "findings": [fields_of(finding, "code message") for finding in answer.findings],
        }


def _numbered(items: Sequence[T], argument: Mapping[str, Any], name: str) -> T:
    """The item with the number, from 1, that the argument has under a name. Raises UsageError."""
    number = argument.get(name)
    if not isinstance(number, int) or not 1 <= number <= len(items):
        raise UsageError(f"the answer has {len(items)} of these", f"give a number from 1 in {name!r}")
    return items[number - 1]


def _apart(text: str, offset: int) -> tuple[str, str]:
    """The spaces that keep a sentence at `offset` from the words before and behind it."""
    before, after = text[:offset][-1:], text[offset : offset + 1]
    return " " if before and not before.isspace() else "", " " if after and not after.isspace() else ""
