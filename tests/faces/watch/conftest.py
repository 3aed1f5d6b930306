"""The catalogue and the draft of the tests of the command line."""

from tests.e2e.conftest import home, library_home, project, run, sections, written

__all__ = ["home", "library_home", "project", "run", "sections", "written"]
