"""`citeplug section accept` as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run


@pytest.fixture
def written(written_apart: Path) -> Path:
    return written_apart


def provenance(main: Path) -> Any:
    return json.loads((main.parent / ".citeplug" / "provenance.json").read_text("utf-8"))


def statuses(main: Path) -> list[str]:
    return [sentence["status"] for sentence in provenance(main)["sentences"]]


def test_without_a_place_the_sentences_are_listed_with_their_sources(run: Run, written: Path) -> None:
    recorded = provenance(written)["sentences"]
    done = run("accept", written)
    assert done.code == 0
    for sentence in recorded:
        assert sentence["tex"] in done.out
        assert all(source["quote"] in done.out for source in sentence["sources"])
    listed = run("accept", written, "--json").json
    assert [s["place"] for s in listed["sentences"]][:2] == ["p1:1", "p1:2"]
    assert listed["unreviewed"] == len(recorded)
    assert all(s["stands"] for s in listed["sentences"])


def test_a_listing_says_of_every_kind_where_it_comes_from(run: Run, written: Path) -> None:
    record = provenance(written)
    topic, group, judged = record["sentences"][:3]
    topic |= {"kind": "topic", "cites": [], "sources": [], "attribution": None}
    group |= {"kind": "group", "attribution": None}
    group["sources"][0] |= {"of": "title", "quote": "A Title"}
    judged["sources"][0] |= {"of": "full text", "section": "Method", "page": 3}
    judged["judgement"] = {"verdict": "partly", "unsupported": "every task", "by": "judge", "suspicion": ""}
    (written.parent / ".citeplug" / "provenance.json").write_text(json.dumps(record), "utf-8")
    shown = run("accept", written).out
    assert "its sources are those of the sentences below it" in shown
    assert f"the title of arXiv:{group['cites'][0]}: A Title\n" in shown
    assert f"arXiv:{judged['cites'][0]}, Method, page 3: " in shown
    assert "only partly supported by its sources: “every task”" in shown
    listed = run("accept", written, "--json").json["sentences"]
    assert [each["kind"] for each in listed[:3]] == ["topic", "group", judged["kind"]]
    assert listed[1]["sources"][0]["of"] == "title"
    assert (listed[2]["sources"][0]["section"], listed[2]["sources"][0]["page"]) == ("Method", 3)
    assert listed[2]["judgement"] == judged["judgement"]
    assert run("accept", written, "--all").code == 0
    assert provenance(written)["sentences"][2]["judgement"] == judged["judgement"]


def test_a_sentence_a_range_and_a_paragraph_can_be_accepted(run: Run, written: Path) -> None:
    section = written.parent / "related.tex"
    before = section.read_bytes()
    assert run("accept", section, "p1:1", "--json").json["changed"] == ["p1:1"]
    assert run("accept", written, "p1:1-2", "--json").json["changed"] == ["p1:2"]
    second = sum(sentence["paragraph"] == "p2" for sentence in provenance(written)["sentences"])
    assert len(run("accept", written, "p2", "--json").json["changed"]) == second
    assert statuses(written).count("accepted") == 2 + second
    assert section.read_bytes() == before


def test_all_are_accepted_and_can_be_taken_back(run: Run, written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(written.parent)
    assert run("accept", "--all").code == 0
    assert set(statuses(written)) == {"accepted"}
    assert "accepted" in run("accept").out
    assert run("accept", "--undo", "p1:1").code == 0
    assert statuses(written).count("unreviewed") == 1


def test_a_sentence_that_the_author_changed_needs_no_word(run: Run, written: Path) -> None:
    section = written.parent / "related.tex"
    first, second = (sentence["tex"] for sentence in provenance(written)["sentences"][:2])
    # The second one is only laid out anew.
    text = section.read_text("utf-8").replace(first, f"Indeed, {first.replace('.', '!')}")
    section.write_text(text.replace(second, second.replace(" ", "\n  ", 3)), "utf-8")
    done = run("accept", written, "p1:1-2")
    assert done.code == 0
    assert "p1:1 was changed by you" in done.out
    assert statuses(written)[:2] == ["unreviewed", "accepted"]


def test_a_place_that_is_not_there_is_told_and_nothing_is_written(run: Run, written: Path) -> None:
    before = provenance(written)
    done = run("accept", written, "p1:1", "p77:1")
    assert done.code == 2
    assert "p77:1" in done.err
    assert provenance(written) == before


def test_a_record_of_an_older_and_of_a_newer_citeplug_is_read_and_kept(run: Run, written: Path) -> None:
    record = provenance(written)
    del record["made_on"], record["quotes_from"]
    record["reviewers"] = ["A. Author"]
    for sentence in record["sentences"]:
        del sentence["tex"], sentence["by"]
        sentence["page"] = 3
    (written.parent / ".citeplug" / "provenance.json").write_text(json.dumps(record), "utf-8")
    assert run("accept", written, "--all").code == 0
    after = provenance(written)
    assert after["reviewers"] == ["A. Author"]
    assert all(each["page"] == 3 and "tex" not in each for each in after["sentences"])
    assert run("related", written, "--offline").code == 0
    assert set(statuses(written)) == {"accepted"}


def test_a_project_without_a_section_or_a_record_says_so(run: Run, written: Path) -> None:
    (written.parent / ".citeplug" / "provenance.json").write_text("{ damaged", "utf-8")
    assert run("accept", written).code == 2
    (written.parent / "related.tex").unlink()
    done = run("accept", written)
    assert done.code == 2
    assert "citeplug related" in done.err
