"""The catalogue and the draft of the tests of the command line."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Run, ask_for_contribution, home, project, run, sections
from tests.e2e.conftest import written as as_planned

__all__ = ["as_planned", "home", "project", "run", "sections"]


@pytest.fixture
def written(as_planned: Path, run: Run) -> Path:
    """The draft with a section that changes with its abstract."""
    ask_for_contribution(as_planned, run)
    return as_planned
