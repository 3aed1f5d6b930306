"""A paper that is typed and changed at random: what the server knows is what a fresh reading knows."""

import asyncio
import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from citeplug.editor.documents import Documents
from citeplug.editor.projects import Projects
from citeplug.editor.snapshot import Snapshot
from citeplug.files.decode import read_text

CHANGES, EVERY = 10_000, 100
PIECES = ["a", " ", "\n", "\r\n", "{", "}", "\\", "%", ",", "😀", "\\cite{", "\\input{x}", "\\begin{a}", "@misc{k,", ""]


async def ignore(_: Snapshot) -> None:
    return None


async def snapshot_of(texts: dict[Path, str], path: Path) -> Snapshot | None:
    """What a new server knows."""
    documents = Documents()
    for each, text in texts.items():
        documents.open(each.as_uri(), 1, text)
    projects = Projects(documents, ignore, Path())
    projects.generation = 1
    try:
        return await projects.current(path)
    finally:
        projects.close()


def known(snapshot: Snapshot | None) -> object:
    if snapshot is None:
        return None
    texts = {path: (lined.text, lined.starts) for path, lined in snapshot.texts.items()}
    return snapshot.draft, snapshot.mentions, snapshot.entries, snapshot.own_commands, texts


async def type_at_random(main: Path, bib: Path, seed: int, changes: int) -> None:
    dice = random.Random(seed)
    documents = Documents()
    projects = Projects(documents, ignore, Path())
    whole = {path: read_text(path).text for path in (main, bib)}
    texts = {main: "", bib: whole[bib]}
    for path, text in texts.items():
        documents.open(path.as_uri(), 0, text)
        projects.changed(path, structure=True)
    for number in range(1, changes + 1):
        path = dice.choice((main, main, main, bib))
        text = texts[path]
        if path == main and len(text) < len(whole[main]) and dice.random() < 0.8:
            # As it is typed: the next characters of the paper, at the end.
            start = end = len(text)
            new = whole[main][start : start + dice.randrange(1, 12)]
        else:
            start = dice.randrange(len(text) + 1)
            end = min(start + dice.choice((0, 0, 1, 3, 40)), len(text))
            new = dice.choice(PIECES)
        lined = documents.at(path)
        assert lined is not None
        places = [lsp.Position(*lined.lined.place(offset, "utf-16")) for offset in (start, end)]
        start, end = (
            lined.lined.offset(place.line, place.character, "utf-16") for place in places
        )  # none within a line end
        documents.change(path.as_uri(), number, [lsp.TextDocumentContentChangePartial(lsp.Range(*places), new)])
        texts[path] = text[:start] + new + text[end:]
        projects.changed(path)
        if number % EVERY == 0:
            assert known(await projects.current(main)) == known(await snapshot_of(texts, main)), (seed, number)
    projects.close()


def test_a_draft_that_changes_is_known_as_if_read_anew(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    cites = "\n".join(f"Text \\cite{{key{number},other}} and \\mine[see]{{key{number}}}." for number in range(40))
    head = "\\documentclass{article}\\newcommand{\\mine}[2][]{\\citep[#1]{#2}}\n\\begin{document}\n"
    main.write_text(f"{head}{cites}\n\\bibliography{{refs}}\n\\end{{document}}\n", "utf-8")
    bib = tmp_path / "refs.bib"
    bib.write_text("".join(f"@misc{{key{n}, title = {{T{n}}}, note = s}}\n" for n in range(30)), "utf-8")
    asyncio.run(type_at_random(main, bib, 1, 1_000))


@pytest.mark.shared_data
def test_a_real_paper_that_is_typed_is_known_as_if_read_anew(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "latex" / "mdeff+paper-cnn-graph-nips2016"
    main = next(path for path in sorted(source.rglob("*.tex")) if "\\documentclass" in read_text(path).text)
    bib = sorted(source.rglob("*.bib"))[0]
    for path in (main, bib):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    asyncio.run(type_at_random(tmp_path / main.name, tmp_path / bib.name, 2, CHANGES))
