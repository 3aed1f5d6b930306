"""`citeplug check` as a user and a script run it: a real catalogue, real files, exit codes."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.harness.arxiv_server import ArxivServer, Fault, paper

RIGHT = """@misc{grover2016node2vec,
  title = {node2vec: Scalable Feature Learning for Networks},
  author = {Grover, Aditya and Leskovec, Jure},
  year = {2016},
  eprint = {1607.00653},
  archivePrefix = {arXiv}
}
"""
WRONG_YEAR = """@misc{late,
  title = {Inductive Representation Learning on Large Graphs},
  author = {Hamilton, William L. and Ying, Rex and Leskovec, Jure},
  year = {2011},
  eprint = {1706.02216},
  archivePrefix = {arXiv}
}
"""
MIXED = """@misc{mixed,
  title = {Gated Graph Sequence Neural Networks},
  author = {Li, Yujia and Tarlow, Daniel and Brockschmidt, Marc and Zemel, Richard},
  year = {2015},
  eprint = {1607.00653}
}
"""
BOOK = "@book{book, title = {A Book}, author = {Some Body}, publisher = {House}, year = {1999}}\n"
FIELDS = {
    "key",
    "file",
    "line",
    "page",
    "verdict",
    "severity",
    "arxiv_id",
    "checked_against",
    "fields",
    "findings",
    "message",
    "fix",
}
DRAFT = r"""\documentclass{article}\begin{document}
\cite{grover2016node2vec}, \cite{nowhere}
\bibliographystyle{plain}\bibliography{refs}\end{document}
"""


def write(folder: Path, text: str, name: str = "refs.bib") -> Path:
    file = folder / name
    file.write_bytes(text.encode())
    return file


def by_key(document: list[dict[str, Any]]) -> dict[str | None, dict[str, Any]]:
    return {entry["key"]: entry for entry in document}


def codes(entry: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in entry["findings"]]


def test_every_entry_has_an_element_with_its_verdict_and_evidence(run: Run, home: Path, tmp_path: Path) -> None:
    file = write(tmp_path, RIGHT + WRONG_YEAR + MIXED + BOOK)
    done = run("check", file, "--offline", "--format", "json")
    found = by_key(done.json)
    assert list(found) == ["grover2016node2vec", "late", "mixed", "book"]
    assert {key: (e["verdict"], e["severity"]) for key, e in found.items()} == {
        "grover2016node2vec": ("verified", "none"),
        "late": ("differs", "warning"),
        "mixed": ("differs", "error"),
        "book": ("not_arxiv", "info"),
    }
    assert all(set(entry) == FIELDS for entry in done.json)
    assert (found["late"]["file"], found["late"]["line"]) == (str(file), 8)
    year = next(field for field in found["late"]["fields"] if field["field"] == "year")
    assert (year["given"], year["verdict"]) == ("2011", "differs")
    assert found["late"]["fix"]
    assert done.code == 1


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        (RIGHT, "warning", 0),
        (WRONG_YEAR, "error", 0),
        (WRONG_YEAR, "warning", 1),
        (MIXED, "error", 1),
        (MIXED, "never", 0),
        (RIGHT.replace("node2vec: Scalable", "A & B: Scalable"), "error", 1),
    ],
)
def test_the_exit_code_follows_the_findings(
    run: Run, home: Path, tmp_path: Path, text: str, fail_on: str, code: int
) -> None:
    assert run("check", write(tmp_path, text), "--offline", "--fail-on", fail_on).code == code


def test_an_empty_catalogue_accuses_nobody(run: Run, tmp_path: Path) -> None:
    done = run("check", write(tmp_path, RIGHT + WRONG_YEAR), "--offline", "--json")
    assert {(entry["verdict"], entry["severity"]) for entry in done.json} == {("unchecked", "info")}
    assert all(entry["message"] for entry in done.json)
    assert done.code == 0


def test_a_draft_is_checked_by_what_it_cites(run: Run, home: Path, tmp_path: Path) -> None:
    write(tmp_path, RIGHT + MIXED)
    main = write(tmp_path, DRAFT, "main.tex")
    done = run("check", main, "--offline", "--json")
    found = by_key(done.json)
    assert found["grover2016node2vec"]["verdict"] == "verified"
    missing = found["nowhere"]
    assert (missing["verdict"], missing["severity"], codes(missing)) == ("unchecked", "error", ["undefined_key"])
    assert (missing["file"], missing["line"]) == (str(main), 2)
    assert (found["mixed"]["verdict"], codes(found["mixed"])) == ("unchecked", ["uncited_entry"])
    assert found["mixed"]["severity"] in ("none", "info")
    assert done.code == 1


def test_all_looks_up_what_is_never_cited_too(run: Run, home: Path, tmp_path: Path) -> None:
    write(tmp_path, RIGHT + MIXED)
    main = write(tmp_path, DRAFT, "main.tex")
    found = by_key(run("check", main, "--all", "--offline", "--json").json)
    assert found["mixed"]["verdict"] == "differs"
    assert "uncited_entry" in codes(found["mixed"])
    assert "2 entries: 1 verified, 1 different from the record" in run("check", main, "--all", "--offline").out


def test_nocite_all_checks_every_entry(run: Run, home: Path, tmp_path: Path) -> None:
    write(tmp_path, RIGHT + MIXED)
    main = write(tmp_path, DRAFT.replace(r", \cite{nowhere}", r" \nocite{*}"), "main.tex")
    done = run("check", main, "--offline", "--json")
    assert by_key(done.json)["mixed"]["verdict"] == "differs"


def test_bibtex_finds_a_key_in_another_case_and_is_stopped_by_two(run: Run, home: Path, tmp_path: Path) -> None:
    write(tmp_path, RIGHT)
    other = DRAFT.replace("nowhere", "Grover2016Node2vec")
    main = write(tmp_path, other, "main.tex")
    (entry,) = run("check", main, "--offline", "--json").json
    assert (entry["severity"], codes(entry)) == ("error", ["key_case"])
    main = write(tmp_path, other.replace(r"\cite{grover2016node2vec}, ", ""), "main.tex")
    (entry,) = run("check", main, "--offline", "--json").json
    assert (entry["severity"], codes(entry)) == ("none", ["key_case"])


def test_a_key_is_not_said_to_be_undefined_where_a_file_was_not_read(run: Run, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    write(tmp_path, RIGHT, "outside.bib")
    main = write(folder, DRAFT.replace("{refs}", "{../outside}"), "main.tex")
    done = run("check", main, "--offline", "--json")
    cause, *keys = done.json
    assert (cause["key"], cause["severity"], codes(cause)) == (None, "warning", ["bib_outside_project"])
    assert "2 cited keys are defined in no other file" in cause["message"]
    assert {entry["severity"] for entry in keys} == {"info"}
    assert done.code == 0


@pytest.mark.parametrize("command", ["check", "fix", "audit"])
@pytest.mark.parametrize("others", ["", ",refs"], ids=["alone", "beside-one-with-every-key"])
def test_a_bibliography_that_cannot_be_read_is_no_success(
    run: Run, home: Path, tmp_path: Path, command: str, others: str
) -> None:
    (tmp_path / "folder.bib").mkdir()
    write(tmp_path, RIGHT + "@misc{nowhere, title = {Something}, year = 2001}\n")
    draft = DRAFT.replace("{refs}", "{folder" + others + "}")
    main = write(tmp_path, draft.replace(r"\begin", r"\title{Learning nodes of graphs}\begin"), "main.tex")
    done = run(command, main, "--offline")
    assert done.code == 2
    assert "error" in done.out + done.err
    assert "folder.bib cannot be read: it is a folder" in done.out + done.err


def test_a_missing_file_is_one_error_and_the_keys_that_it_may_define_are_none(
    run: Run, home: Path, tmp_path: Path
) -> None:
    main = write(tmp_path, DRAFT, "main.tex")
    done = run("check", main, "--offline")
    assert done.code == 1
    assert "the file refs.bib does not exist: 2 cited keys are defined in no other file [missing_bib]" in done.out
    assert "undefined_key" not in done.out
    assert "1 with errors, 2 cited and not defined" in done.out
    assert done.err.count("does not exist") == 0


def test_a_file_by_itself_knows_the_macros_of_those_beside_it_and_names_another_once(
    run: Run, home: Path, tmp_path: Path
) -> None:
    write(tmp_path, '@string{nips = "Advances in Neural Information Processing Systems"}\n', "bib-abbrv.bib")
    entries = [
        f"@inproceedings{{a{n}, title = {{Title {n}}}, author = {{Body{n}, A.}}, year = 200{n}, booktitle = nips}}"
        for n in (1, 2)
    ]
    refs = write(tmp_path, "\n".join(entries))
    assert all(codes(entry) == [] for entry in run("check", refs, "--offline", "--json").json)
    refs = write(tmp_path, "\n".join(entries).replace("= nips", "= icml"))
    assert [codes(entry) for entry in run("check", refs, "--offline", "--json").json] == [["undefined_macro"], []]


def test_several_files_are_checked_each_by_itself(run: Run, home: Path, tmp_path: Path) -> None:
    one, two = write(tmp_path, RIGHT, "one.bib"), write(tmp_path, RIGHT, "two.bib")
    done = run("check", one, two, "--offline", "--json")
    assert [(entry["file"], entry["findings"]) for entry in done.json] == [(str(one), []), (str(two), [])]


def test_the_only_file_of_the_folder_is_checked(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, RIGHT)
    assert len(run("check", "--offline", "--json").json) == 1
    write(tmp_path, RIGHT, "other.bib")
    write(tmp_path, DRAFT, "main.tex")
    assert "nowhere" in by_key(run("check", "--offline", "--json").json)


@pytest.mark.parametrize(("files", "said"), [((), "no .bib"), (("one.bib", "two.bib"), "several")])
def test_a_folder_without_a_choice_is_wrong_usage(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in files:
        write(tmp_path, RIGHT, name)
    done = run("check", "--offline")
    assert done.code == 2
    assert said in done.err
    assert "citeplug check" in done.err


@pytest.mark.parametrize("name", ["gone.bib", "gone.tex"])
def test_a_file_that_is_not_there_ends_with_2_and_says_so(run: Run, tmp_path: Path, name: str) -> None:
    done = run("check", tmp_path / name, "--offline")
    assert (done.code, done.out) == (2, "")
    assert name in done.err
    assert "Traceback" not in done.err


def test_the_same_paper_under_two_keys_is_told_of_the_later(run: Run, home: Path, tmp_path: Path) -> None:
    again = RIGHT.replace("grover2016node2vec", "again").replace("@misc", "@article").replace("eprint", "note")
    found = by_key(run("check", write(tmp_path, RIGHT + again), "--offline", "--json").json)
    assert codes(found["grover2016node2vec"]) == []
    (finding,) = [f for f in found["again"]["findings"] if f["code"] == "duplicate_entry"]
    assert "grover2016node2vec" in finding["message"]


def test_two_titles_with_one_id_are_told_without_a_record(run: Run, tmp_path: Path) -> None:
    done = run("check", write(tmp_path, RIGHT + MIXED), "--offline", "--json")
    assert [codes(entry) for entry in done.json] == [[], ["shared_id"]]
    assert done.json[1]["severity"] == "warning"


def test_a_block_that_cannot_be_read_has_an_element_of_its_own(run: Run, home: Path, tmp_path: Path) -> None:
    text = RIGHT + "\n@misc{, title = {No Key}}\nwrite to me@home.org\n" + WRONG_YEAR
    done = run("check", write(tmp_path, text), "--offline", "--json")
    assert [(entry["line"], codes(entry)) for entry in done.json if entry["key"] is None] == [
        (9, ["entry_without_key"]),
        (10, ["stray_at"]),
    ]
    assert done.code == 1


def test_a_broken_entry_is_judged_by_the_fields_that_can_be_read(run: Run, home: Path, tmp_path: Path) -> None:
    text = MIXED.replace("Zemel, Richard},", "Zemel, Richard}")
    (entry,) = run("check", write(tmp_path, text), "--offline", "--json").json
    assert (entry["verdict"], "missing_comma" in codes(entry)) == ("differs", True)


# At arXiv


@pytest.fixture
def arxiv(arxiv_server: ArxivServer, monkeypatch: pytest.MonkeyPatch) -> ArxivServer:
    arxiv_server.add(
        paper(
            "1607.00653", "node2vec: Scalable Feature Learning for Networks", authors=("Aditya Grover", "J. Leskovec")
        ),
        paper("1511.05493", "Gated Graph Sequence Neural Networks", authors=("Yujia Li", "Daniel Tarlow")),
    )
    monkeypatch.setenv("CITEPLUG_ARXIV_URL", arxiv_server.url)
    return arxiv_server


NO_ID = """@article{noid, title = {Gated Graph Sequence Neural Networks}, author = {Li, Yujia and Tarlow, Daniel},
  journal = {JOURNAL}, year = {2015}}
