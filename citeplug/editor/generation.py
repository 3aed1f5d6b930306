"""Writing the section: a process writes it in a working copy; the result becomes one edit, with or without preview."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from citeplug.editor.applying import apply_edits, check_encodings
from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import entry_label
from citeplug.editor.copies import WorkingCopy, working_copy
from citeplug.editor.edits import Planned
from citeplug.editor.messages import Progress, harmless, may_send, tell
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState, text_of
from citeplug.editor.wishes import RunRequest, read_request
from citeplug.errors import UsageError
from citeplug.jobs.process import JobFailed, JobProcess, Listener
from citeplug.project.author_files import as_tex_path
from citeplug.project.find_project import Project, find_project
from citeplug.project.insert import own_related_work
from citeplug.records.finding import Finding, advice
from citeplug.records.json_form import fields_of
from citeplug.text.people import named_works

log = logging.getLogger(__name__)

Result = dict[str, Any]
T = TypeVar("T")
TEXT = "citeplug/text"
Answer = Literal["beside", "missing", "leave"]
_BUTTONS: dict[str, Answer] = {"List what it misses": "missing", "Insert after it": "beside", "Don’t insert": "leave"}
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """A preview of an edit, with the working copy that has its record, and what the run made there."""

    copy: WorkingCopy
    planned: Mapping[Path, Planned]
    made: Mapping[Path, bytes]


class Generation:
    """Runs of a session. `cancellable` are those that report progress, by token."""

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self.cancellable: dict[Any, asyncio.Task[Any]] = {}
        self._writing: set[Path] = set()
        self._turns: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shown: dict[str, Shown] = {}

    async def write(self, argument: Mapping[str, Any]) -> Result:
        """Write or update the section: one edit of all the files that change, or a preview of it."""
        request = read_request(argument)
        snapshot = await self._session.snapshot(argument)
        root = snapshot.root
        if root in self._writing:
            raise UsageError("the section is already being written", "wait, or cancel that run")
        self._writing.add(root)
        try:
            return await self._run(
                snapshot, argument.get("token"), lambda progress: self._try(argument, request, progress)
            )
        finally:
            self._writing.discard(root)

    async def refresh(self, argument: Mapping[str, Any]) -> Result:
        """Write one paragraph again, by its plan."""
        place = _paragraph(await self._session.snapshot(argument), argument)
        return await self.write({**argument, "place": place, "replan": False})

    async def replan(self, argument: Mapping[str, Any]) -> Result:
        """Make a new plan and write the section by it; the author's sentences stay."""
        return await self.write({**argument, "replan": True, "place": None})

    async def add_near_papers(self, argument: Mapping[str, Any]) -> Result:
        """Add papers near the draft from arXiv's search; without `online`, return the searches and send nothing."""
        snapshot = await self._session.snapshot(argument)
        answer, _ = await self._read_only(snapshot, argument, "add_near", {"online": argument.get("online")})
        return {"done": True, **answer, "findings": []}

    async def list_papers(self, argument: Mapping[str, Any]) -> Result:
        """List the papers that the section could discuss, best first; nothing is written."""
        snapshot = await self._session.snapshot(argument)
        options = {**argument, "insert": False, "preview": False}
        missing = argument.get("missing") is True
        answer, findings = await self._read_only(snapshot, argument, "list_papers", options, missing=missing)
        written = frozenset[str]() if snapshot.section is None else snapshot.section.papers
        for paper in answer["papers"]:
            paper["in_section"] = paper["arxiv_id"] in written
        for reason in (reason for paper in answer["papers"] for reason in paper["reasons"]):
            entries = {key: entry for key in reason["keys"] if (entry := snapshot.entry(key)) is not None}
            names = {key: entry_label(entry) for key, entry in entries.items()}
            reason["text"] = named_works(reason["text"], names)
        return {"done": True, **answer, "findings": _as_json(findings)}

    async def audit(self, argument: Mapping[str, Any]) -> tuple[Snapshot, Result, Sequence[Finding]]:
        """Audit the draft; return what was audited, the answer, and its findings, beside those of the check."""
        snapshot = await self._session.snapshot(argument)
        options = {"online": argument.get("online")}
        answer, findings = await self._read_only(snapshot, argument, "audit", options)
        names = "code severity message"
        matching = [
            {**fields_of(finding, names), "fix": advice(finding.fix), **fields_of(finding, "file line arxiv_id")}
            for finding in findings
        ]
        return snapshot, {"done": True, "findings": matching, **answer}, findings

    async def _read_only(
        self, snapshot: Snapshot, argument: Mapping[str, Any], task: str, options: Mapping[str, Any], **more: bool
    ) -> tuple[Result, Sequence[Finding]]:
        """Run a task that writes no file of the project; return the rest of the answer, and the findings."""
        request = read_request(options)

        async def work(progress: Progress) -> tuple[Result, Sequence[Finding]]:
            async with self._in_copy(snapshot, progress, task, request, **more) as (_, answer, findings):
                return answer, findings

        return await self._run(snapshot, argument.get("token"), work)

    async def apply(self, argument: Mapping[str, Any]) -> Result:
        """Apply a preview, with its record, but for the sentences and paragraphs at the places in `without`.

        With `dry_run` only return what would change then. Raises UsageError if files have changed since.
        """
        preview = text_of(argument, "preview")
        shown = self._shown.get(preview)
        if shown is None:
            raise UsageError("the preview no longer exists", "write the section again")
        if argument.get("dry_run") is True:
            return {"done": True, "changes": self._changes(await self._left(shown, argument))}
        await self._session.projects.ask_again(shown.copy.snapshot.root)
        try:
            if not (self._fits(shown.planned, preview=True) and shown.copy.record_fits()):
                raise UsageError(
                    "a file has changed since the preview was made; nothing was edited", "write the section again"
                )
            planned = await self._left(shown, argument)
            record = shown.copy.take_record
            edited = await apply_edits(
                self._session,
                "Write the related work",
                planned,
                before_answer=record,
                fits=partial(self._fits, preview=True),
            )
        finally:
            await self._discard(preview)
        self._session.projects.changed(shown.copy.snapshot.root, structure=True)
        return {"done": True, "files": [str(path) for path in planned], "edited": edited}

    async def _left(self, shown: Shown, argument: Mapping[str, Any]) -> Mapping[Path, Planned]:
        """Return what is planned without the places in `without`."""
        places, home = argument.get("without"), self._session.library.settings.home
        if not isinstance(places, list):
            return shown.planned
        names = [str(place) for place in places]
        return await asyncio.to_thread(shown.copy.without, names, shown.planned, shown.made, home)

    async def decide(
        self, snapshot: Snapshot, label: str, change: Callable[[Project, Path], Sequence[object]]
    ) -> Result:
        """Change the section of a draft that the client alone has, and its record; what `change` returns is counted."""
        async with self._session.turn():
            home = self._session.library.settings.home
            copy = working_copy(snapshot, home, self._session.projects.held())

            def work() -> tuple[int, Mapping[Path, Planned]]:
                copy.make()
                project = find_project(copy.root)
                changed = change(project, home)
                return len(changed), copy.planned([project.where.tex, project.where.bib])

            try:
                changed, planned = await asyncio.to_thread(work)
                if planned:
                    await apply_edits(self._session, label, planned, before_answer=copy.take_record)
                else:
                    copy.take_record()
            finally:
                await asyncio.to_thread(copy.remove)
        self._session.projects.changed(snapshot.root, structure=True)
        self._session.later(self._session.look_again())
        return {"done": True, "changed": changed}

    async def discard(self, argument: Mapping[str, Any]) -> Result:
        return {"done": await self._discard(text_of(argument, "preview"))}

    async def _discard(self, preview: str) -> bool:
        """Discard a preview; True if there was one."""
        shown = self._shown.pop(preview, None)
        if shown is not None:
            await asyncio.to_thread(shown.copy.remove)
        return shown is not None

    def close(self) -> None:
        """Discard all previews."""
        for shown in self._shown.values():
            shown.copy.remove()
        self._shown.clear()

    async def _run(self, snapshot: Snapshot, token: Any, work: Callable[[Progress], Awaitable[T]]) -> T:
        """Run one task at a time on a project, cancellable by its token; the next waits its turn."""
        if not snapshot.draft.files:
            raise UsageError("this document is not part of a draft", "open a file of the draft, and try again")
        progress = None
        try:
            progress = await Progress.begin(self._session, token, "Related work")
            task = asyncio.current_task()
            if progress.token is not None and task is not None:
                self.cancellable[progress.token] = task
            async with self._turns[snapshot.root]:
                result = await work(progress)
            progress.end("done")
            return result
        except BaseException:
            if progress is not None:
                progress.end("nothing was written")
            raise
        finally:
            if progress is not None:
                self.cancellable.pop(progress.token, None)

    async def _try(self, argument: Mapping[str, Any], request: RunRequest, progress: Progress) -> Result:
        for _ in range(_ATTEMPTS):
            # If the author typed on, the run is repeated on the present text.
            result = await self._attempt(await self._session.snapshot(argument), request, progress)
            if result is not None:
                return result
        raise UsageError("the text kept changing; nothing was edited", "try again when nobody is typing")

    async def _attempt(self, snapshot: Snapshot, request: RunRequest, progress: Progress) -> Result | None:
        """Do one run; None if the author changed files that it would edit."""
        async with self._in_copy(snapshot, progress, "write", request) as (copy, result, findings):
            planned = copy.planned(result["files"])
            async with self._session.turn():
                if not self._fits(planned, preview=request.preview):
                    return None
                check_encodings(planned, self._session.documents)
                answer = {"files": [str(path) for path in planned], "findings": _as_json(findings)}
                if request.preview:
                    shown = await self._show(copy, planned)
                    return {"done": True, **answer, **shown, "sentences": result["sentences"]}
                if not planned:
                    self._tell_nothing(findings)
                record = copy.take_record
                edited = await apply_edits(self._session, "Write the related work", planned, before_answer=record)
            self._session.projects.changed(snapshot.root, structure=True)
            return {"done": bool(planned), **answer, "edited": edited}

    def _fits(self, planned: Mapping[Path, Planned], *, preview: bool) -> bool:
        """True if edits can be made; a client that `rebases` makes those of a preview beside what was written since."""
        rebases = preview and self._session.can("experimental", "citeplug", "rebases") is True
        return rebases or self._session.projects.fits(planned)

    def _tell_nothing(self, findings: Sequence[Finding]) -> None:
        """Show why a paragraph that was asked for anew is as it was."""
        for finding in findings:
            if finding.code == "nothing_else_to_write":
                tell(self._session, f"{finding.message}; {advice(finding.fix)}")

    async def _show(self, copy: WorkingCopy, planned: Mapping[Path, Planned]) -> Result:
        """Keep the result until the author has decided; one preview of a project at a time."""
        for name in [name for name, shown in self._shown.items() if shown.copy.snapshot.root == copy.snapshot.root]:
            await self._discard(name)
        if not planned:
            return {"preview": None, "changes": []}
        name = uuid.uuid4().hex
        self._shown[name] = Shown(copy, planned, await asyncio.to_thread(copy.made, planned))
        return {"preview": name, "changes": self._changes(planned)}

    def _changes(self, planned: Mapping[Path, Planned]) -> list[dict[str, str]]:
        uri_of = self._session.documents.uri_of
        return [
            {"uri": uri_of(path), "before": change.lined.text, "after": change.after}
            for path, change in planned.items()
        ]

    @asynccontextmanager
    async def _in_copy(
        self, snapshot: Snapshot, progress: Progress, task: str, request: RunRequest, **more: bool
    ) -> AsyncIterator[tuple[WorkingCopy, Result, Sequence[Finding]]]:
        """Run a task of `tasks.py` in a working copy, which is removed at the end, save where a preview needs it.

        Gives the copy, the result and the findings of the task. A cancelled run kills the process, and does not wait
        for its end. Raises UsageError with the process's error.
        """
        session = self._session
        copy = working_copy(snapshot, session.library.settings.home, session.projects.held())
        arguments = {"root": copy.root, "request": request, **more}
        job = JobProcess(f"citeplug.editor.tasks:{task}", arguments, self._listener(progress, stream=request.stream))

        def work() -> Any:
            copy.make()
            return job.run(quiet=True)

        async def clear() -> None:
            # Once nothing writes into it: threads cannot be stopped, and processes take time to end.
            await asyncio.gather(working, return_exceptions=True)
            if all(shown.copy is not copy for shown in self._shown.values()):
                await asyncio.to_thread(copy.remove)

        working = asyncio.ensure_future(asyncio.to_thread(work))
        is_cancelled = False
        try:
            answer, findings = await asyncio.shield(working)
            yield copy, answer, [copy.finding_in_project(finding) for finding in findings]
        except asyncio.CancelledError:
            is_cancelled = True
            job.cancel()
            raise
        except JobFailed as error:
            raise UsageError(copy.in_project(str(error)), copy.in_project(error.hint)) from error
        finally:
            clearing = session.later(clear())
            if not is_cancelled:
                await asyncio.shield(clearing)

    def _listener(self, progress: Progress, *, stream: bool) -> Listener:
        """Callbacks for the thread of a job."""
        notify, loop = self._session.server.protocol.notify, asyncio.get_running_loop()

        def text(line: str) -> None:
            if stream:
                loop.call_soon_threadsafe(notify, TEXT, {"token": progress.token, "text": line})

        return Listener(
            lambda *stage: loop.call_soon_threadsafe(progress.report, *stage),
            text,
            log.info,
            lambda question: asyncio.run_coroutine_threadsafe(may_send(self._session, question), loop),
        )


