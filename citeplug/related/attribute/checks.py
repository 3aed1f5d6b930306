"""Checks in code of a model's sentence: what is refused, in two classes, and what is suspected and left to a judge.

Hard: what no wording can mend, such as a citation outside the shortlist or a quotation that is not there. Form: what
another wording mends, such as eight words in a row of a source. A suspicion refuses nothing: it goes with the sentence
to the judge (`judge_section`), and without one it is a finding on the sentence.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citeplug.records.section import Judgement, Kind, Sentence, Source, SourceText, source_in_passage
from citeplug.related.attribute.claims import SUSPECTED, unsourced
from citeplug.related.attribute.evidence import Doubt
from citeplug.related.attribute.handles import TextPiece, marked, read_handles
from citeplug.related.attribute.plainness import first_person, form, plainness
from citeplug.text.cited_text import WORD, copied_runs, words
from citeplug.text.language import speaks
from citeplug.text.letters import capital
from citeplug.text.material import Material
from citeplug.text.quotation import SHORTEST, find_quote
from citeplug.text.stop_words import STOPWORDS

LEAST = 8  # words in a row, names, numbers and the draft's own words not counted
SHORT = 16  # words that may be put in quotation marks
_NUMERALS = frozenset(
    "two three four five six seven eight nine ten eleven twelve hundred thousand million billion".split()
)
_COMPOUND = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W_]+(?:[-'’][^\W_]+)*")
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"")

_QUOTED = re.compile(r"“([^”]*)”|\"([^\"]*)\"")
_GERMAN_QUOTES = re.compile(r"„([^“”„]*)[“”]")
_ESCAPED = re.compile(r"\\([$%&_#])")
_LONGEST_SUSPICION = 300  # characters
DRAFT = 0
LONGEST = 40  # words, as the prompt says


def mark_copied(
    pieces: tuple[TextPiece, ...], sources: Sequence[Material], own: str, longest: int = SHORT
) -> tuple[tuple[TextPiece, ...], list[Doubt]]:
    """The sentence with quotation marks around its short runs of the sources' words, up to `longest`, and doubts on the longer ones.

    Names, terms of a title, numbers with their nouns, what the author's `own` text says, and function words at the
    ends of a run are nobody's wording and do not count.
    """
    doubts: list[Doubt] = []
    marked = tuple(
        replace(piece, text=_mark(piece.text, sources, own, longest, doubts)) if piece.text else piece
        for piece in pieces
    )
    return marked, doubts


def _mark(text: str, sources: Sequence[Material], own: str, longest: int, doubts: list[Doubt]) -> str:
    out, position = "", 0
    for quoted in [*_QUOTATION.finditer(text), None]:
        end = quoted.start() if quoted is not None else len(text)
        out += _mark_outside(text[position:end], sources, own, longest, doubts)
        out += quoted[0] if quoted is not None else ""
        position = quoted.end() if quoted is not None else end
    return out


def _mark_outside(text: str, sources: Sequence[Material], own: str, longest: int, doubts: list[Doubt]) -> str:
    out, position = "", 0
    runs = (
        (*_core(text, *run), source.title)
        for source in sources
        for wording in source.wordings
        for run in copied_runs(text, wording)
    )
    for start, end, title in sorted(runs):
        run = text[start:end]
        if start < position or _chosen(run, title, own) < LEAST:
            continue
        if len(WORD.findall(run)) > longest:
            doubts.append(Doubt("copied", f"eight words in a row are the source's: say “{run[:80]}” in other words"))
            continue
        out += f"{text[position:start]}“{run}”"
        position = end
    return out + text[position:]


def _core(text: str, start: int, end: int) -> tuple[int, int]:
    """The run without function words at its ends: a quotation does not begin with "that", nor end with "than"."""
    content = [m for m in WORD.finditer(text, start, end) if m[0].lower() not in STOPWORDS]
    return (content[0].start(), content[-1].end()) if content else (start, start)


def _chosen(run: str, title: str, own: str) -> int:
    """The words of a run that its author chose; a hyphenated compound is one."""
    free = [*copied_runs(run, title, 2), *copied_runs(run, own, 4)]
    count, after_number = 0, False
    for match in _COMPOUND.finditer(run):
        word = match[0]
        number = word[0].isdigit() or word.lower() in _NUMERALS
        name = word != word.lower() and (match.start() > 0 or word[1:] != word[1:].lower())
        known = any(start <= match.start() and match.end() <= end for start, end in free)
        count += not (number or after_number or name or known)
        after_number = number
    return count


@dataclass(frozen=True, slots=True)
class Proposed:
    """Sentence that a model proposes. `quotes` are pairs of a handle (0: the draft) and its quotation.

    `kind` is the model's own word for it; `check_sentence` decides.
    """

    text: str
    quotes: tuple[tuple[int, str], ...] = ()
    kind: Kind = "paper"


@dataclass(frozen=True, slots=True)
class SentenceDemands:
    """Demands on a sentence: the papers that it cites, by their handles; none for one on the draft or the topic.

    `any_of` says that it may leave out papers, all of them where its kind is `draft` or `topic`: so it is wherever no
    plan line says which it cites. `granted`: words of the author's own (plan lines, the draft's text), whose names and
    symbols it may use. `language` is that of the sentence, `longest` the words that the prompt allows. `quotable`: as many
    words of a source in a row are put in quotation marks, more are refused.
    """

    handles: tuple[int, ...]
    granted: str = ""
    any_of: bool = False
    language: str = "English"
    longest: int = LONGEST
    quotable: int = SHORT


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """Outcome of the checks of one sentence.

    `sentence` is there where nothing hard or formal is wrong; its `judgement` is None, or has verdict None and the
    suspicions in plain words, for the judge. `hard` and `form` say, in words that a model can act on, why it is
    refused.
    """

    sentence: Sentence | None
    hard: tuple[Doubt, ...] = ()
    form: tuple[Doubt, ...] = ()

    @property
    def refusals(self) -> tuple[Doubt, ...]:
        return (*self.hard, *self.form)


def check_sentence(proposed: Proposed, demands: SentenceDemands, desk: Mapping[int, Material]) -> CheckedSentence:
    """Check a sentence by all that code can decide; every refusal is reported at once.

    `desk` holds what the model was given, by handle; the draft is 0. Each cited paper needs a verbatim quotation of
    its abstract or passages (in a `group` its title does), a sentence on the draft one of the draft, a `contrast` both, a `topic`
    none. Where eight words in a row or more are a source's, quotation marks are put around them.
    """
    pieces = read_handles(_normalised(proposed.text))
    bare = "".join(piece.text for piece in pieces)
    cited = tuple(dict.fromkeys(handle for piece in pieces for handle in piece.handles))
    papers = tuple(handle for handle in cited if handle in desk and handle != DRAFT)
    places, misquoted = _places(proposed.quotes, desk)
    kind = _kind(proposed, papers, places, bool(first_person(bare, demands.language)))
    grounds = _grounds(kind, papers, desk, places)
    if kind == "group":
        places = {**{handle: [_title(desk[handle])] for handle in papers}, **places}
    own = " . ".join([*_texts((DRAFT,), desk), demands.granted])
    texts = _texts(grounds or demands.handles, desk)

    hard = [*_wrong_handles(cited, demands, desk), *plainness(bare, demands.language, (own, *texts))]
    # One quotation that is there bears out what another was to bear out; in a group the title does.
    hard += [doubt for handle, doubt in misquoted if handle in grounds and handle not in places]
    if papers or not cited:
        hard += [_no_quotation(handle) for handle in grounds if handle not in places and handle not in dict(misquoted)]
    hard += [*unsourced(bare, texts, own, demands.language, len(papers)), *_said_by_nobody(bare, (*texts, own))]
    left = [doubt for doubt in hard if doubt.code in SUSPECTED]
    hard = [doubt for doubt in hard if doubt.code not in SUSPECTED]
    refused = [*_missing_handles(cited, demands, kind), *form(bare, demands.language, demands.longest)]
    refused += [*_wrong_language(bare, demands), *_wrong_voice(bare, demands, kind)]
    materials = [desk[handle] for handle in grounds]
    pieces, copied = mark_copied(pieces, materials, own if kind != "draft" else "", demands.quotable)
    refused += copied
    if hard or refused:
        return CheckedSentence(None, tuple(dict.fromkeys(hard)), tuple(dict.fromkeys(refused)))
    sources = tuple(dict.fromkeys(source for handle in grounds for source in places[handle]))
    suspected = "; ".join(dict.fromkeys(doubt.reason for doubt in left))[:_LONGEST_SUSPICION]
    return CheckedSentence(_sentence(pieces, kind, papers, sources, desk, suspected))


def _normalised(text: str) -> str:
    return _ESCAPED.sub(r"\1", _GERMAN_QUOTES.sub(r"“\1”", " ".join(text.split())))


def _kind(proposed: Proposed, papers: Sequence[int], places: Mapping[int, object], speaks_of_draft: bool) -> Kind:
    if not papers:
        return "topic" if proposed.kind == "topic" else "draft"
    if proposed.kind == "contrast" or (DRAFT in places and speaks_of_draft):
        return "contrast"
    return "group" if proposed.kind == "group" and len(papers) > 1 else "paper"


def _grounds(
    kind: Kind, papers: tuple[int, ...], desk: Mapping[int, Material], places: Container[int]
) -> tuple[int, ...]:
    """The handles of the texts that a sentence needs a quotation of; what the draft says of a work is about both."""
    if kind == "topic":
        return ()
    about_both = any((paper := desk[handle].paper) and paper.abstract_kind == "draft" for handle in papers)
    both = kind == "contrast" and (DRAFT in places or not about_both)
    return (*papers, DRAFT) if kind == "draft" or both else papers


def _texts(handles: Sequence[int], desk: Mapping[int, Material]) -> tuple[str, ...]:
    materials = (desk[handle] for handle in handles if handle in desk)
    return tuple(
        " . ".join([material.title, *material.texts, *(text for _, text in material.more)]) for material in materials
    )


def _wrong_handles(cited: Sequence[int], demands: SentenceDemands, desk: Mapping[int, Material]) -> Iterator[Doubt]:
    for handle in sorted(cited):
        if handle not in demands.handles or handle not in desk:
            yield Doubt("handle", f"[{handle}] may not be cited here")


def _missing_handles(cited: Sequence[int], demands: SentenceDemands, kind: Kind) -> Iterator[Doubt]:
    missing = sorted(set(demands.handles) - set(cited))
    if missing and not (demands.any_of and (cited or kind in ("draft", "topic"))):
        yield Doubt("handle", f"cite {', '.join(f'[{handle}]' for handle in missing)} too")


def _places(
    quotes: Sequence[tuple[int, str]], desk: Mapping[int, Material]
) -> tuple[dict[int, list[Source]], list[tuple[int, Doubt]]]:
    """The places of the quotations by handle, and the doubts on those that are not there, with their handles."""
    places: dict[int, list[Source]] = {}
    wrong: list[tuple[int, Doubt]] = []
    for handle, quote in quotes:
        if handle not in desk:
            continue
        source = _quoted(quote, desk[handle])
        if source is not None:
            places.setdefault(handle, []).append(source)
            continue
        whose = "the draft" if handle == DRAFT else f"[{handle}]"
        wrong.append(
            (
                handle,
                Doubt(
                    "quote",
                    f"a quotation for {whose} is not in its {_named(desk[handle])} word for word: copy one stretch of {SHORTEST}"
                    f" words or more, without leaving anything out: “{quote[:80]}”",
                ),
            )
        )
    return places, wrong


def _named(material: Material) -> str:
    return "abstract or one of its passages" if material.passages else "abstract"


def _quoted(quote: str, material: Material) -> Source | None:
    """The place of a quotation in the abstract, a passage, or another text of the draft's that the model was given."""
    place = find_quote(quote, material.text)
    if place is not None:
        return _source(material, *place)
    for passage in material.passages:
        place = find_quote(quote, passage.text)
        if place is not None:
            return source_in_passage(passage, *place)
    for label, text in material.more if material.paper is None else ():
        place = find_quote(quote, text)
        if place is not None:
            return Source(None, None, text[place[0] : place[1]], *place, of="full text", section=label)
    if material.paper is not None and find_quote(quote, material.title) is not None:
        return _title(material)
    return None


