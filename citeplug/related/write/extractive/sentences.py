"""Sentences on papers and on the draft: in their own words, quoted where they are many, or a place in a group."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from textwrap import shorten

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Passage
from citeplug.records.section import Sentence, Source, source_in_passage
from citeplug.related.write.extractive.contributions import (
    find_contributions,
    find_deeds,
    find_in_passages,
    is_main,
    is_plural,
    is_told,
    whole_sentences,
)
from citeplug.related.write.extractive.statements import STATING, Contribution, content_words, deeds
from citeplug.related.write.extractive.things import find_mechanisms
from citeplug.related.write.extractive.titles import TitleWords, name_and_subject, title_words
from citeplug.related.write.extractive.wording import expansion
from citeplug.text.cited_text import QUOTED, copied_runs, words
from citeplug.text.inflection import participle
from citeplug.text.language import language_of
from citeplug.text.stems import stem, stemmed

_OUR, _WE = re.compile(r"\bour\b(?!-)"), re.compile(r"\bwe\b")
_NO_DAYS = (date.min, date.min)
_FEWEST_WORDS = 8
_FEWEST_QUOTED = 4  # words in quotation marks behind others of the same source
# "a new data structure", "PRM-RL,": a thing in few words before what is said more of it; or "on", before the thing.
_THING = re.compile(
    r"an? (?:(?!not\b)[\w-]+ ){1,3}?(?<!ed )(?=(?:that|which|whose|to|for|with|using|based)\b)"
    r"|[\w-]*[A-Z][\w-]*, (?=an? )|(?:on|in|to|of|with|from|into|as|by|for) "
)
_DONE = re.compile(rf"\b(?:is|are|was|were) (?:\w+ly )?(?:{'|'.join(sorted(map(participle, STATING)))})\b")
_ACRONYM = re.compile(r"(?<![\w$\\(-])(?P<short>[A-Z][A-Za-z]*[A-Z])(?P<s>s?)(?![\w'’-]| ?\()")
_THEY = re.compile(r"\b(?:they|them|it)\b")  # of what stood before "we", and is left out
_EMPTY = re.compile(r"\(\W*\)|§|\b(?:shown|given|listed|seen) in (?:the )?(?:table|figure)")  # where a reference was
# What only the text around it explains.
_LEANS = re.compile(
    r"^(?:On the other hand|First|Second|Third|Finally|It|They|He|She|There|Here|Then|Thus|Hence|Therefore|So|But|And|Also|Both|Each|(?:Based on|Using|With) (?:the|our))\b"
    r"|\b(?:latter|former|above|below|following|previous section|next section|Section|Figure|Table|Theorem|Lemma)\b"
)

_TITLE = 60  # letters of a title in a message

Passages = Mapping[str, Sequence[Passage]]  # of full texts, by arXiv id
NO_PASSAGES: Passages = {}


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause on one paper, without its stop; `quoted` says that eight words in a row or more are its authors'."""

    text: str
    source: Source
    quoted: bool


def clause(
    told: Contribution,
    paper: Paper,
    *,
    again: bool = False,
    quotes: bool = True,
    who: str = "",
    known: set[str] | None = None,
) -> Clause:
    """`told` with the authors as its subject, in the third person; `again` where they are spoken of a second time.

    `who` is the authors' marker, with the title where that must stand before what is said, to say what it is on.

    Eight words in a row that are the source's stand in quotation marks, unless `quotes` is False, or the source is a
    summary by others. In these a word in brackets takes the place of the first person, and says what an acronym stands
    for that is not `known`, by the words of the abstract; it is known then.
    """
    source = told_in(paper, told)
    front = f"{told.front}, " if told.front else ""
    who = _of_thing(told.thing, who or author(paper.id.value), author(paper.id.value))
    lead = f"{front}{who} {'also ' if again and not told.thing else ''}{told.verb}"
    by_authors = told.passage is not None or paper.abstract_kind == "abstract"
    close = by_authors and bool(copied_runs(f"{lead} {told.said}", source.text))
    whose = "their" if is_plural(paper) else "the author's"
    text, start = lead, 0
    # A further verb of the authors' stands between two quotations, as the first stands before one.
    for end, after, joint in (*told.joints, (len(told.said), len(told.said), "")):
        part = told.said[start:end].strip(", ")
        quoting = close and quotes and (not told.joints or len(part.split()) >= _FEWEST_QUOTED)
        at = _quoted_from(part, text, source.text, whole=told.is_clause) if quoting else len(part)
        for piece, form, shown in ((part[:at].rstrip(), "{}", " {}"), (part[at:], "[{}]", " “{}”")):
            piece = _OUR.sub(form.format(whose), _WE.sub(form.format("they"), piece))
            if known is not None:
                piece = _spelled_out(piece, text, paper, known, brackets=form != "{}")
            text += shown.format(piece) if piece else ""
        text, start = f"{text}{joint}", after
    return Clause(text, source, close)


