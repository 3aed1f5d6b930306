"""Two versions of a section made one: every word that a person wrote in either stays."""

import copy
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from citeplug.errors import WouldOverwrite
from citeplug.section_file.current import read_current
from citeplug.section_file.grammar import has_conflict_marks, read_related
from citeplug.section_file.merge_versions import merge_sections
from tests.harness.authors import Project, Step, take

EXAMPLES = int(os.environ.get("CITEPLUG_LONG") or 60)
NAMES = ("type", "type", "type", "run", "join", "wrap", "indent", "delete line", "move block", "keep block", "strip")
STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 3000), st.integers(0, 200)), max_size=8)


def branch(project: Project, steps: list[Step], number: int) -> Project:
    other = copy.deepcopy(project)
    other.typed = number * 1000
    for step in steps:
        take(other, step)
    return other


def free(project: Project, bases: Project) -> frozenset[str]:
    try:
        current = read_current(project.text, bases.bases, (), Path("related.tex"))
    except WouldOverwrite:
        return frozenset()
    return frozenset(block.at.id for block in current.blocks if block.state == "fresh")


def merged_project(base: Project, ours: Project, theirs: Project) -> Project:
    both = copy.deepcopy(ours)
    both.bases = {sha: (*ours.bases.get(sha, ()), *theirs.bases.get(sha, ())) for sha in {**ours.bases, **theirs.bases}}
    both.text = merge_sections(
        base.text, ours.text, theirs.text, ours_free=free(ours, both), theirs_free=free(theirs, both)
    )
    return both


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, STEPS, STEPS)
@example([], [("run", 1, 0)], [("run", 2, 0)])
@example([], [("type", 400, 0), ("run", 1, 0)], [("type", 401, 0), ("run", 2, 0)])
def test_no_word_that_either_author_typed_is_lost(before: list[Step], here: list[Step], there: list[Step]) -> None:
    start = Project()
    start.run(0)
    base = branch(start, before, 0)
    ours, theirs = branch(base, here, 1), branch(base, there, 2)
    both = merged_project(base, ours, theirs)
    old = base.tokens()
    for side in (ours, theirs):
        assert not set(side.tokens()) - set(old) - set(both.tokens())
    if has_conflict_marks(both.text):
        return
    words = both.tokens()
    try:
        both.run(3)
    except WouldOverwrite:
        return
    assert set(words) <= set(both.tokens())


def sides(here: list[Step], there: list[Step]) -> Project:
    start = Project()
    start.run(0)
    return merged_project(start, branch(start, here, 1), branch(start, there, 2))


def test_two_versions_as_generated_become_one_with_each_paragraph_once() -> None:
    both = sides([("run", 1, 0)], [("run", 2, 0)])
    names = [block.id for block in read_related(both.text).blocks]
    assert len(names) == len(set(names))
    assert not any(block.edited for block in read_related(both.text).blocks)


def test_a_version_with_an_authors_words_wins_over_one_as_generated() -> None:
    start = Project()
    start.run(0)
    place = start.text.index("% citeplug:end p1") - 1
    edited = branch(start, [], 1)
    edited.text = edited.text[:place] + "\nMy own sentence." + edited.text[place:]
    made = branch(start, [("run", 1, 0)], 2)
    for ours, theirs in ((edited, made), (made, edited)):
        assert merged_project(start, ours, theirs).text.count("My own sentence.") == 1


def test_line_ends_are_those_of_ours() -> None:
    start = Project()
    start.run(0)
    made = branch(start, [("run", 1, 0)], 2)
    made.text = made.text.replace("\n", "\r\n")
    both = merged_project(start, start, made)
    assert "\r" not in both.text


@pytest.mark.parametrize("base", ["% citeplug: 1\n% citeplug:begin p1\nOne.\n% citeplug:end p1\n", ""])
def test_a_clone_of_grammar_1_does_not_take_the_section_back(base: str) -> None:
    block = "% citeplug:begin p1\n{}\n% citeplug:end p1\n"
    ours = "% citeplug: 2\n" + block.format("% citeplug:1 topic: graphs\nOne.")
    theirs = "% citeplug: 1\n" + block.format("One. Mine.")
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = merge_sections(base, one, other, ours_free=frozenset(), theirs_free=frozenset())
        assert "Mine." in merged
        assert "topic: graphs" in merged
        related = read_related(merged)
        assert related.version == 2
        assert not related.outside.strip()


@pytest.mark.parametrize("ours_free", [frozenset[str](), frozenset({"p1"})])
@pytest.mark.parametrize("theirs_free", [frozenset[str](), frozenset({"p1"})])
def test_a_heading_that_an_author_wrote_stays_though_the_text_below_it_is_as_generated(
    ours_free: frozenset[str], theirs_free: frozenset[str]
) -> None:
    block = "% citeplug: 2\n% citeplug:begin p1\n% citeplug:heading {}\n{}\n% citeplug:end p1\n"
    base = block.format("Graphs", "One.")

    def headings(here: str, there: str) -> list[str]:
        merged = merge_sections(base, here, there, ours_free=ours_free, theirs_free=theirs_free)
        return [line for line in merged.splitlines() if "heading" in line]

    mine, yours = block.format("Graphs of mine", "One."), block.format("Graphs of yours", "One.")
    assert headings(mine, yours) == ["% citeplug:heading Graphs of mine", "% citeplug:heading Graphs of yours"]
    made = block.format("Graphs", "Two.")
    assert headings(mine, made) == headings(made, mine) == ["% citeplug:heading Graphs of mine"]
    assert headings(base, mine) == ["% citeplug:heading Graphs of mine"]
