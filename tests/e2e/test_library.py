"""`citeplug library`, as a user runs it, and what `related` makes of it."""

import json
import shutil
from pathlib import Path

import pytest

from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.stores import settings
from citeplug.records.outcome import Options
from citeplug.related.job import write_related
from citeplug.related.tools import Job
from citeplug.section_file.cite_style import cited_keys
from tests.corpus.fulltext.test_first_pages import needs_tex, typeset
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.scripted_models import honest_model

REFS = r"""% my references
@string{jgt = "Journal of Graph Things"}
@article{mueller:2019, author = {M{\"u}ller, Ada and Garc{\'\i}a, Jos{\'e}}, journal = jgt, year = 2019,
  title = {Learning to Prune Sparse Graphs with Recurrent Message Passing}, annote = {ask Ada}}
@inproceedings{smith98, author={John Smith and Eva van der Berg}, title={Sparse Retrieval of Documents by {BM25}},
  booktitle={SIGIR}, year=1998, abstract={We study how documents are retrieved from collections by sparse term weights.
  Our experiments show that a simple probabilistic weighting outperforms vector models on three collections.}}
@book{roe01, author={Jane Roe}, title={A Book on Sparse Retrieval of Documents}, publisher={X}, year=2001}
"""
ABSTRACT = "abstract={We propose a method which prunes sparse graphs by recurrent message passing.}, annote = {ask Ada}"
DRAFT = r"""\documentclass{article}
\title{Pruned Graphs for Sparse Retrieval}
\begin{document}\maketitle
\begin{abstract}We prune sparse graphs by message passing for the sparse retrieval of documents.
We show that the index becomes faster.\end{abstract}
\bibliographystyle{plain}\bibliography{mine}
\end{document}
"""


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "refs.bib").write_text(REFS, encoding="utf-8")
    return tmp_path / "lib" / "refs.bib"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "draft"
    folder.mkdir()
    (folder / "main.tex").write_text(DRAFT, encoding="utf-8")
    (folder / "mine.bib").write_text("", encoding="utf-8")
    return folder / "main.tex"


def test_a_library_alone_is_enough_for_a_section_with_the_author_s_keys_and_entries(
    run: Run, refs: Path, draft: Path
) -> None:
    refs.write_text(REFS.replace("annote = {ask Ada}", ABSTRACT), encoding="utf-8")
    done = run("library", "add", refs, "--json")
    assert (done.code, done.json["added"], done.json["works"], done.json["without_abstract"]) == (0, 3, 3, 1)
    made = run("related", draft, "--offline", "--breadth", 3, "--json")
    assert made.code == 0, made.err
    outcome = made.json
    assert {each["key"] for each in outcome["entries"]} == {"mueller:2019", "smith98"}
    assert {(each["verdict"], each["checked_against"]) for each in outcome["entries"]} == {("not_arxiv", "library")}
    bib = (draft.parent / "related.bib").read_text("utf-8")
    assert "journal = {Journal of Graph Things}" in bib
    assert r"author  = {M{\"u}ller, Ada and Garc{\'\i}a, Jos{\'e}}" in bib
    assert "ask Ada" not in bib
    assert "outperforms" not in bib
    sentences = [s for paragraph in outcome["section"]["paragraphs"] for s in paragraph["sentences"]]
    (sourced,) = [s for s in sentences if [c["key"] for c in s["cites"]] == ["smith98"]]
    assert sourced["cites"][0]["arxiv_id"] == "lib:smith98"
    assert sourced["sources"][0]["arxiv_id"] == "lib:smith98"
    assert "sparse term weights" in sourced["sources"][0]["text"] or "outperforms" in sourced["sources"][0]["text"]
    (told,) = [f for f in outcome["findings"] if f["code"] == "library_titles"]
    assert "roe01" in told["message"]
    again = run("related", draft, "--offline", "--breadth", 3, "--json").json
    assert again["bib_content"] == bib


