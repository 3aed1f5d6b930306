"""Review of generated sentences: list them with their sources, and accept them.

`status` of a sentence in `.citeplug/provenance.json` says whether the author has accepted it. It applies to sentences
that are in the section as they were generated; a sentence that the author changed needs no review.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from citeplug.errors import UnreadableInput, UsageError
from citeplug.files.atomic import write_together
from citeplug.project.author_files import one_at_a_time, read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.records.paper import LIBRARY, Paper, shown_id
from citeplug.records.provenance import Provenance, RecordedSource, Status, with_events
from citeplug.records.section import Judgement, Source
from citeplug.related.section.write_section import statuses_as_changes
from citeplug.section_file.grammar import RelatedFile, read_related
from citeplug.text.cleaning import plain

_PLACE = re.compile(r"([^\s:]+?)(?::(\d{1,4})(?:-(\d{1,4}))?)?")


@dataclass(frozen=True, slots=True)
class Recorded:
    """One generated sentence. `number` counts the paragraph's sentences from 1, as they were generated.

    `text` is its LaTeX. `stands`: it is in the file as it was generated. One that was rejected and stands again was put
    back, and is unreviewed. `words` are its text in the record, white space collapsed. `quotes_from` is the record's.
    """

    paragraph: str
    number: int
    text: str
    kind: str
    cites: tuple[str, ...]
    sources: tuple[RecordedSource, ...]
    attribution: float | None
    judgement: Judgement | None
    status: Status
    stands: bool
    words: str = ""
    quotes_from: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def place(self) -> str:
        return f"{self.paragraph}:{self.number}"

    @property
    def doubt(self) -> str:
        """The doubt that is left about the sentence, in words; empty for none."""
        return self.judgement.doubt if self.judgement is not None else ""

    @property
    def edited(self) -> bool:
        """True if the author changed or deleted it, without a word about it."""
        return not self.stands and self.status != "rejected"


def recorded_sentences(provenance: Provenance, related: RelatedFile) -> list[Recorded]:
    """The sentences of the record, in its order."""
    blocks = {block.id: block for block in related.blocks}
    texts = {name: _bare(block.text) for name, block in blocks.items()}
    counts: dict[str, int] = {}
    recorded = []
    for sentence in provenance.sentences:
        paragraph = sentence.paragraph
        counts[paragraph] = counts.get(paragraph, 0) + 1
        if sentence.tex is not None:
            stands = bool(sentence.tex.strip()) and _bare(sentence.tex) in texts.get(paragraph, "")
        else:  # recorded before the LaTeX was
            stands = paragraph in blocks and bool(texts[paragraph]) and not blocks[paragraph].edited
        recorded.append(
            Recorded(
                paragraph,
                counts[paragraph],
                sentence.tex or sentence.text,
                sentence.kind,
                sentence.cites,
                sentence.sources,
                sentence.attribution,
                sentence.judgement,
                "unreviewed" if stands and sentence.status == "rejected" else sentence.status,
                stands,
                sentence.words,
                provenance.quotes_from,
            )
        )
    return recorded


def is_summary(source: RecordedSource | Source, paper: Paper | None) -> bool:
    """True for what is told of a paper in other words than its authors', which is not to stand in quotation marks."""
    return source.of == "abstract" and paper is not None and paper.abstract_kind == "summary"


def abstract_in_words(source: RecordedSource, quotes_from: Mapping[str, str]) -> str:
    """Where the abstract of a work outside arXiv is that a source is from; empty for any other text."""
    value = source.arxiv_id or ""
    return plain(quotes_from.get(value, "")) if source.of == "abstract" and value.startswith(LIBRARY) else ""