def _quoted_from(part: str, before: str, source: str, *, whole: bool) -> int:
    """Where the quotation marks open in what is told: behind the thing that it names, where a few words name it:
    'propose a parser “that reads system logs without templates”'.

    A clause (`whole`) stands in them from its start, and so does what would copy eight words outside of them.
    """
    match = None if whole else _THING.match(part)
    if match is None or copied_runs(f"{QUOTED.split(before)[-1]} {match[0]}", source):
        return 0
    return match.end() if len(part[match.end() :].split()) >= _FEWEST_QUOTED else 0


def acronyms(text: str) -> set[str]:
    return {match["short"] for match in _ACRONYM.finditer(text)}


def _spelled_out(part: str, before: str, paper: Paper, known: set[str], *, brackets: bool) -> str:
    """The words with what their acronyms stand for behind them, where the abstract introduces these elsewhere."""

    def written(match: re.Match[str]) -> str:
        short, is_new = match["short"], match["short"] not in known
        known.add(short)
        introduced = re.search(rf"\(\s*{re.escape(short)}", part) is not None
        long = expansion(short, paper.abstract, plural=bool(match["s"])) if is_new and not introduced else None
        if long is None or long.lower() in f"{before} {part}".lower():
            return match[0]
        return f"{match[0]} [{long}]" if brackets else f"{match[0]} ({long})"

    return _ACRONYM.sub(written, part)


def _of_thing(thing: str, who: str, authors: str) -> str:
    """`who`, with what the authors made, where that is the subject: "the parser of Roe", "LogRead by Roe"."""
    if not thing:
        return who
    return who.replace(authors, f"{thing} by {authors}" if thing != thing.lower() else f"the {thing} of {authors}")


def with_mechanism(
    first: Clause, of: Contribution, told: Contribution, paper: Paper, *, quotes: bool, known: set[str]
) -> Clause:
    """The clause on what authors made (`of`), and behind it what the abstract says that the thing does."""
    told_before = re.search(rf"\b{re.escape(told.thing)}\b", of.said) is not None
    own = "their" if is_plural(paper) else "the"
    subject_of = told.thing if told.thing != told.thing.lower() else f"{'the' if told_before else own} {told.thing}"
    added = clause(replace(told, thing=""), paper, quotes=quotes, who=subject_of, known=known)
    return Clause(f"{first.text}; {added.text}", first.source, first.quoted or added.quoted)


def own_words(paper: Paper, packages: tuple[str, ...], seen: TitleWords) -> tuple[str, Source] | None:
    """A sentence, without its stop, that quotes a whole one of the abstract: of those on its own work, the one with most
    words of the title.

    None if there is none that says "we", "our" or the title's name of the work (the others tell the reader what all works
    on the subject tell), if each needs another sentence, or shows what a document cannot print, or the abstract is a
    summary by others.
    """
    if paper.abstract_kind == "summary":
        return None
    title = {stem(word) for word in content_words(paper.title)}
    name, _ = name_and_subject(paper, packages, seen) or ("", "")
    of_theirs = re.compile(rf"\b(?:[Ww]e|[Oo]ur{f'|{re.escape(name)}' if name else ''})\b")
    best: tuple[int, str, Source] | None = None
    for start, end, sentence in whole_sentences(paper, packages):
        if of_theirs.search(sentence) is None:
            continue
        shared = len(title & {stem(word) for word in content_words(sentence)})
        if best is None or shared > best[0]:
            best = shared, sentence, _source(paper, start, end)
    return None if best is None else (f"In the words of {author(paper.id.value)}, “{best[1]}”", best[2])


def author(*ids: str) -> str:
    """The marker of a textual citation."""
    return f"{{{{author:{','.join(ids)}}}}}"


