"""Texts of the author's own in other forms, and what somebody may have put into them."""

import io
import zipfile

import pytest

from citeplug.corpus.fulltext.from_document import read_docx, read_html, read_markdown, read_plain
from citeplug.errors import Unfit
from citeplug.records.passage import ReadText

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str, head: str = "") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<?xml version='1.0'?>{head}<w:document {W}>{body}</w:document>")
    return packed.getvalue()


def paragraph(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def shown(found: ReadText) -> list[tuple[int, str, str]]:
    return [(each.level, each.title, each.text) for each in found.sections]


def test_word_s_headings_and_paragraphs_are_read() -> None:
    body = paragraph("A Title", "Title") + paragraph("Method", "Heading1") + paragraph("One &amp; two.")
    body += paragraph("Deep", "Heading2") + paragraph("Three.") + paragraph("A curve.", "Caption")
    found = read_docx(docx(body))
    assert found.title == "A Title"
    assert shown(found) == [(1, "Method", "One & two."), (2, "Deep", "Three.\n\nA curve.")]
    assert found.sections[1].text[found.sections[1].captions :] == "A curve."


@pytest.mark.parametrize(
    "data",
    [
        docx(paragraph("&a;"), "<!DOCTYPE d [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"),
        docx("<w:p>" * 500 + "x" + "</w:p>" * 500),
        docx(paragraph("one"))[:-40],
        b"PK\x03\x04 and no more",
        docx("<w:p>"),
    ],
)
def test_a_docx_with_entities_depths_or_damage_is_refused(data: bytes) -> None:
    with pytest.raises(Unfit) as caught:
        read_docx(data)
    assert caught.value.code == "broken"


def test_a_docx_that_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(Unfit, match="50 MB"):
        read_docx(docx(paragraph("a" * 60_000_000)))


def test_a_web_page_gives_its_text_and_runs_nothing() -> None:
    page = (
        "<html><head><title>A &amp; B</title><script>steal()</script></head><body><nav>Home</nav><h1>A and B</h1>"
        "<p>One <b>two</b>.<p>Three<style>p{}</style>.<h2>Deep</h2><div>Four.</div><figure><img src='http://x/y'>"
        "<figcaption>A curve.</figcaption></figure></body></html>"
    )
    found = read_html(page.encode())
    assert found.title == "A & B"
    assert shown(found) == [(1, "A and B", "One two.\n\nThree."), (1, "Deep", "Four.\n\nA curve.")]


def test_markdown_gives_headings_of_both_kinds_without_code() -> None:
    text = "A Title\n=======\n\nOne\n[two](http://x).\n\n## Deep ##\n\nThree.\n```\n# no heading\n```\nFour.\n"
    found = read_markdown(text.encode())
    assert found.title == "A Title"
    assert shown(found) == [(1, "A Title", "One two."), (2, "Deep", "Three.\n\nFour.")]


def test_plain_text_gives_paragraphs_without_terminal_escapes() -> None:
    found = read_plain(b"A Title\r\n\r\nOne \x1b[31mtwo\x1b[0m\r\nthree.\r\n")
    assert (found.title, shown(found)) == ("A Title", [(1, "", "A Title\n\nOne two three.")])


@pytest.mark.parametrize("read", [read_html, read_markdown, read_plain])
def test_a_file_without_text_is_refused(read: object) -> None:
    with pytest.raises(Unfit):
        read(b" \n 12 \n")  # type: ignore[operator]