def source_in_words(source: RecordedSource, quotes_from: Mapping[str, str]) -> str:
    """The text that a source's words are from, and the place there; `quotes_from` is the record's."""
    whose = shown_id(source.arxiv_id) if source.arxiv_id else "the draft"
    if where := abstract_in_words(source, quotes_from):
        whose = f"{(source.arxiv_id or '').removeprefix(LIBRARY)}, {where}"
    named = {"title": f"the title of {whose}", "draft": "your own sentence"}.get(source.of, whose)
    page = f"page {source.page}" if source.page is not None else ""
    older = f"version {source.version}, while {source.newer} is known" if source.newer is not None else ""
    return ", ".join(filter(None, (named, older, plain(source.section), page)))


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Result of a review. `changed` got another status; `yours` were named, but the author has changed their text."""

    sentences: tuple[Recorded, ...]
    changed: tuple[Recorded, ...] = ()
    yours: tuple[Recorded, ...] = ()


def list_sentences(project: Project) -> Reviewed:
    """All generated sentences of the project's section. Raises UnreadableInput if there is no section or record."""
    _, sentences = _read(project, read_or_none(project.where.tex))
    return Reviewed(tuple(sentences))


def accept(
    project: Project,
    places: Sequence[str],
    home: Path,
    *,
    everything: bool,
    undo: bool = False,
    text: str | None = None,
) -> Reviewed:
    """Mark sentences as accepted, or with `undo` as unreviewed again; all or none, one process at a time.

    `places` are `p1` (a paragraph), `p1:2` (a sentence) or `p1:2-4`. `text` is the section as an editor has it, in
    place of the saved one. Raises UsageError on a place that does not exist.
    """
    status: Status = "unreviewed" if undo else "accepted"
    with one_at_a_time(home, project.root):
        text = text if text is not None else read_or_none(project.where.tex)
        provenance, sentences = _read(project, text)
        numbers = set(range(len(sentences))) if everything else _numbers(places, sentences)
        changed = [n for n in sorted(numbers) if sentences[n].stands and sentences[n].status != status]
        yours = () if everything else tuple(sentences[n] for n in sorted(numbers) if sentences[n].edited)
        if changed:
            marked = [replace(e, status=status) if n in changed else e for n, e in enumerate(provenance.sentences)]
            provenance = with_events(replace(provenance, sentences=tuple(marked)), provenance)
            write_together(statuses_as_changes(project.where, provenance))
    after = recorded_sentences(provenance, read_related(text or ""))
    return Reviewed(tuple(after), tuple(after[n] for n in changed), yours)


def _read(project: Project, text: str | None) -> tuple[Provenance, list[Recorded]]:
    if text is None:
        raise UnreadableInput(
            f"there is no section: {project.where.tex} does not exist", "write one with 'citeplug related MAIN.tex'"
        )
    provenance = read_provenance(project.where.provenance)
    if not provenance.sentences:
        raise UnreadableInput(
            f"there is no record of {project.where.tex}: {project.where.provenance} has no sentences",
            "write the section with 'citeplug related MAIN.tex', and keep .citeplug/ with the project",
        )
    return provenance, recorded_sentences(provenance, read_related(text))


def chosen_sentences(places: Iterable[str], sentences: Sequence[Recorded]) -> list[Recorded]:
    """The sentences at these places, in their order. Raises UsageError on a place that does not exist."""
    return [sentences[number] for number in sorted(_numbers(places, sentences))]


def _numbers(places: Iterable[str], sentences: Sequence[Recorded]) -> set[int]:
    numbers: set[int] = set()
    for place in places:
        match = _PLACE.fullmatch(place)
        first = int(match[2]) if match and match[2] else None
        last = int(match[3]) if match and match[3] else first
        matching = {
            index
            for index, sentence in enumerate(sentences)
            if match
            and sentence.paragraph == match[1]
            and (first is None or last is None or first <= sentence.number <= last)
        }
        if not matching:
            names = ", ".join(dict.fromkeys(sentence.paragraph for sentence in sentences))
            raise UsageError(
                f"there is no sentence {place}", f"name a paragraph ({names}) or a sentence in it, such as p1:2"
            )
        numbers |= matching
    return numbers


def _bare(text: str) -> str:
    """Return the text without comment lines, white space collapsed, to compare it whatever its layout."""
    return " ".join(" ".join(line for line in text.splitlines() if not line.lstrip().startswith("%")).split())
