"""Checks that a model's sentence has to pass to become a `Sentence`; a refusal has its reasons."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citeplug.attribute.claims import Doubt, Evidence, doubts
from citeplug.attribute.handles import Piece, marked, read_handles, segments
from citeplug.attribute.plainness import first_person, plainness
from citeplug.records.section import Sentence, Source
from citeplug.text.cited_text import copied_runs, words
from citeplug.text.language import speaks
from citeplug.text.letters import capital
from citeplug.text.material import Material
from citeplug.text.quotation import SHORTEST, find_quote
from citeplug.text.sentences import split_sentences

_QUOTED = re.compile(r"“([^”]*)”|\"([^\"]*)\"")
_GERMAN_QUOTES = re.compile(r"„([^“”„]*)[“”]")
DRAFT = 0


@dataclass(frozen=True, slots=True)
class Proposed:
    """Sentence that a model proposes for one plan line. `quotes` are pairs of a handle and its quotation."""

    text: str
    quotes: tuple[tuple[int, str], ...] = ()
    about: str = "paper"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Demands of a plan line: papers by their handles (none for a sentence on the draft), and words that the author grants.

    `any_of` says that the sentence may leave out papers, as it may where no plan says which it cites. `language` is
    that of the sentence.
    """

    handles: tuple[int, ...]
    granted: str = ""
    any_of: bool = False
    language: str = "English"


def check_sentence(proposed: Proposed, wanted: Wanted, desk: Mapping[int, Material]) -> Sentence | tuple[Doubt, ...]:
    """The sentence, if it keeps every promise; else why not.

    `desk` holds what the model was given, by handle. Kept are: exactly the plan line's papers, each with a verbatim
    quotation from its own abstract, and words that the quotations bear out; for a sentence on the draft the same with
    the draft's abstract.
    """
    text = _GERMAN_QUOTES.sub(r"“\1”", " ".join(proposed.text.split()))
    pieces = read_handles(text)
    bare = "".join(piece.text for piece in pieces)
    found = [*_wrong_handles(pieces, wanted), *plainness(bare, wanted.language), *_wrong_language(bare, wanted)]
    if found:
        return tuple(found)
    sources, missing = _sources(proposed.quotes, pieces, wanted, desk)
    found = [*missing, *_wrong_voice(bare, wanted)]
    if not found:
        found = [*_unsupported(pieces, wanted, sources, desk), *_copied(bare, wanted, desk)]
    if found:
        return tuple(dict.fromkeys(found))
    return _sentence(pieces, sources, desk)


def _wrong_handles(pieces: Sequence[Piece], wanted: Wanted) -> Iterator[Doubt]:
    used = {handle for piece in pieces for handle in piece.handles}
    for handle in sorted(used - set(wanted.handles)):
        yield Doubt("handle", f"[{handle}] may not be cited here")
    missing = sorted(set(wanted.handles) - used)
    if missing and not (wanted.any_of and used):
        yield Doubt("handle", f"cite {', '.join(f'[{handle}]' for handle in missing)} too")


def _sources(
    quotes: Sequence[tuple[int, str]], pieces: Sequence[Piece], wanted: Wanted, desk: Mapping[int, Material]
) -> tuple[dict[int, list[Source]], list[Doubt]]:
    """The places of the quotations by handle, and what is wrong with them."""
    cited = tuple(dict.fromkeys(handle for piece in pieces for handle in piece.handles)) or (DRAFT,)
    places: dict[int, list[Source]] = {handle: [] for handle in cited}
    wrong: list[Doubt] = []
    for handle, quote in quotes:
        if handle not in places:
            continue  # a quotation that nothing rests on
        material = desk[handle]
        place = find_quote(quote, material.text)
        if place is None:
            wrong.append(
                Doubt(
                    "quote",
                    f"a quotation for [{handle}] is not in its abstract word for word: copy one stretch of {SHORTEST}"
                    f" words or more, without leaving anything out: “{quote[:80]}”",
                )
            )
            continue
        places[handle].append(_source(material, *place))
    for handle in cited:
        if not places[handle] and not wrong:
            wrong.append(Doubt("quote", f"give a quotation from the abstract of [{handle}]"))
    return places, wrong


