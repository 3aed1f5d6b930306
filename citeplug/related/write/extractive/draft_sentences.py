"""The draft's own sentences, as they are, where a section says what the draft does or what other work leaves open."""

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from itertools import chain

from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.section import Sentence, Source
from citeplug.related.write.extractive.contributions import (
    dangles,
    find_contributions,
    find_deeds,
    is_main,
    whole_sentences,
)
from citeplug.related.write.extractive.statements import STATING, Contribution, content_words, deeds
from citeplug.text.cited_text import words
from citeplug.text.inflection import participle
from citeplug.text.stems import stem, stemmed
from citeplug.text.stop_words import STOPWORDS

_NO_DAYS = (date.min, date.min)
_FEWEST_WORDS = 8
# Sections in which a draft speaks of other work, and of what it leaves open.
_ON_OTHERS = re.compile(r"introduction|motivation|background|related|previous|prior|overview|literature", re.I)
# What is open, and not only what a thing "cannot" do.
_GAP = re.compile(
    r"^(?:However|Unfortunately|Nevertheless)\b|\b(?:the first|not yet|(?:has|have) not|unlike|lacks?|little is|few (?:works|studies)"
    r"|remains? (?:\w+ )?(?:open|unclear|unknown|challenging|difficult|unexplored|elusive)"
    r"|no (?:existing|previous|prior|known))\b"
)
_OURS = re.compile(r"\b(?:we|our|this (?:paper|work|article|study))\b", re.I)
_DONE = re.compile(rf"\b(?:is|are|was|were) (?:\w+ly )?(?:{'|'.join(sorted(map(participle, STATING)))})\b")
_THEY = re.compile(r"\b(?:they|them|it)\b")  # of what stood before "we", and is left out
_EMPTY = re.compile(r"\(\W*\)|§|\b(?:shown|given|listed|seen) in (?:the )?(?:table|figure)")  # where a reference was
# What only the text around it explains.
_LEANS = re.compile(
    r"^(?:On the other hand|First|Second|Third|Finally|It|They|He|She|There|Here|Then|Thus|Hence|Therefore|So|But|And|Also|Both|Each|(?:Based on|Using|With) (?:the|our))\b"
    r"|\b(?:latter|former|above|below|following|previous section|next section|Section|Figure|Table|Theorem|Lemma)\b"
)


def find_statement(draft: Draft) -> Sentence | None:
    """The sentence of the abstract in which the draft states its contribution, or what it does."""
    paper = Paper(ArxivId(""), draft.title, " ".join(draft.abstract.split()), (), *_NO_DAYS)
    found = [each for each in find_contributions(paper, draft.packages) if _is_all(each) and not _THEY.search(each.own)]
    found = [each for each in found if not _EMPTY.search(each.own)]
    plain = (each for each in found if not ("also" in words(each.own) or each.long or each.titled or each.is_side))
    looked_at = (each for each in find_deeds(paper, draft.packages) if _is_all(each))
    best = next(chain(plain, found, looked_at), None)
    if best is not None:
        return _sentence(best.own, paper.abstract, best.start, best.end)
    title = set(stemmed(draft.title).split())
    others = (
        (len(title & set(stemmed(whole).split())), -start, end, whole)
        for start, end, whole in whole_sentences(paper, draft.packages)
        if (deeds(whole) or _DONE.search(whole)) and not _LEANS.search(whole)
    )
    _, start, end, whole = max(others, default=(0, 0, 0, ""))
    return _sentence(f"{whole}.", paper.abstract, -start, end) if whole else None


def find_position(draft: Draft, theme: str, said: Collection[str] = ()) -> Sentence | None:
    """The draft's sentence on where it stands in a theme: what is open there, or else what it does about that.

    It is whole, has the theme's words, cites nothing, and says more than those `said`.
    """
    cited = {" ".join(each.context.rpartition(": ")[2].replace("[*]", "").split()) for each in draft.cites} - {""}
    positions = list[Sentence]()
    for section, paper in _texts(draft):
        on_others = section is None or _ON_OTHERS.search(section) is not None
        for start, end, whole in _on(theme, paper, draft):
            text = f"{whole}."
            gap = on_others and _GAP.search(text) is not None and not dangles(text)
            # What the abstract says that the draft contributes closes the section.
            ours = text if gap else _ours(text, draft) if section is not None else None
            if ours is None or is_said(ours, said) or any(whole in each or each in text for each in cited):
                continue
            sentence = _sentence(ours, paper.abstract, start, end, section)
            if gap:
                return sentence
            positions.append(sentence)
    return next(iter(positions), None)


def is_said(text: str, said: Iterable[str]) -> bool:
    """Return True if one of the sentences `said` says half of what `text` says."""
    mine = content_words(text)
    return any(2 * len(mine & content_words(each)) > len(mine) for each in said)


def _ours(text: str, draft: Draft) -> str | None:
    """The sentence without its connectives, if the draft says in it what it contributes."""
    alone = Paper(ArxivId(""), draft.title, text, (), *_NO_DAYS)
    told = find_contributions(alone, draft.packages) if _OURS.search(text) else ()
    return next((each.own for each in told if _is_all(each) and is_main(each)), None)


def _texts(draft: Draft) -> Iterator[tuple[str | None, Paper]]:
    """The abstract, and the text of each section but that on related work, where a section written before may stand."""
    yield None, Paper(ArxivId(""), draft.title, " ".join(draft.abstract.split()), (), *_NO_DAYS)
    for section in draft.sections:
        if draft.related_work is None or section.title != draft.related_work.title:
            yield section.title, Paper(ArxivId(""), draft.title, " ".join(section.text.split()), (), *_NO_DAYS)


def _on(theme: str, paper: Paper, draft: Draft) -> Iterator[tuple[int, int, str]]:
    """The whole sentences of a text that have the theme's words, in any of their forms."""
    wanted = {stem(word) for word in words(theme) if word not in STOPWORDS}
    if wanted <= set(stemmed(paper.abstract).split()):
        for start, end, whole in whole_sentences(paper, draft.packages):
            told = words(whole)
            whole_here = not _LEANS.search(whole) and not _EMPTY.search(whole)
            if len(told) >= _FEWEST_WORDS and wanted <= set(map(stem, told)) and whole_here:
                yield start, end, whole


def _sentence(text: str, source: str, start: int, end: int, section: str | None = None) -> Sentence:
    return Sentence(text, "draft", (), (Source(None, None, source[start:end], start, end, section=section),))


def _is_all(told: Contribution) -> bool:
    """Return True if nothing of the sentence is left out behind what is told, or by a macro that is not read."""
    return told.own.endswith(f"{told.said}.") and len(words(told.own)) >= _FEWEST_WORDS
