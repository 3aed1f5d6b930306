# ruff: noqa: E501 - tables of words and patterns, one a line
"""Ways in which a model's sentences go wrong, each done to sentences that were right (for tests and benchmarks).

`rich` answers with sentences that stay close to the claims of the abstracts: numbers, comparisons, denials,
reservations. A falsifier turns such a sentence into one that its source does not say, or returns None where it
finds nothing to turn.
"""

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from tests.harness.scripted_models import Answer, Seen, honest

Falsifier = Callable[[str, random.Random], str | None]
_FIRST = {"we": "they", "our": "their", "us": "them", "ours": "theirs", "this paper": "the article", "this work": "the article",
          "i": "they", "my": "their", "this article": "the article", "this study": "the article"}  # fmt: skip
_TELLING = re.compile(
    r"\d|\b(?:increas|decreas|improv|reduc|outperform|better|worse|faster|slower|higher|lower|not|no|without|never|may|might|"
    r"suggest|more|less|larger|smaller|than|instead|unsupervised|supervised|up to|at least)\w*|\b[A-Z]{2,}\w*"
)


def rich(seen: Seen) -> Answer:
    """The honest answer, with each sentence on papers replaced by their abstracts' most telling ones, hardly reworded."""
    answer = honest(seen)
    for item in answer["sentences"]:
        told = [(handle, _telling(seen.papers[handle].abstract)) for handle in handles_of(item)]
        if told and all(sentence for _, sentence in told):
            item["text"] = "; ".join(f"[@{handle}] write here that {reworded(s)}" for handle, s in told if s) + "."
            item["quotes"] = [{"handle": handle, "quote": sentence} for handle, sentence in told]
    return answer


def handles_of(item: dict[str, Any]) -> list[int]:
    """Handles of the papers that are quoted for a sentence."""
    return sorted({quote["handle"] for quote in item["quotes"]} - {0})


def _telling(abstract: str) -> str | None:
    sentences = [abstract[start:end] for start, end in split_sentences(abstract)]
    fit = [
        s for s in sentences if 8 <= len(s.split()) <= 32 and plain_text(s) and not re.search(r"[$\\\[\]{}]|et al", s)
    ]
    return max(fit, key=lambda s: len(_TELLING.findall(s)), default=None)


def reworded(sentence: str) -> str:
    """In the third person, with a word of no meaning after every sixth."""
    text = sentence.rstrip(". ")
    for first, third in _FIRST.items():
        text = re.sub(rf"\b{first}\b", third, text, flags=re.IGNORECASE)
    words = [re.sub(r"[()“”\"]", "", word) for word in text.split()]
    if words[0][1:].islower():
        words[0] = words[0].lower()
    return " ".join(word + (" here" if number % 6 == 5 else "") for number, word in enumerate(words))


_OPPOSITES = (
    ("increase", "decrease"), ("increases", "decreases"), ("improve", "degrade"), ("improves", "degrades"),
    ("improving", "degrading"), ("improved", "degraded"), ("outperforms", "underperforms"), ("outperform", "underperform"),
    ("better", "worse"), ("faster", "slower"), ("higher", "lower"), ("more", "less"), ("larger", "smaller"),
    ("reduces", "increases"), ("reduce", "increase"), ("reducing", "increasing"), ("reduced", "increased"),
    ("supervised", "unsupervised"), ("unsupervised", "supervised"), ("with", "without"), ("without", "with"),
    ("always", "never"), ("positive", "negative"), ("local", "global"), ("global", "local"), ("linear", "nonlinear"),
    ("above", "below"), ("before", "after"), ("upper", "lower"), ("best", "worst"), ("enables", "prevents"),
    ("efficient", "inefficient"), ("stable", "unstable"), ("known", "unknown"), ("strong", "weak"),
)  # fmt: skip


def opposite(text: str, chance: random.Random) -> str | None:
    present = [(a, b) for a, b in _OPPOSITES if re.search(rf"\b{a}\b", text)]
    if not present:
        return None
    word, other = chance.choice(present)
    return re.sub(rf"\b{word}\b", other, text, count=1)


def denial_added(text: str, _: random.Random) -> str | None:
    verb = r"\b(is|are|can|will|show|propose|improves?|outperforms?|achieves?|reduces?|uses?|provides?)\b"
    if re.search(r"\b(?:not|no|never|without)\b", text) or not re.search(verb, text):
        return None
    return re.sub(
        verb,
        lambda m: f"{m[1]} not" if m[1] in ("is", "are", "can", "will") else f"do not {m[1].rstrip('s')}",
        text,
        count=1,
    )


def denial_dropped(text: str, _: random.Random) -> str | None:
    found = re.sub(r"\b(?:does not|do not|cannot|not|never|no|without)\s", "", text, count=1)
    return found if found != text else None