def _no_quotation(handle: int) -> Doubt:
    whose = "the draft (handle 0)" if handle == DRAFT else f"the abstract of [{handle}]"
    return Doubt("quote", f"give a quotation from {whose}")


def _source(material: Material, start: int, end: int) -> Source:
    paper = material.paper
    text = material.text[start:end]
    if paper is None:
        return Source(None, None, text, start, end)
    of: SourceText = "draft" if paper.abstract_kind == "draft" else "abstract"
    return Source(paper.id.value, paper.id.version, text, start, end, of)


def _title(material: Material) -> Source:
    paper = material.paper
    assert paper is not None  # only papers are cited
    return Source(paper.id.value, paper.id.version, material.title, 0, len(material.title), of="title")


def _wrong_language(text: str, demands: SentenceDemands) -> Iterator[Doubt]:
    if demands.language != "English" and not speaks(_QUOTED.sub(" ", text), demands.language):
        yield Doubt("language", f"write the sentence in {demands.language}")


def _wrong_voice(text: str, demands: SentenceDemands, kind: Kind) -> Iterator[Doubt]:
    pronoun = first_person(text, demands.language)
    if pronoun and kind in ("paper", "group"):
        yield Doubt(
            "voice",
            f"“{pronoun}” would be the draft's authors: say what the cited papers do, or quote the draft too (handle 0)",
        )


