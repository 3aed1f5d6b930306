"""`citeplug related --only`: one paragraph written anew by its own plan, every other byte of the section as it was."""

import re
from pathlib import Path

import pytest

from citeplug.section_file.grammar import RelatedBlock, read_related
from tests.e2e.conftest import Run, ask_for_contribution
from tests.e2e.test_merging import another_abstract, nothing_is_undefined, sentences


@pytest.fixture
def written(run: Run, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A draft whose section has several paragraphs; returns the section."""
    # Few papers of so small a catalogue fit the draft well.
    monkeypatch.setattr("citeplug.related.retrieve.fit.FITS", 0.0)
    assert run("related", project, "--offline", "--breadth", "20").code == 0
    section = project.parent / "related.tex"
    assert len(blocks(section)) > 1
    return section


def blocks(section: Path) -> tuple[RelatedBlock, ...]:
    return read_related(section.read_text("utf-8")).blocks


def raws(section: Path) -> dict[str, str]:
    text = section.read_text("utf-8")
    return {block.id: text[block.start : block.end] for block in blocks(section)}


def without_last_line(section: Path, name: str) -> str:
    """Take the last line that describes a paper out of a plan; returns the paper that it spoke of."""
    text = section.read_text("utf-8")
    block = next(each for each in blocks(section) if each.id == name)
    raw = text[block.start : block.end]
    lines = raw.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if re.match(r"% citeplug:\d+ (?!list).*\[", line))
    del lines[last]
    section.write_text(text.replace(raw, "".join(lines)), "utf-8")
    return [each for each in block.plan.lines if each.cites and not each.intent.startswith("list")][-1].cites[0]


def test_only_the_paragraph_whose_plan_was_changed_is_written_anew(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    name = max(blocks(written), key=lambda block: len(block.plan.lines)).id
    gone = without_last_line(written, name)
    before = raws(written)
    another_abstract(project)
    done = run("related", project, "--offline", "--only", name, "--json")
    assert done.code == 0, done.err
    after = raws(written)
    assert after.keys() == before.keys()
    assert {each for each in after if after[each] != before[each]} == {name}
    assert gone not in {cite for b in blocks(written) if b.id == name for line in b.plan.lines for cite in line.cites}
    nothing_is_undefined(written)


def test_the_same_plan_gives_nothing_else_without_a_model_and_that_is_said(
    run: Run, home: Path, project: Path, written: Path
) -> None:
    name = blocks(written)[0].id
    run("related", project, "--offline", "--only", name)
    before = written.read_bytes()
    done = run("related", project, "--offline", "--only", name)
    assert done.code == 0 and written.read_bytes() == before
    assert "nothing else can be written for this paragraph without a language model" in done.err and "--llm" in done.err
    assert "[nothing_else_to_write]" not in run("related", project, "--offline", "--breadth", "20").err
    changed = max(blocks(written), key=lambda block: len(block.plan.lines)).id
    without_last_line(written, changed)
    assert "[nothing_else_to_write]" not in run("related", project, "--offline", "--only", changed).err


def test_a_later_run_brings_the_others_up_to_date(run: Run, home: Path, project: Path, written: Path) -> None:
    ask_for_contribution(project, run)
    another_abstract(project)
    first, *_ = raws(written)
    assert run("related", project, "--offline", "--only", first).code == 0
    between = raws(written)
    assert run("related", project, "--offline", "--breadth", "20").code == 0
    assert raws(written) != between
    nothing_is_undefined(written)
    again = written.read_bytes()
    assert run("related", project, "--offline", "--breadth", "20").code == 0
    assert written.read_bytes() == again


def test_the_authors_words_in_the_paragraph_stay(run: Run, home: Path, project: Path, written: Path) -> None:
    first = blocks(written)[0]
    mine = "Nobody has put these two side by side."
    sentence = sentences(written)[0]
    written.write_text(written.read_text("utf-8").replace(sentence, f"{sentence}\n{mine}"), "utf-8")
    another_abstract(project)
    assert run("related", project, "--offline", "--only", first.id).code == 0
    assert mine in raws(written)[first.id]


@pytest.mark.parametrize(
    ("given", "said"),
    [(["--only", "p77"], "no paragraph p77"), (["--only", "p1", "--replan"], "follows the plan in related.tex")],
)
def test_what_cannot_be_written_anew_is_said(
    run: Run, home: Path, project: Path, written: Path, given: list[str], said: str
) -> None:
    before = written.read_bytes()
    done = run("related", project, "--offline", *given)
    assert (done.code, written.read_bytes()) == (2, before)
    assert said in done.err


def test_a_paragraph_to_be_kept_is_not_written_anew(run: Run, home: Path, project: Path, written: Path) -> None:
    first = blocks(written)[0]
    text = written.read_text("utf-8")
    raw = text[first.start : first.end]
    head, _, rest = raw.partition("\n")
    written.write_text(text.replace(raw, f"{head}\n% citeplug:keep\n{rest}"), "utf-8")
    before = written.read_bytes()
    done = run("related", project, "--offline", "--only", first.id)
    assert (done.code, written.read_bytes()) == (2, before)
    assert "keep" in done.err
