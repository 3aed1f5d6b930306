"""Writing the section: a process writes it in a working copy; the result becomes one edit, with or without preview."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp

from citeplug.editor.applying import apply_edits, check_encodings
from citeplug.editor.copies import WorkingCopy, working_copy
from citeplug.editor.edits import Planned
from citeplug.editor.saying import Progress, harmless, may_send
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.editor.wishes import RunRequest, read_request
from citeplug.errors import UsageError
from citeplug.jobs.process import JobFailed, JobProcess, Listener
from citeplug.project.author_files import one_at_a_time
from citeplug.records.finding import Finding
from citeplug.records.json_form import fields_of

log = logging.getLogger(__name__)

Result = dict[str, Any]
T = TypeVar("T")
TEXT = "citeplug/text"
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """A preview of an edit, with the working copy that has its record."""

    copy: WorkingCopy
    planned: Mapping[Path, Planned]


class Generation:
    """Runs of a session. `cancellable` are those that report progress, by token."""

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self.cancellable: dict[Any, asyncio.Task[Any]] = {}
        self._writing: set[Path] = set()
        self._turns: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._leaving: dict[Path, asyncio.Task[None]] = {}
        self._shown: dict[str, Shown] = {}

    async def write(self, look: Callable[[], Awaitable[Snapshot]], argument: Mapping[str, Any]) -> Result:
        """Write or update the section. `look` reads the project as it is now."""
        request = read_request(argument)
        snapshot = await look()
        root = snapshot.root
        if root in self._writing:
            raise UsageError("the section is being written already", "wait, or cancel that run")
        self._writing.add(root)
        try:
            return await self._run(snapshot, argument.get("token"), lambda progress: self._try(look, request, progress))
        finally:
            self._writing.discard(root)

    async def add_near_papers(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """Add papers near the draft from arXiv's search; without `online`, return the searches and send nothing."""
        answer, _ = await self._read_only(snapshot, argument, "add_near", {"online": argument.get("online")})
        return {"done": True, **answer, "findings": []}

    async def list_papers(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """List the papers that the section could discuss, best first; nothing is written."""
        options = {**argument, "insert": False, "preview": False}
        missing = argument.get("missing") is True
        answer, findings = await self._read_only(snapshot, argument, "list_papers", options, missing=missing)
        return {"done": True, **answer, "findings": _as_json(findings)}

    async def audit(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> tuple[Result, Sequence[Finding]]:
        """Audit the draft; `findings` are those beside the check's, with files and lines."""
        options = {"online": argument.get("online")}
        answer, findings = await self._read_only(snapshot, argument, "audit", options)
        names = "code severity message"
        return {
            "done": True,
            "findings": [
                {**fields_of(finding, names), "fix": finding.fix or "", **fields_of(finding, "file line")}
                for finding in findings
            ],
            **answer,
        }, findings

    async def _read_only(
        self, snapshot: Snapshot, argument: Mapping[str, Any], task: str, options: Mapping[str, Any], **more: bool
    ) -> tuple[Result, Sequence[Finding]]:
        """Run a task that writes no file of the project; return the rest of the answer, and the findings."""
        request = read_request(options)

        async def work(progress: Progress) -> tuple[Result, Sequence[Finding]]:
            async with self._copied(snapshot) as copied:
                return await copied.run(task, self._listener(progress), request=request, **more)

        return await self._run(snapshot, argument.get("token"), work)

    async def apply(self, preview: str) -> Result:
        """Apply a preview, with its record. Raises UsageError if files have changed since."""
        shown = self._shown.get(preview)
        if shown is None:
            raise UsageError("the preview does not exist any more", "write the section again")
        await self._session.projects.ask_again(shown.copy.snapshot.root)
        try:
            if not (self._session.projects.fits(shown.planned) and shown.copy.record_fits()):
                raise UsageError(
                    "a file was changed since the preview was made; nothing was edited", "write the section again"
                )
            record = shown.copy.take_record
            edited = await apply_edits(self._session, "Write related work", shown.planned, before_answer=record)
        finally:
            await self.discard(preview)
        self._session.projects.changed(shown.copy.snapshot.root, structure=True)
        return {"done": True, "files": [str(path) for path in shown.planned], "edited": edited}

    async def discard(self, preview: str) -> bool:
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

    async def _try(self, look: Callable[[], Awaitable[Snapshot]], request: RunRequest, progress: Progress) -> Result:
        for _ in range(_ATTEMPTS):
            # If the author typed on, the run is repeated on the present text.
            result = await self._attempt(await look(), request, progress)
            if result is not None:
                return result
        raise UsageError("the text kept changing; nothing was edited", "try again when nobody is typing")

    async def _attempt(self, snapshot: Snapshot, request: RunRequest, progress: Progress) -> Result | None:
        """Do one run; None if the author changed files that it would edit."""
        async with self._copied(snapshot) as copied:
            result, findings = await copied.run(
                "write", self._listener(progress, stream=request.stream), request=request
            )
            copy = copied.copy
            planned = copy.planned(result["files"])
            async with self._session.turn():
                if not self._session.projects.fits(planned):
                    return None
                check_encodings(planned, self._session.documents)
                answer = {"files": [str(path) for path in planned], "findings": _as_json(findings)}
                if request.preview:
                    return {"done": True, **answer, **(await self._show(copy, planned))}
                if not planned:
                    self._tell_nothing(findings)
                record = copy.take_record
                edited = await apply_edits(self._session, "Write related work", planned, before_answer=record)
            self._session.projects.changed(snapshot.root, structure=True)
            return {"done": bool(planned), **answer, "edited": edited}

    def _tell_nothing(self, findings: Sequence[Finding]) -> None:
        """Show why a paragraph that was asked for anew is as it was."""
        for finding in findings:
            if finding.code == "nothing_else_to_write":
                text = harmless(f"citeplug: {finding.message}; {finding.fix}")
                self._session.server.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=text))

    async def _show(self, copy: WorkingCopy, planned: Mapping[Path, Planned]) -> Result:
        """Keep the result until the author has decided; one preview of a project at a time."""
        for name in [name for name, shown in self._shown.items() if shown.copy.snapshot.root == copy.snapshot.root]:
            await self.discard(name)
        if not planned:
            return {"preview": None, "changes": []}
        name = uuid.uuid4().hex
        kept = await asyncio.to_thread(copy.put_aside, name)
        self._shown[name] = Shown(kept, planned)
        changes = [
            {"uri": self._session.documents.uri_of(path), "before": each.lined.text, "after": each.after}
            for path, each in planned.items()
        ]
        return {"preview": name, "changes": changes}

    def _listener(self, progress: Progress, *, stream: bool = False) -> Listener:
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

    def _copied(self, snapshot: Snapshot) -> "Copied":
        return Copied(self._session, snapshot, self._leaving)


