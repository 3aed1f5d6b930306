"""Questions to the papers of a draft, and sentences of the answers put at the cursor."""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeplug.ask.quoted import as_shown
from citeplug.editor.applying import Edited, apply_edits
from citeplug.editor.documents import Document, scheme_of
from citeplug.editor.edits import Planned
from citeplug.editor.entries import entries_of
from citeplug.editor.generation import TEXT
from citeplug.editor.messages import Progress, may_send
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.errors import Cancelled, UsageError
from citeplug.records.answer import Answer, AnswerSentence, Turn
from citeplug.records.finding import TextEdit

if TYPE_CHECKING:
    from citeplug.ask.run import AskedTexts
    from citeplug.llm.chosen_model import Notice
    from citeplug.llm.guarded import CarefulModel

Result = dict[str, Any]
_ANSWERS = 20  # whose sentences can be inserted
_TURNS = 6  # of a project that count as its conversation


class _NotAllowedYet(Cancelled):
    """A model's service for which the author has not been asked yet."""

    def __init__(self, notice: "Notice") -> None:
        super().__init__("nothing was sent", "allow it first")
        self.notice = notice


@dataclass(slots=True)
class _Question:
    """A question to be answered; `model` is what answers it now, `allowed`: the author has agreed that it is sent."""

    text: str
    llm: str | None
    said: Callable[[AnswerSentence | None], None]
    report: Callable[[str, int, int | None], None]
    allowed: bool = False
    model: "CarefulModel | None" = None

    def announce(self, notice: "Notice") -> None:
        if not self.allowed:
            raise _NotAllowedYet(notice)


