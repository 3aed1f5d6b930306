"""Texts that are added to what is asked, over the page's forms: what can be read, and what is refused."""

import io
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from citeplug.ask.added import FOLDER, Additions, check_file
from citeplug.corpus.fulltext.documents import documents_store
from citeplug.corpus.stores import settings
from citeplug.errors import CiteplugError
from tests.harness.arxiv_server import ArxivServer, paper
from tests.harness.pdf_files import paper_pdf
from tests.web.browser import Browser, reviewed

WORDS = "Marmots whistle because eagles circle above the meadow."
LONG = f"We study animals of the mountains. {WORDS} " * 30
QUESTION = "Why do marmots whistle?"
PDF = paper_pdf("On Marmots", [("Introduction", f"We study animals of the mountains. {WORDS} " * 3)])


@pytest.fixture
def own(library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data directory of the test's own."""
    home = Path(shutil.copytree(library_home, tmp_path / "home", symlinks=True))
    monkeypatch.setenv("CITEPLUG_HOME", str(home))
    return home


@pytest.fixture
def page(written: Path, own: Path) -> Iterator[Browser]:
    with reviewed(written) as browser:
        browser.start()
        browser.open("/ask")
        yield browser


def packed(**files: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "."), text)
    return stream.getvalue()


def ask(page: Browser, **fields: str) -> str:
    page.send("/ask", question=QUESTION, **fields)
    page.finish()
    return page.open("/ask")


def test_a_pdf_is_asked_shown_at_its_quotation_and_removed(page: Browser, own: Path) -> None:
    assert "Added: marmots.pdf." in page.upload("/ask/add", ("marmots.pdf", PDF), arxiv="").text
    shown = ask(page, of="added")
    assert WORDS in shown and "Searched 1 document" in shown
    passage = page.open("/ask?turn=1&sentence=1&citation=1")
    assert f"<mark>{WORDS}</mark>" in passage and "We study animals of the mountains." in passage
    assert "Show it in the PDF, page 1" in passage
    assert WORDS in page.open("/pdf?turn=1&sentence=1&citation=1")
    assert page.ask("GET", "/pdf/file?paper=marmots.pdf").data == PDF
    (kept,) = own.glob(f"{FOLDER}/*/*/marmots.pdf")
    refused = page.send("/ask/insert", turn="1", sentence="1", paragraph="x", bib="refs.bib", words="")
    assert refused.status == 409
    assert "Removed. It will no longer be searched." in page.send("/ask/remove", text=kept.parent.name).text
    assert not kept.exists() and page.send("/ask/remove", text=kept.parent.name).status == 409


def test_a_zip_is_asked_by_its_main_file_and_reads_nothing_outside_of_it(page: Browser, own: Path) -> None:
    (own / "secret.tex").write_text("The secret is out.", "utf-8")
    begin = "\\documentclass{article}\\begin{document}\\title{M}\\input{part}"
    main = f"{begin}\n\\input{{{own}/secret}}\\end{{document}}"
    done = page.upload("/ask/add", ("paper.zip", packed(main__tex=main, part__tex=LONG)))
    assert "Added: paper.zip." in done.text
    assert WORDS in ask(page, of="added")
    with closing(documents_store(own)) as store:
        assert not any("secret" in repr(store.read(name)) for name in store.papers())


def test_of_a_bib_file_its_papers_and_abstracts_are_asked(page: Browser) -> None:
    bib = (
        "@misc{known, title = {Graph Attention Networks}, eprint = {1710.10903}, archiveprefix = {arXiv}}\n"
        f"@misc{{m, title = {{On Marmots}}, abstract = {{{WORDS}}}}}\n@misc{{n, title = {{None}}}}"
    )
    assert "Added: refs.bib." in page.upload("/ask/add", ("refs.bib", bib.encode())).text
    shown = ask(page, of="added")
    assert WORDS in shown and "the abstract of 1 paper and 1 document" in shown


def encrypted() -> bytes:
    """A PDF whose trailer names an encryption that nobody knows."""
    return PDF.replace(b"trailer\n<<", b"trailer\n<< /Encrypt << /Filter /Standard /V 1 /R 2 /O (x) /U (x) /P 0 >>", 1)


