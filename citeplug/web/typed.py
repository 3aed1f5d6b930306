"""Text that an author typed into a form that was refused: shown again, beside what is there now."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from citeplug.related.section.review import ReviewedParagraph, ReviewedPiece, ReviewedSection

# The fields of each form that an author types into, and their labels.
_FIELDS: Mapping[str, Mapping[str, str]] = {
    "/reword": {"new": "The sentence"},
    "/heading": {"new": "Heading"},
    "/add": {"heading": "Heading", "line": "First plan line"},
    "/line/add": {"new": "New line"},
    "/line/save": {"new": "Plan line"},
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A refused form, by its address; without one nothing was typed."""

    path: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def texts(self) -> list[tuple[str, str]]:
        """What was typed, with the labels of its fields."""
        labels = _FIELDS.get(self.path, {})
        return [(label, self.fields[name]) for name, label in labels.items() if self.fields.get(name, "").strip()]

    def of(self, path: str, **names: object) -> bool:
        """True if it is this form, with these values in its fields."""
        return self.path == path and all(self.fields.get(name) == str(value) for name, value in names.items())

    def in_page(self, section: ReviewedSection, selected: ReviewedPiece | None) -> bool:
        """True if the section's page has a field for it; `selected` is the sentence that is looked at."""
        if self.path == "/add":
            return bool(section.paragraphs)
        if self.path == "/reword":
            # A generated sentence with other words is another one: that which was meant is gone.
            return selected is not None and (selected.sentence is None or self.is_about(selected))
        named = [each for each in section.paragraphs if each.id == self.fields.get("p") and each.is_whole]
        return bool(named) and (self.path != "/line/save" or self._has_line(named[0]))

    def is_about(self, piece: ReviewedPiece) -> bool:
        """True for the new words of a sentence whose words are still as they were."""
        return self.path == "/reword" and piece.tex.split() == self.fields.get("was", "").split()

    def _has_line(self, paragraph: ReviewedParagraph) -> bool:
        return self.fields.get("number", "") in map(str, range(1, len(paragraph.lines) + 1))
