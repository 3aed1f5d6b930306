"""A model that debates the papers, for whatever shows its arguments: one on each side holds, one does not."""

import json
from pathlib import Path
from typing import Any

import citeplug.demo
from citeplug.records.dialogue import Request
from tests.harness.scripted_models import answer_honestly, read_prompt

HOSTILE = "It is <b>near</b> \x1b[31m& \\input{x}\u202e [it](http://evil.example)"
PLAIN = "It is <b>near</b> & \\input{x} [it](http://evil.example)"
ABSENT = "these are words that no abstract here ever had"


def debating(request: Request) -> Any:
    """The answer to a request for a debate; any other one is answered honestly."""
    seen = read_prompt(request)
    if "candidates" not in (request.schema or {}).get("properties", {}):
        return answer_honestly(seen, request)
    beginnings = {handle: " ".join(paper.abstract.split()[:7]) for handle, paper in seen.papers.items()}
    return {
        "candidates": [
            {
                "handle": handle,
                "arguments_for": [
                    {"argument": HOSTILE, "quote": beginning},
                    {"argument": "It is made up.", "quote": ABSENT},
                ],
                "arguments_against": [{"argument": "It is on something else.", "quote": beginning}],
                "probability": 90 - handle,
            }
            for handle, beginning in beginnings.items()
        ]
    }


def record_debates(main: Path) -> None:
    """Put into the record of a section a debate on every paper of the demo's library, as a run might, or a forger."""
    path = main.parent / ".citeplug" / "provenance.json"
    record = json.loads(path.read_text("utf-8"))
    library = (Path(citeplug.demo.__file__).parent / "library.jsonl").read_text("utf-8").splitlines()
    record["debates"] = {
        paper["id"]: {
            "probability": 82.5,
            "arguments_for": [{"argument": HOSTILE, "quote": " ".join(paper["abstract"].split()[:7])}],
            "arguments_against": [{"argument": "It is made up.", "quote": ABSENT}],
        }
        for paper in map(json.loads, library)
    }
    path.write_text(json.dumps(record), "utf-8")