def test_a_plan_may_name_a_work_by_the_author_s_key(run: Run, refs: Path, draft: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    text = "Generate a related work section with 2 sentences. Cite smith98 at line 1."
    made = run("related", draft, "--offline", "--plan-text", text, "--json").json
    cites = [c["key"] for p in made["section"]["paragraphs"] for s in p["sentences"] for c in s["cites"]]
    assert cites == ["smith98"]
    assert not [f for f in made["findings"] if f["code"] in ("plan_unknown_paper", "plan_no_source")]


def test_a_pinned_work_without_an_abstract_is_named_by_its_title(run: Run, refs: Path, draft: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    made = run("related", draft, "--offline", "--breadth", 2, "--pin", "roe01", "--json").json
    assert {each["key"] for each in made["entries"]} == {"roe01", "smith98"}
    said = [s for p in made["section"]["paragraphs"] for s in p["sentences"] if "roe01" in str(s["cites"])]
    assert [(s["kind"], s["sources"][0]["of"]) for s in said] == [("group", "title")]


def test_a_work_is_cited_by_its_key_with_the_entry_as_it_is(run: Run, refs: Path, draft: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    mine = draft.parent / "mine.bib"
    mine.write_text("@misc{Roe01, author={Jane Roe}, title={Other Things Altogether}, year=2000}\n", encoding="utf-8")
    (cited,) = run("cite", "roe01", "--bib", mine, "--append", "--offline", "--json").json
    assert (cited["status"], cited["key"], cited["arxiv_id"]) == (
        "appended",
        "roe01a",
        "lib:roe01",
    )
    assert "title={A Book on Sparse Retrieval of Documents}, publisher={X}, year=2001}" in mine.read_text("utf-8")
    (again,) = run("cite", "lib:roe01", "--bib", mine, "--offline", "--json").json
    assert (again["status"], again["key"]) == ("exists", cited["key"])


def test_search_says_what_is_not_on_arxiv(run: Run, refs: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    found = run("search", "sparse retrieval of documents", "--json").json
    assert (found[0]["id"].startswith("lib:"), found[0]["on_arxiv"]) == (True, False)
    assert "not on arXiv" in run("search", "sparse retrieval").out


def test_a_file_that_changed_is_renewed_and_what_left_it_leaves(run: Run, refs: Path) -> None:
    assert run("library", "add", refs.parent, "-q").code == 0
    assert run("library", "add", refs, "--json").json["unchanged"] == 3
    refs.write_text(REFS.replace("@book{roe01", "@book{roe02").replace("1998", "1999"), encoding="utf-8")
    done = run("library", "add", refs, "--json").json
    assert (done["added"], done["unchanged"], done["gone"], done["works"]) == (2, 1, 2, 3)
    assert {each["key"] for each in run("library", "list", "--json").json} == {"mueller:2019", "smith98", "roe02"}
    refs.unlink()
    (refs.parent / "new.bib").write_text("@misc{a, author={A B}, title={T of it}}", encoding="utf-8")
    assert run("library", "add", refs.parent, "--json").json["works"] == 1


def test_works_go_by_file_or_key_and_files_stay(run: Run, refs: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    assert run("library", "remove", "smith98", "--json").json["works"] == 2
    assert run("library", "remove", refs, "--json").json["works"] == 0
    assert run("search", "sparse retrieval", "--json").code == 3
    assert refs.read_text("utf-8") == REFS
    wrong = run("library", "remove", "nosuch")
    assert (wrong.code, "library list" in wrong.err) == (2, True)


def test_a_paper_that_the_catalogue_has_is_linked_to_it(
    run: Run, library_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(library_home, tmp_path / "home", symlinks=True)
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    listed = run("search", "attention", "--json").json[0]
    entry = {"author": " and ".join(listed["authors"]), "title": listed["title"], "year": listed["published"][:4]}
    fields = ", ".join(f"{name} = {{{value}}}" for name, value in entry.items())
    (tmp_path / "a.bib").write_text(f"@inproceedings{{mine, {fields}, booktitle = {{X}}}}", encoding="utf-8")
    done = run("library", "add", tmp_path / "a.bib", "--json").json
    assert (done["works"], done["on_arxiv"]) == (1, 1)
    (found,) = run("library", "list", "--json").json
    assert (found["id"], found["key"], found["on_arxiv"]) == (listed["id"], "mine", True)


def test_a_work_that_comes_from_arxiv_later_is_linked_then(run: Run, refs: Path, tmp_path: Path) -> None:
    assert run("library", "add", refs, "-q").code == 0
    record = make_record(1, title="Sparse Retrieval of Documents by BM25", authors="John Smith and Eva van der Berg")
    record["versions"][0]["created"] = record["update_date"] = "1998-01-02"
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", [record])).code == 0
    by_key = {each["key"]: each for each in run("library", "list", "--json").json}
    assert (by_key["smith98"]["id"], by_key["roe01"]["on_arxiv"]) == ("1801.00001", False)
    assert [each["id"] for each in run("search", "Sparse Retrieval by BM25", "--json").json].count("lib:smith98") == 0


@pytest.mark.parametrize("name", ["nosuch.bib", "notes.odt", "empty"])
def test_a_path_that_leads_to_nothing_is_told(run: Run, refs: Path, name: str, tmp_path: Path) -> None:
    (tmp_path / "notes.odt").write_text("x", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    done = run("library", "add", tmp_path / name)
    assert done.code == 2
    assert "PDF" in done.err


class TestOfPdfs:
    pytestmark = needs_tex

    def test_a_pdf_gives_its_entry_an_abstract_and_alone_is_found_but_not_cited(
        self, run: Run, refs: Path, draft: Path
    ) -> None:
        typeset(refs.parent, name="download")
        other = DRAFT.replace("Pruned Graphs for Sparse Retrieval", "Trees of Sparse Retrieval")
        typeset(refs.parent, other, "alone")
        (refs.parent / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
        done = run("library", "add", refs.parent, "--json")
        assert (done.code, done.json["works"], done.json["not_citable"]) == (0, 4, 1)
        assert "broken.pdf cannot be read" in done.err
        by_key = {each["key"]: each for each in run("library", "list", "--json").json}
        assert by_key["mueller:2019"]["has_abstract"]
        assert not by_key[None]["citable"]
        made = run("related", draft, "--offline", "--breadth", 4, "--json").json
        assert {each["key"] for each in made["entries"]} == {"mueller:2019", "smith98"}
        assert "prunes sparse graphs" in json.dumps(made["section"])


@pytest.mark.parametrize("strategy", ["plan", "zero-shot"])
def test_a_model_writes_of_the_library_s_works_as_of_others(strategy: str, run: Run, refs: Path, draft: Path) -> None:
    refs.write_text(REFS.replace("annote = {ask Ada}", ABSTRACT), encoding="utf-8")
    assert run("library", "add", refs, "-q").code == 0
    job = Job(draft, Options(breadth=3, strategy=strategy, pin=("roe01",)))
    done = write_related(job, settings(offline=True), online=False, report=lambda *_: None, model=honest_model())
    defined = {entry.key for entry in parse_bib(done.outcome.bib_content)}
    assert cited_keys(done.outcome.tex_content) == defined
    assert {"mueller:2019", "smith98"} <= defined <= {"mueller:2019", "smith98", "roe01"}