def _as_json(findings: Sequence[Finding]) -> list[dict[str, str]]:
    return [{**fields_of(finding, "code message"), "fix": advice(finding.fix)} for finding in findings]


def _paragraph(snapshot: Snapshot, argument: Mapping[str, Any]) -> str:
    """Return the id of the paragraph: `place`, or the one at `line` of the section."""
    if isinstance(argument.get("place"), str) and argument["place"]:
        return str(argument["place"]).partition(":")[0]
    section, line = snapshot.section, argument.get("line")
    if section is not None and isinstance(line, int):
        for block in section.current.blocks:
            if section.lined.line_of(block.at.start) <= line <= section.lined.line_of(block.at.end - 1):
                return block.at.id
    raise UsageError(
        "there is no generated paragraph at the cursor", "put the cursor into one, or give its id in 'place'"
    )


def inserts(command: str, argument: Mapping[str, Any]) -> bool:
    """Return True if the command makes the draft read its section, and the author was not asked about that yet."""
    wanted = command == ServerCommand.INSERT or (command == ServerCommand.GENERATE and argument.get("insert") is True)
    return wanted and argument.get("beside") is not True


async def ask_about_own_text(session: SessionState, snapshot: Snapshot) -> Answer:
    """Ask what is to be done where the draft has a related work of its own, beside which the section would be read.

    `beside` without a question where it has none or reads the section already, and where the editor cannot ask.
    """
    texts = {file: snapshot.texts[file].text for file in snapshot.draft.files if file in snapshot.texts}
    where = session.projects.project(snapshot.root).where
    related = snapshot.draft.related_work
    own = own_related_work(snapshot.draft, texts, as_tex_path(where.tex, snapshot.root.parent))
    if own is None or related is None:
        return "beside"
    message = f"Your draft already has “{related.title}”, which cites {snapshot.draft.related_works} works"
    actions = [lsp.MessageActionItem(title=title) for title in _BUTTONS]
    params = lsp.ShowMessageRequestParams(type=lsp.MessageType.Info, message=harmless(message), actions=actions)
    try:
        answer = await session.server.window_show_message_request_async(params)
    except JsonRpcException:
        return "beside"  # the finding says it after the run
    return "leave" if answer is None else _BUTTONS.get(answer.title, "leave")


def missing_answer(session: SessionState, root: Path) -> dict[str, Any]:
    """The answer of a command where the author wants to complete the own text: the editor lists the papers, or the
    author is told how to."""
    if session.can("experimental", "citeplug", "listsMissing") is not True:
        tell(session, f"run 'citeplug papers {root.name} --missing' to list what the draft does not cite")
    return {"done": False, "missing": True}
