"""Judges of stated bias, behind a model's server or `ScriptedModel`: what they answer is known beforehand.

A judge reads the texts of its request in their order, as a model would, and prefers places by a stated amount.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from citeplug.records.dialogue import Request

_MATERIAL = re.compile(r"<material (\w{16}): ([^>\n]+)>\n(.*?)\n</material \1>", re.S)


def shown(request: Request) -> dict[str, str]:
    """The texts of a request by their names, in order."""
    return {match[2]: match[3] for match in _MATERIAL.finditer(request.prompt)}


@dataclass
class Judge:
    """`worth` is what a text is worth to it, `per_place` is taken off for each place that it comes later.

    Of two texts it prefers the one of more worth after that; documents entail what they are worth 1 for together;
    `unreadable` requests get an answer in prose.
    """

    worth: Callable[[str], float]
    per_place: float = 0.0
    unreadable: Callable[[dict[str, str]], bool] = lambda texts: False

    def __call__(self, request: Request) -> Any:
        texts = shown(request)
        if self.unreadable(texts):
            return "I would rather not say."
        names = list(texts)
        if "text A" in texts:
            scores = [self.worth(texts[f"text {name}"]) - at * self.per_place for at, name in enumerate("AB")]
            return {"explanation": "", "decision": "A" if scores[0] >= scores[1] else "B"}
        if "the sentence" in texts:
            premise = [text for name, text in texts.items() if name.startswith("document")]
            return {"entailed": sum(map(self.worth, premise)) + self.per_place * names.index("the sentence") >= 1}
        if "the answer" in texts:
            return {"correct": self.worth(texts["the answer"]) - names.index("the answer") * self.per_place > 0}
        if "the passage" in texts:
            return {"labels": [self._label(at, texts[f"nugget {at}"]) for at in range(1, len(texts) - 1)]}
        name = next(name for name in ("the cited paper", "the document", "the section") if name in texts)
        return {"score": self.worth(texts[name]) - names.index(name) * self.per_place}

    def _label(self, number: int, nugget: str) -> dict[str, Any]:
        worth = self.worth(nugget) - (number - 1) * self.per_place
        label = "support" if worth >= 1 else "partial_support" if worth >= 0.5 else "not_support"
        return {"nugget": number, "label": label}
