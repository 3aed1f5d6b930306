"""A model's debate on whether a draft should cite a paper (LitLLM, section 3.3)."""

from dataclasses import dataclass
from typing import Any

from citeplug.records.json_form import json_form


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument for or against a citation; `quote` are words of the paper's abstract."""

    argument: str
    quote: str


@dataclass(frozen=True, slots=True)
class Debate:
    """The arguments on one candidate. `probability` is 0 to 100 as the model states it, None if it gave none.

    `unproved` counts the arguments that were left out, since their quotations are not in the abstract.
    """

    probability: float | None = None
    arguments_for: tuple[Argument, ...] = ()
    arguments_against: tuple[Argument, ...] = ()
    unproved: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The debate in words: the probability, then each argument with its quotation."""
        chance = "no probability" if self.probability is None else f"cited with probability {self.probability:g} %"
        sides = (("for", self.arguments_for), ("against", self.arguments_against))
        arguments = (f"{side}: {item.argument} “{item.quote}”" for side, items in sides for item in items)
        return (f"debated by a model: {chance}", *arguments)


def debate_as_json(debate: Debate | None) -> dict[str, Any] | None:
    """The value of `debate` in JSON documents; None without a debate."""
    if debate is None:
        return None
    sides = {"for": debate.arguments_for, "against": debate.arguments_against}
    return {"probability": debate.probability, **{side: json_form(arguments) for side, arguments in sides.items()}}
