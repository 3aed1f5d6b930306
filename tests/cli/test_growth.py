"""Time of commands on drafts that have a great number of one thing; all commands and sizes are in the benchmark."""

from benchmarks.growth import KINDS, QUICK_LIMIT, measure_all


def test_no_kind_of_draft_takes_more_than_its_share_of_time() -> None:
    measured = [(kind.name, command, each.ratio) for kind, command, each in measure_all(KINDS, quick=True)]
    assert [each for each in measured if (each[2] or 0) > QUICK_LIMIT] == []