def test_what_cannot_be_read_is_refused_with_its_reason_and_leaves_nothing(page: Browser, own: Path) -> None:
    for name, data, why in (
        ("locked.pdf", encrypted(), "needs a password"),
        ("../../main.tex", b"x", "leads out of the archive"),
        ("run.exe", b"MZ", "not a kind of file that can be read"),
    ):
        reply = page.upload("/ask/add", (name, data))
        assert why in reply.text, reply.text
        assert str(own) not in reply.text and not list(own.glob(f"{FOLDER}/*/*"))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("broken.pdf", b"%PDF-1.4 nothing", "gives no text"),
        ("empty.bib", b"% nothing", "neither papers nor abstracts"),
        ("bad.zip", b"PK\x03\x04", "bad.zip is not a working zip"),
        ("out.zip", packed(**{"../main.tex": "x"}), "leads out of the archive"),
        ("bomb.zip", packed(main__tex="0" * 1_100_000), "bomb.zip unpacks to more than"),
    ],
)
def test_a_damaged_file_is_named_without_its_place(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, why: str
) -> None:
    monkeypatch.setattr("citeplug.project.zips.LARGEST", 1_000_000)  # bytes: more would take seconds
    additions = Additions(tmp_path, Path("main.tex"))
    with pytest.raises(CiteplugError, match=why) as caught, additions.adding(name, data) as path:
        check_file(path, settings(offline=True), lambda *_: None)
    assert str(tmp_path) not in str(caught.value) and additions.all() == []


def test_too_much_another_page_s_form_and_nothing_are_refused(
    page: Browser, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("citeplug.web.guard.LARGEST_UPLOAD", 1_000_000)
        assert "more than 1 MB" in page.upload("/ask/add", ("a.pdf", b"0" * 1_000_000)).text
    assert page.upload("/ask/add", ("a.pdf", PDF), token="x").status == 403
    assert "nothing was chosen" in page.upload("/ask/add", ("", b"")).text
    assert not (own / FOLDER).exists()


def test_a_paper_of_arxiv_is_fetched_with_consent_alone(
    written: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ArxivServer(paper("2401.00001", "On Marmots", WORDS)).serve() as server:
        server.put_pdf("2401.00001v1", PDF)
        for name, value in (
            ("URL", server.url),
            ("EPRINT_URL", server.eprint_url),
            ("PDF_URL", server.pdf_url),
            ("DELAY", "0"),
        ):
            monkeypatch.setenv(
                f"CITEPLUG_ARXIV_{name}".replace("ARXIV_EPRINT", "EPRINT").replace("ARXIV_PDF", "PDF"), value
            )
        with reviewed(written, offline=False) as browser:
            browser.start()
            browser.open("/ask")
            address = "https://arxiv.org/abs/2401.00001"
            assert "is not on this machine" in browser.upload("/ask/add", arxiv=address).text
            assert "not an arXiv id" in browser.upload("/ask/add", arxiv="marmots", online="yes").text
            assert server.requests == []
            assert "Added: arXiv:2401.00001." in browser.upload("/ask/add", arxiv=address, online="yes").text
            assert WORDS in ask(browser, of="added")
        with reviewed(written) as browser:  # offline, no form makes it ask
            browser.start()
            browser.open("/ask")
            asked = len(server.requests)
            assert "is not on this machine" in browser.upload("/ask/add", arxiv="2401.00002", online="yes").text
            assert len(server.requests) == asked


def test_an_earlier_conversation_is_gone_on_with(page: Browser) -> None:
    ask(page)
    page.send("/ask/new")
    page.send("/ask", question="What is learned on graphs?")
    page.finish()
    shown = page.open("/ask")
    assert "Earlier conversations (1)" in shown and shown.count('class="turn"') == 1
    name = shown.partition('name="name" value="')[2].partition('"')[0]
    assert f"{QUESTION}</h2>" in page.send("/ask/open", name=name).text
    assert page.send("/ask/open", name="../x").status == 409