def _source(material: Material, start: int, end: int) -> Source:
    paper = material.paper
    text = material.text[start:end]
    if paper is None:
        return Source(None, None, text, start, end)
    return Source(paper.id.value, paper.id.version, text, start, end)


def _wrong_language(text: str, wanted: Wanted) -> Iterator[Doubt]:
    # Where the rules for one language are run on another, hardly anything is checked.
    if wanted.language != "English" and not speaks(_QUOTED.sub(" ", text), wanted.language):
        yield Doubt("language", f"write the sentence in {wanted.language}")


def _wrong_voice(text: str, wanted: Wanted) -> Iterator[Doubt]:
    said = first_person(text, wanted.language)
    if wanted.handles and said:
        yield Doubt("voice", f"“{said}” would be the draft's authors: say what the cited papers do")


def _unsupported(
    pieces: tuple[Piece, ...], wanted: Wanted, sources: Mapping[int, Sequence[Source]], desk: Mapping[int, Material]
) -> Iterator[Doubt]:
    if not wanted.handles:
        text = "".join(piece.text for piece in pieces)
        yield from doubts(text, _evidence((DRAFT,), sources, desk, wanted.granted), wanted.language)
        return
    for segment in segments(pieces):
        yield from doubts(segment.text, _evidence(segment.handles, sources, desk, wanted.granted), wanted.language)


def _evidence(
    handles: Sequence[int], sources: Mapping[int, Sequence[Source]], desk: Mapping[int, Material], granted: str
) -> Evidence:
    return Evidence(
        quotes=tuple(source.text for handle in handles for source in sources[handle]),
        contexts=tuple(context for handle in handles for context in _contexts(desk[handle].text, sources[handle])),
        titles=tuple(desk[handle].title for handle in handles),
        granted=granted,
        papers=len(handles),
        of_draft=tuple(handles) == (DRAFT,),
    )


def _contexts(text: str, sources: Sequence[Source]) -> Iterator[str]:
    """The whole sentences around the quotations: half a sentence can say the opposite of the whole."""
    for start, end in split_sentences(text):
        if any(source.start < end and start < source.end for source in sources):
            yield text[start:end]


def _copied(text: str, wanted: Wanted, desk: Mapping[int, Material]) -> Iterator[Doubt]:
    """Eight words in a row of a source outside quotation marks, and quotation marks around what nobody says."""
    handles = wanted.handles or (DRAFT,)
    for match in _QUOTED.finditer(text):
        inside = (match[1] or match[2] or "").strip(" ,.;:")
        said = f" {_words(inside)} "
        if inside and not any(said in f" {_words(f'{desk[h].title} . {desk[h].text}')} " for h in handles):
            yield Doubt("quote", f"“{inside[:60]}” stands in quotation marks and is not in the source")
    outside = _QUOTED.sub(" … ", text)
    for handle in handles:
        for start, end in copied_runs(outside, desk[handle].text):
            yield Doubt(
                "copied", f"eight words in a row are the source's: say “{outside[start:end][:80]}” in other words"
            )


def _words(text: str) -> str:
    return " ".join(words(text))


def _sentence(
    pieces: tuple[Piece, ...], sources: Mapping[int, Sequence[Source]], desk: Mapping[int, Material]
) -> Sentence:
    cited = [handle for handle in sources if handle != DRAFT]
    ids = {handle: paper.id.value for handle in cited if (paper := desk[handle].paper) is not None}
    text = marked(pieces, ids)
    if not text.startswith("{{"):
        text = capital(text)
    grounds = tuple(dict.fromkeys(source for handle in sources for source in sources[handle]))
    close = any(copied_runs(text, desk[handle].text) for handle in sources)
    return Sentence(
        text,
        "paper" if cited else "draft",
        tuple(ids.values()),
        grounds,
        quoted=close,
        by_model=True,
    )
