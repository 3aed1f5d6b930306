"""A model that debates the papers, for whatever shows its arguments: one on each side holds, one does not."""

from typing import Any

from citeplug.records.dialogue import Request
from tests.scripted_models import answer_honestly, read_prompt

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
