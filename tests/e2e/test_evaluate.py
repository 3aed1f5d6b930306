"""`citeplug evaluate`, as a user runs it."""

import gzip
import json
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.fulltext.store import TextStore
from citeplug.records.passage import PaperText, TextSection
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run

QUERIES = [
    {
        "query_id": "a",
        "source": "one",
        "title": "Sampling on large graphs",
        "abstract": "",
        "cited": ["1706.02216"],
        "exclude": ["hep-th/9901001"],
    },
    {"query_id": "b", "source": "two", "title": "Attention on graphs", "abstract": "", "cited": ["1710.10903", "9.9"]},
    {"query_id": "c", "source": "two", "title": "Graph neural networks", "abstract": "", "cited": []},
]


def write(path: Path, rows: list[Any]) -> Path:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture
def gold(tmp_path: Path, home: Path) -> Path:
    return write(tmp_path / "gold.jsonl", QUERIES)


@pytest.fixture
def found(tmp_path: Path, gold: Path, run: Run) -> Path:
    """A run of `citeplug search` on the inputs of the gold set."""
    inputs = tmp_path / "inputs.jsonl"
    inputs.write_text(run("evaluate", "inputs", "--gold", gold).out, "utf-8")
    assert "cited" not in inputs.read_text("utf-8")
    done = run("search", "--queries", inputs, "-k", 10, "--wait", "--offline", "--json")
    assert done.code == 0, done.err
    path = tmp_path / "run.jsonl"
    path.write_text(done.out, "utf-8")
    return path


def test_a_search_is_measured_on_the_set_it_was_made_for(run: Run, gold: Path, found: Path, tmp_path: Path) -> None:
    done = run("evaluate", "retrieval", "--gold", gold, "--run", found, "-k", 5, "--json")
    assert done.code == 0 and done.json["run"]["without_digest"] == 0 and done.json["empty"] == ["c"]
    measured = {each["name"]: each for each in done.json["sources"]["all"]}
    assert measured["coverage"]["value"] == 0.75 and measured["coverage"]["queries"] == 2
    assert set(done.json["sources"]) == {"all", "one", "two"}
    other = write(tmp_path / "other.jsonl.gz", [{**row, "title": "Another"} for row in QUERIES])
    refused = run("evaluate", "retrieval", "--gold", other, "--run", found)
    assert refused.code == 2 and "made for other inputs of a" in refused.err and not refused.out


def test_the_table_has_a_column_for_each_source_and_counts_what_is_left_out(run: Run, gold: Path, found: Path) -> None:
    done = run("evaluate", "retrieval", "--gold", gold, "--run", found, "-k", 5)
    assert done.code == 0 and "one (1)" in done.out and "two (" in done.out and "recall@5" in done.out
    assert "left out: 1 query with an empty gold set" in done.err


def test_two_runs_are_compared_by_source_and_always_alike(run: Run, gold: Path, found: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in found.read_text("utf-8").splitlines()]
    nothing = write(tmp_path / "nothing.jsonl", [{**row, "results": []} for row in rows])
    words = ("evaluate", "compare", found, nothing, "--gold", gold, "-k", 5, "--resamples", 200)
    once, again = (run(*words, "--json").json for _ in range(2))
    assert once == again
    (coverage,) = (each for each in once["sources"]["all"] if each["name"] == "coverage")
    assert coverage["difference"] == -0.75 and coverage["high"] < 0 and coverage["queries"] == 2
    table = run(*words)
    assert table.code == 0 and "B - A" in table.out and "-0.750" in table.out


def test_a_section_is_measured_with_the_catalogue_s_abstracts(run: Run, gold: Path, tmp_path: Path) -> None:
    quote = "computation of node embeddings"
    sentences = [
        {
            "text": "A sentence.",
            "cites": ["1706.02216", "2099.00001"],
            "quotes": [{"paper": "1706.02216", "text": quote}],
        }
    ]
    rows = [{"query_id": row["query_id"], "sentences": sentences} for row in QUERIES]
    done = run("evaluate", "section", "--gold", gold, "--run", write(tmp_path / "s.jsonl", rows), "--json")
    measured = {each["name"]: each["value"] for each in done.json["sources"]["all"]}
    assert measured["reality of keys"] == 0.5 and measured["reference coverage"] == 0.5
    assert measured["validity of quotations"] == 0  # four words are no quotation