def told_in(paper: Paper, told: Contribution) -> Source:
    if told.passage is not None:
        return source_in_passage(told.passage, told.start, told.end)
    return _source(paper, told.start, told.end)


def _source(paper: Paper, start: int, end: int) -> Source:
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def find_statement(draft: Draft) -> Sentence | None:
    """The sentence of the abstract in which the draft states its contribution, or what it does."""
    paper = Paper(ArxivId(""), draft.title, " ".join(draft.abstract.split()), (), *_NO_DAYS)
    contributions = [
        contribution
        for contribution in find_contributions(paper, draft.packages)
        if _is_all(contribution) and not _THEY.search(contribution.own)
    ]
    contributions = [contribution for contribution in contributions if not _EMPTY.search(contribution.own)]
    plain = (
        contribution
        for contribution in contributions
        if not ("also" in words(contribution.own) or contribution.titled or contribution.is_side)
    )
    looked_at = (deed for deed in find_deeds(paper, draft.packages) if _is_all(deed))
    best = next(chain(plain, contributions, looked_at), None)
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


def is_said(text: str, sentences: Iterable[str]) -> bool:
    """Return True if one of the sentences `sentences` says half of what `text` says."""
    mine = content_words(text)
    return any(2 * len(mine & content_words(sentence)) > len(mine) for sentence in sentences)


def _sentence(text: str, source: str, start: int, end: int) -> Sentence:
    return Sentence(text, "draft", (), (Source(None, None, source[start:end], start, end),))


def _is_all(told: Contribution) -> bool:
    """Return True if nothing of the sentence is left out behind what is told, or by a macro that is not read."""
    return told.own.endswith(f"{told.said}.") and len(words(told.own)) >= _FEWEST_WORDS


def other_language(draft: Draft) -> Finding | None:
    """Finding `language_not_supported` for a draft in another language: sentences are taken from English abstracts.

    A frame in its language would be empty: one sentence in thirty is a group, and one section in eighty has headings.
    """
    language = language_of(draft)
    if language == "English":
        return None
    return Finding(
        "language_not_supported",
        "warning",
        f"the draft seems to be in {language}: without a language model sentences are taken from abstracts, which are in"
        " English, and none is translated, so the file has a plan with its papers and no text",
        fix="write from the plan; 'citeplug papers' says why each work is there; or name a language model with --llm",
    )


def not_written(unwritten: Iterable[str], papers: Mapping[str, Paper]) -> list[Finding]:
    """`paper_not_written`, of those of `papers`, by id, of which a line of the plan has nothing to say."""
    ids = dict.fromkeys(unwritten)
    if not ids:
        return []
    named = (f"{value} ({shorten(papers[value].title, _TITLE, placeholder=' ...')})" for value in ids)
    return [
        Finding(
            "paper_not_written",
            "info",
            f"nothing more is said about {'; '.join(named)}: their abstracts have no further sentence that can be reported",
            fix="say what they contribute; 'citeplug papers' says why each is there; or name a language model with --llm",
        )
    ]


def no_draft_statement() -> Finding:
    return Finding(
        "no_draft_statement",
        "info",
        "the section has no sentence on the draft: its abstract has no single sentence that states the contribution",
        fix="say in the abstract what the paper does ('we propose ...'), or write the sentence yourself",
    )


def no_comparison() -> Finding:
    return Finding(
        "no_comparison",
        "info",
        "the section does not say how the draft differs from these works",
        fix="write that sentence at the end: without a language model works are quoted, and not compared",
    )


def can_be_described(paper: Paper, draft: Draft, passages: Passages = NO_PASSAGES) -> bool:
    """Return True if the abstract, or a passage, has a sentence on the main thing that the paper does.

    Of what is only a side matter the title says more.
    """
    own = passages.get(paper.id.value, ())
    contributions = [
        *find_contributions(paper, draft.packages),
        *find_mechanisms(paper, draft.packages),
        *find_deeds(paper, draft.packages)[:1],
    ]
    if any(map(is_main, contributions)) or find_in_passages(paper, own, draft.packages):
        return True
    # A title that is a clause cannot stand in a sentence: what does not dangle says more.
    return (
        any(map(is_told, contributions))
        and name_and_subject(paper, draft.packages, title_words([paper], draft.abstract)) is None
    )
