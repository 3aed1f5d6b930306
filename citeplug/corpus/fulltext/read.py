"""What is read of one file."""

from dataclasses import dataclass

from citeplug.records.passage import Mention, TextSection
from citeplug.records.reference import Reference


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text without its paper. `doubts` are (code, message) of what is missing from it."""

    title: str
    sections: tuple[TextSection, ...]
    references: tuple[Reference, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def words(self) -> int:
        return sum(len(section.text.split()) for section in self.sections)
