"""The catalogue and the draft of the tests of the command line."""

from pathlib import Path

import pytest

from citeplug.related.plan.from_clusters import CONTRIBUTE, RELATE
from tests.e2e.conftest import Run, home, project, run, sections
from tests.e2e.conftest import written as as_planned

__all__ = ["as_planned", "home", "project", "run", "sections"]


@pytest.fixture
def written(as_planned: Path, run: Run) -> Path:
    """The draft with a section whose plan asks for the draft's own sentence: a change of the abstract changes it."""
    section = as_planned.parent / "related.tex"
    plan = section.read_text("utf-8")
    assert RELATE in plan
    section.write_text(plan.replace(RELATE, CONTRIBUTE), "utf-8")
    assert run("related", as_planned, "--offline").code == 0
    return as_planned
