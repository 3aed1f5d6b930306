"""Questions to the draft's papers over the language server, and a sentence of the answer put at the cursor."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from citeplug.corpus.fulltext.store import TextStore
from citeplug.records.dialogue import Request
from citeplug.records.passage import PaperText, TextSection
from tests.ask.by_model.asked import judged, passages_in, said, verdicts
from tests.editor.conftest import DEMO
from tests.editor.editor import Editor, after, environment, start
from tests.harness.anthropic_server import AnthropicServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = """@article{kipf,
  title = {Semi-Supervised Classification with Graph Convolutional Networks},
  author = {Kipf, Thomas N. and Welling, Max},
  year = 2016, eprint = {1609.02907}, archiveprefix = {arXiv}
}
"""
MAIN = """\\documentclass{article}
\\title{Graphs}
\\begin{document}
\\begin{abstract}We learn representations of the nodes of large graphs by neural networks.\\end{abstract}
Graphs are everywhere \\cite{kipf}. And more.
% a remark
\\begin{tabular}{l}Nodes\\end{tabular}
\\bibliography{refs}
\\end{document}
"""
TEXT = "Networks on graphs can be learned."


async def command(editor: Editor, name: str, path: Path, **argument: Any) -> Any:
    arguments = [{"uri": path.as_uri(), **argument}]
    params = lsp.ExecuteCommandParams(command=f"citeplug.server.{name}", arguments=arguments)
    return await editor.client.workspace_execute_command_async(params)


def draft(editor: Editor) -> Path:
    path = editor.project(main=MAIN, refs_bib=BIB) / "main.tex"
    editor.open(path, MAIN)
    return path


async def test_a_question_is_answered_from_the_drafts_papers_or_refused(editor: Editor) -> None:
    path = draft(editor)
    answer = await command(editor, "ask", path, selection="How much does a kilogram of bananas cost in Lima?")
    assert answer["done"] and answer["refused"] and answer["sentences"] == [] == answer["nearest"]
    near = await command(editor, "ask", path, selection="Which graph networks were trained on bananas?")
    assert near["refused"] and near["nearest"]
    assert answer["markdown"].startswith("# How much does a kilogram of bananas cost in Lima?\n")
    assert "Nothing that bears out an answer was found" in answer["markdown"]
    assert not (await command(editor, "ask", path, question=" "))["done"]
    assert not (await command(editor, "insertAnswer", path, answer="x", number=1, line=0, character=0))["done"]


def reply(request: Request) -> dict[str, Any]:
    if "sentence 1, from" in request.prompt:
        return verdicts(*(["entailed"] * len(judged(request))))
    shown = passages_in(request)
    quotes = [{"passage": n, "quote": " ".join(shown[n].split()[:7])} for n in sorted(shown)[:2]]
    return said({"text": TEXT, "quotes": quotes})


async def test_a_models_sentence_is_put_at_the_cursor_with_its_entries_and_its_record(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AnthropicServer(reply).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setitem(os.environ, name, value)
        async with start(tmp_path, library) as editor:
            path = draft(editor)
            plain = await command(editor, "ask", path, question="What can be learned?")
            assert plain["model"] is None and server.requests == []
            answer = await command(editor, "ask", path, question="What can be learned on graphs?", llm="anthropic")
            assert [each["text"] for each in answer["sentences"]] == [TEXT]
            first = answer["sentences"][0]["citations"][0]
            assert first["beside"] == first["quote"] and answer["references"][first["paper"]]
            passage = await command(editor, "passage", path, answer=answer["answer"], number=1, citation=1)
            assert [part["text"] for part in passage["parts"] if part["marked"]] == [first["quote"]]
            for odd in ({"number": 2}, {"number": 1, "citation": 9}, {"answer": "x"}, {"number": "1"}):
                wrong = {"answer": answer["answer"], "citation": 1, **odd}
                assert not (await command(editor, "passage", path, **wrong))["done"]
            assert f"- {TEXT} [1][2]" in answer["markdown"] and "## References" in answer["markdown"]
            line = MAIN.splitlines().index("Graphs are everywhere \\cite{kipf}. And more.")
            at = {"line": line, "character": len("Graphs are everywhere \\cite{kipf}.")}
            done = await command(editor, "insertAnswer", path, answer=answer["answer"], number=1, **at)
            assert done["done"] and done["tex"].startswith("Networks on graphs can be learned~\\cite{")
            for text, offset in (("documentclass", 0), ("remark", 3), ("Nodes", 2)):
                row = next(number for number, each in enumerate(MAIN.splitlines()) if text in each)
                wrong = {"line": row, "character": MAIN.splitlines()[row].index(text) + offset}
                refused = await command(editor, "insertAnswer", path, answer=answer["answer"], number=1, **wrong)
                assert not refused["done"] and "where no sentence can be put" in refused["message"]
            (edit,) = editor.applied
            assert f"\\cite{{kipf}}. {done['tex']} And more." in after(edit, path, MAIN)
            entries = after(edit, path.with_name("refs.bib"), BIB)
            cited = {each["paper"] for each in answer["sentences"][0]["citations"]}
            assert entries.startswith(BIB) and all(paper in entries for paper in cited)
            record = json.loads((path.parent / ".citeplug" / "provenance.json").read_text())
            assert [each["tex"] for each in record["asked"]] == [done["tex"]]
            assert record["asked"][0]["file"] == "main.tex"
            editor.refuses = True
            again = await command(editor, "insertAnswer", path, answer=answer["answer"], number=1, **at)
            assert not again["done"]
            assert json.loads((path.parent / ".citeplug" / "provenance.json").read_text()) == record


async def test_the_conversation_is_kept_and_another_begins_when_it_is_wanted(library: Path, tmp_path: Path) -> None:
    home, question = tmp_path / "home", "Which graph networks were trained on bananas?"
    shutil.copytree(library, home, symlinks=True)
    async with start(tmp_path, home) as editor:
        path = draft(editor)
        await command(editor, "ask", path, question=question)
    async with start(tmp_path, home) as editor:
        editor.open(path, MAIN)
        (turn,) = (await command(editor, "conversation", path))["turns"]
        assert turn["question"] == question
        nearest = await command(editor, "passage", path, answer=turn["answer"], number=0, citation=1)
        assert nearest["found"] and nearest["title"]
        assert (await command(editor, "conversation", path, new=True))["turns"] == []


async def test_a_question_to_a_service_waits_for_the_author_and_others_do_not_wait_for_it(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(library, tmp_path / "home", symlinks=True)
    with AnthropicServer(reply).serve() as server:
        for name, value in server.environment().items():
            # Another name of this machine, of which citeplug cannot know that it is one.
            monkeypatch.setitem(os.environ, name, value.replace("127.0.0.1", "127.1"))
        async with start(tmp_path, tmp_path / "home") as editor:
            asked: list[str] = []
            decided = asyncio.Event()

            @editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
            async def consent(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem:
                asked.append(params.message)
                await decided.wait()
                return lsp.MessageActionItem(title="Send")

            path = draft(editor)
            waiting = asyncio.create_task(
                command(editor, "ask", path, question="What can be learned on graphs?", llm="anthropic")
            )
            await editor.until(lambda: bool(asked))
            other = await asyncio.wait_for(command(editor, "ask", path, question="What can be learned?"), 120)
            assert other["done"] and other["model"] is None and not waiting.done() and server.requests == []
            decided.set()
            answer = await asyncio.wait_for(waiting, 120)
            assert [each["text"] for each in answer["sentences"]] == [TEXT] and len(asked) == 1


async def test_a_question_sees_the_texts_that_came_since_the_last_one(library: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(library, home, symlinks=True)
    async with start(tmp_path, home) as editor:
        late = (DEMO / "library.jsonl").read_text("utf-8").splitlines()[-1]
        arxiv_id = json.loads(late)["id"]
        main = MAIN.replace("{kipf}", "{kipf,late}")
        entry = f"@misc{{late, title = {{Late}}, eprint = {{{arxiv_id}}}, archiveprefix = {{arXiv}}}}\n"
        path = editor.project(main=main, refs_bib=BIB + entry) / "main.tex"
        editor.open(path, main)

        async def looked_through() -> dict[str, str]:
            answer = await command(editor, "ask", path, question="How are bananas peeled?")
            return {each["paper"]: each["of"] for each in answer["looked_through"]}

        before = await looked_through()
        paper = next(iter(before))
        assert before[paper] == "abstract" and arxiv_id not in before
        text = "Bananas are peeled from the end that has no stalk, as monkeys do it."
        with closing(TextStore(home)) as store:  # as another process fetches it
            store.put(PaperText(paper, 1, "pdf", "Bananas", (TextSection(1, "S", text, len(text), ()),)), date.today())
        assert (await looked_through())[paper] == "full text"
        (tmp_path / "late.jsonl").write_text(late, "utf-8")
        add = [sys.executable, "-m", "citeplug", "index", "add", str(tmp_path / "late.jsonl"), "-q"]
        subprocess.run(add, env=environment(home), check=True)
        assert (await looked_through())[arxiv_id] == "abstract"
