"""The catalogue and the draft of the tests of the command line."""

from tests.e2e.conftest import home, project, run, sections, written

__all__ = ["home", "project", "run", "sections", "written"]