def _as_json(findings: Sequence[Finding]) -> list[dict[str, str]]:
    return [{**fields_of(finding, "code message"), "fix": finding.fix or ""} for finding in findings]


class Copied:
    """Context of a working copy and the process of a task in it, both removed at the end.

    A cancelled run does not wait for the removal: the copy's lock is held until then, and the next run waits for it.
    """

    def __init__(self, session: SessionState, snapshot: Snapshot, leaving: dict[Path, asyncio.Task[None]]) -> None:
        self._session = session
        self._leaving = leaving
        self._home = session.library.settings.home
        self.copy = working_copy(snapshot, self._home, session.projects.held())
        self._locked = ExitStack()
        self._working: asyncio.Future[Any] | None = None  # in a thread

    async def __aenter__(self) -> "Copied":
        root = self.copy.snapshot.root
        if (before := self._leaving.get(root)) is not None:
            await asyncio.shield(before)
        self._locked.enter_context(one_at_a_time(self._home, self.copy.folder, wait=0))
        try:
            self._working = asyncio.ensure_future(asyncio.to_thread(self.copy.make))
            await asyncio.shield(self._working)
        except BaseException:
            self._leave()
            raise
        return self

    async def run(self, task: str, listener: Listener, **arguments: Any) -> tuple[Result, Sequence[Finding]]:
        """Run a task of `tasks.py` in the copy; return its result, and its findings as of the author's files.

        If cancelled, the process is killed. Raises UsageError with the process's error.
        """
        job = JobProcess(f"citeplug.editor.tasks:{task}", {"root": self.copy.root, **arguments}, listener)
        self._working = asyncio.ensure_future(asyncio.to_thread(job.run, quiet=True))
        try:
            answer, findings = await asyncio.shield(self._working)
        except asyncio.CancelledError:
            job.cancel()
            raise
        except JobFailed as error:
            raise UsageError(self.copy.in_project(str(error)), self.copy.in_project(error.hint)) from error
        return answer, [self.copy.finding_in_project(finding) for finding in findings]

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        left = self._leave()
        if kind is None or not issubclass(kind, asyncio.CancelledError):
            await asyncio.shield(left)

    def _leave(self) -> "asyncio.Task[None]":
        root = self.copy.snapshot.root
        task = self._leaving[root] = asyncio.ensure_future(self._clear())
        task.add_done_callback(lambda done: self._leaving.pop(root, None) if self._leaving.get(root) is done else None)
        return task

    async def _clear(self) -> None:
        """Remove the copy once nothing writes into it: threads cannot be stopped, and processes take time to end."""
        try:
            if self._working is not None:
                await asyncio.gather(self._working, return_exceptions=True)
            await asyncio.to_thread(self.copy.remove)
        finally:
            self._locked.close()
