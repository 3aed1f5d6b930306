"""Sections of published systems, read from a repository of their form, and what is counted of them."""

import csv
import io
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import field, writing
from benchmarks.published_sections import (
    PublishedSection,
    Repository,
    Skipped,
    Work,
    massgen,
    parse_section,
    read_drafts,
)
from citeplug.corpus.stores import open_corpus
from citeplug.evaluate.gold import Gold
from citeplug.evaluate.measures.citations import CitedSentence
from citeplug.settings.environment import read_settings

SECTION = """# Related Works

Attention was made fast [1][3]. A later study [2, 4] and [Yao' 2024](http://arxiv.org/abs/2405.00001v2) disagree.

## References

[1] Dao, T. "Fast and exact attention." arXiv:2205.14135, 2022.
[2] A study of something else. *arXiv:2301.XXXXX*, 2023.
[3] Kwon, W. "Efficient memory management for serving." arXiv:2309.99999.
[4] An article without an id,
    on two lines.
"""
TITLES = {
    "2205.14135": "Fast and Exact Attention",
    "2309.99999": "On Galaxies",
    "2309.06180": "Efficient Memory Management for Serving",
}
GOLD = Gold(
    "2501.00001",
    "",
    "A draft",
    "On attention.",
    cited=frozenset({"2205.14135", "2309.06180"}),
    exclude=frozenset({"2501.00001"}),
)


def test_a_section_in_markdown_is_read_with_its_numbers_links_and_reference_list() -> None:
    section = parse_section(SECTION)
    assert [sentence.cites for sentence in section.sentences] == [("1", "3"), ("2", "4", "2405.00001v2")]
    assert section.works["4"].text == "An article without an id, on two lines. "
    assert {label: work.printed for label, work in section.works.items()} == {
        "1": "2205.14135", "2": "2301.XXXXX", "3": "2309.99999", "4": "", "2405.00001v2": "2405.00001v2",
    }  # fmt: skip


def test_a_work_of_the_authors_counts_by_its_title_though_its_id_is_of_another_paper() -> None:
    counted = field.measure(parse_section(SECTION), GOLD, field.Records(TITLES, {}))
    assert (counted["works"], counted["recall"], counted["precision"]) == (5, 1.0, 2 / 3)
    assert {kind: counted[f"id {kind}"] for kind in field.KINDS} == {
        "right": 1, "of another title": 1, "not in the records": 1, "impossible": 1, "the draft's own": 0, "later": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("printed", "kind"), [("2501.00001", "the draft's own"), ("2502.00007", "later")])
def test_the_drafts_own_paper_and_later_ones_are_counted_by_themselves(printed: str, kind: str) -> None:
    section = PublishedSection((CitedSentence("So.", ("1",)),), {"1": Work("A paper", printed)})
    assert field.measure(section, GOLD, field.Records(TITLES, {}))[f"id {kind}"] == 1


def test_a_quotation_counts_as_found_only_where_the_abstract_of_that_work_has_it() -> None:
    quotes = (("1", "is faster than all the others by far"), ("1", "is something that nobody wrote there"))
    section = PublishedSection((CitedSentence("So.", ("1",)),), {"1": Work("2205.14135", "2205.14135")}, quotes)
    records = field.Records(TITLES, {"2205.14135": "Our method is faster than all the others by far."})
    counted = field.measure(section, GOLD, records)
    assert (counted["quotes"], counted["quoted"]) == (2, 1)


