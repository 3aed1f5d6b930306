"""What a look at a project says."""

from pathlib import Path

from citeplug.project.find_project import find_project
from citeplug.project.last_run import Finished
from citeplug.sync.watch.assess import assess
from citeplug.sync.watch.context import WatchOverrides


def test_a_first_run_that_was_refused_is_tried_again_and_one_that_was_made_is_missed(project: Path) -> None:
    found = find_project(project)
    assert assess(found, WatchOverrides(), None, 0).verdict == "run"
    assert assess(found, WatchOverrides(), Finished({}, "refused", "the catalogue is empty"), 0).verdict == "run"
    assert assess(found, WatchOverrides(), Finished({}, "written"), 0).verdict == "due"