def _said_by_nobody(text: str, texts: Sequence[str]) -> Iterator[Doubt]:
    """Doubts on quotation marks around what no source says."""
    word_runs = [f" {' '.join(words(source_text))} " for source_text in texts]
    for match in _QUOTED.finditer(text):
        inside = (match[1] or match[2] or "").strip(" ,.;:")
        if inside and not any(f" {' '.join(words(inside))} " in run for run in word_runs):
            yield Doubt("quote", f"“{inside[:60]}” is in quotation marks and not in the source")


def _sentence(
    pieces: tuple[TextPiece, ...],
    kind: Kind,
    papers: Sequence[int],
    sources: tuple[Source, ...],
    desk: Mapping[int, Material],
    suspicion: str,
) -> Sentence:
    ids = {handle: paper.id.value for handle in papers if (paper := desk[handle].paper) is not None}
    text = marked(pieces, ids)
    if not text.startswith("{{"):
        text = capital(text)
    return Sentence(
        text,
        kind,
        tuple(ids.values()),
        sources,
        attribution=None if kind in ("topic", "group") else 0.0,
        quoted=any(copied_runs(text, wording) for handle in papers or (DRAFT,) for wording in desk[handle].wordings),
        by_model=True,
        judgement=Judgement(None, suspicion=suspicion) if suspicion else None,
    )