def test_only_means_are_compared(run: Run, gold: Path, tmp_path: Path) -> None:
    plan = {"sentences": 3, "cites": []}
    runs = [
        write(
            tmp_path / f"{n}.jsonl",
            [{"query_id": q["query_id"], "text": "One. Two."[: 4 * n], "plan": plan} for q in QUERIES],
        )
        for n in (1, 2)
    ]
    done = run("evaluate", "compare", *runs, "--gold", gold, "--kind", "section", "--json")
    names = {each["name"] for each in done.json["sources"]["all"]}
    assert "plan: mean difference" in names and "plan: largest difference" not in names


def test_a_set_is_split_by_hash_into_halves_that_are_the_same_in_every_set(run: Run, tmp_path: Path) -> None:
    rows = [{"query_id": f"q{number}", "title": "T", "cited": ["x"]} for number in range(40)]
    whole, some = write(tmp_path / "whole.jsonl.gz", rows), write(tmp_path / "some.jsonl", rows[:7])
    halves = {
        half: [
            [json.loads(line) for line in run("evaluate", "split", half, "--gold", file).out.splitlines()]
            for file in (whole, some)
        ]
        for half in ("tuning", "held")
    }
    for tuning, held in zip(*halves.values(), strict=True):
        ids = {row["query_id"] for row in tuning}, {row["query_id"] for row in held}
        assert not ids[0] & ids[1] and all(row in rows for row in (*tuning, *held))
    assert [len(whole) + len(other) for whole, other in zip(halves["tuning"], halves["held"], strict=True)] == [40, 7]
    assert min(len(halves["tuning"][0]), len(halves["held"][0])) > 10
    assert all(row in halves["held"][0] for row in halves["held"][1])
    assert run("evaluate", "split", "held", "--gold", tmp_path / "no.jsonl").code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no line for 3 of 3 queries"),
        ("{", "line 1 is not JSON"),
        ('{"query_id": "a", "results": ["x", "x"]}', "occurs twice"),
        ('{"query_id": "zzz"}', "the gold set has no query zzz"),
        ('{"query_id": "a"}\n{"query_id": "a"}', "query a occurs twice"),
        ('{"query_id": "a", "results": [{"id": "x", "score": NaN}]}', "NaN is not a number"),
        ('{"query_id": "a", "results": ["x"], "results": []}', "'results' occurs twice"),
        ('{"query_id": "a", "results": ["hep-th/9901001"]}', "hep-th/9901001 is the query's own paper"),
        (None, "cannot read"),
    ],
)
def test_a_run_that_cannot_be_measured_ends_with_2(
    run: Run, gold: Path, tmp_path: Path, content: str | None, said: str
) -> None:
    path = tmp_path / "run.jsonl"
    if content is not None:
        path.write_text(content, "utf-8")
    done = run("evaluate", "retrieval", "--gold", gold, "--run", path)
    assert done.code == 2 and said in done.err and not done.out


def test_a_paper_twice_is_an_error_of_a_ranker_and_of_no_search(run: Run, gold: Path, tmp_path: Path) -> None:
    given = {"results": ["1706.02216", "1706.02216"], "candidates": ["1706.02216", "1710.10903"]}
    path = write(tmp_path / "run.jsonl", [{"query_id": row["query_id"], **given} for row in QUERIES])
    assert run("evaluate", "ranking", "--gold", gold, "--run", path).code == 0
    done = run("evaluate", "retrieval", "--gold", gold, "--run", path)
    assert done.code == 2 and "result 1706.02216 occurs twice" in done.err and not done.out


@pytest.mark.parametrize("command", ["retrieval", "ranking", "compare"])
def test_a_tie_that_decides_a_measure_ends_with_2(run: Run, gold: Path, tmp_path: Path, command: str) -> None:
    tied = [{"id": each, "score": 1} for each in ("1706.02216", "1710.10903")]
    path = write(tmp_path / "run.jsonl", [{"query_id": row["query_id"], "results": tied} for row in QUERIES])
    words = (path, path) if command == "compare" else ("--run", path)
    done = run("evaluate", command, *words, "--gold", gold, "-k", 1)
    assert done.code == 2 and "results 1 and 2 have one score" in done.err and not done.out


