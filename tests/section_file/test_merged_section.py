import os

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.harness.authors import NAMES, Project, Step, take
from tests.torture.edits import regenerate

# CITEPLUG_LONG is the number of examples of a long run.
EXAMPLES = int(os.environ.get("CITEPLUG_LONG") or 60)

STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 3000), st.integers(0, 200)), min_size=1, max_size=14)


def fresh(seed: int = 0) -> Project:
    project = Project()
    project.run(seed)
    return project


def after(steps: list[Step]) -> Project:
    project = fresh()
    for step in steps:
        if step[0] == "run":
            regenerate(project, step[1])
        else:
            take(project, step)
    return project


MANY = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(STEPS, st.integers(0, 30))
@example([("double lines", 6, 1), ("type", 2314, 0)], 1)
@example([("type", 376, 0)], 1)
@example([("type", 0, 0), ("double lines", 0, 1), ("type", 136, 1), ("run", 0, 0), ("delete", 60, 58)], 0)
@example([("type", 73, 1), ("run", 0, 0), ("delete", 31, 44)], 0)
def test_nothing_that_an_author_typed_is_lost(steps: list[Step], seed: int) -> None:
    regenerate(after(steps), seed)


@pytest.mark.parametrize(
    ("steps", "seed"),
    [
        # What the long runs found.
        ([("type", 67, 20), ("run", 1, 0)], 0),
        ([("type", 517, 0)], 0),
        ([("type", 0, 13), ("double lines", 336, 2)], 1),
        ([("copy block", 0, 0)], 0),
        ([("delete line", 0, 200), ("double lines", 0, 3), ("delete line", 259, 200)], 3),
        ([("double lines", 0, 1)], 1),
        ([("delete line", 0, 200), ("double lines", 0, 3), ("delete line", 258, 200)], 0),
        ([("move line", 17, 0), ("move line", 52, 18)], 0),
        (
            [
                ("type", 0, 3),
                ("delete block", 0, 0),
                ("keep block", 0, 0),
                ("delete line", 731, 98),
                ("delete block", 0, 0),
            ],
            0,
        ),
    ],
)
def test_a_second_run_changes_nothing(steps: list[Step], seed: int) -> None:
    project = after(steps)
    regenerate(project, seed)
    once = project.text
    regenerate(project, seed)
    assert project.text == once


@MANY
@given(STEPS, st.integers(0, 30))
@example([("move line", 12, 0)], 2)
@example([("delete line", 0, 0), ("type", 145, 46)], 9)
@example([("forget", 2, 0), ("delete", 94, 9)], 0)
@example([("type", 498, 122), ("type", 0, 122)], 0)
@example([("copy block", 0, 0), ("type", 42, 0), ("forget", 0, 0)], 0)
def test_a_third_run_changes_nothing(steps: list[Step], seed: int) -> None:
    """Where the author broke the marks of blocks, a run mends them, and only then a second one sees what is missing."""
    project = after(steps)
    regenerate(project, seed)
    regenerate(project, seed)
    twice = project.text
    regenerate(project, seed)
    assert project.text == twice
