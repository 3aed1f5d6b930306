"""Preparation of papers by a language model (Meta Knowledge for RAG, section 3.2, and appendix A.1, corrected).

The published prompt asks for plain lists, and takes what comes. Here each question and each label comes with a
quotation, the text is fenced in as material, and the answer fits a schema.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, items_of, text_of
from citeplug.prepare.checks import LABELS, MOST_PAIRS, MOST_VALUES, VERBATIM, ModelValue, check_prepared
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.prepared import PaperSource, Prepared
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST

MOST_SHOWN = 60_000  # characters of a text; the published corpus has some 17,500 tokens a paper
_ROOM = 3_000  # tokens of an answer
ASKED = ("applied", "mathematics")

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
    "passage": {**NUMBER, "description": "its number"},
    "quote": {**TEXT, "description": "copied word for word from it"},
}
SCHEMA: Mapping[str, Any] = object_of(
    {
        **{name: object_of({"answer": {**TEXT, "enum": ["yes", "no"]}, **_QUOTED}) for name in ASKED},
        **{name: list_of(object_of({"value": TEXT, **_QUOTED})) for name in LABELS},
        **{name: list_of(TEXT) for name in VERBATIM},
        "pairs": list_of(object_of({"question": TEXT, "answer": TEXT, **_QUOTED})),
    }
)


@dataclass(frozen=True, slots=True)
class Failed:
    """A paper that a model did not prepare: `error`, or None where its answer could not be read."""

    paper: str
    error: CiteplugError | None


def prepare_by_model(sources: Sequence[PaperSource], model: LanguageModel) -> Iterator[Prepared | Failed]:
    """What a model says of these papers and their texts bear out; one request for each, or two. Raises Cancelled."""

    def read(number: int, data: dict[str, Any], reply: Reply) -> Prepared | None:
        values = _values(data)
        if values is None:
            return None
        source = sources[number]
        return check_prepared(values, source, shown_texts(source), reply.model or model.name)

    results = ask_readable(model, [prepare_request(source) for source in sources], read)
    for source, result in zip(sources, results, strict=True):
        yield result if isinstance(result, Prepared) else Failed(source.paper, result)


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


def _values(data: Mapping[str, Any]) -> list[ModelValue] | None:
    """The fields and pairs of an answer in their order; None if it has no list of pairs."""
    if not isinstance(data.get("pairs"), list):
        return None
    values: list[ModelValue] = []
    for kind in ASKED:
        item = data.get(kind)
        if isinstance(item, dict) and item.get("answer") == "yes":
            values.append(_value(kind, {**item, "value": "yes"}))
    for kind in (*LABELS, *VERBATIM):
        for item in items_of(data.get(kind), 2 * MOST_VALUES[kind]):
            values.append(_value(kind, item if isinstance(item, dict) else {"value": item}))
    return values + [_value("", item) for item in items_of(data["pairs"], 3 * MOST_PAIRS) if isinstance(item, dict)]


def _value(kind: str, item: Mapping[str, Any]) -> ModelValue:
    value = text_of(item.get("value" if kind else "answer"))
    question = "" if kind else text_of(item.get("question"))
    return ModelValue(kind, question, value, number_of(item.get("passage")), text_of(item.get("quote")))