def test_a_gold_set_without_any_answer_ends_with_2(run: Run, home: Path, tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [{**row, "cited": []} for row in QUERIES])
    path = write(tmp_path / "run.jsonl", [{"query_id": row["query_id"], "results": ["x"]} for row in QUERIES])
    done = run("evaluate", "retrieval", "--gold", gold, "--run", path)
    assert done.code == 2 and "nothing of" in done.err and not done.out


def test_a_gold_file_that_broke_off_is_refused(run: Run, tmp_path: Path) -> None:
    whole = write(tmp_path / "gold.jsonl.gz", QUERIES)
    whole.write_bytes(whole.read_bytes()[:-12])
    done = run("evaluate", "inputs", "--gold", whole)
    assert done.code == 2 and "truncated" in done.err


OWN = r"""\documentclass{article}
\title{Graph Attention Networks}
\begin{document}
\begin{abstract}
We present graph attention networks, which sample neighbours and learn node representations on large graphs.
\end{abstract}
We build on \cite{sage,own,gin,elsewhere}.
\bibliography{refs}
\end{document}
"""
REFS = "".join(
    f"@misc{{{key}, title={{{title}}}, eprint={{{value}}}, archiveprefix={{arXiv}}, year={{2017}}}}\n"
    for key, title, value in (
        ("sage", "Inductive Representation Learning on Large Graphs", "1706.02216"),
        ("own", "Graph Attention Networks", "1710.10903"),
        ("gin", "Deep Graph Infomax", "1809.10341"),
        ("elsewhere", "A Paper That No Catalogue Has", "1701.00001"),
    )
)


def test_of_what_an_own_paper_cites_only_older_papers_count_and_itself_is_hidden(
    run: Run, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "papers" / "gat"
    folder.mkdir(parents=True)
    (folder / "main.tex").write_text(OWN, "utf-8")
    (folder / "refs.bib").write_text(REFS, "utf-8")
    (folder / "talk.tex").write_text(OWN.replace("Graph Attention Networks", ""), "utf-8")
    done = run("evaluate", "mine", tmp_path / "papers", "-k", 5, "--json")
    assert done.code == 0, done.err
    (paper,) = done.json["papers"]
    assert paper["before"] == "2017-10-30" and paper["dated_by"] == "its arXiv record"
    assert [each["id"] for each in paper["found"]] == ["1706.02216"] and paper["missed"] == []
    assert (paper["references"], paper["in_catalogue"], paper["newer"]) == (4, 2, 1)
    assert {each["name"]: each["value"] for each in done.json["measures"]}["recall@5"] == 1
    assert len(done.json["left_out"]) == 1 and "has no title" in done.json["left_out"][0]
    shown = run("evaluate", "mine", tmp_path / "papers", "-k", 5, "-v")
    assert "found 1 of 1, at " in shown.out and "as of 2017-10-30" in shown.out


def test_of_two_versions_of_a_paper_the_longer_list_counts(run: Run, home: Path, tmp_path: Path) -> None:
    for name, cited in (("arxiv", "sage,gin"), ("submission", "sage")):
        folder = tmp_path / "papers" / name
        folder.mkdir(parents=True)
        (folder / "main.tex").write_text(OWN.replace("sage,own,gin,elsewhere", cited), "utf-8")
        (folder / "refs.bib").write_text(REFS, "utf-8")
    done = run("evaluate", "mine", tmp_path / "papers", "--json")
    assert [Path(each["main"]).parent.name for each in done.json["papers"]] == ["arxiv"]
    assert "is another version of" in done.json["left_out"][0]


@pytest.mark.parametrize("name", ["nowhere", "papers"])
def test_a_folder_without_papers_ends_with_2(run: Run, home: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "papers").mkdir()
    done = run("evaluate", "mine", tmp_path / name)
    assert done.code == 2 and str(tmp_path / name) in done.err


def test_without_a_catalogue_mine_ends_with_3(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "empty"))
    assert run("evaluate", "mine", tmp_path).code == 3


