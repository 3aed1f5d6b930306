import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.bib.cite import Citing, cite_papers, find_bib_file
from citeplug.bib.find_paper import Cited
from citeplug.corpus.index import Corpus
from citeplug.errors import UnreadableInput, UsageError, WouldOverwrite
from citeplug.records.section import HEADER
from citeplug.settings.environment import Settings
from tests.corpus.stores import MemoryStore, WordModel
from tests.harness.arxiv_server import ArxivServer
from tests.harness.papers import paper

MULLER = paper(
    "2001.00001", "Über {BERT} & co: 100% of $O(N)$ models", ("Jörg Müller", "Ann de Vries"), date(2020, 1, 1)
)
TWIN = paper("1610.04405", "Learning Trees", ("Jo Roe",), date(2016, 10, 1))
OTHER_TWIN = paper("1611.03019", "Learning Trees", ("Jo Roe",), date(2016, 11, 1))
GONE = paper("1801.00009", "A Proof of Everything", ("Al Doe",), comment="This paper has been withdrawn by the author")
BARE = paper("2002.00002", "A Paper Without Its Authors", ())
RECORDS = (paper(doi="10.1000/Att", updated=date(2018, 1, 1)), MULLER, TWIN, OTHER_TWIN, GONE, BARE)


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    home = tmp_path_factory.mktemp("catalogue")
    corpus = Corpus(home, embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add_papers(RECORDS)
    corpus.close()
    yield Settings(home, offline=True)


def cite(query: str, chosen: Settings, bib: Path | None = None) -> Citing:
    return cite_papers([query], chosen, bib=bib, today=date(2026, 1, 15))


def one(query: str, chosen: Settings, bib: Path | None = None) -> Cited:
    return cite(query, chosen, bib).cited[0]


def file(folder: Path, text: str | bytes) -> Path:
    path = folder / "refs.bib"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def appended(text: str | bytes, query: str, chosen: Settings, folder: Path) -> bytes:
    """What stands behind the old bytes of a file after the paper was appended to it."""
    path = file(folder, text)
    before = path.read_bytes()
    cite(query, chosen, path).write(chosen.home)
    after = path.read_bytes()
    assert after.startswith(before)
    return after[len(before) :]


@pytest.mark.parametrize(
    "query",
    ["1706.03762", "arXiv:1706.03762v5", "https://arxiv.org/abs/1706.03762", "10.48550/arXiv.1706.03762", "10.1000/att",
     "https://doi.org/10.1000/ATT", "attention is all you need"],
)  # fmt: skip
def test_a_paper_is_found_by_id_doi_and_title(query: str, chosen: Settings) -> None:
    found = one(query, chosen)
    assert (found.status, found.key) == ("new", "vaswani2017attention")


def test_without_a_file_the_entry_is_as_for_a_new_one(chosen: Settings) -> None:
    entry = one("2001.00001", chosen).entry or ""
    assert entry.startswith("@misc{muller2020uber,\n  title         = {")
    assert r"M{\"{u}}ller, J{\"{o}}rg and de Vries, Ann" in entry
    assert r"{BERT} \& co: 100\% of {$O(N)$} models" in entry


FIVE = [
    ("Smith", "2001", "Deep Nets"),
    ("Kim", "2004", "On Graphs"),
    ("Roe", "2007", "The Trees"),
    ("Short", "2009", "A Forest"),
    ("Park", "2011", "Some Leaves"),
]


def test_layout_dialect_and_keys_are_those_of_the_file(tmp_path: Path, chosen: Settings) -> None:
    entries = (f'@Article{{{name}:{year},\r\n\tAuthor = "Jö {name}",\r\n\tTitle = "{title}",\r\n\tJournal = '
               f'"arXiv preprint arXiv:1001.000{n}",\r\n\tYear = {year}\r\n}}\r\n' for n, (name, year, title) in enumerate(FIVE))  # fmt: skip  # noqa: E501
    assert (
        appended("\r\n".join(entries), "2001.00001", chosen, tmp_path).decode()
        == "\r\n"
        + "\r\n\t".join(
            [
                "@Article{Muller:2020,",
                'Title = "Über {BERT} \\& co: 100\\% of {$O(N)$} models",',
                'Author = "Jörg Müller and Ann de Vries",',
                "Year = 2020,",
                'Journal = "arXiv preprint arXiv:2001.00001",',
                'Eprint = "2001.00001",',
                'ArchivePrefix = "arXiv",',
                'PrimaryClass = "cs.CL",',
                'Url = "https://arxiv.org/abs/2001.00001"',
            ]
        )
        + "\r\n}\r\n"
    )


@pytest.mark.parametrize(
    ("before", "start", "end"),
    [
        ("@misc{x, title={T}}\n", "\n@misc{", "}\n"),
        ("@misc{x, title={T}}\n\n", "@misc{", "}\n"),
        ("@misc{x, title={T}}", "\n\n@misc{", "}"),
        ("@misc{x, title={T}}\r\n", "\r\n@misc{", "}\r\n"),
        ("@misc{x, title={T}}\r", "\r@misc{", "}\r"),
        ("", "@misc{", "}\n"),
        ("% only a comment", "\n\n@misc{", "}"),
        ("@misc{x, title={T}}\n@comment{jabref-meta: a;}\n", "\n@misc{", "}\n"),
        (b"\xef\xbb\xbf@misc{x, title={T}}\n", "\n@misc{", "}\n"),
        ("@misc{x, title={Müller}}\n".encode("cp1252"), "\n@misc{", "}\n"),
    ],
)
def test_one_blank_line_stands_between_and_the_end_is_as_before(
    before: str | bytes, start: str, end: str, tmp_path: Path, chosen: Settings
) -> None:
    new = appended(before, "2001.00001", chosen, tmp_path).decode()
    assert new.startswith(start)
    assert new.endswith(end)
    assert len(new) - len(new.rstrip("\r\n")) == len(end) - 1
    assert new.isascii()


def test_a_paper_that_is_there_is_not_added_again(tmp_path: Path, chosen: Settings) -> None:
    for text in (
        "\n@misc{old, eprint={1706.03762v1}}",
        "\n@misc{old, doi={https://doi.org/10.1000/ATT}, title={X}}",
        "\n@misc{old, title={Attention is all {Y}ou need}, author={A. Vaswani and N. Shazeer and N. Parmar}}",
    ):
        path = file(tmp_path, text)
        done = cite("1706.03762", chosen, path)
        assert (done.cited[0].status, done.cited[0].key, done.cited[0].line) == ("exists", "old", 2)
        done.write(chosen.home)
        assert path.read_text(encoding="utf-8") == text


def test_one_call_adds_a_paper_once_and_two_papers_get_two_keys(tmp_path: Path, chosen: Settings) -> None:
    done = cite_papers(["1706.03762", "10.1000/att", "1610.04405", "1611.03019"], chosen, bib=file(tmp_path, ""))
    assert [each.status for each in done.cited] == ["new", "exists", "new", "new"]
    assert [each.key for each in done.cited][2:] == ["roe2016learning", "roe2016learninga"]


def test_a_title_of_several_papers_is_not_guessed_at(chosen: Settings) -> None:
    found = one("Learning trees", chosen)
    assert found.status == "ambiguous"
    assert len(found.candidates) == 2
    assert found.fix


@pytest.mark.parametrize(
    "query", ["2905.99999", "9999.12345x", "10.1000/nothing", "No Such Title Anywhere", "??", "a" * 3000]
)
def test_what_is_not_found_is_said_with_a_way_on(query: str, chosen: Settings) -> None:
    found = one(query, chosen)
    assert found.status == "not_found"
    assert found.message
    assert found.fix


def test_a_title_that_is_nearly_right_names_what_may_be_meant(chosen: Settings) -> None:
    found = one("Attention is all we need", chosen)
    assert found.status == "not_found"
    assert [each.title for each in found.candidates] == ["Attention Is All You Need"]


def test_a_withdrawn_paper_is_cited_with_a_warning_and_one_without_authors_not(chosen: Settings) -> None:
    done = cite("1801.00009", chosen)
    assert done.cited[0].status == "new"
    assert [finding.code for finding in done.findings] == ["possibly_withdrawn"]
    assert one("2002.00002", chosen).status == "refused"


@pytest.mark.parametrize(
    "title",
    [
        "A\x1b[31m \\input{/etc/passwd} } @misc{x, y={z}} % {end",
        "Red \x1b[31m and \x1b]0;title\x07 Letters, 100% of Them & #1",
        "Ends in a backslash \\",
        'A "quoted" } brace',
    ],
)
def test_text_of_others_does_not_act(title: str, tmp_path: Path) -> None:
    corpus = Corpus(tmp_path / "home", embedder=WordModel, store=lambda _: MemoryStore())
    corpus.add_papers([paper("2003.00003", title, ("Eve } and\\write18{x} Mallory",))])
    corpus.close()
    path = file(tmp_path, '@misc{x, title="T"}\n')
    done = cite("2003.00003", Settings(tmp_path / "home", offline=True), path)
    done.write(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert not re.search(r"\\(?:input|write)", text)
    assert len(re.findall(r"^@", text, re.MULTILINE)) == 1 + (done.cited[0].status == "new")


def test_a_file_whose_last_entry_is_open_is_left_alone(tmp_path: Path, chosen: Settings) -> None:
    path = file(tmp_path, "@misc{x, title={T")
    with pytest.raises(UnreadableInput, match="end of"):
        cite("1706.03762", chosen, path)


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path, chosen: Settings) -> None:
    path = file(tmp_path, "@misc{x, title={T}}\n")
    done = cite("1706.03762", chosen, path)
    path.write_bytes(b"% changed\n")
    with pytest.raises(WouldOverwrite):
        done.write(chosen.home)
    assert path.read_bytes() == b"% changed\n"


def test_a_new_file_is_made(tmp_path: Path, chosen: Settings) -> None:
    path = tmp_path / "new.bib"
    cite("1706.03762", chosen, path).write(chosen.home)
    assert path.read_bytes().startswith(b"@misc{vaswani2017attention,\n")


def test_the_style_of_the_draft_decides_on_the_fields(tmp_path: Path, chosen: Settings) -> None:
    tex = "\\documentclass{article}\\begin{document}\\bibliographystyle{STYLE}\\bibliography{refs}\\end{document}"
    path = file(tmp_path, "@misc{x, title={T}, author={A}}\n")
    for style, has_note in (("plain", True), ("plainnat", False)):
        (tmp_path / "main.tex").write_text(tex.replace("STYLE", style), encoding="utf-8")
        assert ("note=" in (one("1706.03762", chosen, path).entry or "")) is has_note
        assert ("note=" in (one("1706.03762", chosen, tmp_path / "main.tex").entry or "")) is has_note


def test_keys_of_the_draft_s_other_files_are_not_taken_again(tmp_path: Path, chosen: Settings) -> None:
    tex = "\\documentclass{article}\\begin{document}\\cite{x}\\bibliography{refs,more}\\end{document}"
    (tmp_path / "main.tex").write_text(tex, encoding="utf-8")
    (tmp_path / "more.bib").write_text("@misc{Vaswani2017Attention, title={Another}, author={B}}", encoding="utf-8")
    assert one("1706.03762", chosen, file(tmp_path, "")).key == "vaswani2017attentiona"


def test_the_only_file_of_the_author_s_is_found(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        find_bib_file(tmp_path)
    path = file(tmp_path, "@misc{x, title={T}}")
    (tmp_path / "related.bib").write_text(HEADER, encoding="utf-8")
    assert find_bib_file(tmp_path) == path
    (tmp_path / "more.bib").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="several"):
        find_bib_file(tmp_path)
    tex = "\\documentclass{article}\\begin{document}\\bibliography{refs}\\end{document}"
    (tmp_path / "main.tex").write_text(tex, encoding="utf-8")
    assert find_bib_file(tmp_path) == path


def test_a_doi_that_the_catalogue_lacks_is_asked_for_at_arxiv(tmp_path: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.add(paper(doi="10.1103/PhysRevD.48.1"))
    online = Settings(tmp_path, arxiv_server.url, arxiv_delay=0.0)
    found = one("doi:10.1103/physrevd.48.1", online)
    assert (found.status, "1706.03762" in (found.entry or "")) == ("new", True)
    missing = one("10.1000/nobodys", online)
    assert (missing.status, missing.message) == ("not_found", "the DOI 10.1000/nobodys was not found at arXiv")
    offline = one("10.1103/PhysRevD.48.1", Settings(tmp_path / "empty", arxiv_server.url, offline=True))
    assert (offline.status, offline.fix) == (
        "not_found",
        "run without --offline, to ask arXiv; use --sources crossref, to search beyond arXiv",
    )


def test_a_bib_file_that_is_a_link_to_itself_is_refused(chosen: Settings, tmp_path: Path) -> None:
    loop = tmp_path / "loop.bib"
    loop.symlink_to(loop)
    with pytest.raises(UnreadableInput, match="symbolic links"):
        cite("1706.03762", chosen, loop)
