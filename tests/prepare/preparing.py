"""Models that prepare papers by a script: they read the request as a model would."""

import re
from typing import Any

from citeplug.prepare.by_model import ASKED
from citeplug.prepare.checks import LABELS, VERBATIM
from citeplug.records.dialogue import Request
from citeplug.text.sentences import split_sentences

_PASSAGE = re.compile(
    r"<material (?P<n>\w{16}): passage (?P<number>\d+)(?:, the abstract)?>\n(?P<text>[^\n]*)\n</material (?P=n)>"
)
TRUE_PAIR = {
    "question": "What does DropEdge remove from the input graph?",
    "answer": "DropEdge removes a number of edges at each training epoch.",
    "passage": 0,
    "quote": "randomly removes a number of edges from the input graph at each training epoch",
}


def passages_in(request: Request) -> dict[int, str]:
    """The passages that a model is shown, by number."""
    return {int(match["number"]): match["text"] for match in _PASSAGE.finditer(request.prompt)}


def said(*pairs: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """An answer with these pairs and fields, and no others."""
    no = {"answer": "no", "passage": 0, "quote": ""}
    return {**dict.fromkeys(ASKED, no), **{name: [] for name in (*LABELS, *VERBATIM)}, **fields, "pairs": list(pairs)}


def honest(request: Request) -> dict[str, Any]:
    """A pair for each sentence of the abstract, answered by the sentence."""
    text = passages_in(request)[0]
    sentences = [text[start:end] for start, end in split_sentences(text) if len(text[start:end].split()) >= 6]
    return said(
        *(
            {
                "question": f"What is true of {' '.join(each.split()[:8]).rstrip('.').lower()}?",
                "answer": each,
                "passage": 0,
                "quote": each,
            }
            for each in sentences
        )
    )
