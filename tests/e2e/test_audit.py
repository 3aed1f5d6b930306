"""`citeplug audit` as an author and a workflow run it."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.e2e.test_check import BOOK, MIXED, RIGHT, WRONG_YEAR
from tests.e2e.test_check_sarif import schema as schema
from tests.harness.arxiv_server import ArxivServer, Fault

RELATED = r"""
Node embeddings are learnt from walks \citep{grover2016node2vec}. They are fast and simple to use.

Sampling scales them to large graphs \citep{late,mixed}, and so do other ways of sampling.

"""


@pytest.fixture
def draft(home: Path, project: Path) -> Path:
    text = project.read_text("utf-8").replace("\\section{Method}", RELATED + "\\section{Method}")
    project.write_text(text, "utf-8")
    (project.parent / "refs.bib").write_text(RIGHT + WRONG_YEAR + MIXED, "utf-8")
    return project


def audit(run: Run, main: Path, *options: object) -> Any:
    return run("audit", main, "--offline", "--json", *options).json


def test_the_worst_comes_first_and_every_part_is_there(run: Run, draft: Path) -> None:
    found = audit(run, draft)
    assert [each["code"] for each in found["findings"]][:2] == ["id_differs", "year_differs"]
    assert {entry["key"] for entry in found["entries"]} == {"grover2016node2vec", "late", "mixed"}
    assert 0 < len(found["missing"]) <= 5
    cited = {"1607.00653", "1706.02216"}
    assert not cited & {each["arxiv_id"] for each in found["missing"]}
    for each in found["missing"]:
        assert each["reasons"] and each["file"] == str(draft) and each["near"].startswith(("Node", "Sampling"))
    assert (found["balance"]["works"], found["balance"]["years"]["first"]) == (3, 2011)
    assert "whether the works say what the draft says of them" in found["not_looked_at"]


def test_the_report_fits_one_screen(run: Run, draft: Path) -> None:
    broken = "".join(f"@misc{{m{n}, title = {{A & B}}, year = 2000{n}b}}\n" for n in range(30))
    (draft.parent / "refs.bib").write_text(RIGHT + WRONG_YEAR + MIXED + broken, "utf-8")
    keys = ",".join(f"m{n}" for n in range(30))
    draft.write_text(draft.read_text("utf-8").replace("We conclude.", rf"We conclude \citep{{{keys}}}."), "utf-8")
    done = run("audit", draft, "--offline")
    assert done.code == 1
    lines = done.out.splitlines()
    assert len(lines) <= 40
    assert lines[0].startswith("References: ")
    assert any("30 x " in line and "[raw_special]" in line + below for line, below in pairwise(lines))
    assert any(line.startswith("Not checked ") for line in lines)
    assert len(run("audit", draft, "--offline", "--all").out.splitlines()) > 60


def test_own_works_are_counted_where_the_authors_are_known(run: Run, draft: Path) -> None:
    words = "of 3 cited works share"
    text = draft.read_text("utf-8")
    assert audit(run, draft)["balance"]["own"] is None and words not in run("audit", draft, "--offline").out
    draft.write_text(text.replace("\\title", "\\author{Aditya Grover, Someone Else \\\\ Nowhere}\\title", 1), "utf-8")
    assert audit(run, draft)["balance"]["own"] == 1
    assert "1 of 3 cited works shares an author with the draft" in run("audit", draft, "--offline").out
    assert "1 of 3 cited works" in run("audit", draft, "--offline", "--format", "html").out


def test_an_empty_catalogue_narrows_the_audit_which_says_so(
    run: Run, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    done = run("audit", draft, "--offline")
    assert (done.code, "works that you do not cite: the catalogue on this machine is empty" in done.out) == (0, True)
    assert audit(run, draft)["missing"] == []


def test_a_missing_work_can_be_ignored_left_out_or_known(run: Run, draft: Path) -> None:
    ids = [each["arxiv_id"] for each in audit(run, draft)["missing"]]
    assert ids[0] not in [each["arxiv_id"] for each in audit(run, draft, "--exclude", ids[0])["missing"]]
    baseline = draft.parent / "known.json"
    found = audit(run, draft, "--baseline", baseline, "--write-baseline")
    assert (found["findings"], found["in_baseline"] > len(ids)) == ([], True)
    assert run("audit", draft, "--offline", "--baseline", baseline).code == 0
    draft.write_text(draft.read_text("utf-8") + "% citeplug: ignore-file missing_work\n", "utf-8")
    found = audit(run, draft)
    assert (found["missing"], found["ignored"]) == ([], len(ids))


def test_code_scanning_and_a_workflow_get_it_as_a_check(run: Run, draft: Path, schema: Any) -> None:
    import jsonschema

    done = run("audit", draft, "--offline", "--format", "sarif")
    jsonschema.Draft4Validator(schema).validate(done.json)
    assert {"missing_work", "id_differs"} <= {each["ruleId"] for each in done.json["runs"][0]["results"]}
    done = run("audit", draft, "--offline", "--format", "github")
    assert "::error " in done.out and "missing_work::" in done.out


def test_what_is_no_draft_is_refused(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("audit", tmp_path / "none.tex").code == 2
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.4")
    assert run("audit", tmp_path / "paper.pdf").code == 2


def test_the_references_of_a_draft_without_text_are_checked(run: Run, draft: Path) -> None:
    draft.write_text(r"\documentclass{article}\begin{document}\cite{wrong}\bibliography{refs}\end{document}", "utf-8")
    document = audit(run, draft)
    assert document["findings"] and any("too little text to search by" in words for words in document["not_looked_at"])


def test_the_draft_itself_is_no_missing_work(run: Run, draft: Path) -> None:
    first = audit(run, draft)["missing"][0]
    text = draft.read_text("utf-8").replace(r"\method: Message Passing on Large Graphs", first["title"])
    draft.write_text(text, "utf-8")
    assert first["arxiv_id"] not in json.dumps(audit(run, draft)["missing"])


def test_what_a_printed_list_of_references_has_is_not_missing(run: Run, draft: Path) -> None:
    first = audit(run, draft)["missing"][0]
    item = rf"\bibitem{{it}} {first['authors'][0]} and others. \newblock {first['title']}. \newblock 2019."
    printed = "\n".join((r"\begin{thebibliography}{9}", item, r"\end{thebibliography}", r"\end{document}"))
    text = draft.read_text("utf-8").replace("We conclude.", r"We conclude \citep{it}.")
    draft.write_text(text.replace(r"\end{document}", printed), "utf-8")
    assert first["arxiv_id"] not in [each["arxiv_id"] for each in audit(run, draft)["missing"]]


def test_a_work_that_is_named_and_not_cited_is_offered(run: Run, draft: Path) -> None:
    sentence = "We sample neighbours, and compare all of it with DropEdge in the end."
    draft.write_text(draft.read_text("utf-8").replace("We conclude.", sentence), "utf-8")
    (found,) = [each for each in audit(run, draft)["findings"] if each["code"] == "uncited_name"]
    assert found["message"].startswith("DropEdge is named once but not cited: Towards the Very Deep")
    assert "arXiv:1907.10903" in found["message"] and "citeplug cite 1907.10903" in found["fix"]
    assert draft.read_text("utf-8").splitlines()[found["line"] - 1] == sentence
    ignored = sentence + " % citeplug: ignore uncited_name"
    draft.write_text(draft.read_text("utf-8").replace(sentence, ignored), "utf-8")
    assert "uncited_name" not in [each["code"] for each in audit(run, draft)["findings"]]
    title = "DropEdge: Towards the Very Deep Graph Convolutional Networks for Node Classification"
    entry = f"@misc{{de, title = {{{title}}}, author = {{Rong, Yu}}, year = 2019, eprint = {{1907.10903}}}}\n"
    with (draft.parent / "refs.bib").open("a") as bib:
        bib.write(entry)
    cited = "We use DropEdge in the method. As has been shown \\citep{de}, it works."
    draft.write_text(draft.read_text("utf-8").replace(ignored, cited), "utf-8")
    assert "uncited_name" not in [each["code"] for each in audit(run, draft)["findings"]]
    draft.write_text(draft.read_text("utf-8").replace(cited, sentence), "utf-8")
    (found,) = [each for each in audit(run, draft)["findings"] if each["code"] == "uncited_name"]
    assert found["fix"] == "cite de"


def test_what_others_did_without_a_citation_is_found_in_any_section(run: Run, draft: Path) -> None:
    claim = "Many methods learn embeddings of the nodes of a graph by random walks on it."
    draft.write_text(draft.read_text("utf-8").replace("We conclude.", claim), "utf-8")
    (found,) = [each for each in audit(run, draft)["findings"] if each["code"] == "uncited_claim"]
    assert found["message"].startswith("others' work without a citation: Many methods learn embeddings")
    assert draft.read_text("utf-8").splitlines()[found["line"] - 1] == claim
    assert found["fix"].startswith("cite the work")
    assert "[uncited_claim]" in run("audit", draft, "--offline").out
    draft.write_text(draft.read_text("utf-8").replace(claim, claim + " % citeplug: ignore uncited_claim"), "utf-8")
    assert "uncited_claim" not in [each["code"] for each in audit(run, draft)["findings"]]


def test_claims_are_found_without_a_catalogue(
    run: Run, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = "Many methods learn embeddings of the nodes of a graph by random walks on it."
    draft.write_text(draft.read_text("utf-8").replace("We conclude.", claim), "utf-8")
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    (found,) = [each for each in audit(run, draft)["findings"] if each["code"] == "uncited_claim"]
    assert found["fix"] == "cite the work"


def test_of_a_field_that_the_catalogue_lacks_no_work_is_missing(run: Run, draft: Path) -> None:
    abstract = "Sourdough bread from rye flour wants a long fermentation. We bake loaves and taste their crust."
    (draft.parent / "refs.bib").write_text(BOOK, "utf-8")
    draft.write_text(
        r"\documentclass{article}\title{Baking Sourdough Bread}\begin{document}\begin{abstract}"
        + abstract
        + "\\end{abstract}\n\\section{Introduction}\nBread was baked by many people \\cite{book}.\n"
        + "\\bibliography{refs}\n\\end{document}\n",
        "utf-8",
    )
    found = audit(run, draft)
    assert found["missing"] == []
    assert any(each.endswith(": none fits the draft") for each in found["looked_at"])


def test_an_earlier_form_of_a_cited_work_is_not_missing(run: Run, draft: Path) -> None:
    first = audit(run, draft)["missing"][0]
    words = first["title"].split()
    title, people = " ".join([*words[:-1], "Entirely", words[-1]]), " and ".join(first["authors"])
    entry = f"@misc{{form, title = {{{title}}}, author = {{{people}}}, year = {first['year']}}}\n"
    with (draft.parent / "refs.bib").open("a", encoding="utf-8") as bib:
        bib.write(entry)
    text = draft.read_text("utf-8").replace("We conclude.", "We conclude \\citep{form}.")
    draft.write_text(text, "utf-8")
    assert first["arxiv_id"] not in [each["arxiv_id"] for each in audit(run, draft)["missing"]]


def test_the_page_is_one_file_without_script_that_escapes_what_it_shows(run: Run, draft: Path) -> None:
    evil = "<script/src=//evil.example/x></script><img/src=//evil.example/x>"
    text = draft.read_text("utf-8").replace("We conclude.", rf"We conclude \citep{{{evil}}}.")
    draft.write_text(text, "utf-8")
    done = run("audit", draft, "--offline", "--format", "html")
    assert done.code == 1
    assert done.out.startswith("<!doctype html>") and "id_differs" in done.out
    page = Page()
    page.feed(done.out)
    assert "script" not in page.tags and "img" not in page.tags and "link" not in page.tags
    assert all(address.startswith("https://arxiv.org/abs/") for address in page.addresses)
    assert page.addresses and "evil.example" in done.out


def test_the_page_says_that_arxiv_did_not_answer(run: Run, draft: Path, arxiv_server: ArxivServer) -> None:
    arxiv_server.fail_always(Fault.http(404))
    page, told = run("audit", draft, "--format", "html").out, run("audit", draft, "--json").json
    (outage,) = (finding for finding in told["findings"] if finding["code"] == "source_unavailable")
    assert outage["message"] in unescape(page)


class Page(HTMLParser):
    """The tags of a page, and the addresses that it names."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "action", "background")]


