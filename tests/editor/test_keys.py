"""Completion, hover and navigation on citation keys, in the real server."""

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.editor.editor import Editor, bare, position

pytestmark = pytest.mark.asyncio(loop_scope="module")

BIB = r"""@article{vaswani2017attention,
  title = {Attention Is All You Need},
  author = {Vaswani, Ashish and Shazeer, Noam},
  year = 2017, eprint = {1706.03762}, doi = {10.48550/arXiv.1706.03762}
}
@misc{schroedinger26, title = {Quantisierung}, author = {Schr{\"o}dinger, Erwin}, year = {1926}}
@misc{evil, title = {A [link](command:x) `code` <b> https://evil.example}, author = {Mallory}}
"""
MAIN = (
    "\\documentclass{article}\n\\newcommand{\\mine}[1]{\\citep{#1}}\n\\begin{document}\n"
    "%s\n\\bibliography{refs}\n\\end{document}\n"
)


def place(path: Path, text: str, word: str, number: int = 0) -> lsp.Location:
    """The location of the `number`th occurrence of a word."""
    at = -1
    for _ in range(number + 1):
        at = text.index(word, at + 1)
    start, end = position(text[:at] + "|"), position(text[: at + len(word)] + "|")
    return lsp.Location(uri=path.as_uri(), range=lsp.Range(start=start, end=end))


@pytest.mark.parametrize(
    "line",
    [
        "😀 As in \\citep[see][p. 3]{vas|}.",
        "\\cites[1]{schroedinger26}[2]{all need|",
        "\\mine{shaz 17|}",
        "\\citet*{\n  schroedinger26,\n  attention vas|}",
        "Unclosed {\\bf \\cite{ashish 2017|",
    ],
)
async def test_an_entry_is_found_by_any_of_its_words(editor: Editor, line: str) -> None:
    marked = MAIN % line
    folder = editor.project(main=MAIN % "", refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    items = await editor.complete(folder / "main.tex", marked)
    assert items[0].label == "vaswani2017attention"
    edit = items[0].text_edit
    assert isinstance(edit, lsp.TextEdit) and edit.new_text == "vaswani2017attention"
    assert edit.range.end == position(marked)
    assert items[0].filter_text == bare(marked)[: marked.index("|")].split("{")[-1].split(",")[-1].strip()


async def test_a_key_that_latex_cannot_cite_is_not_offered(editor: Editor) -> None:
    marked = MAIN % "\\cite{|}"
    bib = "".join(f"@misc{{{key}, title = {{On Trees}}}}\n" for key in ("zhu&zhao", "zhu%zhao", "zhu~zhao"))
    folder = editor.project(main=bare(marked), refs_bib=bib)
    editor.open(folder / "main.tex", bare(marked))
    labels = [item.label for item in await editor.complete(folder / "main.tex", marked)]
    # Behind the keys come papers of the catalogue, once that is open.
    assert [label for label in labels if label.startswith("zhu")] == ["zhu&zhao"]


async def test_all_entries_are_offered_where_nothing_is_typed_and_none_twice(editor: Editor) -> None:
    marked = MAIN % "\\cite{evil, |}"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    labels = [item.label for item in await editor.complete(folder / "main.tex", marked)]
    assert {"vaswani2017attention", "schroedinger26"} <= set(labels), "among papers by meaning, where these are ready"
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("line", ["\\textbf{vas|}", "% \\cite{vas|}", "\\cite{vas} and|", "\\label{vas|}"])
async def test_nothing_is_offered_where_nothing_is_cited(editor: Editor, line: str) -> None:
    folder = editor.project(main=MAIN % "", refs_bib=BIB)
    editor.open(folder / "main.tex", bare(MAIN % line))
    assert await editor.complete(folder / "main.tex", MAIN % line) == []


async def test_an_entry_that_is_typed_and_not_saved_is_offered(editor: Editor) -> None:
    folder = editor.project(main=MAIN % "\\cite{}", refs_bib=BIB)
    editor.open(folder / "main.tex", MAIN % "\\cite{}")
    editor.open(folder / "refs.bib", BIB)
    editor.type(folder / "refs.bib", "@misc{brandnew, title={New}}\n", (0, 0))
    await editor.hover(folder / "main.tex", "|")  # read anew
    labels = [item.label for item in await editor.complete(folder / "main.tex", MAIN % "\\cite{|}")]
    assert "brandnew" in labels


async def test_a_completion_resolves_to_the_card(editor: Editor) -> None:
    folder = editor.project(main=MAIN % "\\cite{}", refs_bib=BIB)
    editor.open(folder / "main.tex", MAIN % "\\cite{}")
    items = await editor.complete(folder / "main.tex", MAIN % "\\cite{|}")
    item = next(item for item in items if item.label == "vaswani2017attention")
    assert item.label_details == lsp.CompletionItemLabelDetails("  ★ Attention Is All You Need")
    resolved = await editor.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, lsp.MarkupContent)
    assert "**Attention Is All You Need**" in resolved.documentation.value
    assert "2017  \nAshish Vaswani, Noam Shazeer\n\n" in resolved.documentation.value