"""


def test_ids_are_asked_at_arxiv_by_default(run: Run, arxiv: ArxivServer, tmp_path: Path) -> None:
    (entry,) = run("check", write(tmp_path, RIGHT), "--json").json
    assert (entry["verdict"], entry["checked_against"]) == ("verified", "arxiv")
    assert arxiv.asked_ids() == [["1607.00653"]]
    assert arxiv.asked_queries() == []


def test_titles_are_searched_of_entries_without_an_id_and_shown(run: Run, arxiv: ArxivServer, tmp_path: Path) -> None:
    file = write(tmp_path, NO_ID.replace("JOURNAL", "Journal of Graphs"))
    done = run("check", file, "--json")
    assert done.json[0]["arxiv_id"] == "1511.05493"
    assert "asking arXiv" in done.err
    file = write(tmp_path, NO_ID.replace("JOURNAL", "arXiv preprint").replace("Gated Graph", "Invented Gadget"))
    (entry,) = run("check", file, "--json").json
    assert (entry["verdict"], entry["severity"]) == ("not_found", "error")


def test_offline_asks_nobody(run: Run, arxiv: ArxivServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, RIGHT + NO_ID.replace("JOURNAL", "arXiv"))
    run("check", file, "--offline")
    monkeypatch.setenv("CITEPLUG_OFFLINE", "1")
    run("check", file)
    assert arxiv.requests == []


def test_an_outage_is_no_verdict_and_ends_with_3(run: Run, arxiv: ArxivServer, tmp_path: Path) -> None:
    arxiv.fail_always(Fault.too_fast(retry_after="86400"))
    done = run("check", write(tmp_path, RIGHT), "--json")
    assert [entry["verdict"] for entry in done.json] == ["unchecked"]
    assert done.code == 3
    assert "source_unavailable" in done.err
    broken = write(tmp_path, RIGHT.replace("{2016},", "{2016}"))
    assert run("check", broken, "--json").code == 1
    assert run("check", write(tmp_path, RIGHT), "--fail-on", "warning").code == 3


def test_a_dripping_answer_decides_nothing_and_does_not_hold_the_check(
    run: Run, arxiv: ArxivServer, tmp_path: Path
) -> None:
    arxiv.fail_always(Fault.dripping(0.2))
    entries = "".join(
        f"@misc{{e{n}, title = {{A Title of a Paper {n}}}, author = {{A. B}}, eprint = {{1607.0065{n}}}}}\n"
        for n in range(5)
    )
    start = time.monotonic()
    done = run("check", write(tmp_path, entries), "--format", "json")
    assert time.monotonic() - start < 30
    assert done.code == 3
    assert {entry["verdict"] for entry in done.json} == {"unchecked"}
    assert "still incomplete" in done.err
    assert len(arxiv.requests) == 1


def test_what_was_answered_is_kept(run: Run, arxiv: ArxivServer, tmp_path: Path) -> None:
    file = write(tmp_path, RIGHT)
    first = run("check", file, "--json").json
    assert run("check", file, "--json").json == first
    assert len(arxiv.asked_ids()) == 1


# How it looks


def test_the_text_names_errors_first_and_counts_at_the_end(run: Run, home: Path, tmp_path: Path) -> None:
    done = run("check", write(tmp_path, WRONG_YEAR + RIGHT + MIXED + BOOK), "--offline")
    lines = done.out.splitlines()
    heads = [line for line in lines if line[:1] not in (" ", "") and ".bib:" in line]
    assert [head.rsplit(": ", 1)[-1] for head in heads] == ["mixed", "late"]
    assert "given:" in done.out
    assert "1511.05493" in done.out
    assert any(line.startswith("4 entries: ") for line in lines)
    assert "1 with errors, 1 with warnings" in lines
    assert "book" not in done.out
    assert "\x1b" not in done.out


def test_terminal_escapes_of_an_entry_never_reach_the_terminal(run: Run, home: Path, tmp_path: Path) -> None:
    text = MIXED.replace("Gated", "\x1b]0;owned\x07\x1b[31mGated\u202e").replace("{mixed", "{mi\x1b[2Jxed")
    for form in ("text", "github"):
        done = run("check", write(tmp_path, text), "--offline", "--format", form)
        assert done.code == 1
        assert not {"\x1b", "\x07", "\u202e"} & set(done.out + done.err)


def test_github_gets_one_command_a_line_with_its_signs_escaped(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a, b: c"
    folder.mkdir()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    text = MIXED.replace("Gated Graph", "50% Gated\n::error::x Graph") + "".join(
        f"@misc{{a{n}, title = {{A & B}}, author = {{C D}}, year = 2000}}\n" for n in range(12)
    )
    done = run("check", write(folder, text), "--offline", "--format", "github")
    lines = done.out.splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in commands)
    assert all("file=a%2C b%3A c/refs.bib,line=" in line for line in commands)
    assert any("raw %25" in line for line in commands)
    assert sum("raw &" in line for line in commands) == 12
    assert any("10 of the" in line for line in lines if not line.startswith("::"))


def test_json_is_one_document_on_standard_output_whatever_is_found(run: Run, home: Path, tmp_path: Path) -> None:
    done = run("check", write(tmp_path, ""), "--offline", "--format", "json")
    assert (json.loads(done.out), done.code) == ([], 0)
    both = (
        run("check", write(tmp_path, RIGHT), "--offline", "--json"),
        run("check", tmp_path / "refs.bib", "--offline", "--format", "json"),
    )
    assert both[0].json == both[1].json


# Beside `citeplug related`


def test_related_shows_what_is_wrong_with_the_authors_entry_and_leaves_it(run: Run, home: Path, project: Path) -> None:
    first = run("related", project, "--offline", "--dry-run", "--json").json["entries"][0]
    bib = project.parent / "refs.bib"
    found = {field["field"]: field["found"] for field in first["fields"]}
    text = f"title = {{{found['title']}}}, author = {{{found['author']}}}, eprint = {{{first['arxiv_id']}}}"
    bib.write_text(f"@misc{{mine, {text}, year = {{1995}}}}", "utf-8")
    before = bib.read_bytes()
    done = run("related", project, "--offline", "--json").json
    entry = next(each for each in done["entries"] if each["origin"] == "author")
    assert (entry["key"], entry["verdict"]) == ("mine", "differs")
    finding = next(each for each in done["findings"] if each["code"] == "year_differs")
    assert (Path(finding["file"]), finding["line"]) == (bib, 1)
    assert bib.read_bytes() == before


def test_citeplug_toml_says_what_fails_and_the_command_line_wins(run: Run, home: Path, tmp_path: Path) -> None:
    bib = write(tmp_path, WRONG_YEAR)
    assert run("check", bib, "--offline").code == 0
    toml = write(tmp_path, '[check]\nfail_on = "warning"\n', "citeplug.toml")
    assert run("check", bib, "--offline").code == 1
    assert run("check", bib, "--offline", "--fail-on", "never").code == 0
    toml.write_text("[check]\nfailon = 1\n", "utf-8")
    done = run("check", bib, "--offline")
    assert done.code == 2 and "citeplug.toml:2" in done.err and "fail_on" in done.err


def test_the_report_as_a_page_has_every_entry_with_a_finding_and_nothing_of_an_audit(
    run: Run, home: Path, tmp_path: Path
) -> None:
    file = write(tmp_path, RIGHT + WRONG_YEAR + MIXED)
    done = run("check", file, "--offline", "--format", "html")
    told = run("check", file, "--offline", "--json").json
    assert done.code == 1 and done.out.startswith("<!doctype html>") and "<script" not in done.out
    assert "Check of refs.bib" in done.out and "Your bibliography" not in done.out and "Not cited" not in done.out
    assert {entry["key"] for entry in told if entry["findings"]} == {"late", "mixed"}
    assert all(f'class="key">{key}</' in done.out for key in ("late", "mixed"))
