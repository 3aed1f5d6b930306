"""The citation graph in the catalogue's file."""

import gzip
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.corpus.graph import edge_files
from citeplug.corpus.graph.index import OWN
from citeplug.corpus.index import Corpus
from citeplug.records.passage import Reference, Resolved
from tests.corpus.records import make_paper, make_record, write_snapshot
from tests.corpus.stores import MemoryStore, WordModel

DAY = date(2026, 11, 20)
A, B, C = "1801.00001", "1801.00002", "1801.00003"
TITLE = "Learning to prune sparse graphs"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    store = MemoryStore()
    opened = Corpus(tmp_path / "home", WordModel, lambda model: store)
    opened.add([write_snapshot(tmp_path / "s.jsonl", [make_record(number) for number in range(20)])])
    yield opened
    opened.close()


def reference(number: int = 1, **fields: Any) -> Reference:
    given = {"title": TITLE, "year": 2019, "surnames": ("Lovelace",), "raw": f"Lovelace. {TITLE}. 2019."}
    return Reference(number, f"key{number}", **{**given, **fields})


def edges(corpus: Corpus, tmp_path: Path, *lines: object, name: str = "e.jsonl") -> edge_files.EdgeReport:
    return corpus.add_edges([write_snapshot(tmp_path / name, lines)], DAY)


def put(corpus: Corpus, citing: str, *references: Reference) -> list[Resolved]:
    corpus.graph.catch_up()
    resolved = corpus.graph.resolve(references)
    corpus.graph.put_list(citing, "files", resolved, DAY)
    return resolved


def test_a_catalogue_without_a_graph_says_so(corpus: Corpus) -> None:
    assert corpus.graph.references([A]) == corpus.graph.citers([A]) == {}
    assert corpus.graph.states([A]) == {}
    assert (corpus.graph.entries(A), corpus.graph.verify(), corpus.graph.counts().edges) == ([], [], 0)
    corpus.graph.catch_up(begin=False)
    assert corpus.graph.most_wanted(5) == []
    assert corpus.graph.stamp() == ""


def test_the_stamp_is_another_one_after_a_list_was_added_or_renewed(corpus: Corpus, tmp_path: Path) -> None:
    edges(corpus, tmp_path, {"id": A, "cited": [B]})
    stamps = [corpus.graph.stamp()]
    edges(corpus, tmp_path, {"id": B, "cited": []})
    stamps.append(corpus.graph.stamp())
    corpus.graph.put_list(A, "given", [], date(2026, 11, 21))
    stamps.append(corpus.graph.stamp())
    assert len({*stamps, ""}) == 4


def test_citations_are_found_from_both_ends(corpus: Corpus, tmp_path: Path) -> None:
    edges(corpus, tmp_path, {"id": A, "cited": [B, C]}, {"id": B, "cited": [C]})
    assert corpus.graph.references([A, B, "1801.00019"]) == {A: (B, C), B: (C,)}
    assert corpus.graph.citers([C, A]) == {C: (A, B)}
    assert corpus.graph.references([A], most=1) == {A: (B,)}
    assert corpus.graph.states([A, C]) == {A: "known"}
    assert corpus.graph.most_wanted(5) == [C]


def test_loops_doubles_versions_and_bad_ids_are_left_out_and_counted(corpus: Corpus, tmp_path: Path) -> None:
    done = edges(corpus, tmp_path, {"id": f"{A}v2", "cited": [A, B, f"arXiv:{B}v1", "nonsense", 7, None]})
    assert (done.lists, done.edges, done.loops, done.doubled, done.bad_ids) == (1, 1, 1, 1, 3)
    assert corpus.graph.references([A]) == {A: (B,)}


def test_lines_that_cannot_be_read_are_named_and_the_others_count(corpus: Corpus, tmp_path: Path) -> None:
    lines = (
        "{",
        {"id": A, "cited": [B]},
        "[]",
        "",
        {"id": "x", "cited": []},
        {"id": B},
        {"id": B, "cited": "x"},
        "[" * 9999,
    )
    done = edges(corpus, tmp_path, *lines)
    assert [number for _, number in done.bad_lines] == [1, 3, 5, 6, 7, 8]
    assert (done.skipped, done.lists, done.edges) == (6, 1, 1)


