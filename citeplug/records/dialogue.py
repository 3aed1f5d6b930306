"""What is asked of a language model, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Stage = Literal["queries", "ranking", "summaries", "plan", "prose"]


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a language model.

    `system` and `shared` are the same in many requests of a run and come first, so that a provider can keep
    them: instructions, and material such as the draft's abstract. `prompt` is what differs. `schema` is the
    JSON schema that the answer must fit, None for plain text. `max_tokens` bounds the answer. `label` says to a reader
    what it is about; it is not sent.
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
    """A stretch of an answer as it comes. `number` is the place of its request among those asked together, from 0.

    `state` is "more" for the next stretch, "anew" where all that was heard of the answer is lost and it begins again,
    "done" where no more will come.
    """

    number: int
    text: str = ""
    state: Literal["more", "anew", "done"] = "more"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer. `data` is the parsed JSON where a schema was asked for, None if it could not be parsed.

    `stop` says why it ended: by itself, at `max_tokens`, or since the model refused. `cost` is in US dollars,
    0 for a local model and for an answer from the cache (`cached`). Tokens are as the provider counted them;
    `tokens_kept` of the `tokens_in` were read from the provider's own cache.
    """

    text: str
    data: Any = None
    stop: Literal["end", "max_tokens", "refusal"] = "end"
    tokens_in: int = 0
    tokens_kept: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    cached: bool = False
