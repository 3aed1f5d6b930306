"""How much a sentence of an abstract tells of its work: its mechanism or its finding more than what it is on."""

import re

from citeplug.records.paper import Paper
from citeplug.related.write.extractive.contributions import SAYING_LITTLE, dangles, is_praise, stems_of
from citeplug.related.write.extractive.statements import Contribution
from citeplug.related.write.extractive.wording import lost_referents

# Of pairs of sentences of 120 abstracts one of which a reader would take: `python -m benchmarks.telling`.
_WEIGHTS = {"makes": 0.8, "finds": 1.4, "looks": -0.6, "beyond": 1.2, "means": 1.0, "late": -0.6, "praise": -0.6}
_MOST_BEYOND, _MOST_MEANS = 12, 3
_MEANS = re.compile(r"\b(?:by \w+ing|using|based on|via|through|that|which|whose|where|combin\w+|with)\b")
# "BOLA achieves ...": of what the sentence does not introduce.
_NAME = re.compile(r"(?:the )?(?=\S*[A-Z]\S*[A-Z])\S+ ")
# Set by hand, of what readers of sections disliked: a lost reference, a title before the sentence, a side matter.
_DANGLING, _TITLED, _ASIDE = 1.0, 0.5, 0.5


def telling(told: Contribution, paper: Paper) -> float:
    """Its worth as the one sentence on `paper`, -3 to 5: the weighted sum of `features`, less what readers dislike."""
    values = features(told, paper)
    worth = sum(weight * values[name] for name, weight in _WEIGHTS.items())
    known, before = f"{paper.title} {told.thing}", paper.abstract[: told.start]
    lost = not told.passage and bool(lost_referents(told.said, known, before))
    lost = lost or dangles(told.said) or (told.finds and _NAME.match(told.said) is not None)
    return worth - _DANGLING * lost - _TITLED * told.titled - _ASIDE * told.is_side


def features(told: Contribution, paper: Paper) -> dict[str, float]:
    """What a sentence does, and how much it says beside the title, each from 0 to 1.

    `makes`, `finds` and `looks` are what its authors do in it; `beyond` counts words that the title has not, `means` words
    that lead to a how ("by", "using", "which"); `late` is its place in the abstract.
    """
    words = stems_of(f"{told.front} {told.said}")
    beyond = len(words - stems_of(paper.title) - SAYING_LITTLE)
    return {
        "makes": float(told.makes),
        "finds": float(told.finds),
        "looks": float(told.looks),
        "beyond": min(beyond, _MOST_BEYOND) / _MOST_BEYOND,
        "means": min(len(_MEANS.findall(told.said)), _MOST_MEANS) / _MOST_MEANS,
        "late": 0.0 if told.passage else told.start / max(1, len(paper.abstract)),
        "praise": float(is_praise(told.said)),
    }


def has_means(told: Contribution) -> bool:
    """Return True if it says how: "by training on logs", "which reads logs"."""
    return _MEANS.search(told.said) is not None
