"""Requests to a language model, and its replies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Stage = Literal["queries", "ranking", "summaries", "plan", "prose", "judge"]


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a language model.

    `system` and `shared` are the same in many requests of a run and come first, so that a provider can keep
    them: instructions, and material such as the draft's abstract. `prompt` is specific to the request. `schema` is the
    JSON schema that the answer must fit, None for plain text. `max_tokens` limits the answer. `label` is a title for
    display; it is not sent.
    """

    stage: Stage
    system: str
    prompt: str
    shared: str = ""
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2000
    label: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A piece of a streamed answer. `number` is the index of its request among those sent together, from 0.

    `state` is "more" for the next piece, "anew" if all pieces so far are void and the answer starts again, "done" at
    the end.
    """

    number: int
    text: str = ""
    state: Literal["more", "anew", "done"] = "more"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer. `data` is the parsed JSON where a schema was asked for, None if it could not be parsed.

    `stop` is the reason of its end: finished, at `max_tokens`, or refused by the model. `cost` is in US dollars,
    0 for a local model and for an answer from the cache (`cached`). Tokens are as the provider counted them;
    `tokens_kept` of the `tokens_in` were read from the provider's own cache. `model` answered, as `anthropic:NAME`;
    empty where that is not known.
    """

    text: str
    data: Any = None
    stop: Literal["end", "max_tokens", "refusal"] = "end"
    tokens_in: int = 0
    tokens_kept: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    cached: bool = False
    model: str = ""
