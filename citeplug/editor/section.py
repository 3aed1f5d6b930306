"""The generated section of a project: its blocks, and the places of its sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.editor.desk import Desk
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Stretch
from citeplug.errors import CiteplugError
from citeplug.project.merge_bases import read_bases
from citeplug.project.provenance import read_provenance
from citeplug.project.targets import Targets
from citeplug.related.section.accept import Recorded, recorded_sentences
from citeplug.section_file.current import CurrentBlock, CurrentSection, read_current
from citeplug.section_file.grammar import RelatedFile, places_of, read_related


@dataclass(frozen=True, slots=True)
class Section:
    """A generated section. `sentences` are the recorded ones, each with its place if it is in the file unchanged."""

    path: Path
    lined: Lined
    related: RelatedFile
    current: CurrentSection
    sentences: tuple[tuple[Recorded, Stretch | None], ...]

    def sentence_at(self, path: Path, offset: int) -> tuple[Recorded, Stretch] | None:
        for sentence, place in self.sentences:
            if place is not None and place.file == path and place.start <= offset < place.end:
                return sentence, place
        return None

    def block_at(self, offset: int) -> CurrentBlock | None:
        """Return the block of the section's file at a code point."""
        return next((block for block in self.current.blocks if block.at.start <= offset < block.at.end), None)


def read_section(where: Targets, desk: Desk) -> Section | None:
    """Read the section of a project; None if there is none, or it cannot be read."""
    try:
        if not desk.is_file(where.tex):
            return None
        text = desk.read(where.tex).text
        related = read_related(text)
        if related.version is None and not related.blocks:
            return None
        sentences = recorded_sentences(read_provenance(where.provenance), related)
        try:
            current = read_current(text, read_bases(where.project).blocks, (), where.tex)
        except CiteplugError:  # it has conflict marks
            current = CurrentSection(text)
    except (CiteplugError, OSError):
        return None
    placed = _places(where.tex, text, related, sentences)
    return Section(
        where.tex,
        desk.read_texts[where.tex],
        related,
        current,
        tuple((sentence, placed.get(number)) for number, sentence in enumerate(sentences)),
    )


def _places(path: Path, text: str, related: RelatedFile, sentences: list[Recorded]) -> Mapping[int, Stretch]:
    blocks = {block.id: block for block in related.blocks}
    standing = [
        (number, block, sentence.text)
        for number, sentence in enumerate(sentences)
        if sentence.stands and (block := blocks.get(sentence.paragraph)) is not None
    ]
    places = places_of(text, [(block, tex) for _, block, tex in standing])
    return {
        number: Stretch(path, *place)
        for (number, _, _), place in zip(standing, places, strict=True)
        if place is not None
    }