async def test_a_key_shows_its_card_in_the_text_and_in_the_bibliography(editor: Editor) -> None:
    marked = MAIN % "😀 \\cite{vaswani|2017attention} and \\cite{vaswani2017attention}"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    found = await editor.hover(folder / "main.tex", marked)
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    assert "[arXiv:1706.03762](https://arxiv.org/abs/1706.03762)" in found.contents.value
    assert "Cited in main.tex:4" in found.contents.value
    assert found.range == place(folder / "main.tex", bare(marked), "vaswani2017attention").range
    editor.open(folder / "refs.bib", BIB)
    there = await editor.hover(folder / "refs.bib", BIB.replace("vaswani", "vas|wani", 1))
    assert there is not None and isinstance(there.contents, lsp.MarkupContent)
    assert "**Attention Is All You Need**" in there.contents.value


async def test_what_stands_in_an_entry_is_no_markup(editor: Editor) -> None:
    marked = MAIN % "\\cite{ev|il}"
    folder = editor.project(main=bare(marked), refs_bib=BIB)
    editor.open(folder / "main.tex", bare(marked))
    found = await editor.hover(folder / "main.tex", marked)
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    value = found.contents.value
    assert "](command" not in value.replace("\\]", "") and "https://evil" not in value
    assert "\\`code\\`" in value and "\\<b\\>" in value


async def test_a_key_leads_to_its_entry_and_a_name_to_its_file(editor: Editor) -> None:
    text = MAIN % "\\input{part}"
    part = "Text \\citet{schroedinger|26}"
    folder = editor.project(main=text, part=bare(part), refs_bib=BIB)
    editor.open(folder / "part.tex", bare(part))
    params = lsp.DefinitionParams(**editor.at(folder / "part.tex", part))
    assert await editor.client.text_document_definition_async(params) == [
        place(folder / "refs.bib", BIB, "schroedinger26")
    ]
    editor.open(folder / "main.tex", text)
    params = lsp.DefinitionParams(**editor.at(folder / "main.tex", text.replace("{part", "{pa|rt")))
    found = await editor.client.text_document_definition_async(params)
    assert isinstance(found, list) and [each.uri for each in found if isinstance(each, lsp.Location)] == [
        (folder / "part.tex").as_uri()
    ]


async def test_all_citations_of_an_entry_are_found_from_either_side(editor: Editor) -> None:
    text = MAIN % "😀😀 \\cite{evil,schroedinger26} \\mine{schroedinger26}"
    folder = editor.project(main=text, refs_bib=BIB)
    editor.open(folder / "main.tex", text)
    editor.open(folder / "refs.bib", BIB)
    expected = [
        place(folder / "refs.bib", BIB, "schroedinger26"),
        place(folder / "main.tex", text, "schroedinger26"),
    ]
    for path, marked in (
        (folder / "refs.bib", BIB.replace("schroedinger", "schroe|dinger", 1)),
        (folder / "main.tex", text.replace("schroedinger", "schroe|dinger", 1)),
    ):
        context = lsp.ReferenceContext(include_declaration=True)
        found = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context=context, **editor.at(path, marked))
        )
        assert found is not None and list(found[:2]) == expected and len(found) == 3


async def test_ids_and_dois_lead_to_their_pages_and_nowhere_else(editor: Editor) -> None:
    folder = editor.project(refs_bib=BIB)
    editor.open(folder / "refs.bib", BIB)
    params = lsp.DocumentLinkParams(text_document=lsp.TextDocumentIdentifier(uri=(folder / "refs.bib").as_uri()))
    found = await editor.client.text_document_document_link_async(params)
    assert [link.target for link in found or ()] == [
        "https://arxiv.org/abs/1706.03762",
        "https://doi.org/10.48550/arXiv.1706.03762",
    ]


async def test_entries_are_symbols_of_their_file_and_of_the_workspace(editor: Editor) -> None:
    text = MAIN % "\\section{One}"
    folder = editor.project(main=text, refs_bib=BIB)
    editor.open(folder / "main.tex", text)
    editor.open(folder / "refs.bib", BIB)
    for path, names in (
        (folder / "main.tex", ["One"]),
        (folder / "refs.bib", ["vaswani2017attention", "schroedinger26", "evil"]),
    ):
        params = lsp.DocumentSymbolParams(text_document=lsp.TextDocumentIdentifier(uri=path.as_uri()))
        found = await editor.client.text_document_document_symbol_async(params)
        assert [symbol.name for symbol in found or ()] == names
    everywhere = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="schrod quant"))
    here = [symbol for symbol in everywhere or () if folder.name in symbol.location.uri]
    assert [symbol.name for symbol in here] == ["schroedinger26 Quantisierung"]