def other_number(text: str, chance: random.Random) -> str | None:
    outside = list(re.finditer(r"(?<![\[@\w.-])\d+(?:\.\d+)?(?![\w\].-])", text))
    if not outside:
        return None
    match = chance.choice(outside)
    return text[: match.start()] + str(int(float(match[0])) + chance.randint(1, 60)) + text[match.end() :]


def number_added(text: str, chance: random.Random) -> str | None:
    return text.rstrip(".") + f" by {chance.randint(2, 99)}%."


def inflated(text: str, chance: random.Random) -> str | None:
    word = chance.choice(["significantly", "always", "substantially", "consistently", "clearly", "perfectly"])
    verb = re.search(
        r"\b(improves?|reduces?|achieves?|outperforms?|shows?|allows?|enables?|provides?|is|are|can)\b", text
    )
    if verb is None or word in text:
        return None
    return f"{text[: verb.end()]} {word}{text[verb.end() :]}"


def called_first(text: str, chance: random.Random) -> str | None:
    word = chance.choice(["first", "best", "state-of-the-art", "only", "optimal", "groundbreaking"])
    match = re.search(r"\b(?:a|an|the|their) (?=[a-z])", text)
    return None if match is None or word in text else f"{text[: match.start()]}the {word} {text[match.end() :]}"


def reservation_dropped(text: str, _: random.Random) -> str | None:
    found = re.sub(
        r"\b(?:may|might|could|possibly|potentially|up to|at least|nearly|almost|slightly)\s", "", text, count=1
    )
    return found if found != text else None


def other_name(text: str, chance: random.Random) -> str | None:
    names = re.findall(r"\b[A-Z][A-Za-z]*[A-Z]\w*\b", text)
    return (
        text.replace(chance.choice(names), chance.choice(["BERT", "ImageNet", "CERN", "XGBoost"]), 1) if names else None
    )


def roles_swapped(text: str, _: random.Random) -> str | None:
    match = re.search(
        r"\b(\w{4,}) (outperforms?|exceeds?|than|instead of|rather than|causes?|extends?) (\w{4,})\b", text
    )
    return None if match is None else f"{text[: match.start()]}{match[3]} {match[2]} {match[1]}{text[match.end() :]}"


FALSIFIERS: Mapping[str, Falsifier] = {
    "opposite": opposite,
    "denial added": denial_added,
    "denial dropped": denial_dropped,
    "other number": other_number,
    "number added": number_added,
    "inflated": inflated,
    "called first": called_first,
    "reservation dropped": reservation_dropped,
    "other name": other_name,
    "roles swapped": roles_swapped,
}


def invented_handle(answer: Answer, chance: random.Random) -> Any:
    for item in answer["sentences"]:
        item["text"] = item["text"].rstrip(".") + f" [{chance.randint(7, 40)}]."
    return answer


def papers_mixed_up(answer: Answer, chance: random.Random) -> Any:
    items = [item for item in answer["sentences"] if handles_of(item)]
    bodies = [re.sub(r"\[@?[\d, ]+\]", "", item["text"]) for item in items]
    for item, body in zip(items, bodies[1:] + bodies[:1], strict=True):
        item["text"] = f"[@{', '.join(map(str, handles_of(item)))}]{body}"
    return answer


def quotation_changed(answer: Answer, chance: random.Random) -> Any:
    for item in answer["sentences"]:
        for quote in item["quotes"]:
            words = quote["quote"].split()
            words[chance.randrange(len(words))] = "remarkably"
            quote["quote"] = " ".join(words)
    return answer


def lines_lost(answer: Answer, chance: random.Random) -> Any:
    return {"sentences": answer["sentences"][: chance.randint(0, len(answer["sentences"]))]}


def lines_shifted(answer: Answer, chance: random.Random) -> Any:
    for item in answer["sentences"]:
        item["line"] += chance.choice([-1, 1, 5])
    return answer


def everything_twice(answer: Answer, chance: random.Random) -> Any:
    return {"sentences": [item for item in answer["sentences"] for _ in range(2)]}


def prose_for_json(answer: Answer, chance: random.Random) -> Any:
    return " ".join(item["text"] for item in answer["sentences"])


def commands(answer: Answer, chance: random.Random) -> Any:
    for item in answer["sentences"]:
        item["text"] = chance.choice([r"\input{x} ", "{{cite:2401.00001}} ", "See arXiv:2401.00001: "]) + item["text"]
    return answer


def copied(answer: Answer, chance: random.Random) -> Any:
    for item in answer["sentences"]:
        if handles_of(item):
            item["text"] = f"[@{handles_of(item)[0]}] write: {item['quotes'][0]['quote']}"
    return answer


DISORDERS: Mapping[str, Callable[[Answer, random.Random], Any]] = {
    f.__name__: f
    for f in (
        invented_handle, papers_mixed_up, quotation_changed, lines_lost, lines_shifted, everything_twice, prose_for_json,
        commands, copied,
    )
}  # fmt: skip
