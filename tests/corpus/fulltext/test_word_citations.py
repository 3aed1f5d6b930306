"""Works that reference managers record in Word documents, and lists that Word documents print."""

import base64
import html
import io
import json
import zipfile

import pytest

from citeplug.corpus.fulltext.from_document import read_docx
from citeplug.errors import Unfit
from citeplug.records.passage import Reference

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CSL = {
    "type": "article-journal",
    "title": "Sampling 50% of the Neighbours & Friends",
    "author": [{"family": "Gogh", "non-dropping-particle": "van", "given": "Ada"}, {"literal": "The Graph Group"}],
    "issued": {"date-parts": [[2018, 5]]},
    "container-title": "Journal of Graphs",
    "DOI": "10.1000/XYZ",
    "URL": "https://arxiv.org/abs/1801.00001v2",
}
ENTRY = "Author, A. (2019). On the sampling of neighbours. Journal of Graphs, 3, 1-9."


def docx(body: str, **parts: str) -> bytes:
    """`parts` by their names without suffix; two underscores are a stroke."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        for name, text in parts.items():
            archive.writestr(f"{name.replace('__', '/')}.xml", text)
    return packed.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{html.escape(text)}</w:t></w:r></w:p>"


def field(code: str) -> str:
    """A field as Word writes it: its code in several runs, then its result."""
    half = len(code) // 2
    runs = "".join(f"<w:r><w:instrText>{html.escape(part)}</w:instrText></w:r>" for part in (code[:half], code[half:]))
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    return f"<w:p>{marks[0]}{runs}{marks[1]}<w:r><w:t>(van Gogh, 2018)</w:t></w:r>{marks[2]}</w:p>"


def read(body: str, **parts: str) -> list[Reference]:
    return list(read_docx(docx(body, **parts)).references)


@pytest.mark.parametrize("program", ["ZOTERO_ITEM CSL_CITATION", "CSL_CITATION"])
def test_csl_json_in_fields_gives_entries_with_their_parts_each_once(program: str) -> None:
    code = f" ADDIN {program} {json.dumps({'citationItems': [{'itemData': CSL}]})} "
    (found,) = read(field(code) + paragraph("Text.") + field(code) + paragraph("References") + paragraph(ENTRY))
    fields = dict(found.fields)
    assert fields["entrytype"] == "article"
    assert fields["author"] == r"van Gogh, Ada and \{The Graph Group\}"
    assert fields["title"] == r"Sampling 50\% of the Neighbours \& Friends"
    assert (found.title, found.year, found.doi, found.arxiv_id) == (CSL["title"], 2018, "10.1000/xyz", "1801.00001")


def test_a_content_control_of_mendeley_cite_gives_its_works() -> None:
    tag = base64.b64encode(json.dumps({"citationItems": [{"itemData": CSL}]}).encode()).decode()
    (found,) = read(
        f'<w:sdt><w:sdtPr><w:tag w:val="MENDELEY_CITATION_v3_{tag}"/></w:sdtPr></w:sdt>' + paragraph("Text.")
    )
    assert found.title == CSL["title"]


def test_endnote_s_records_give_their_works() -> None:
    record = (
        '<EndNote><Cite><Author>A</Author><record><ref-type name="Journal Article">17</ref-type><contributors><authors>'
        "<author>Author, Ann</author></authors></contributors><titles><title><style face='normal'>On the sampling of "
        "neighbours</style></title></titles><dates><year>2019</year></dates></record></Cite></EndNote>"
    )
    (found,) = read(field(f" ADDIN EN.CITE {record}"))
    assert (found.title, found.year, found.surnames) == ("On the sampling of neighbours", 2019, ("Author",))


def test_of_word_s_own_sources_those_that_are_cited_count() -> None:
    space = 'xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography"'
    sources = "".join(
        f"<b:Source><b:Tag>{tag}</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Title>Title {tag}</b:Title>"
        "<b:Year>2001</b:Year><b:Author><b:Author><b:NameList><b:Person><b:Last>Author</b:Last><b:First>Ann</b:First></b:Person>"
        "</b:NameList></b:Author></b:Author></b:Source>"
        for tag in ("A01", "B02")
    )
    found = read(field(r" CITATION B02 \l 1033 "), customXml__item1=f"<b:Sources {space}>{sources}</b:Sources>")
    assert [(each.title, dict(each.fields)["author"]) for each in found] == [("Title B02", "Author, Ann")]


def test_without_records_the_printed_list_counts_and_an_appendix_ends_it() -> None:
    entries = [ENTRY, "Other, B. (2020). Graphs of graphs. In Proceedings of Graphs."]
    found = read("".join(map(paragraph, ["A text.", "References", *entries, "Appendix A", "More text."])))
    assert [(each.number, each.title) for each in found] == [
        (1, "On the sampling of neighbours"),
        (2, "Graphs of graphs"),
    ]


def test_footnotes_that_are_references_count_where_there_is_no_list() -> None:
    notes = (
        f"<w:footnotes {W}>{paragraph(ENTRY)}{paragraph('Ann Brown. Graphs. In Proc. of Graphs, 2019.')}</w:footnotes>"
    )
    assert [each.year for each in read(paragraph("A text."), word__footnotes=notes)] == [2019, 2019]


@pytest.mark.parametrize(
    "code",
    [
        ' ADDIN CSL_CITATION {"citationItems": [{"itemData": {"author": 3, "title": []}}]}',
        " ADDIN CSL_CITATION " + '{"citationItems":' + "[" * 100_000,
        " ADDIN EN.CITE <EndNote><Cite>",
        " ADDIN EN.CITE <!DOCTYPE d [<!ENTITY a 'aaaa'>]><EndNote>&a;</EndNote>",
        " ADDIN EN.CITE <EndNote>" + "<a>" * 500 + "</a>" * 500 + "</EndNote>",
    ],
)
def test_a_record_that_cannot_be_read_is_left_out(code: str) -> None:
    assert read(field(code) + paragraph("A text.")) == []


def test_a_source_list_with_entities_gives_nothing_and_one_that_unpacks_to_too_much_is_refused() -> None:
    bomb = "<!DOCTYPE d [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><Sources><Source><Title>&b;"
    bomb += "</Title></Source></Sources>"
    assert read(paragraph("A text."), customXml__item1=bomb) == []
    with pytest.raises(Unfit, match="50 MB"):
        read(paragraph("A text."), customXml__item1="<Sources>" + " " * 60_000_000)
