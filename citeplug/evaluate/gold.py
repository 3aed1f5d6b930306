"""Gold sets: queries, with what a good answer to each is; and ids of papers as they write them."""

import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citeplug.errors import UnreadableInput
from citeplug.evaluate.measures.texts import Importance
from citeplug.files.json_lines import read_json
from citeplug.records.paper import ArxivId
from citeplug.text.cleaning import plain

# What a system may see of a query. All else of a line is, or may be, the answer.
INPUTS = ("query_id", "question_id", "title", "abstract", "question", "before", "exclude", "papers", "texts", "plan")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{name[:80]!r} occurs twice")
        fields[name] = value
    return fields


def parse_line(text: bytes, where: str) -> "Row":
    """Return the object of a line.

    Raises UnreadableInput for what is none, for NaN and infinite numbers, and for a name twice in an object.
    """
    try:
        value = read_json(text, _once)
    except ValueError as error:
        raise UnreadableInput(f"{where} is not JSON: {error}", "write one JSON object per line") from error
    if not isinstance(value, dict):
        raise UnreadableInput(f"{where} is not a JSON object", "write one JSON object per line")
    return Row(value, where)


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a line, or within one; `where` names it in messages. Every method raises UnreadableInput."""

    values: dict[str, Any]
    where: str

    def wrong(self, name: str, should: str) -> UnreadableInput:
        return UnreadableInput(f"{self.where}: {name} is not {should}", "the documentation describes the form")

    def _value(self, name: str, kind: type, should: str) -> Any:
        """The value of a field, None where it is absent or null."""
        value = self.values.get(name)
        if not isinstance(value, kind | None):
            raise self.wrong(name, should)
        return value

    def _all(self, name: str, values: Collection[Any], kind: type, should: str) -> None:
        if not all(isinstance(value, kind) for value in values):
            raise self.wrong(name, should)

    def string(self, name: str) -> str:
        """Return the text of a field, empty where it is absent or null."""
        return self._value(name, str, "a string") or ""

    def flag(self, name: str) -> bool | None:
        value: bool | None = self._value(name, bool, "true or false")
        return value

    def number(self, name: str) -> float | None:
        """Return the finite number of a field."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise self.wrong(name, "a finite number")
        return float(value)

    def items(self, name: str) -> Sequence[Any]:
        return self._value(name, list, "a list") or []

    def strings(self, name: str) -> tuple[str, ...]:
        self._all(name, self.items(name), str, "a list of strings")
        return tuple(self.items(name))

    def rows(self, name: str) -> list["Row"]:
        """Return the objects of a list."""
        self._all(name, self.items(name), dict, "a list of objects")
        return [Row(value, f"{self.where}, {name} {number}") for number, value in enumerate(self.items(name), 1)]

    def row(self, name: str) -> "Row":
        """Return the object of a field, empty where it is absent or null."""
        return Row(self._value(name, dict, "an object") or {}, f"{self.where}, {name}")

    def texts(self, name: str) -> dict[str, str]:
        values = self.row(name).values
        self._all(name, values.values(), str, "an object of strings")
        return values

    def one_of(self, name: str, allowed: Sequence[str]) -> str:
        value = self.string(name)
        if value not in allowed:
            raise self.wrong(name, f"one of {', '.join(allowed)}")
        return value


@dataclass(frozen=True, slots=True)
class Nugget:
    """A fact that the real section states."""

    text: str
    importance: Importance


