"""New paragraphs beside those that are in the file: their papers, their places and their ids."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from citeplug.records.paper import Shortlisted
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.section_file.current import CurrentSection, cites_of


def arrange(
    current: CurrentSection, wishes: Sequence[PlanParagraph], new: Sequence[PlanParagraph]
) -> tuple[Plan, dict[str, str]]:
    """The author's plans and the new ones in the order of the file, and the id that each new one was given.

    A new paragraph takes the place of the block left alone with which it has most papers in common; the others
    follow the last block.
    """
    places = _places(current, new)
    used = {block.at.id for block in current.blocks}
    ids: dict[str, str] = {}
    for number, paragraph in enumerate(new):
        if number in places:
            ids[paragraph.id] = current.blocks[places[number]].at.id
        else:
            ids[paragraph.id] = paragraph.id if paragraph.id not in used else _unused(used)
            used.add(ids[paragraph.id])
    by_id = {ids[paragraph.id]: replace(paragraph, id=ids[paragraph.id]) for paragraph in new}
    by_id |= {paragraph.id: paragraph for paragraph in wishes}
    first = [block.at.id for block in current.blocks if block.at.id in by_id]
    rest = [name for name in by_id if name not in first]
    return Plan(tuple(by_id[name] for name in (*first, *rest))), ids


def _places(current: CurrentSection, new: Sequence[PlanParagraph]) -> dict[int, int]:
    overlaps: list[tuple[float, int, int]] = []
    for row, paragraph in enumerate(new):
        ours = set(cites_of(paragraph))
        for column, block in enumerate(current.blocks):
            if block in current.anew and (shared := len(ours & block.cites)):
                overlaps.append((-shared / len(ours | block.cites), row, column))
    places: dict[int, int] = {}
    for _, row, column in sorted(overlaps):
        if row not in places and column not in places.values():
            places[row] = column
    return places


def _unused(used: set[str]) -> str:
    number = 1
    while f"p{number}" in used:
        number += 1
    return f"p{number}"


def free_papers(
    shortlist: Sequence[Shortlisted],
    current: CurrentSection,
    known: Mapping[str, str],
    breadth: int,
    refused: Collection[str] = (),
) -> list[Shortlisted]:
    """Return the shortlisted papers that new paragraphs may discuss: none that other paragraphs have or that was
    deleted, and no more than the breadth allows beside those; `refused` papers are not cited any more."""
    taken = current.taken(known)
    free = [item for item in shortlist if item.paper.id.value not in taken]
    return free[: max(1 if current.anew else 0, breadth - len(current.spoken_for(refused)))]


def with_papers(
    plan: Plan, free: Sequence[Shortlisted], make: Callable[[Sequence[Shortlisted], Sequence[str]], Plan]
) -> Plan:
    """The plan with these papers alone. A paragraph that loses none stays; the rest of the others is planned anew.

    `make` plans for papers, given the headings that the others have.
    """
    left = {item.paper.id.value for item in free}
    whole = [p for p in plan.paragraphs if left.issuperset(cites_of(p))]
    settled = {cite for paragraph in whole for cite in cites_of(paragraph)}
    rest = [item for item in free if item.paper.id.value not in settled]
    paragraphs = [*whole, *(make(rest, [p.heading for p in whole]).paragraphs if rest else ())]
    return Plan(tuple(replace(p, id=f"p{number}") for number, p in enumerate(paragraphs, 1)))
