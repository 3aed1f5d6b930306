"""What a run would change, shown before; one paragraph anew; a new plan; the shortlist and the author's word on it."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from citeplug.bibtex.entries import parse_bib
from citeplug.records.dialogue import Request
from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.grammar import read_related
from citeplug.text.quotation import find_quote
from tests.editor.editor import Editor, after, environment, start
from tests.editor.test_commands import actions, run
from tests.editor.test_generation import demo, files
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.debates import PLAIN, record_debates
from tests.harness.model_server import Answer
from tests.harness.openai_server import OpenAIServer
from tests.harness.scripted_models import honest, read_prompt

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ask(own: Editor, command: str, folder: Path, **more: Any) -> Any:
    argument = {"uri": (folder / "main.tex").as_uri(), **more}
    return await run(own, lsp.Command(title="", command=f"citeplug.server.{command}", arguments=[argument]))


def copied(own: Editor, written: Path, name: str) -> Path:
    folder = own.folder / name
    shutil.copytree(written, folder)
    own.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    return folder


async def test_what_is_shown_is_what_is_applied_and_nothing_before(own: Editor) -> None:
    folder = demo(own, "shown")
    before, edits = files(folder), len(own.applied)
    shown = await ask(own, "generate", folder, breadth=3, insert=True, preview=True)
    assert shown["done"] is True and len(shown["changes"]) == 3
    section = next(each["after"] for each in shown["changes"] if each["uri"].endswith("related.tex"))
    for sentence in shown["sentences"]:
        assert f"citeplug:begin {sentence['paragraph']} " in section
        assert "\\" not in sentence["text"] and "2017cite" not in sentence["text"]
        lines = section.splitlines()[sentence["line"] : sentence["end_line"] + 1]
        assert lines[0][sentence["character"] :].split()[0] in sentence["text"] or "\\cite" in lines[0]
        assert sentence["close"] or sentence["doubt"] == ""
    quoted = [source for sentence in shown["sentences"] for source in sentence["sources"]]
    assert quoted and all(source["text"] and re.search(r"\d{4}|Your draft", source["name"]) for source in quoted)
    assert files(folder) == before and len(own.applied) == edits
    done = await ask(own, "applyPreview", folder, preview=shown["preview"])
    assert done["done"] is True
    for change in shown["changes"]:
        path = next(Path(each) for each in done["files"] if Path(each).as_uri() == change["uri"])
        assert after(own.applied[-1], path, change["before"]) == change["after"]
    assert (folder / ".citeplug" / "provenance.json").is_file()
    again = await ask(own, "applyPreview", folder, preview=shown["preview"])
    assert again["done"] is False


async def test_a_preview_can_be_had_without_some_places_and_whole_again_and_what_is_applied_is_what_was_shown(
    own: Editor,
) -> None:
    folder = demo(own, "left-out")
    shown = await ask(own, "generate", folder, breadth=6, insert=True, preview=True)
    preview, before = shown["preview"], files(folder)

    def texts(answer: Any) -> dict[str, str]:
        return {each["uri"].rpartition("/")[2]: each["after"] for each in answer["changes"]}

    async def without(*places: str) -> dict[str, str]:
        return texts(await ask(own, "applyPreview", folder, preview=preview, without=list(places), dry_run=True))

    first, *others = [each["place"] for each in shown["sentences"]]
    paragraph = shown["sentences"][0]["paragraph"]
    gone = await without(paragraph)
    assert f"citeplug:begin {paragraph} " not in gone["related.tex"]
    left = await without(*others)
    keys = {entry.key for entry in parse_bib(left["related.bib"])}
    assert keys < {entry.key for entry in parse_bib(texts(shown)["related.bib"])}
    assert keys <= cited_keys(left["related.tex"]) | cited_keys(left["main.tex"])
    assert await without() == texts(shown)
    assert files(folder) == before and first
    await without(paragraph)
    done = await ask(own, "applyPreview", folder, preview=preview, without=others)
    assert done["done"] is True
    for path in map(Path, done["files"]):
        assert after(own.applied[-1], path, (path.read_text("utf-8") if path.is_file() else "")) == left[path.name]


async def test_what_is_discarded_leaves_nothing(own: Editor) -> None:
    folder = demo(own, "thrown")
    before = files(folder)
    shown = await ask(own, "generate", folder, breadth=3, preview=True)
    assert len(list((own.home / "editing").iterdir())) == 1
    assert (await ask(own, "discardPreview", folder, preview=shown["preview"]))["done"] is True
    assert files(folder) == before
    assert not list((own.home / "editing").iterdir())


@pytest.mark.parametrize("where", ["typed", "disk", "accepted"])
async def test_what_does_not_fit_any_more_is_not_applied(own: Editor, written: Path, where: str) -> None:
    folder = copied(own, written, f"late-{where}")
    related = folder / "related.tex"
    if where == "typed":
        own.open(related, related.read_text("utf-8"))
    shown = await ask(own, "generate", folder, breadth=4, replan=True, preview=True)
    assert shown["changes"]
    if where == "typed":
        own.type(related, "% mine\n", (0, 0))
    elif where == "disk":
        related.write_text(related.read_text("utf-8") + "% mine\n", "utf-8")
    else:
        assert (await ask(own, "accept", folder, place="p1"))["changed"] > 0
    before, edits = files(folder), len(own.applied)
    done = await ask(own, "applyPreview", folder, preview=shown["preview"])
    assert (done["done"], "changed" in done["message"]) == (False, True)
    assert files(folder) == before and len(own.applied) == edits


async def test_one_paragraph_is_written_anew_by_its_own_plan(own: Editor, written: Path) -> None:
    folder = copied(own, written, "one")
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    block = max(read_related(text).blocks, key=lambda each: len(each.plan.lines))
    assert len([line for line in block.plan.lines if line.cites]) > 1
    raw = text[block.start : block.end]
    number = next(n for n, line in enumerate(raw.splitlines()) if line.startswith("% citeplug:1"))
    lines = raw.splitlines(keepends=True)
    changed = text.replace(raw, "".join([*lines[:number], *lines[number + 1 :]]))
    own.open(related, text)
    own.replace(related, changed)
    top = changed[: block.start].count("\n")
    titles = await actions(own, related, lsp.Position(line=top, character=3))
    command = titles["Rewrite this paragraph"]
    assert command.command == "citeplug.server.refreshParagraph"
    result = await run(own, command)
    assert result["done"] is True, result
    done = after(own.applied[-1], related, changed)
    untouched = [each for each in read_related(changed).blocks if each.id != block.id]
    assert all(changed[each.start : each.end] in done for each in untouched)
    now = next(each for each in read_related(done).blocks if each.id == block.id)
    assert not now.edited and now.text != block.text
    nothing = await ask(own, "refreshParagraph", folder, line=0)
    assert nothing["done"] is False and "paragraph" in nothing["message"]


async def test_a_paragraph_with_the_same_plan_is_said_to_have_nothing_else(own: Editor, written: Path) -> None:
    folder = copied(own, written, "same")
    command = [sys.executable, "-m", "citeplug", "related", str(folder / "main.tex"), "--offline", "--only", "p1", "-q"]
    subprocess.run(command, env=environment(own.home), check=True)
    own.open(folder / "related.tex", (folder / "related.tex").read_text("utf-8"))
    edits, said = len(own.applied), len(own.client.messages)
    shown = await ask(own, "refreshParagraph", folder, place="p1", preview=True)
    assert not shown["changes"]
    (why,) = [each for each in shown["findings"] if each["code"] == "nothing_else_to_write"]
    assert "without a language model" in why["message"] and "plan" in why["fix"]
    assert (await ask(own, "refreshParagraph", folder, place="p1"))["done"] is False
    await own.until(lambda: any("nothing else can be written" in each.message for each in own.client.messages[said:]))
    assert len(own.applied) == edits


async def test_a_new_plan_takes_the_place_of_the_authors(own: Editor, written: Path) -> None:
    folder = copied(own, written, "anew")
    related = folder / "related.tex"
    text = related.read_text("utf-8")
    typed = text.replace("% citeplug:1 ", "% citeplug:heading My own\n% citeplug:1 ", 1)
    own.open(related, typed)
    result = await ask(own, "replan", folder, breadth=3)
    assert result["done"] is True, result
    done = after(own.applied[-1], related, typed)
    assert "My own" not in done and read_related(done).blocks


async def test_the_section_is_told_while_it_is_written(own: Editor) -> None:
    folder = demo(own, "told")
    lines: list[Any] = []

    @own.client.feature("citeplug/text")  # type: ignore[untyped-decorator]
    def told(params: Any) -> None:
        lines.append((params.token, params.text))

    shown = await ask(own, "generate", folder, breadth=12, preview=True, stream=True, token="mine")
    section = next(each["after"] for each in shown["changes"] if each["uri"].endswith("related.tex"))
    assert {token for token, _ in lines} == {"mine"}
    said = [text.strip() for _, text in lines]
    assert all(line in section for line in said if not line.startswith("["))
    assert len(said) >= 3


async def test_the_shortlist_says_what_would_be_discussed_and_why(own: Editor) -> None:
    folder = demo(own, "listed")
    before = files(folder)
    listed = await ask(own, "shortlist", folder, breadth=3)
    papers = listed["papers"]
    assert [each["chosen"] for each in papers[:3]] == [True] * 3 and not any(each["chosen"] for each in papers[3:])
    assert all(0 <= each["score"] <= 1 and each["found_by"] and each["verified"] for each in papers)
    found = [each for each in papers if "draft" not in each["found_by"]]
    assert all(each["reasons"] and each["reasons"][0]["text"] and each["cited_as"] is None for each in found)
    # What is known from the draft alone needs no reason to be there.
    assert len(found) > 1 and all(each["cited_as"] for each in papers if each not in found)
    assert files(folder) == before
    first, last = papers[0], papers[-1]
    for paper, choice in ((first, "exclude"), (last, "pin")):
        assert (await ask(own, "choose", folder, arxiv_id=paper["arxiv_id"], choice=choice))["changed"] is True
        settings = folder / "citeplug.toml"
        # The editor of the tests saves nothing by itself.
        old = settings.read_text("utf-8") if settings.is_file() else ""
        settings.write_text(after(own.applied[-1], settings, old), "utf-8")
    chosen = {each["arxiv_id"]: each for each in (await ask(own, "shortlist", folder, breadth=3))["papers"]}
    assert (chosen[first["arxiv_id"]]["choice"], chosen[first["arxiv_id"]]["chosen"]) == ("exclude", False)
    assert (chosen[last["arxiv_id"]]["choice"], chosen[last["arxiv_id"]]["chosen"]) == ("pin", True)


async def test_a_paper_has_what_a_model_said_for_and_against_it(own: Editor, written: Path) -> None:
    folder = own.folder / "debated"
    shutil.copytree(written, folder)
    record_debates(folder / "main.tex")
    related = (folder / "related.tex").read_text("utf-8")
    own.open(folder / "main.tex", (folder / "main.tex").read_text("utf-8"))
    own.open(folder / "related.tex", related)
    papers = (await ask(own, "shortlist", folder, breadth=3))["papers"]
    assert papers
    for paper in (each for each in papers if "draft" not in each["found_by"]):
        (argument,) = paper["debate"]["for"]
        assert argument["argument"] == PLAIN and find_quote(argument["quote"], paper["abstract"])
        assert (paper["debate"]["probability"], paper["debate"]["against"]) == (82.5, [])
    # Of works that only the draft has there is no debate.
    key = re.search(r"^\\citet\{", related, re.MULTILINE)
    assert key is not None
    found = await own.hover(folder / "related.tex", related[: key.end()] + "|" + related[key.end() :])
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    card = found.contents.value
    assert "debated by a model: cited with probability 82.5 %" in card
    assert r"for: It is \<b\>near\</b\> \& \\input\{x\} \[it\](http:" in card and "http://evil" not in card
    assert not any(sign in card for sign in ("It is made up.", "\x1b", "\u202e"))


async def test_a_word_that_is_none_is_refused(own: Editor) -> None:
    folder = demo(own, "refused")
    for arxiv_id, choice in (("1907.10903", "love"), ("a paper", "pin")):
        result = await ask(own, "choose", folder, arxiv_id=arxiv_id, choice=choice)
        assert result["done"] is False
    result = await ask(own, "generate", folder, breadth=1000)
    assert result["done"] is False and "breadth" in result["message"]


@pytest.mark.parametrize("answer", ["Send", "Do not send", None])
async def test_a_model_that_the_author_names_is_asked_when_he_has_agreed(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None
) -> None:
    shutil.copytree(library, tmp_path / "home", symlinks=True)
    (tmp_path / "workspace").mkdir()
    with OpenAIServer(lambda request: honest(read_prompt(request))).serve() as server:
        for name, value in server.environment("sk-secret-key-0123456789").items():
            monkeypatch.setenv(name, value)
        # Another name of this machine, of which citeplug cannot know that it is one.
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.root.replace('127.0.0.1', '127.1')}/v1")
        asked: list[str] = []
        async with start(tmp_path / "workspace", tmp_path / "home") as editor:

            @editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
            def consent(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
                asked.append(params.message)
                return None if answer is None else lsp.MessageActionItem(title=answer)

            folder = demo(editor, "hosted")
            before = files(folder)
            result = await asyncio.wait_for(ask(editor, "generate", folder, breadth=3, llm="openai:small"), 60)
            assert files(folder).keys() - before.keys() == (
                {str(each) for each in (folder / ".citeplug").rglob("*") if each.is_file()}
            )
            if answer == "Send":
                assert result["done"] is True, result
                assert server.requests
            else:
                assert result["done"] is False and not server.requests and not editor.applied
        (message,) = asked
        assert "127.1" in message and "small" in message and "sk-secret" not in message


async def test_a_run_whose_limit_runs_out_in_the_middle_sends_no_more_and_is_finished_without_the_model(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(library, tmp_path / "home", symlinks=True)
    (tmp_path / "workspace").mkdir()

    def dear(request: Request) -> Answer:
        return Answer(json.dumps(honest(read_prompt(request))), tokens_out=60_000)

    def asks_to_send(capabilities: lsp.ClientCapabilities) -> None:
        capabilities.experimental = {"citeplug": {"asksToSend": True}}

    with AnthropicServer(dear).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value.replace("127.0.0.1", "127.1"))
        asked: list[Any] = []
        async with start(tmp_path / "workspace", tmp_path / "home", change=asks_to_send) as editor:

            @editor.client.feature("citeplug/maySend")  # type: ignore[untyped-decorator]
            def consent(params: Any) -> dict[str, Any]:
                asked.append(params)
                return {"send": True, "limit": 1.6}

            folder = demo(editor, "limited")
            result = await asyncio.wait_for(ask(editor, "generate", folder, breadth=5, llm="anthropic"), 100)
            assert result["done"] is True, result
            assert "budget_reached" in [each["code"] for each in result["findings"]]
            section = after(editor.applied[-1], folder / "related.tex", "")
            assert read_related(section).blocks and cited_keys(section)
        (question,) = asked
        assert question.cost > 0 and question.max_cost is None and "127.1" in question.place
        answered = [each for each in server.requests if not each.path.endswith("/count_tokens")]
        assert 1 <= len(answered) <= 2, "what they have cost leaves nothing for a third request"


OWN = "\\paragraph{Related work.} Some did this \\cite{a,b}. Others did that \\cite{c}.\n\nWe do otherwise.\n"


def with_own_text(editor: Editor, name: str) -> Path:
    folder = demo(editor, name)
    main = folder / "main.tex"
    text = main.read_text("utf-8").replace("\\section{Conclusion}", f"{OWN}\\section{{Conclusion}}")
    assert OWN in text
    main.write_text(text, "utf-8")
    editor.replace(main, text)
    return folder


async def test_an_author_with_a_related_work_is_asked_before_a_second_one(tmp_path: Path, library: Path) -> None:
    shutil.copytree(library, tmp_path / "home", symlinks=True)
    (tmp_path / "workspace").mkdir()
    async with start(tmp_path / "workspace", tmp_path / "home") as editor:
        asked: list[str] = []
        answers: list[str | None] = []

        @editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)  # type: ignore[untyped-decorator]
        def answer(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
            asked.append(params.message)
            said = answers.pop()
            return None if said is None else lsp.MessageActionItem(title=said)

        folder = with_own_text(editor, "own")
        for said in ("Don’t insert", None, "List what it misses"):
            for command in ("generate", "insertSection"):
                answers.append(said)
                done = await ask(editor, command, folder, breadth=3, insert=True)
                assert (done["done"], done.get("missing")) == (False, True if said and "List" in said else None)
        assert not editor.applied and len(asked) == 6
        assert all("“Related work”, which cites 3 works" in message for message in asked)
        answers.append("Insert after it")
        shown = await ask(editor, "generate", folder, breadth=3, insert=True, preview=True)
        main = next(each for each in shown["changes"] if each["uri"].endswith("main.tex"))
        assert "Others did that \\cite{c}.\n\n\\input{related}\n\nWe do otherwise." in main["after"]
        assert "own_related_work" in [each["code"] for each in shown["findings"]]
        # Nobody is asked who says so, or wants no second one.
        assert (await ask(editor, "generate", folder, breadth=3, insert=True, preview=True, beside=True))[
            "done"
        ] is True
        assert (await ask(editor, "generate", folder, breadth=3, preview=True))["done"] is True
        listed = await ask(editor, "shortlist", folder, breadth=3, missing=True)
        assert listed["papers"] and not any(paper["cited_as"] for paper in listed["papers"])


async def test_an_editor_that_cannot_ask_gets_the_section_beside_and_a_finding(own: Editor) -> None:
    folder = with_own_text(own, "unasked")
    shown = await ask(own, "generate", folder, breadth=3, insert=True, preview=True)
    assert shown["done"] is True and "own_related_work" in [each["code"] for each in shown["findings"]]