def test_the_section_of_a_recorded_run_is_measured_as_it_was_written() -> None:
    section = PublishedSection(
        (CitedSentence("So “it is”.", ("2205.14135",)),), {"2205.14135": Work("2205.14135", "2205.14135")}
    )
    row = field.as_line("2501.00001", section)
    assert row["sentences"] == [{"text": "So “it is”.", "cites": ["2205.14135"], "quotes": []}]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository of one draft, which cites two works, one of them on arXiv."""
    parent, link = "2501.00001v1", "http://arxiv.org/abs/2205.14135v1"
    columns = (
        "parent_paper_arxiv_id", "citation_shorthand", "cited_paper_title", "cited_paper_arxiv_link",
        "cited_paper_abstract", "bib_paper_authors",
    )  # fmt: skip
    abstract = "We make attention fast. It is exact."
    citations = [
        dict(zip(columns, row, strict=True))
        for row in (
            (parent, "dao", "Fast and Exact Attention", link, abstract, "Dao, Tri and others"),
            (parent, "book", "A Book", "", "", "Ada Byron"),
        )
    ]
    queries = [
        {
            "arxiv_id": parent,
            "title": "A draft",
            "abstract": "On fast attention.",
            "published_date": "2025-01-02T00:00:00",
            "clean_latex_related_works": r"\subsection{Attention} It was made fast~\cite{dao,book}.",
        }
    ]
    files = {
        "dataset/citations.csv": _table(citations),
        "dataset/queries.csv": _table(queries),
        "dataset/gt_nuggets_outputs/0/res.json": json.dumps(
            {"qid": "2501.00001v1", "nuggets": [{"text": "attention is fast", "importance": "vital"}]}
        ),
        "outputs/results_minimax/0/intro.md": SECTION,
        "outputs/results_minimax/0/stats.json": '{"usage": {"total_tokens": 1200}}',
    }
    root = tmp_path / "clone"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, check=True, text=True).stdout.strip()
    return Repository("owner/name", commit).opened(tmp_path / "home", [root / ".git"], fetch=False)


def _table(rows: list[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_drafts_and_sections_are_read_from_a_clone_at_one_commit(repository: Repository) -> None:
    drafts = read_drafts(repository, repository)
    (gold,) = drafts.gold
    assert (gold.query_id, sorted(gold.cited)) == ("2501.00001", ["2205.14135"])
    assert gold.nuggets[0].text == "attention is fast"
    assert drafts.records["2205.14135"]["authors"] == "Tri Dao"
    assert [work.text for work in drafts.authors["2501.00001"].works.values()] == ["Fast and Exact Attention", "A Book"]
    ((query, section),) = massgen(repository, drafts)
    assert (query, len(section.works), section.tokens) == ("2501.00001", 5, 1200)


def test_a_repository_that_is_not_there_is_skipped_and_not_fetched_unasked(tmp_path: Path) -> None:
    with pytest.raises(Skipped, match="was not fetched"):
        Repository("owner/name", "0" * 40).opened(tmp_path, [], fetch=False)


def test_citeplug_is_measured_beside_the_published_systems_and_never_given_later_papers(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(field, "MASSGEN", repository)
    monkeypatch.setattr("benchmarks.published_sections.MASSGEN", repository)
    monkeypatch.setattr("benchmarks.published_sections.BENCHMARK", repository)
    monkeypatch.setattr(
        "sys.argv", ["field", "--home", str(tmp_path), "--clone", str(repository.place), "--data", str(tmp_path)]
    )
    assert field.main() == 0
    printed = capsys.readouterr().out
    assert "1 of the 1 works" in printed
    assert "STORM (Llama 4) is skipped: guestrin-lab/deepscholar-bench" in printed
    run = json.loads((tmp_path / "field" / "citeplug.jsonl").read_text("utf-8"))
    assert {cite for sentence in run["sentences"] for cite in sentence["cites"]} == {"2205.14135"}


REPLIES = {
    "by": "hand",
    "title": "A draft",
    "queries": ["fast attention"],
    "summaries": {},
    "left_out": {},
    "plan": [{"heading": "Attention", "words": 20, "lines": [
        {"kind": "paper", "intent": "exact and fast", "papers": ["2205.14135"]}]}],
    "prose": {"Attention": [{
        "line": 1, "kind": "paper", "text": "Attention can be both exact and quick [2205.14135].",
        "quotes": [["2205.14135", "We make attention fast. It is exact"]]}]},
    "judge": {}, "repairs": {}, "polish": {},
}  # fmt: skip


@pytest.mark.parametrize("title", ["Fast and Exact Attention", "Another Title"])
def test_a_section_with_a_model_is_written_again_from_recorded_replies_or_left_out(
    title: str, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "2501.00001.json").write_text(json.dumps(REPLIES), "utf-8")
    for name in ("benchmarks.field.REPLIES", "tests.harness.replayed_model.FOLDER"):
        monkeypatch.setattr(name, tmp_path)
    drafts = read_drafts(repository, repository)
    _, records = drafts.write(tmp_path)
    with open_corpus(replace(read_settings(), corpus=tmp_path / "catalogue")) as corpus:
        corpus.add([records])
        written = field.sections_by_replies(drafts.gold, corpus, {"2205.14135": title})
        if title == "Another Title":  # the replies are to papers that are not there any more
            with pytest.raises(Skipped, match="do not fit what is found"):
                list(written)
            return
        ((query, section),) = written
    assert (query, section.text) == ("2501.00001", "Attention can be both exact and quick.")
    assert section.quotes == (("2205.14135", "We make attention fast. It is exact"),)
    assert section.dollars


def test_baselines_and_citeplug_write_from_the_same_papers(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.published_sections.MASSGEN", repository)
    monkeypatch.setattr("benchmarks.published_sections.BENCHMARK", repository)
    monkeypatch.setattr("sys.argv", ["writing", "--home", str(tmp_path), "--clone", str(repository.place)])
    assert writing.main() == 0
    lines = capsys.readouterr().out.partition("drafts, means")[2].splitlines()
    table = [line.rsplit(maxsplit=10) for line in lines[1:-1]]
    shares = {cells[0].strip(): [float(cell) for cell in cells[1:5]] for cells in table}
    assert shares["first sentences"] == [1, 0, 0, 1]  # five words are no run of eight; "we" is another's
    assert shares["rules"] == [1, 0, 0, 0]  # four words are no quotation
    assert shares["citeplug"][0] == 1
    assert shares["the authors"] == [1, 0, 0, 0]


def test_a_repository_is_fetched_at_its_commit_and_then_read_without_the_network(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repository.place is not None
    (tmp_path / "server" / "owner").mkdir(parents=True)
    (tmp_path / "server" / "owner" / "name").symlink_to(repository.place)
    monkeypatch.setattr("benchmarks.published_sections.GITHUB", (tmp_path / "server").as_uri())
    elsewhere = Repository("owner/name", repository.commit)
    fetched = elsewhere.opened(tmp_path / "home", [], fetch=True)
    assert fetched.text("outputs/results_minimax/0/intro.md") == SECTION
    monkeypatch.setattr("benchmarks.published_sections.GITHUB", "https://invalid.")
    assert elsewhere.opened(tmp_path / "home", [], fetch=False).files == fetched.files
    with pytest.raises(Skipped, match="no/such"):
        fetched.text("no/such/file")
    with pytest.raises(Skipped):
        Repository("owner/other", "0" * 40).opened(tmp_path / "home", [], fetch=True)