@dataclass(frozen=True, slots=True)
class GivenPlan:
    """Plan of a section: so many sentences (None: not said), with these papers; `lines` has those of each sentence."""

    sentences: int | None = None
    cites: frozenset[str] = frozenset()
    lines: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Gold:
    """A query with its gold answer, as far as the line gives one. Ids are without version.

    `source` names where the query is from. `cited` are the papers that the real paper cites, `exclude` its own ids,
    `section` its related work in plain text, `plan` the one that was given.
    `answerable` and `answer` go with a question. `texts` are the documents that were given, `counts` how often papers
    are cited, both by id. `inputs` are the fields that a system may see, and `digest` their SHA-256.
    """

    query_id: str
    source: str
    title: str
    abstract: str
    cited: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    section: str = ""
    plan: GivenPlan = GivenPlan()
    answerable: bool | None = None
    answer: str = ""
    nuggets: tuple[Nugget, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""

    @property
    def text(self) -> str:
        """Title, full stop and abstract: the query of a retrieval that has nothing else of the paper."""
        return f"{self.title}. {self.abstract}" if self.abstract else self.title


def read_gold(lines: Iterable[tuple[int, bytes]], name: str) -> list[Gold]:
    """Read numbered lines of the gold file `name`. Raises UnreadableInput on a bad line, a query twice, and none."""
    read: dict[str, Gold] = {}
    for number, line in lines:
        gold = _gold(parse_line(line, f"{name}, line {number}"))
        if gold.query_id in read:
            raise UnreadableInput(f"{name}, line {number}: query {gold.query_id} occurs twice", "delete one of them")
        read[gold.query_id] = gold
    if not read:
        raise UnreadableInput(f"{name} holds no query", "name a gold file: JSON Lines, one query a line")
    return list(read.values())


def inputs_digest(inputs: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the inputs of a query as JSON with sorted keys and no white space."""
    text = json.dumps(inputs, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_held(gold: Gold) -> bool:
    """Return whether a query is of the half that nothing is tuned on: by the hash of its id, whatever set it is in."""
    return hashlib.sha256(gold.query_id.encode("utf-8", "surrogatepass")).digest()[0] % 2 == 1


def query_of(gold: Gold) -> dict[str, Any]:
    """Return the line that a system may be given: the inputs, the text to search by, and the digest; no answer."""
    return {"query_id": gold.query_id, "text": gold.text, **gold.inputs, "inputs_digest": gold.digest}


def _gold(row: Row) -> Gold:
    inputs = {name: row.values[name] for name in INPUTS if name in row.values}
    question = row.string("question")
    return Gold(
        query_id(row),
        row.string("source"),
        row.string("title") or question,
        row.string("abstract"),
        frozenset(map(plain_id, row.strings("cited"))),
        frozenset(map(plain_id, row.strings("exclude"))),
        row.string("section"),
        read_plan(row.row("plan")),
        row.flag("answerable"),
        row.string("answer"),
        tuple(_nugget(nugget) for nugget in row.rows("nuggets")),
        _documents(row),
        _counts(row.row("citation_counts")),
        inputs,
        inputs_digest(inputs),
    )


def query_id(row: Row) -> str:
    """Return the id of the query of a line. Raises UnreadableInput where there is none."""
    value = next((row.values[name] for name in ("query_id", "question_id") if row.values.get(name) is not None), "")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise UnreadableInput(f"{row.where} has no query_id", "give every line the id of its query")
    return value


def read_plan(row: Row) -> GivenPlan:
    """A plan as `{sentences, cites[]}`, or as `citeplug related --json` prints it: a sentence for each line."""
    rows = [line for paragraph in row.rows("paragraphs") for line in paragraph.rows("lines")]
    if rows:
        lines = tuple(frozenset(map(plain_id, line.strings("cites"))) for line in rows)
        return GivenPlan(len(lines), frozenset().union(*lines), lines)
    sentences = row.number("sentences")
    return GivenPlan(None if sentences is None else int(sentences), frozenset(map(plain_id, row.strings("cites"))))


def _nugget(row: Row) -> Nugget:
    importance: Importance = "okay" if row.one_of("importance", ("vital", "okay")) == "okay" else "vital"
    return Nugget(row.string("text"), importance)


def _documents(row: Row) -> dict[str, str]:
    """`texts` as an object by id, or as a list of title and text, which then go by their titles."""
    if isinstance(row.values.get("texts"), list):
        texts: dict[str, str] = {}
        for number, document in enumerate(row.rows("texts"), 1):
            name = plain(document.string("title")) or f"text {number}"
            texts[f"{name} ({number})" if name in texts else name] = document.string("text")
        return texts
    return {plain_id(name): text for name, text in row.texts("texts").items()}


def _counts(row: Row) -> dict[str, int]:
    counts = {plain_id(name): row.number(name) for name in row.values}
    return {name: int(count) for name, count in counts.items() if count is not None}


def plain_id(text: str) -> str:
    """Return an arXiv id bare and without version, however it is written; any other id as it stands."""
    try:
        return ArxivId.parse(text).value
    except ValueError:
        return text.strip()
