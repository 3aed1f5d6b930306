"""The request to prepare one paper (Meta Knowledge for RAG, appendix A.1, corrected), and its answer as it is read.

The published prompt asks for plain lists, and takes what comes. Here each question and each label comes with a
quotation, the text is fenced in as material, and the answer fits a schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citeplug.records.dialogue import Reply, Request
from citeplug.records.prepared import PaperSource
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST

MOST_PAIRS = 12
MOST_SHOWN = 60_000  # characters of a text; the published corpus has some 17,500 tokens a paper
_ROOM = 3_000  # tokens of an answer
_LONGEST = 2_000  # characters of what is read of one value

# Values of these stand in the text word for word; the others are labels, each with a quotation.
VERBATIM = ("code", "theorem", "company", "metric")
LABELS = ("field", "application")
ASKED = ("applied", "mathematics")
MOST_VALUES = {"field": 3, "application": 3, "code": 2, "theorem": 3, "company": 3, "metric": 5}

SYSTEM = f"""You prepare a research paper for researchers who will later search many papers by questions.

{WARNING}

The abstract is passage 0, the passages of the full text are numbered from 1. A quotation is one uninterrupted stretch of {SHORTEST} words or more, copied word for word from the passage whose number you give with it.

First the fields:
- `applied`: "yes" if the paper is mostly applied research, with a quotation that shows it; "no" if it is mostly theoretical.
- `mathematics`: "yes" if it reasons mathematically, with a quotation that shows it; else "no".
- `field`: the fields of research, at most {MOST_VALUES["field"]}, each with a quotation that shows it; `application`: for an applied paper what it is applied to, at most {MOST_VALUES["application"]}, likewise.
- `code`: addresses of code repositories, at most {MOST_VALUES["code"]}; `theorem`: names of the theorems that are used, at most {MOST_VALUES["theorem"]}; `company`: companies to which it is applied, at most {MOST_VALUES["company"]}; `metric`: the measures by which methods are compared, at most {MOST_VALUES["metric"]}. These exactly as the text writes them. A list is empty where the text has nothing.

Then the pairs: as an expert who examines other experts of the field, ask general questions (understanding) and precise ones (findings, numbers, limitations), as many as cover the content, at most {MOST_PAIRS}. Those who answer do not know the paper. So each question
- can be understood by itself: it names its subject (the method, the problem, the data), and does not depend on another question;
- never speaks of "the paper", "the text", "the authors", "the study" or the title;
- has an answer of one to three sentences in plain words, without lists, with no number or name that the quoted passage lacks;
- comes with a quotation that bears the answer out. What has no such quotation is left out.
Answer with JSON that fits the schema."""

_QUOTED = {
    "passage": {"type": "integer", "description": "its number"},
    "quote": {"type": "string", "description": "copied word for word from it"},
}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


SCHEMA: Mapping[str, Any] = _object(
    {
        **{name: _object({"answer": {"type": "string", "enum": ["yes", "no"]}, **_QUOTED}) for name in ASKED},
        **{name: {"type": "array", "items": _object({"value": {"type": "string"}, **_QUOTED})} for name in LABELS},
        **{name: {"type": "array", "items": {"type": "string"}} for name in VERBATIM},
        "pairs": {
            "type": "array",
            "items": _object({"question": {"type": "string"}, "answer": {"type": "string"}, **_QUOTED}),
        },
    }
)


@dataclass(frozen=True, slots=True)
class Said:
    """A value or a pair as a model gave it. `question` is empty for a field, `kind` for a pair.

    `passage` is None where no number could be read.
    """

    kind: str
    question: str
    value: str
    passage: int | None
    quote: str


def prepare_request(source: PaperSource) -> Request:
    """Ask for the fields and the pairs of one paper, by its abstract and as much of its text as there is room for."""
    shown = shown_texts(source)
    number = fence_number([source.title, *shown.values()])
    lines = [fence(number, "title", plain(source.title)[:LONGEST_TITLE])]
    for passage, text in shown.items():
        name = f"passage {passage}" + (", the abstract" if passage == 0 else "")
        lines.append(fence(number, name, plain(text)))
    return Request("summaries", SYSTEM, "\n".join(lines), schema=SCHEMA, max_tokens=_ROOM, label=source.title)


def shown_texts(source: PaperSource) -> dict[int, str]:
    """The texts that a model is shown, by passage: the first ones, `MOST_SHOWN` characters in all."""
    shown: dict[int, str] = {}
    left = MOST_SHOWN
    for passage, text in source.texts().items():
        if len(text) > left and shown:
            break
        shown[passage] = text[:left]
        left -= len(text)
    return shown


def read_prepared(reply: Reply) -> list[Said] | None:
    """The fields and pairs of an answer in their order; None if it cannot be read at all."""
    data = reply.data if reply.data is not None else parse_json(reply.text)
    if not isinstance(data, dict) or not isinstance(data.get("pairs"), list):
        return None
    found: list[Said] = []
    for kind in ASKED:
        given = data.get(kind)
        if isinstance(given, dict) and given.get("answer") == "yes":
            found.append(_said(kind, {**given, "value": "yes"}))
    for kind in (*LABELS, *VERBATIM):
        listed = data.get(kind)
        for item in (listed if isinstance(listed, list) else [])[: 2 * MOST_VALUES[kind]]:
            found.append(_said(kind, item if isinstance(item, dict) else {"value": item}))
    found += [_said("", item) for item in data["pairs"][: 3 * MOST_PAIRS] if isinstance(item, dict)]
    return found


def _said(kind: str, item: Mapping[str, Any]) -> Said:
    value = _text(item.get("value") if kind else item.get("answer"))
    question = "" if kind else _text(item.get("question"))
    return Said(kind, question, value, number_of(item.get("passage")), _text(item.get("quote")))


def _text(value: Any) -> str:
    return plain(value[:_LONGEST]) if isinstance(value, str) else ""