def test_a_compressed_file_that_was_cut_gives_what_came_before(corpus: Corpus, tmp_path: Path) -> None:
    lines = "".join(json.dumps({"id": f"1801.{n:05d}", "cited": [f"1802.{n:05d}"]}) + "\n" for n in range(5000))
    whole = gzip.compress(lines.encode())
    (tmp_path / "e.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    done = corpus.add_edges([tmp_path / "e.jsonl.gz"], DAY)
    assert 1000 < done.edges < 5000
    assert "truncated" in done.problems[0]


def test_what_was_added_may_be_added_again(corpus: Corpus, tmp_path: Path) -> None:
    for expected in (2, 0):
        assert edges(corpus, tmp_path, {"id": A, "cited": [B]}, {"id": B, "cited": [C]}).edges == expected
    edges(corpus, tmp_path, {"id": A, "cited": [C]})
    assert corpus.graph.references([A]) == {A: (B, C)}
    assert corpus.graph.verify() == []


def test_many_edges_come_in_parts_and_find_their_citers(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_files, "_AT_ONCE", 10)
    monkeypatch.setattr(edge_files, "_MANY", 50)
    told: list[tuple[int, int]] = []
    lines = [{"id": f"1801.{n:05d}", "cited": [C if n != 3 else A, B]} for n in range(100)]
    file = write_snapshot(tmp_path / "e.jsonl", lines)
    done = corpus.add_edges([file], DAY, lambda *each: told.append(each))
    assert done.edges == 199
    assert told[-1] == (file.stat().st_size, file.stat().st_size)
    assert len(corpus.graph.citers([C])[C]) == 99
    assert corpus.graph.verify()[0].kind == "unknown_papers"


def test_a_list_is_kept_as_printed_with_what_each_entry_means(corpus: Corpus) -> None:
    put(corpus, A, reference(1, arxiv_id=B), reference(2, title="On problem number 3"), reference(3))
    how = [(each.reference.number, each.paper, each.how) for each in corpus.graph.entries(A)]
    assert how == [(1, B, "printed_id"), (2, C, "title"), (3, None, "none")]
    assert corpus.graph.references([A]) == {A: (B, C)}
    assert corpus.graph.unresolved([A, B]) == {A: [reference(3)]}
    assert (corpus.graph.counts().unresolved, corpus.graph.counts().lists["known"]) == (1, 1)


def test_an_entry_waits_for_its_record(corpus: Corpus) -> None:
    put(corpus, A, reference(1), reference(2, title="Something else that never comes", doi="10.1000/xyz"))
    corpus.add_papers([make_paper("1905.00001", title="Learning to Prune {S}parse Graphs", authors=("Ada Lovelace",))])
    corpus.graph.catch_up(begin=False)
    assert corpus.graph.references([A]) == {A: ("1905.00001",)}
    corpus.add_papers([make_paper("1906.00001", title="Something Else that Never Comes: a Study", doi="10.1000/XYZ")])
    corpus.graph.catch_up(begin=False)
    assert [(each.paper, each.how) for each in corpus.graph.entries(A)] == [
        ("1905.00001", "title"),
        ("1906.00001", "doi"),
    ]
    assert corpus.graph.counts().unresolved == 0
    assert corpus.graph.verify() == []


def test_a_list_that_is_read_again_loses_what_left_it_and_nothing_that_others_said(
    corpus: Corpus, tmp_path: Path
) -> None:
    edges(corpus, tmp_path, {"id": A, "cited": [C]})
    put(corpus, A, reference(1, arxiv_id=B), reference(2, arxiv_id=C), reference(3))
    put(corpus, A, reference(1, arxiv_id="1801.00004"))
    assert corpus.graph.references([A]) == {A: (C, "1801.00004")}
    assert corpus.graph.unresolved([A]) == {}


def test_a_service_without_a_list_takes_none_away(corpus: Corpus) -> None:
    corpus.graph.note_state([A, B], "openalex", "unavailable", DAY)
    put(corpus, A, reference(1, arxiv_id=C))
    assert corpus.graph.states([A, B, C]) == {A: "known", B: "unavailable"}
    assert corpus.graph.asked([A, C], "openalex") == {A: ("unavailable", DAY)}
    corpus.graph.note_state([A], "files", "none", DAY)
    assert corpus.graph.states([A]) == {A: "known"}


def test_a_project_of_the_author_s_cites_and_is_no_citer(corpus: Corpus) -> None:
    put(corpus, f"{OWN}/home/paper", reference(1, arxiv_id=B))
    assert corpus.graph.references([f"{OWN}/home/paper"]) == {f"{OWN}/home/paper": (B,)}
    assert corpus.graph.citers([B]) == {}
    assert corpus.graph.counts().papers == 1


def test_the_check_names_a_missing_index_and_papers_that_nobody_knows(corpus: Corpus, tmp_path: Path) -> None:
    edges(corpus, tmp_path, {"id": A, "cited": ["2401.00001", B]})
    assert [(each.kind, each.severity, each.count) for each in corpus.graph.verify()] == [("unknown_papers", "info", 1)]
    with corpus.graph._database.writing() as (db, _):
        db.execute("DROP INDEX edges_cited")
    found = {each.kind: each.severity for each in corpus.graph.verify()}
    assert found == {"index_missing": "error", "unknown_papers": "info"}


def test_the_graph_outlives_the_records(corpus: Corpus, tmp_path: Path) -> None:
    from citeplug.corpus.prune import PruneRequest
    from citeplug.records.paper import Filter

    edges(corpus, tmp_path, {"id": A, "cited": [B]})
    put(corpus, B, reference(1, title="On problem number 3"))
    corpus.prune(PruneRequest(records=Filter(before=date(2030, 1, 1))), dry_run=False)
    assert corpus.graph.references([A, B]) == {A: (B,), B: (C,)}
    assert corpus.graph.resolve([reference(1, title="On problem number 3")])[0].paper is None


def test_records_of_one_write_are_all_named(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from citeplug.corpus.graph import record_names

    monkeypatch.setattr(record_names, "_AT_ONCE", 7)
    counts: list[int] = []
    corpus.graph.catch_up(counts.append)
    assert counts == [7, 14, 20]
    found = corpus.graph.resolve([reference(n, title=f"On problem number {n}") for n in range(1, 20)])
    assert [each.paper for each in found] == [f"1801.{n:05d}" for n in range(1, 20)]
    corpus.graph.catch_up(counts.append)
    assert counts == [7, 14, 20]


def test_where_nothing_can_be_written_what_is_there_is_read(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges(corpus, tmp_path, {"id": A, "cited": [B]})
    monkeypatch.setattr(corpus.graph._database, "read_only", True)
    corpus.graph.catch_up()
    found = corpus.graph.resolve([reference(1, title="On problem number 3"), reference(2, arxiv_id=C)])
    assert [each.paper for each in found] == [None, C]
    assert corpus.graph.citers([B]) == {B: (A,)}
