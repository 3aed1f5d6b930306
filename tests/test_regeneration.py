import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeplug.errors import WouldOverwrite
from tests.authors import NAMES, Project, Step, take

# CITEPLUG_LONG is the number of examples of a long run.
EXAMPLES = int(os.environ.get("CITEPLUG_LONG") or 120)

STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 3000), st.integers(0, 200)), min_size=1, max_size=14)


def fresh(seed: int = 0) -> Project:
    project = Project()
    project.run(seed)
    return project


def checked(project: Project, seed: int) -> None:
    """A run, after which every word of the author's is there; and another, which changes nothing."""
    before, words = project.text, project.tokens()
    try:
        project.run(seed)
    except WouldOverwrite:
        assert project.text == before
        return
    after = project.tokens()
    lost = {word: count for word, count in words.items() if after.get(word, 0) < count}
    assert not lost, (before, project.text)
    once = project.text
    project.run(seed)
    assert project.text == once


@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(STEPS, st.integers(0, 30))
def test_nothing_that_an_author_typed_is_lost(steps: list[Step], seed: int) -> None:
    project = fresh()
    for step in steps:
        if step[0] == "run":
            checked(project, step[1])
        else:
            take(project, step)
    checked(project, seed)