@pytest.fixture
def months(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A catalogue of January 2018: paper n is of day n + 1. Paper 5 cites 1, 2, a later one and an unknown one."""
    monkeypatch.setenv("CITEPLUG_HOME", str(tmp_path / "home"))
    snapshot = write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(10)])
    edges = write(
        tmp_path / "edges.jsonl",
        [
            {"id": "1801.00005", "cited": ["1801.00001", "1801.00002", "1801.00008", "1701.00001"]},
            {"id": "1801.00006", "cited": ["1801.00001"]},
            {"id": "1801.00000", "cited": ["1801.00009"]},
        ],
    )
    assert run("index", "add", snapshot).code == run("graph", "add", edges).code == 0
    return tmp_path


def test_a_rolling_set_has_what_a_month_s_papers_cite_from_before(run: Run, months: Path) -> None:
    done = run("evaluate", "rolling", "--month", "1801")
    assert done.code == 0 and "of 10 papers of the month 3 have a known list; 2 queries" in done.err
    rows = {row["exclude"][0]: row for row in map(json.loads, done.out.splitlines())}
    assert set(rows) == {"1801.00005", "1801.00006"}
    assert rows["1801.00005"]["cited"] == ["1801.00001", "1801.00002"] and rows["1801.00005"]["before"] == "2018-01-06"
    fewer = run("evaluate", "rolling", "--month", "1801", "--least", 2)
    assert [json.loads(line)["exclude"] for line in fewer.out.splitlines()] == [["1801.00005"]]
    gold = months / "gold.jsonl"
    gold.write_text(done.out, "utf-8")
    inputs = months / "inputs.jsonl"
    inputs.write_text(run("evaluate", "inputs", "--gold", gold).out, "utf-8")
    found = months / "run.jsonl"
    found.write_text(run("search", "--queries", inputs, "--wait", "--offline", "--json").out, "utf-8")
    assert run("evaluate", "retrieval", "--gold", gold, "--run", found).code == 0


def test_a_paper_of_a_rolling_set_has_its_own_related_work_where_its_text_is_kept(run: Run, months: Path) -> None:
    parts = (
        TextSection(1, "Introduction", "We begin.", 9),
        TextSection(1, "Related Work", "Others did it before.", 21),
        TextSection(2, "Graphs", "Some used graphs. Figure 1: a graph.", 17),
        TextSection(1, "Method", "We do it.", 9),
    )
    with closing(TextStore(months / "home")) as store:
        store.put(PaperText("1801.00005", 1, "eprint", "A", parts), date(2018, 1, 7))
    lines = run("evaluate", "rolling", "--month", "1801").out.splitlines()
    rows = {row["exclude"][0]: row for row in map(json.loads, lines)}
    assert rows["1801.00005"]["section"] == "Others did it before.\n\nSome used graphs."
    assert "section" not in rows["1801.00006"]


def test_a_section_for_a_rolling_set_has_neither_the_draft_s_own_text_nor_a_later_paper(run: Run, months: Path) -> None:
    own = "As every marmot of the valley knows, others did it long before we began."
    parts = (TextSection(1, "Related Work", own, len(own)),)
    with closing(TextStore(months / "home")) as store:
        store.put(PaperText("1801.00005", 1, "eprint", "A", parts), date(2018, 1, 7))
    gold = months / "gold.jsonl"
    gold.write_text(run("evaluate", "rolling", "--month", "1801", "--least", 2).out, "utf-8")
    assert own in gold.read_text("utf-8")
    shown = run("evaluate", "inputs", "--gold", gold).out
    assert "marmot" not in shown and "1801.00001" not in shown
    query = json.loads(shown)
    main = months / "main.tex"
    main.write_text(
        f"\\title{{{query['title']}}}\n\\begin{{document}}\n\\begin{{abstract}}{query['abstract']}\\end{{abstract}}\n"
        "\\bibliography{refs}\n\\end{document}\n",
        "utf-8",
    )
    older = {f"1801.{number:05}" for number in range(5)}
    where = ("--before", query["before"], "--exclude", query["exclude"][0])
    for options in ((*where, "--deep"), (*where, "--no-deep"), ()):
        done = run("related", main, "--offline", "--dry-run", "--json", *options)
        assert done.code == 0, done.err
        sentences = [sentence for p in done.json["section"]["paragraphs"] for sentence in p["sentences"]]
        cited = {cite["arxiv_id"] for sentence in sentences for cite in sentence["cites"]}
        assert cited and (cited <= older) == bool(options)  # without the query's own limits others are cited
        assert "marmot" not in done.out


@pytest.mark.parametrize(("month", "said"), [("2513", "not a month"), ("2508", "no list of references is known")])
def test_a_month_without_a_set_ends_with_2(run: Run, months: Path, month: str, said: str) -> None:
    done = run("evaluate", "rolling", "--month", month)
    assert done.code == 2 and said in done.err and not done.out
