"""The commands `citeplug.server.*`: each takes one object and gives one back (docs/lsp-reference.md)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lsprotocol import types as lsp

from citeplug.bib.fix_bibliography import as_recorded, fix_entry
from citeplug.bib.fixed import FixRequest
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.editor.applying import Edited, apply_edits
from citeplug.editor.asking import EditorQuestions
from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import closeness
from citeplug.editor.completion import found_papers
from citeplug.editor.documents import saved_text
from citeplug.editor.edits import Planned, difference
from citeplug.editor.entries import bib_file, citation, new_entries, recited, renamed
from citeplug.editor.examine import Examined, audited
from citeplug.editor.generation import Generation, ask_about_own_text, inserts, missing_answer
from citeplug.editor.lines import Lined
from citeplug.editor.messages import tell
from citeplug.editor.projects import insertion
from citeplug.editor.proposed import as_written, in_print, named
from citeplug.editor.remote import is_remote
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.editor.state import SessionState, text_of
from citeplug.editor.telling import Telling
from citeplug.editor.wishes import ARGUMENTS_HINT
from citeplug.editor.zotero import save_to_zotero
from citeplug.errors import CiteplugError, UsageError
from citeplug.files.decode import read_text
from citeplug.records.entry_check import EntryCheck
from citeplug.records.report import verdicts_in_words
from citeplug.related.section.accept import Recorded, accept
from citeplug.related.section.choose import checked_choice, with_choice
from citeplug.related.section.edit_section import reject, restore
from citeplug.related.section.in_print import printed_works
from citeplug.settings.project_toml import FILE, find_configuration, read_configuration

log = logging.getLogger(__name__)

Result = dict[str, Any]
Handler = Callable[[Mapping[str, Any]], Awaitable[Result]]


class Commands:
    """Commands on a session's projects. `generation` writes sections, `asking` answers questions."""

    def __init__(self, session: SessionState, telling: Telling) -> None:
        self._session = session
        self._telling = telling
        self.generation = Generation(session)
        self.asking = EditorQuestions(session, self.generation.cancellable)
        # They compute an edit of the present texts, and hold the turn. Writing a section takes long, and takes the
        # turn at its end.
        self._edits: dict[str, Handler] = {
            ServerCommand.APPLY_PREVIEW: self.generation.apply,
            ServerCommand.CHOOSE: self._choose,
            ServerCommand.ADD_ENTRY: self._add_entry,
            ServerCommand.CITE: self._cite,
            ServerCommand.INSERT_ANSWER: self._insert_answer,
            ServerCommand.FIX: self._fix,
            ServerCommand.REPLACE_KEY: self._replace_key,
            ServerCommand.INSERT: self._insert,
        }
        self._others: dict[str, Handler] = {
            ServerCommand.GENERATE: self.generation.write,
            ServerCommand.REFRESH: self.generation.refresh,
            ServerCommand.REPLAN: self.generation.replan,
            ServerCommand.DISCARD_PREVIEW: self.generation.discard,
            ServerCommand.NEAR: self.generation.add_near_papers,
            ServerCommand.SHORTLIST: self._shortlist,
            ServerCommand.CHOICES: self._choices,
            ServerCommand.ASK: self._ask,
            ServerCommand.CONVERSATION: self._conversation,
            ServerCommand.PASSAGE: self.asking.passage,
            ServerCommand.SEARCH: self._search,
            ServerCommand.BIBTEX: self._bibtex,
            ServerCommand.SAVE_TO_ZOTERO: lambda argument: save_to_zotero(session, argument),
            ServerCommand.CHECK: self._check,
            ServerCommand.AUDIT: self._audit,
            ServerCommand.ACCEPT: self._accept,
            ServerCommand.REJECT: self._reject,
            ServerCommand.PROVENANCE: self._provenance,
        }

    async def run(self, command: str, arguments: Sequence[Any], token: Any = None) -> Result:
        """Run a command. A failure is shown to the author, and returned in `message`.

        `token` is the client's token for progress; clients that cannot send it there send it in the argument.
        """
        argument = dict(arguments[0]) if arguments and isinstance(arguments[0], Mapping) else {}
        if token is not None:
            argument["token"] = token
        if command not in {*self._edits, *self._others}:
            return {"done": False, "message": f"unknown command {command}"}
        try:
            if inserts(command, argument):
                snapshot = await self._session.snapshot(argument)
                answer = await ask_about_own_text(self._session, snapshot)
                if answer != "beside":
                    return missing_answer(self._session, snapshot.root) if answer == "missing" else {"done": False}
            if command in self._others:
                return self._named(await self._others[command](argument), argument)
            async with self._session.turn():
                return self._named(await self._edits[command](argument), argument)
        except CiteplugError as error:
            message = f"{error}; {error.hint}" if error.hint else str(error)
        except OSError as error:
            log.warning("%s failed", command, exc_info=True)
            message = f"{error.filename or 'a file'}: {error.strerror or error}; check that you can read and write it"
        tell(self._session, message, lsp.MessageType.Warning)
        return {"done": False, "message": message}

    def _named(self, result: Result, argument: Mapping[str, Any]) -> Result:
        """Return the answer as JSON; show which files were edited, if others than the author's present document."""
        edited = result.pop("edited", None)
        if edited is None:
            return result
        here = self._session.documents.get(str(argument.get("uri")))
        elsewhere = [path for path in edited.files if here is None or path != here.path]
        if elsewhere and self._session.can("experimental", "citeplug", "namesEdits") is not True:
            tell(self._session, str(edited))
        return {**result, **edited.as_json}

    async def _choose(self, argument: Mapping[str, Any]) -> Result:
        """Pin or exclude a paper, or undo either, in the project's citeplug.toml. Raises WrongConfiguration for an
        invalid file.
        """
        snapshot, projects = await self._session.snapshot(argument), self._session.projects
        choice = text_of(argument, "choice")
        value, name = checked_choice(snapshot.draft, text_of(argument, "arxiv_id"), choice)
        folder, held = snapshot.root.parent, projects.held()
        texts = {path: lined.text for path, lined in held.items()}
        path = find_configuration(folder, texts) or folder / FILE
        read_configuration(folder, texts)  # refuse to edit an invalid file
        lined = held.get(path) or Lined(read_text(path).text if path.is_file() else "")
        planned = {path: difference(path, lined, with_choice(lined.text, value, name))}
        edited = await apply_edits(self._session, f"{choice} {value}", planned)
        await self._telling.settle(snapshot, value)
        return {"done": True, "changed": bool(edited.files), "file": str(path), "edited": edited}

    async def _choices(self, argument: Mapping[str, Any]) -> Result:
        """Return the papers that are pinned and excluded now, in citeplug.toml and in the document."""
        snapshot = await self._session.snapshot(argument)
        texts = {path: lined.text for path, lined in self._session.projects.held().items()}
        in_file = read_configuration(snapshot.root.parent, texts).values
        in_document = snapshot.draft.options.values
        named = {name: (*in_file.get(name, ()), *in_document.get(name, ())) for name in ("pin", "exclude")}
        return {"done": True, **{name: list(dict.fromkeys(ids)) for name, ids in named.items()}}

    async def _ask(self, argument: Mapping[str, Any]) -> Result:
        """Answer a question from the papers of the draft."""
        return await self.asking.ask(await self._session.snapshot(argument), argument)

    async def _conversation(self, argument: Mapping[str, Any]) -> Result:
        """Return what was asked of the draft's papers before."""
        return await self.asking.conversation(await self._session.snapshot(argument), argument)

    async def _insert_answer(self, argument: Mapping[str, Any]) -> Result:
        """Put a sentence of an answer at a position."""
        snapshot = await self._session.snapshot(argument)
        document = self._session.documents.get(text_of(argument, "uri"))
        if document is None:
            raise UsageError("the document is not open", "open it and try again")
        edited, tex = await self.asking.insert(snapshot, document, argument)
        return _answer(edited, tex=tex)

    async def _search(self, argument: Mapping[str, Any]) -> Result:
        """Return the papers of the catalogue that words find, cited already or not."""
        snapshot = await self._session.snapshot(argument)
        text = text_of(argument, "text")
        papers = await self._session.library.search(text, None)
        results = await asyncio.to_thread(found_papers, text, papers, self._session.offered(snapshot))
        return {"done": True, "papers": results}

    async def _bibtex(self, argument: Mapping[str, Any]) -> Result:
        """Return the entry of a key, or of a paper: the author's own where there is one, else what would be added."""
        snapshot = await self._session.snapshot(argument)
        key, text = argument.get("key"), None
        if not isinstance(key, str):
            (one,), _, _ = await new_entries(self._session, snapshot, [text_of(argument, "arxiv_id")])
            key, text = one.key or "", one.entry
            self._session.promised[key] = text_of(argument, "arxiv_id")
        entry = snapshot.entry(key)
        if entry is not None and entry.span.file in snapshot.texts:
            text = snapshot.texts[entry.span.file].text[entry.span.start : entry.span.end]
        if not text:
            raise UsageError(f"there is no entry {key}", "give a key of the project")
        return {"done": True, "key": key, "bibtex": text.strip() + "\n"}

    async def _add_entry(self, argument: Mapping[str, Any]) -> Result:
        """Add the entry of a paper to the project's .bib file, under the key that was cited."""
        snapshot = await self._session.snapshot(argument)
        arxiv_id = text_of(argument, "arxiv_id")
        wanted = argument.get("key") if isinstance(argument.get("key"), str) else None
        (one,), path, planned = await new_entries(self._session, snapshot, [arxiv_id], wanted)
        if wanted and one.key and one.key != wanted:
            planned |= renamed(wanted, one.key, snapshot)
        edited = await apply_edits(self._session, "Add an entry", planned)
        return _answer(edited, status=one.status, key=one.key, file=str(path))

    async def _cite(self, argument: Mapping[str, Any]) -> Result:
        """Cite a paper at a position, and add its entry in the same edit."""
        snapshot = await self._session.snapshot(argument)
        document = self._session.documents.get(text_of(argument, "uri"))
        line, character = argument.get("line"), argument.get("character")
        if document is None or not isinstance(line, int) or not isinstance(character, int):
            raise UsageError("the command needs 'line' and 'character'", ARGUMENTS_HINT)
        offset = document.lined.offset(line, character, self._session.documents.encoding)
        (one,), path, planned = await new_entries(self._session, snapshot, [text_of(argument, "arxiv_id")])
        lined = document.lined
        planned[document.path] = Planned(lined, (citation(document.path, lined, offset, one.key or "", snapshot),))
        edited = await apply_edits(self._session, "Cite", planned)
        await self._telling.settle(snapshot, text_of(argument, "arxiv_id"))
        return _answer(edited, status=one.status, key=one.key, file=str(path))

    async def _check(self, argument: Mapping[str, Any]) -> Result:
        """Check the bibliography now, with `online` at arXiv too, and return the counts of verdicts."""
        snapshot = await self._session.snapshot(argument)
        examined = await self._examined(snapshot)
        if argument.get("online") is True:
            examined = await self._telling.look_up(examined) or examined
        verdicts = examined.cited.verdicts
        return {
            "done": True,
            "verdicts": dict(verdicts),
            "worst": examined.cited.worst(),
            "summary": f"{verdicts.total():,} cited: {verdicts_in_words(verdicts)}" if verdicts else "",
        }

    async def _audit(self, argument: Mapping[str, Any]) -> Result:
        """Audit the draft; its findings become diagnostics until the next audit."""
        snapshot, result, findings = await self.generation.audit(argument)
        await self._telling.show_audit(audited(findings, snapshot), snapshot)
        return result

    async def _fix(self, argument: Mapping[str, Any]) -> Result:
        """Make the certain corrections in one entry.

        With `published` it is replaced by its published version, with `record` it gets its record's title and authors.
        """
        snapshot = await self._session.snapshot(argument)
        key = text_of(argument, "key")
        entry = snapshot.entry(key)
        if entry is None or entry.span.file not in snapshot.texts:
            raise UsageError(f"there is no entry {key}", "give a key of the project")
        path = entry.span.file
        published, by_record = argument.get("published") is True, argument.get("record") is True
        request = FixRequest(frozenset({"published_version"}) if published else frozenset(), published)
        examined = await self._examined(snapshot)
        file = bib_file(path, snapshot)

        def correct(corpus: Corpus) -> Any:
            lookup = lookup_in(corpus)
            report = as_recorded(examined.report, entry.key, lookup) if by_record else examined.report
            return fix_entry(report, file, entry.key, lookup, request)

        fixed, left = await self._session.library.ask(correct)
        if not fixed.changed:
            raise UsageError(left[0].message if left else f"no correction of {key} is certain", "correct it by hand")
        planned = {path: difference(path, snapshot.texts[path], fixed.after)}
        return _answer(await apply_edits(self._session, "Correct the entry", planned))

    async def _replace_key(self, argument: Mapping[str, Any]) -> Result:
        """Cite another key in place of one, wherever the project cites it."""
        snapshot = await self._session.snapshot(argument)
        key, by = text_of(argument, "key"), text_of(argument, "by")
        if by not in snapshot.entries:
            raise UsageError(f"there is no entry {by}", "give a key of the project")
        return _answer(await apply_edits(self._session, "Correct the key", recited(key, by, snapshot)))

    async def _accept(self, argument: Mapping[str, Any]) -> Result:
        """Mark a generated sentence, or a paragraph's, as accepted."""
        snapshot = await self._session.snapshot(argument)
        place, undo = text_of(argument, "place"), argument.get("undo") is True
        if is_remote(snapshot.root):
            return await self.generation.decide(
                snapshot,
                "Accept",
                lambda project, home: accept(project, [place], home, everything=False, undo=undo).changed,
            )
        home, projects = self._session.library.settings.home, self._session.projects
        project = projects.project(snapshot.root)
        section = projects.held().get(project.where.tex)

        def mark() -> int:
            text = section.text if section is not None else None
            reviewed = accept(project, [place], home, everything=False, undo=undo, text=text)
            return len(reviewed.changed)

        changed = await asyncio.to_thread(mark)
        self._session.projects.changed(snapshot.root)
        self._session.later(self._session.look_again())
        return {"done": True, "changed": changed}

    async def _reject(self, argument: Mapping[str, Any]) -> Result:
        """Take a generated sentence out of the section's file; no run writes it again. With `undo` it comes back."""
        snapshot = await self._session.snapshot(argument)
        place, undo = text_of(argument, "place"), argument.get("undo") is True
        if is_remote(snapshot.root):
            do, label = (restore, "Restore the sentence") if undo else (reject, "Reject the sentence")
            return await self.generation.decide(snapshot, label, lambda project, home: do(project, home, [place]))
        project = self._session.projects.project(snapshot.root)
        tex, home = project.where.tex, self._session.library.settings.home
        document = self._session.documents.at(tex)
        if document is not None and document.lined.text != saved_text(tex):
            raise UsageError(f"{tex.name} has unsaved changes", "save it, then reject the sentence")
        changed = await asyncio.to_thread(restore if undo else reject, project, home, [place])
        self._session.projects.changed(tex, structure=True)
        self._session.later(self._session.look_again())
        return {"done": bool(changed), "changed": len(changed)}

    async def _shortlist(self, argument: Mapping[str, Any]) -> Result:
        """List papers that the section could discuss; with `written` those that it cites, which nothing is run for."""
        snapshot = await self._session.snapshot(argument)
        if argument.get("written") is not True:
            answer = await self.generation.list_papers(argument)
        else:
            ids = () if snapshot.section is None else sorted(snapshot.section.papers)
            papers = await self._session.library.papers(ids)
            rows = [as_written(value, papers.get(value), snapshot) for value in ids]
            answer = {"done": True, "papers": [row for row in rows if row is not None]}
        checks = self._checks(snapshot)
        for row in answer["papers"]:
            row["verdict"] = checks[row["key"]].verdict if row["key"] in checks else None
        return answer

    async def _provenance(self, argument: Mapping[str, Any]) -> Result:
        """Return the sources of the generated sentence at a position, or of all."""
        snapshot = await self._session.snapshot(argument)
        section = snapshot.section
        if section is None:
            raise UsageError("the project has no generated section", "write one with 'citeplug related MAIN.tex'")
        line = argument.get("line")
        works = printed_works(snapshot.draft.entries)
        ids = {source.arxiv_id for sentence, _ in section.sentences for source in sentence.sources if source.arxiv_id}
        papers = await self._session.library.papers(sorted(ids))
        checks = self._checks(snapshot)

        def as_told(sentence: Recorded, place: Stretch | None) -> Result:
            quotes_from, words = sentence.quotes_from, sentence.words
            sources = []
            for source in sentence.sources:
                entry = snapshot.entry_of(source.arxiv_id)
                check = checks.get(entry.key) if entry is not None else None
                record = check.arxiv_id if check is not None else None  # of a work of the author's library, too
                sources.append({**asdict(source), "record": record, **named(source, entry, quotes_from, words, papers)})
            shown, close = in_print(sentence.text, works), closeness(sentence, papers)
            line = section.lined.line_of(place.start) + 1 if place else None
            told = {"place": sentence.place, "line": line, "shown": shown, "close": close, "doubt": sentence.doubt}
            return {**asdict(sentence), **told, "sources": sources}

        matching = [
            as_told(sentence, place)
            for sentence, place in section.sentences
            if not isinstance(line, int)
            or (place and section.lined.line_of(place.start) <= line <= section.lined.line_of(place.end - 1))
        ]
        return {"done": True, "file": str(section.path), "sentences": matching}

    async def _insert(self, argument: Mapping[str, Any]) -> Result:
        """Add the lines by which the draft reads its section and the section's entries."""
        snapshot = await self._session.snapshot(argument)
        if snapshot.section is None:
            raise UsageError("the project has no generated section", "write one first")
        edits = insertion(snapshot.draft, snapshot.texts, self._session.projects.project(snapshot.root).where)
        files = dict.fromkeys(edit.file for edit in edits)
        planned = {
            file: Planned(snapshot.texts[file], tuple(edit for edit in edits if edit.file == file)) for file in files
        }
        return _answer(await apply_edits(self._session, "Insert the section", planned))

    def _checks(self, snapshot: Snapshot) -> Mapping[str, EntryCheck]:
        examined = self._session.examined.get(snapshot.root)
        return {} if examined is None else examined.checks

    async def _examined(self, snapshot: Snapshot) -> Examined:
        examined = self._session.examined.get(snapshot.root)
        if examined is None or examined.snapshot is not snapshot:
            examined = await self._telling.examine(snapshot)
        if examined is None:
            raise UsageError("the bibliography was changed while it was checked", "try again")
        return examined


def _answer(edited: Edited, **more: Any) -> Result:
    return {"done": bool(edited.files), **more, "edited": edited}
