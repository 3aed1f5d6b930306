"""Description of the draft's style for a model, so that the section sounds like it."""

import re
from collections import Counter

from citeplug.records.draft import Draft
from citeplug.text.cited_text import words
from citeplug.text.language import language_of

_BRITISH = re.compile(
    r"\b\w+(?:isation|ise[ds]?|ising|yse[ds]?|ysing)\b|\b(?:behaviour|colour|neighbour|favour|labour|centre|modell|labell|"
    r"travell|programme|artefact|analogue|catalogue)\w*", re.IGNORECASE,
)  # fmt: skip
_AMERICAN = re.compile(
    r"\b\w+(?:ization|ize[ds]?|izing|yze[ds]?|yzing)\b|\b(?:behavior|color|neighbor|favor|labor|center|modeled|modeling|"
    r"labeled|labeling|artifact)\w*", re.IGNORECASE,
)  # fmt: skip
_NEITHER = frozenset(
    """otherwise likewise raise rise precise noise exercise promise comprise compromise advertise surprise revise devise
    supervise advise wise arise raised rising raising comprises noised promising precised premise expertise size sizes
    sized prize prizes seize exercises concise disguise praise bruise""".split()
)
_SHORT = 400  # words
_TEXTUAL = ("citet", "textcite", "citeauthor", "citea", "citeasnoun", "citen")


def voice_of(draft: Draft) -> str:
    """Language, spelling, the authors' "we" and the habit of citing, a sentence each where they are clear."""
    text = " ".join([draft.title, draft.abstract, *(section.text for section in draft.sections)])[:100_000]
    language = language_of(draft)
    if language == "English":
        told = [_spelling(text), _person(text), _citing(draft)]
    else:
        told = [
            f"It is in {language}: write headings, intents and sentences in {language}; quotations stay as they are in"
            " the abstracts, word for word.",
            _person_in_german(text) if language == "German" else "",
            _citing(draft),
        ]
    return " ".join(["How the draft is written:", *filter(None, told)]) if any(told) else ""


def _spelling(text: str) -> str:
    british = len([m for m in _BRITISH.findall(text) if m.lower() not in _NEITHER])
    american = len([m for m in _AMERICAN.findall(text) if m.lower() not in _NEITHER])
    if british > american:
        return "British spelling."
    return "American spelling." if american > british else ""


def _person(text: str) -> str:
    said = Counter(words(text))
    if _often(said["we"] + said["our"], said):
        return "Its authors say “we”; do so where a sentence speaks of the draft."
    return (
        "Its authors do not say “we”: write “the present work” where a sentence speaks of the draft."
        if text.strip()
        else ""
    )


def _often(count: int, said: Counter[str]) -> bool:
    """True if the authors speak: of a draft that is an abstract so far, once is enough; later it may be a quotation's."""
    return count >= (1 if said.total() < _SHORT else 2)


def _person_in_german(text: str) -> str:
    said = Counter(words(text))
    if _often(said["wir"] + said["unsere"] + said["unser"], said):
        return "Its authors say „wir“; do so where a sentence speaks of the draft."
    return "Its authors do not say „wir“: write „die vorliegende Arbeit“ where a sentence speaks of the draft."


def _citing(draft: Draft) -> str:
    used: Counter[str] = Counter()
    for name, count in draft.cite_commands.items():
        used["textual" if name.rstrip("*").lower() in _TEXTUAL else "parenthetical"] += count
    if used.total() < 3:
        return ""
    share = used["textual"] / used.total()
    if share >= 0.4:
        return "It often names authors in the sentence: use [@1] about as often as [1]."
    return "It seldom names authors in the sentence: prefer [1] to [@1]." if share <= 0.15 else ""
