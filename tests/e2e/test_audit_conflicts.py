"""Cited works that disagree, as `citeplug audit --llm` shows them; the model is asked over the wire."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeplug.records.dialogue import Request
from tests.corpus.records import make_record, write_snapshot
from tests.e2e.conftest import Run
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Fault

ABSTRACTS = {
    "lee": "We study dropout. We find that dropout improves the accuracy of networks on small graphs.",
    "bo": "We repeat experiments. Dropout does not improve the accuracy of networks on small graphs.",
    "cy": "Turtles live in warm rivers. We find that most turtles live alone.",
}
QUOTED = (
    "dropout improves the accuracy of networks on small graphs",
    "Dropout does not improve the accuracy of networks",
)
BOTH = r"Dropout was studied on small graphs \cite{lee,bo}."
SAYS_SO = r"Whether dropout helps is open: one study finds that it does \cite{lee}, another that it does not \cite{bo}."


@pytest.fixture
def main(tmp_path: Path, run: Run, fresh_home: Path) -> Path:
    """A draft that cites three papers of the catalogue."""
    titles = {key: f"On the matter of {key}" for key in ABSTRACTS}
    records = [
        make_record(number, title=titles[key], abstract=text) for number, (key, text) in enumerate(ABSTRACTS.items(), 1)
    ]
    assert run("index", "add", write_snapshot(tmp_path / "s.jsonl", records)).code == 0
    folder = tmp_path / "draft"
    folder.mkdir()
    entries = (
        f"@misc{{{key}, title={{{title}}}, eprint={{1801.0000{number}}}}}\n"
        for number, (key, title) in enumerate(titles.items(), 1)
    )
    (folder / "refs.bib").write_text("".join(entries), "utf-8")
    return folder / "main.tex"


def write(main: Path, *sentences: str) -> None:
    main.write_text(
        "\\documentclass{article}\n\\title{Networks}\n\\begin{document}\n\\section{Related work}\n"
        + "\n\n".join([*sentences, r"Turtles live alone \cite{cy}."])
        + "\n\\bibliography{refs}\n\\end{document}\n",
        "utf-8",
    )


class Referee:
    """Finds the works in conflict whose quotations are given, and confirms it, or does not."""

    def __init__(self) -> None:
        self.quoted, self.confirms, self.sentence = QUOTED, True, -1
        self.prompts: list[str] = []

    def __call__(self, request: Request) -> dict[str, Any]:
        properties = (request.schema or {}).get("properties", {})
        if not {"pairs", "conflicts"} & properties.keys():
            asked = re.findall(r"^sentence (\d+)", request.prompt, re.MULTILINE)
            verdicts = [{"sentence": int(at), "unsupported": "", "verdict": "entailed"} for at in asked]
            return {"verdicts": verdicts, "harms": []}
        self.prompts.append(request.prompt)
        if "pairs" in properties:
            return {"pairs": [{"pair": 0, "reason": "Nothing does.", "conflict": self.confirms}]}
        first, second = self.quoted
        return {
            "conflicts": [
                {
                    "works": [0, 1],
                    "about": "dropout on small graphs.",
                    "first": first,
                    "second": second,
                    "sentence": self.sentence,
                },
                {"works": [0, 70], "about": "nothing", "first": first, "second": second, "sentence": 0},
                {"works": [0], "about": "nothing", "first": first, "second": first, "sentence": 0},
            ]
        }


@pytest.fixture
def referee(main: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Referee]:
    script = Referee()
    with AnthropicServer(script).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield script


def conflicts(run: Run, main: Path) -> list[dict[str, Any]]:
    document = run("audit", main, "--offline", "--llm", "anthropic", "--json").json
    return [doubt for doubt in document["citations"] if doubt["code"] == "works_disagree"]


def test_works_that_disagree_are_shown_with_the_words_of_both(run: Run, main: Path, referee: Referee) -> None:
    write(main, BOTH)
    (doubt,) = conflicts(run, main)
    assert (doubt["source"]["key"], doubt["fits"]["key"]) == ("lee", "bo")
    assert (doubt["source"]["text"], doubt["fits"]["text"]) == QUOTED
    assert (
        doubt["reason"]
        == "lee and bo disagree on dropout on small graphs, and no sentence of your draft was found that says so"
    )
    assert doubt["sentence"] == "Dropout was studied on small graphs [lee, bo]." and doubt["by"].startswith(
        "anthropic:"
    )
    assert len(referee.prompts) == 2 and "turtles" not in referee.prompts[1].lower()


def test_a_draft_that_says_so_is_told_where(run: Run, main: Path, referee: Referee) -> None:
    write(main, BOTH, SAYS_SO)
    referee.sentence = 1
    (doubt,) = conflicts(run, main)
    assert doubt["reason"].endswith("and your draft says so") and doubt["sentence"].startswith("Whether dropout helps")


@pytest.mark.parametrize(
    "quoted", [("dropout makes everything better on graphs", QUOTED[1]), QUOTED[::-1], (QUOTED[0], "")]
)
def test_a_conflict_whose_words_a_work_does_not_have_is_dropped(
    run: Run, main: Path, referee: Referee, quoted: tuple[str, str]
) -> None:
    write(main, BOTH)
    referee.quoted = quoted
    assert conflicts(run, main) == [] and len(referee.prompts) == 1


def test_a_conflict_that_a_second_request_does_not_confirm_is_dropped(run: Run, main: Path, referee: Referee) -> None:
    write(main, BOTH)
    referee.confirms = False
    assert conflicts(run, main) == [] and len(referee.prompts) == 2


def test_a_model_that_fails_leaves_the_rest_of_the_audit(run: Run, main: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(main, BOTH)
    with AnthropicServer(lambda _: Fault.http(401)).serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        done = run("audit", main, "--offline", "--llm", "anthropic", "--json")
    codes = [finding["code"] for finding in done.json["findings"]]
    assert codes.count("model_unavailable") == 1 and "works_disagree" not in codes
