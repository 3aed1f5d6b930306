"""Which word counts where several places say something."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.errors import UnreadableInput
from citeplug.project.section_targets import named_targets
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.provenance import Provenance
from citeplug.related.options import (
    as_arguments,
    is_other,
    options_for_run,
    recorded_options,
    standing_options,
    without_model,
)
from tests.latex.projects import article, read, write


def project(folder: Path, body: str = "", toml: str = "") -> Draft:
    files: dict[str, str | bytes] = {"citeplug.toml": toml} if toml else {}
    return read(folder, body, files=files)


def options(draft: Draft, given: dict[str, Any] | None = None, *, with_model: bool = False) -> Options:
    return options_for_run(Options(), given or {}, draft, with_model=with_model)[0]


def record(chosen: Options) -> Provenance:
    from dataclasses import asdict

    from citeplug.settings.known_settings import as_plain

    return Provenance(options={name: as_plain(value) for name, value in asdict(chosen).items() if name != "plan"})


def test_the_command_line_wins_over_the_document_and_that_over_the_file(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugrelated[breadth=5, words=300]", "[related]\nbreadth = 3\ndiversity = 0.9\n")
    chosen = options(draft, {"words": 200})
    assert (chosen.words, chosen.breadth, chosen.diversity, chosen.depth) == (200, 5, 0.9, 0)


def test_what_the_document_says_wrongly_leaves_the_word_to_the_file(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugrelated[breadth=500]", "[related]\nbreadth = 3\n")
    assert options(draft).breadth == 3


def test_pins_and_exclusions_of_all_places_are_joined_and_the_higher_place_decides(tmp_path: Path) -> None:
    bib = "@article{mine, title={X}, eprint={2004.04906}, archiveprefix={arXiv}}\n"
    body = "\\citeplugpin{mine, 1706.03762}\\citeplugexclude{2005.11401}\\bibliography{refs}"
    toml = '[related]\npin = ["2005.11401", "1810.04805v2"]\nexclude = ["1706.03762"]\n'
    draft = read(tmp_path, body, files={"refs.bib": bib, "citeplug.toml": toml})
    chosen = options(draft)
    assert set(chosen.pin) == {"2004.04906", "1706.03762", "1810.04805"}
    assert chosen.exclude == ("2005.11401",)
    assert options(draft, {"exclude": ("arXiv:2004.04906v3",)}).pin == ("1810.04805", "1706.03762")


def test_a_paper_in_both_lists_of_one_place_is_left_out_and_told(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugpin{2004.04906}\\citeplugexclude{arXiv:2004.04906}")
    chosen, doubts = options_for_run(Options(), {}, draft, with_model=False)
    assert (chosen.pin, chosen.exclude) == ((), ("2004.04906",))
    assert [doubt.code for doubt in doubts] == ["pin_excluded"]


def test_without_a_model_a_file_cannot_ask_for_one(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugrelated[rank=debate, style=zero-shot]")
    chosen, doubts = options_for_run(Options(), {}, draft, with_model=False)
    assert (chosen.rank, chosen.strategy) == (None, "prompted-plan")
    assert {doubt.code for doubt in doubts} == {"option_needs_model"}
    assert options(draft, with_model=True).rank == "debate"


def test_what_needs_no_model_may_be_said_without_one(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugrelated[rank=hybrid]")
    assert options_for_run(Options(), {}, draft, with_model=False)[1] == []
    assert options(draft, with_model=True).rank == "hybrid"


def test_a_watcher_goes_on_as_the_section_was_written(tmp_path: Path) -> None:
    draft = project(tmp_path, toml="[related]\nwords = 300\n")
    made = options(draft, {"breadth": 7})
    again = standing_options(record(made), draft, {})
    assert (again.breadth, again.words) == (7, 300)
    assert not is_other(record(made), again)
    assert standing_options(record(made), draft, {"breadth": 9}).breadth == 9


def test_what_a_file_has_set_otherwise_since_then_counts(tmp_path: Path) -> None:
    draft = project(tmp_path, toml="[related]\nwords = 300\nbreadth = 3\n")
    made = options(draft, {"breadth": 7})
    changed = project(tmp_path, "\\citeplugrelated[words=500]", toml="[related]\nwords = 300\nbreadth = 3\n")
    again = standing_options(record(made), changed, {})
    assert (again.words, again.breadth) == (500, 7)
    assert is_other(record(made), again)
    without = read(tmp_path, "", files={"citeplug.toml": ""})
    assert standing_options(record(made), without, {}).words is None


def test_another_plan_in_the_document_is_another_wish(tmp_path: Path) -> None:
    plan = "\\begin{citeplugplan}\nsay it [2004.04906]\n\\end{citeplugplan}"
    made = options(project(tmp_path, plan))
    assert not is_other(record(made), standing_options(record(made), project(tmp_path, plan), {}))
    other = project(tmp_path, plan.replace("say it", "say more"))
    assert is_other(record(made), standing_options(record(made), other, {}))


@pytest.mark.parametrize(
    "damaged",
    [
        {"breadth": "x", "diversity": [], "words": -4, "categories": 7, "before": "soon", "pin": ["a\nb"]},
        {"breadth": 10**9, "diversity": float("nan"), "configured": 4, "rank": "sudo", "strategy": {}},
        {"breadth": True, "pin": [None], "exclude": "\x00", "depth": 10**30},
    ],
)
def test_a_damaged_record_is_passed_over(tmp_path: Path, damaged: dict[str, Any]) -> None:
    assert recorded_options(Provenance(options=damaged)) == Options()
    assert without_model(standing_options(Provenance(options=damaged), project(tmp_path), {})) == Options()


def test_the_arguments_say_what_the_files_do_not(tmp_path: Path) -> None:
    draft = project(tmp_path, "\\citeplugrelated[words=300]")
    chosen = options(draft, {"breadth": 7, "before": date(2020, 1, 1), "categories": ("cs", "math.ST"), "words": 90})
    assert as_arguments(chosen, draft) == (
        "--breadth 7 --words 90 --before 2020-01-01 --category cs --category math.ST".split()
    )
    assert as_arguments(options(draft), draft) == []


@pytest.mark.parametrize(("said", "deep", "word"), [("true", True, "--deep"), ("no", False, "--no-deep")])
def test_whether_citations_are_followed_can_be_said_everywhere(
    tmp_path: Path, said: str, deep: bool, word: str
) -> None:
    draft = project(tmp_path, f"\\citeplugrelated[deep={said}]", f"[related]\ndeep = {str(not deep).lower()}\n")
    assert options(draft).deep is deep
    assert options(draft, {"deep": not deep}).deep is not deep
    assert as_arguments(options(draft), project(tmp_path)) == [word]


def test_the_document_names_the_file_of_the_section(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    draft = project(tmp_path, "\\citeplugrelated[file=parts/rw]", '[related]\nout = "a.tex"\nbib = "b.bib"\n')
    named = named_targets(draft.root)
    assert (named.out, named.bib) == (tmp_path / "parts" / "rw.tex", tmp_path / "b.bib")


@pytest.mark.parametrize("name", ["nowhere/rw.tex", "main.tex", "chapter.tex", "linked/rw.tex"])
def test_a_file_that_cannot_take_the_section_does_not_count(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    paper = tmp_path / "paper"
    outside.mkdir()
    paper.mkdir()
    try:
        (paper / "linked").symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("this system lets nobody make links")
    body = f"\\input{{chapter}}\\citeplugrelated[file={name}]"
    root = write(paper, {"main.tex": article(body), "chapter.tex": "Mine."})
    named = named_targets(root)
    assert named.out is None
    assert [finding.code for finding in named.findings] == ["option_invalid"]


def test_a_path_of_the_file_that_leads_out_over_a_link_is_refused(tmp_path: Path) -> None:
    outside, paper = tmp_path / "outside", tmp_path / "paper"
    outside.mkdir()
    paper.mkdir()
    try:
        (paper / "linked").symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("this system lets nobody make links")
    root = write(paper, {"main.tex": article("x"), "citeplug.toml": '[related]\nout = "linked/x.tex"\n'})
    with pytest.raises(UnreadableInput, match=r"citeplug.toml:2: related.out = .* leads out of the project"):
        named_targets(root)
