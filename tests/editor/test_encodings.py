"""Files that are not UTF-8: no edit is made by which the editor would lose their letters."""

import pytest

from tests.editor.editor import Editor, after
from tests.editor.test_previews import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAIN = """\\documentclass{article}
\\usepackage[latin1]{inputenc}
\\begin{document}
\\title{Deep graph convolutional networks}
\\begin{abstract}We train deep graph convolutional networks, of which random edges are removed.\\end{abstract}
G\u00f6del and M\u00fcller.
\\bibliographystyle{plain}\\bibliography{refs}
\\end{document}
"""
BIB = "@article{smith,\n  title  = {\u00dcber Graphen},\n  author = {Smith, A.}\n}\n"
PAPER = "1907.10903"


async def test_a_file_that_is_open_as_what_it_is_is_edited(editor: Editor) -> None:
    folder = editor.project(refs_bib="")
    main, refs = folder / "main.tex", folder / "refs.bib"
    main.write_bytes(MAIN.encode("latin-1"))
    refs.write_bytes(BIB.encode("latin-1"))
    editor.open(main, MAIN)
    edits = len(editor.applied)
    closed = await ask(editor, "addEntry", folder, arxiv_id=PAPER)
    assert closed["done"] is False and "refs.bib" in closed["message"] and "encoding" in closed["message"]
    editor.open(refs, BIB.encode("latin-1").decode("utf-8", "replace"))
    mistaken = await ask(editor, "addEntry", folder, arxiv_id=PAPER)
    assert mistaken["done"] is False and "refs.bib" in mistaken["message"]
    assert len(editor.applied) == edits and refs.read_bytes() == BIB.encode("latin-1")
    editor.replace(refs, BIB)
    done = await ask(editor, "addEntry", folder, arxiv_id=PAPER)
    assert done["done"] is True, done
    assert after(editor.applied[-1], refs, BIB).startswith(BIB)


async def test_a_section_is_not_even_shown_if_the_draft_could_not_take_it(editor: Editor) -> None:
    folder = editor.project()
    (folder / "main.tex").write_bytes(MAIN.replace("G\u00f6del", "\\input{part} G\u00f6del").encode("latin-1"))
    (folder / "refs.bib").write_text("", "utf-8")
    part = folder / "part.tex"
    text = "Removing random edges from the graph eases the training of deep graph convolutional networks.\n"
    part.write_text(text, "utf-8")
    editor.open(part, text)
    result = await ask(editor, "generate", folder, uri=part.as_uri(), breadth=3, insert=True, preview=True)
    assert result["done"] is False and "main.tex is saved as" in result["message"]


async def test_a_file_with_a_mark_of_its_order_of_bytes_needs_nobody_to_open_it(editor: Editor) -> None:
    folder = editor.project(refs_bib="")
    text = MAIN.replace("latin1", "utf8")
    (folder / "main.tex").write_text(text, "utf-8")
    (folder / "refs.bib").write_bytes(b"\xef\xbb\xbf" + BIB.encode("utf-8"))
    editor.open(folder / "main.tex", text)
    done = await ask(editor, "addEntry", folder, arxiv_id=PAPER)
    assert done["done"] is True, done
    assert after(editor.applied[-1], folder / "refs.bib", BIB).startswith(BIB)
