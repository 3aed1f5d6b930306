"""The sentences under review, asked about one by one."""

import click
import pytest
from click.testing import CliRunner

from citeplug.cli.sentences import ask_each
from citeplug.records.provenance import Status
from citeplug.related.section.accept import Recorded, Reviewed


def sentence(number: int, *, accepted: bool = False) -> Recorded:
    status: Status = "accepted" if accepted else "unreviewed"
    return Recorded("p1", number, f"Sentence {number}.", "paper", (), (), None, None, status, True)


@pytest.mark.parametrize(
    ("typed", "places"),
    [("y\ny\n", "p1:1 p1:3"), ("n\ny\n", "p1:3"), ("y\nq\n", "p1:1"), ("\n\n", ""), ("maybe\ny\nq\n", "p1:1")],
)
def test_each_sentence_without_an_answer_yet_is_asked_about(typed: str, places: str) -> None:
    reviewed = Reviewed((sentence(1), sentence(2, accepted=True), sentence(3)))

    @click.command()
    def ask() -> None:
        click.echo(f"accepted: {' '.join(ask_each(reviewed))}")

    done = CliRunner().invoke(ask, input=typed)
    assert done.output.endswith(f"accepted: {places}\n") and "1 of 2: accept this sentence?" in done.output
    assert "Sentence 2." not in done.output