def test_a_generated_sentence_whose_source_has_other_words_now_is_a_finding(run: Run, written: Path) -> None:
    assert "source_changed" not in [each["code"] for each in audit(run, written)["findings"]]
    record = written.parent / ".citeplug" / "provenance.json"
    said = json.loads(record.read_text("utf-8"))
    source = next(s for each in said["sentences"] for s in each["sources"] if s.get("of", "abstract") == "abstract")
    source["quote"] = "Words that an earlier version had and the present one has not."
    record.write_text(json.dumps(said), "utf-8")
    found = [each for each in audit(run, written)["findings"] if each["code"] == "source_changed"]
    assert found and all(each["file"] == str(written.parent / "related.tex") and each["line"] > 1 for each in found)
    assert source["arxiv_id"] in found[0]["message"]
    record.write_text("{", "utf-8")
    assert "source_changed" not in [each["code"] for each in audit(run, written)["findings"]]


def test_a_missing_work_belongs_to_no_paragraph_of_the_generated_section(run: Run, written: Path) -> None:
    found = audit(run, written)
    missing = [*found["missing"], *found["perhaps_missing"]]
    assert missing and not any(each["file"] == str(written.parent / "related.tex") for each in missing)


def test_the_author_s_works_are_those_that_the_generated_section_does_not_add(run: Run, written: Path) -> None:
    text = written.read_text("utf-8")
    assert "\\cite" not in text
    assert re.search(r"^You cite +0 works$", run("audit", written, "--offline").out, re.MULTILINE)
    key = re.findall(r"@\w+\{([^,]+),", (written.parent / "related.bib").read_text("utf-8"))[0]
    written.write_text(text.replace("\\end{document}", f"As in \\cite{{{key}}}.\n\\end{{document}}"), "utf-8")
    report = run("audit", written, "--offline").out
    assert re.search(r"^You cite +1 work, ", report, re.MULTILINE)
    assert "cited entries, with those of citeplug's section, " in report


def test_works_that_only_may_belong_are_counted_and_all_of_them_shown_with_all(run: Run, draft: Path) -> None:
    found = audit(run, draft)
    titles = [each["title"] for each in found["perhaps_missing"]]
    assert titles and not {each["title"] for each in found["missing"]} & set(titles)
    messages = [each["message"] for each in found["findings"] if each["code"] == "missing_work"]
    assert len(messages) == len(found["missing"]) and not any(titles[0] in each for each in messages)
    shown = run("audit", draft, "--offline").out
    left = [title for title in titles if title[:40] not in shown]
    words = "1 work that may belong" if len(left) == 1 else f"{len(left)} works that may belong"
    assert left == titles[-len(left) :] and len(left) >= len(titles) - 2 and words in " ".join(shown.split())
    assert titles[-1][:40] in run("audit", draft, "--offline", "--all").out
    assert titles[0] in run("audit", draft, "--offline", "--format", "html").out.replace("&#39;", "'")