class Asking:
    """Questions of a session, one at a time in a thread of its own; the texts of the last project stay open.

    `cancellable` are the running tasks by the tokens of their progress.
    """

    def __init__(self, session: SessionState, cancellable: dict[Any, asyncio.Task[Any]]) -> None:
        self._session = session
        self._cancellable = cancellable
        self._worker = ThreadPoolExecutor(1, "citeplug-ask")
        self._opened = ExitStack()
        self._texts: tuple[Any, AskedTexts] | None = None
        self._turns: dict[Path, list[Turn]] = {}
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._model: CarefulModel | None = None

    async def ask(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """Answer a question from the papers of the draft: what its section would discuss, and what it cites."""
        question = next((str(argument[n]) for n in ("question", "selection") if str(argument.get(n) or "").strip()), "")
        progress = await Progress.begin(self._session, argument.get("token"), "Ask the papers")
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        cancellable = self._cancellable
        if progress.token is not None and task is not None:
            cancellable[progress.token] = task

        def said(sentence: AnswerSentence | None) -> None:
            line = "... again:" if sentence is None else as_shown(sentence)
            notify = self._session.server.protocol.notify
            loop.call_soon_threadsafe(notify, TEXT, {"token": progress.token, "text": line})

        def report(stage: str, done: int, total: int | None) -> None:
            loop.call_soon_threadsafe(progress.report, stage, done, total)

        llm = argument["llm"] if isinstance(argument.get("llm"), str) else None
        wanted = _Question(question, llm, said, report)
        try:
            try:
                answer, markdown = await loop.run_in_executor(self._worker, self._answer, snapshot, wanted)
            except _NotAllowedYet as error:
                # The worker does not wait for the author: others' questions go on.
                if not await may_send(self._session, _notice(error.notice)):
                    raise Cancelled("nothing was sent", "leave the language model out, or allow it") from None
                wanted.allowed = True
                answer, markdown = await loop.run_in_executor(self._worker, self._answer, snapshot, wanted)
        except asyncio.CancelledError:
            if wanted.model is not None:
                wanted.model.cancel()
            raise
        finally:
            progress.end("done")
            cancellable.pop(progress.token, None)
        name = uuid.uuid4().hex
        self._answers[name] = answer
        while len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)
        return {"done": True, "answer": name, "markdown": markdown, **_as_json(answer)}

    async def insert(self, snapshot: Snapshot, document: Document, argument: Mapping[str, Any]) -> tuple[Edited, str]:
        """Put a sentence of an answer at a position, with its citation; the entries come in the same edit."""
        from citeplug.ask.for_draft import cited_papers, draft_tex, recorded
        from citeplug.ask.insert_answer import keep_record, need_place
        from citeplug.project.author_files import as_tex_path
        from citeplug.section_file.cite_style import cite_style

        answer = self._answers.get(str(argument.get("answer")))
        number, line, character = (argument.get(name) for name in ("number", "line", "character"))
        if answer is None:
            raise UsageError("this answer is not known any more", "ask again")
        if not isinstance(number, int) or not 1 <= number <= len(answer.sentences):
            raise UsageError(f"the answer has {len(answer.sentences)} sentences", "give a number from 1 in 'number'")
        if not isinstance(line, int) or not isinstance(character, int):
            raise UsageError("the command needs 'line' and 'character'", "docs/lsp.md lists the arguments of commands")
        sentence = answer.sentences[number - 1]
        text, offset = document.lined.text, document.lined.offset(line, character, self._session.documents.encoding)
        before, after = _apart(text, offset)
        need_place(snapshot.draft, document.path, text, offset, before)
        cited = cited_papers(sentence, answer.looked_through)
        keys, planned = await entries_of(self._session, snapshot, cited)
        tex = draft_tex(sentence, cited, keys, cite_style(snapshot.draft))
        edit = TextEdit(document.path, offset, offset, f"{before}{tex}{after}")
        planned[document.path] = Planned(document.lined, (edit,))
        name = as_tex_path(document.path, snapshot.root.parent)
        said = recorded(
            sentence, tex, cited, answer.looked_through, file=name, question=answer.question, model=answer.model
        )
        home = self._session.library.settings.home
        keep = None if scheme_of(snapshot.root) is not None else lambda: keep_record(snapshot.root, said, home)
        return await apply_edits(self._session, "Insert the sentence", planned, before_answer=keep), tex

    def close(self) -> None:
        if self._model is not None:
            self._model.cancel()
        self._worker.submit(self._opened.close)
        self._worker.shutdown(wait=False)

    def _answer(self, snapshot: Snapshot, wanted: "_Question") -> tuple[Answer, str]:
        """The answer and its Markdown. Raises _NotAllowedYet before the first request to a service."""
        from citeplug.ask.answer_question import answer_question
        from citeplug.ask.conversations import references_of
        from citeplug.ask.markdown import answer_markdown
        from citeplug.llm.chosen_model import Wanted, language_model
        from citeplug.llm.guarded import CarefulModel

        settings = self._session.library.settings
        texts = self._open(snapshot, wanted.report)
        turns = self._turns.setdefault(snapshot.root, [])
        # A model is opened only where the client names one: a key or config.toml alone is no consent here.
        with language_model(Wanted(wanted.llm or "none"), replace(settings, offline=False), wanted.announce) as model:
            self._model = wanted.model = model if isinstance(model, CarefulModel) else None
            try:
                answer = answer_question(texts, wanted.text, turns, model, wanted.said)
            finally:
                self._model = wanted.model = None
        turns.append(Turn(wanted.text, answer))
        del turns[:-_TURNS]
        answer = replace(answer, findings=(*texts.findings, *answer.findings))
        return answer, answer_markdown(answer, references_of([answer], settings))

    def _open(self, snapshot: Snapshot, report: Callable[[str, int, int | None], None]) -> "AskedTexts":
        """The texts of the draft's papers, opened anew where a file of it, the catalogue or a text has changed."""
        from citeplug.ask.run import Wanted, open_texts, stamp_of_texts

        files = (*(snapshot.root.parent / name for name in snapshot.draft.files), *snapshot.draft.bib_files)
        changed = [(file, file.stat().st_mtime_ns) for file in files if file.is_file()]
        state = (snapshot.root, changed, stamp_of_texts(self._session.library.settings))
        if self._texts is None or self._texts[0] != state:
            self._texts = None
            self._opened.close()
            wanted = Wanted(main=snapshot.root)
            texts = self._opened.enter_context(open_texts(wanted, self._session.library.settings, report))
            self._texts = (state, texts)
        return self._texts[1]


def _notice(notice: "Notice") -> str:
    what = "your question, what was answered before, and the passages found for it"
    price = "" if notice.priced else " Its price is not known."
    place = f"{notice.place} (model {notice.model})"
    return f"citeplug is about to send to {place}: {what}.{price} This is asked once for each service."


def _as_json(answer: Answer) -> Result:
    from citeplug.ask.saved import answer_as_json

    findings = [{"code": each.code, "message": each.message} for each in answer.findings]
    said = answer_as_json(answer)
    sentences = [{**each, "shown": as_shown(of)} for each, of in zip(said["sentences"], answer.sentences, strict=True)]
    return {**said, "sentences": sentences, "findings": findings}


def _apart(text: str, offset: int) -> tuple[str, str]:
    """The spaces that keep a sentence at `offset` from the words before and behind it."""
    before, after = text[:offset][-1:], text[offset : offset + 1]
    return " " if before and not before.isspace() else "", " " if after and not after.isspace() else ""
