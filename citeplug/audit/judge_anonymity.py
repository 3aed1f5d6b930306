"""A model reads a draft's sentences for what tells a blind reviewer who wrote them, beside the patterns.

The names of the authors, where they are known, are not sent for it: the patterns look for these.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from citeplug.audit.anonymity import sentences_of, texts_of
from citeplug.audit.blind_sentences import UNTIL, place_in, plain_words
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, items_of, text_of, unreadable
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, Severity, model_unavailable
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import WARNING, fence, fence_number

_OF_A_REQUEST = 80  # sentences
_LONGEST = 1_000  # characters of a sentence
_LONGEST_HEADING = 120
_MOST_RESIDUES = 40  # in one answer; more is a model that flags whatever it sees
# Words of authors, names, addresses and numbers; a sentence without any tells nothing, and is not sent.
_MAY_TELL = re.compile(
    r"\b(?:[Ww]e|[Uu]s|[Oo]urs?|I|[Mm]e|[Mm]y|[Mm]ine|\w*[Aa]uthors?\w*|\w*[Tt]hank\w*|[Gg]rants?|[Ff]und\w*)\b"
    r"|(?<=[\s(@/~.-])[A-Z][\w'’.-]*[a-z]|\b[A-Z]{2,}|^[A-Z]\w+ [A-Z]|\d{4}|[\w}]@|/|~"
)
_CITED = re.compile(r"\[@[^\]]*\]")
_HEADING = re.compile(r"\\(?:chapter|(?:sub)*section)\*?\s*(?:\[[^\[\]]{0,300}\])?\s*\{([^{}]{0,300})\}")
_DO: Mapping[str, str] = {
    "author_named": "leave it out, or say what kind of place or person it is",
    "own_work_cited": "speak of it in the third person, as of a work of others",
    "identifying_link": "link to an anonymous copy, such as one at anonymous.4open.science",
    "people_thanked": UNTIL,
}

SYSTEM = f"""You check a research paper, the draft, before it goes to reviewers who must not learn who wrote it.

{WARNING}

