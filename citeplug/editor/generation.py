"""Writing the section: a process writes it in a working copy; the result becomes one edit, with or without preview."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor.applying import apply_edits, check_encodings
from citeplug.editor.copies import WorkingCopy, working_copy
from citeplug.editor.edits import Planned
from citeplug.editor.process import Listener, Writer
from citeplug.editor.saying import Progress, harmless, may_send
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.editor.wishes import RunRequest, read_request
from citeplug.errors import UsageError
from citeplug.project.author_files import one_at_a_time

log = logging.getLogger(__name__)

Result = dict[str, Any]
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
        request = read_request({"online": argument.get("online")})
        return await self._run(
            snapshot, argument.get("token"), lambda p: self._asked(snapshot, {"near": True}, request, p)
        )

    async def list_papers(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """List the papers that the section could discuss, best first; nothing is written."""
        request = read_request({**argument, "insert": False, "preview": False})

        asked = {"list": True, "missing": argument.get("missing") is True}
        return await self._run(snapshot, argument.get("token"), lambda p: self._asked(snapshot, asked, request, p))

    async def audit(self, snapshot: Snapshot, argument: Mapping[str, Any]) -> Result:
        """Audit the draft; `findings` are those beside the check's, with files and lines."""
        request = read_request({"online": argument.get("online")})
        asked = {"audit": True}
        return await self._run(snapshot, argument.get("token"), lambda p: self._asked(snapshot, asked, request, p))

    async def _asked(
        self, snapshot: Snapshot, asked: Mapping[str, bool], request: RunRequest, progress: Progress
    ) -> Result:
        """Run a task of the writer process that writes no file of the project."""
        async with self._copied(snapshot) as (copy, writer):
            result = await _run_writer(copy, writer, {**asked, **request.task}, self._listener(progress))
        return {"done": True, **result}

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

    async def _run(self, snapshot: Snapshot, token: Any, work: Callable[[Progress], Awaitable[Result]]) -> Result:
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
        async with self._copied(snapshot) as (copy, writer):
            listener = self._listener(progress, stream=request.stream)
            result = await _run_writer(copy, writer, request.task, listener)
            planned = copy.planned([Path(each) for each in result["files"]])
            async with self._session.turn():
                if not self._session.projects.fits(planned):
                    return None
                check_encodings(planned, self._session.documents)
                answer = {"files": [str(path) for path in planned], "findings": result["findings"]}
                if request.preview:
                    return {"done": True, **answer, **(await self._show(copy, planned))}
                if not planned:
                    self._tell_nothing(result["findings"])
                record = copy.take_record
                edited = await apply_edits(self._session, "Write related work", planned, before_answer=record)
            self._session.projects.changed(snapshot.root, structure=True)
            return {"done": bool(planned), **answer, "edited": edited}

    def _tell_nothing(self, findings: list[dict[str, str]]) -> None:
        """Show why a paragraph that was asked for anew is as it was."""
        for finding in findings:
            if finding["code"] == "nothing_else_to_write":
                text = harmless(f"citeplug: {finding['message']}; {finding['fix']}")
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
        server = self._session.server

        def text(line: str) -> None:
            if stream:
                server.protocol.notify(TEXT, {"token": progress.token, "text": line})

        return Listener(progress.report, text, log.info, partial(may_send, self._session))

    def _copied(self, snapshot: Snapshot) -> "Copied":
        return Copied(self._session, snapshot, self._leaving)


async def _run_writer(copy: WorkingCopy, writer: Writer, task: Mapping[str, Any], listener: Listener) -> Result:
    """Run the writer in the copy; return its result with the paths of the author's files."""
    try:
        result = await writer.run({"root": str(copy.root), **task}, listener)
    except UsageError as error:
        raise UsageError(copy.in_project(str(error)), copy.in_project(error.hint or "")) from error
    findings = [
        {**each, **{name: copy.in_project(each[name]) for name in ("message", "file") if each.get(name)}}
        for each in result["findings"]
    ]
    return {**result, "findings": findings}


class Copied:
    """Context of a working copy and its writer process, both removed at the end.

    A cancelled run does not wait for the removal: the copy's lock is held until then, and the next run waits for it.
    """

    def __init__(self, session: SessionState, snapshot: Snapshot, leaving: dict[Path, asyncio.Task[None]]) -> None:
        self._session = session
        self._leaving = leaving
        self._home = session.library.settings.home
        self._copy = working_copy(snapshot, self._home, session.projects.held())
        self._writer = Writer()
        self._locked = ExitStack()
        self._making: asyncio.Future[None] | None = None

    async def __aenter__(self) -> tuple[WorkingCopy, Writer]:
        root = self._copy.snapshot.root
        if (before := self._leaving.get(root)) is not None:
            await asyncio.shield(before)
        self._locked.enter_context(one_at_a_time(self._home, self._copy.folder, wait=0))
        try:
            making = asyncio.to_thread(self._copy.make)
            self._making = asyncio.ensure_future(making)
            await asyncio.shield(self._making)
        except BaseException:
            self._leave()
            raise
        return self._copy, self._writer

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        left = self._leave()
        if kind is None or not issubclass(kind, asyncio.CancelledError):
            await asyncio.shield(left)

    def _leave(self) -> "asyncio.Task[None]":
        root = self._copy.snapshot.root
        task = self._leaving[root] = asyncio.ensure_future(self._clear())
        task.add_done_callback(lambda done: self._leaving.pop(root, None) if self._leaving.get(root) is done else None)
        return task

    async def _clear(self) -> None:
        """Remove the copy once nothing writes into it: threads cannot be stopped, and processes take time to end."""
        try:
            if self._making is not None:
                await asyncio.wait({self._making})
            await self._writer.ended()
            await asyncio.to_thread(self._copy.remove)
        finally:
            self._locked.close()