You see numbered sentences of the draft's LaTeX source, in order, under their headings; "comment" marks those that are not printed but are uploaded with the source. [@key] is a citation. Find those from which a reviewer could learn, or guess with good reason, who an author is or where one works.
- author_named: a person who is an author, or seems to be one: a name, initials, a biography, a note among co-authors, a contribution; an address or an identifier; or a place of the authors': their university, laboratory, company, city, hospital, ethics board, cluster, course, data from their own house, an earlier job or stay.
- people_thanked: thanks to people or institutions, and whoever paid: funders, grants, fellowships, prizes, gifts, computing time, travel.
- identifying_link: a link, repository, account, image, file or path of the authors' own: their code, data, demo, video, page, preprint or registration, unless it says that it is anonymous.
- own_work_cited: a work, system or data set said to be the authors' own: "our previous work [@a]", "as we showed in [@a]", "our tool [@a]", a thesis, a talk or an earlier version of this paper.
None of these: citing, using, naming, praising or linking to the work of others in the third person, whatever the names in it; what the draft itself does ("we propose", "our method", "our code"); common data sets, tools, services and companies as such; what is already withheld ("anonymous", "omitted for review"); an example; a template's own text. "In [@a], we" tells whose work it is; "we use the method of [@a]" does not. Most sentences tell nothing: do not list them.
For each sentence that tells something give, in this order, its number; `words`: the words in it that tell, as few as do, copied exactly; the category; and `wording`: the whole sentence reworded so that it no longer tells, keeping what it says of the science and its [@key] (empty if the sentence should go).
Answer with JSON that fits the schema; `residues` is an empty list if no sentence tells anything."""

VERDICTS: Mapping[str, Any] = object_of(
    {
        "residues": list_of(
            object_of(
                {
                    "sentence": NUMBER,
                    "words": TEXT,
                    "category": {"type": "string", "enum": list(_DO)},
                    "wording": TEXT,
                }
            )
        )
    }
)


@dataclass(frozen=True, slots=True)
class SentenceAt:
    """A sentence as it is shown to a model, with the lines of its file that it takes up."""

    path: Path
    hidden: bool
    heading: str
    text: str
    raw: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TellingSentence:
    """What a model says of a sentence; `words` of it tell who wrote it."""

    sentence: SentenceAt
    words: str
    finding: Finding


def sentences_to_judge(draft: Draft) -> list[SentenceAt]:
    """Return the sentences and comments of a draft that may tell something, in the order of its files."""
    sentences = []
    for part in texts_of(draft):
        headings = [(match.start(), plain_words(match[1])) for match in _HEADING.finditer(part.text)]
        for start, raw in sentences_of(part.text):
            text = plain(plain_words(raw))[:_LONGEST]
            if len(text.split()) > 1 and _MAY_TELL.search(text) is not None:
                heading = next((title for at, title in reversed(headings) if at <= start), "")
                lines = part.lines.number(start), part.lines.number(start + len(raw.rstrip()))
                sentences.append(SentenceAt(part.path, part.hidden, heading[:_LONGEST_HEADING], text, raw, *lines))
    return sentences


def judge_sentences(
    sentences: Sequence[SentenceAt], model: LanguageModel, *, known: bool
) -> tuple[list[TellingSentence], list[Finding]]:
    """Return what tells something with the sentence that it is in, and findings on the model itself.

    What it quotes must be in the sentence; else nothing is reported. `known`: the authors' names are. Raises Cancelled,
    nothing else.
    """
    batches = [sentences[at : at + _OF_A_REQUEST] for at in range(0, len(sentences), _OF_A_REQUEST)]

    def read(number: int, data: Mapping[str, Any], _: object) -> list[TellingSentence] | None:
        if not isinstance(data.get("residues"), list):
            return None
        batch = batches[number]
        results: list[TellingSentence] = []
        for item in items_of(data["residues"], _MOST_RESIDUES):
            row = number_of(item.get("sentence")) if isinstance(item, dict) else None
            if row is not None and 0 <= row < len(batch):
                verdict = _read_verdict(batch[row], item, model.name)
                results += [verdict] if verdict is not None else []
        return results

    answers = ask_readable(model, [_request(batch, known=known) for batch in batches], read)
    judged: list[TellingSentence] = []
    unheard: dict[str, Finding] = {}
    for answer in answers:
        if isinstance(answer, list):
            judged += answer
        elif answer is None:
            message = "an answer of the model could not be read: its sentences were not judged"
            unheard[message] = unreadable(message)
        else:
            unheard[str(answer)] = model_unavailable(answer, "not all sentences were judged")
    return judged, list(unheard.values())


def without_doubles(findings: Sequence[Finding], judged: Sequence[TellingSentence]) -> list[Finding]:
    """Return the findings of the patterns, and those of the model on what the patterns did not report."""
    results = list(findings)
    for verdict in judged:
        sentence = verdict.sentence
        here = [
            other
            for other in results
            if other.file == sentence.path and other.line and sentence.first <= other.line <= sentence.last
        ]
        if not any(other.code == verdict.finding.code or verdict.words in other.message for other in here):
            results.append(verdict.finding)
    return results


def _read_verdict(sentence: SentenceAt, item: Mapping[str, Any], by: str) -> TellingSentence | None:
    """Return None for what is no verdict, or quotes what the sentence does not have."""
    words, code = " ".join(text_of(item.get("words")).split()), item.get("category")
    if not isinstance(code, str) or code not in _DO or not any(map(str.isalnum, words)) or words not in sentence.text:
        return None
    wording = " ".join(text_of(item.get("wording")).split())
    # A wording that still has the words, or a citation that the sentence has not, would not do.
    if words in wording or not set(_CITED.findall(wording)) <= set(_CITED.findall(sentence.text)):
        wording = ""
    where = "not printed, but in the source: " if sentence.hidden else ""
    severity: Severity = "info" if sentence.hidden else "warning"
    line = sentence.first + sentence.raw.count("\n", 0, place_in(0, sentence.raw, words))
    fix = f"for instance: “{wording}”" if wording else _DO[code]
    message = f"{where}“{words}” may tell who wrote it, says {by}"
    return TellingSentence(sentence, words, Finding(code, severity, message, sentence.path, line, fix=fix))


def _request(batch: Sequence[SentenceAt], *, known: bool) -> Request:
    lines = []
    rows = list(enumerate(batch))
    for heading, under in groupby(rows, lambda row: row[1].heading):
        lines += [f"# {heading or '(no heading)'}"]
        lines += [f"{number}{' (comment)' if one.hidden else ''}: {one.text}" for number, one in under]
    text = "\n".join(lines)
    names = "known to a program that looks for them by itself" if known else "not known"
    return Request(
        "judge",
        SYSTEM,
        f"The authors' names are {names}.\n{fence(fence_number([text]), 'sentences of the draft', text)}",
        schema=VERDICTS,
        max_tokens=300 + 40 * len(batch),
        label="what tells who wrote it",
    )
