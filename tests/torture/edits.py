"""An author who types, deletes, moves, pastes and reflows in the section, between runs that regenerate it."""

from citeplug.errors import WouldOverwrite
from tests.harness.authors import NAMES, Project, take
from tests.torture.case import Case, demand
from tests.torture.judge import words_lost

_MANNERS = [name for name in NAMES if name != "run"]
EDITS = 50  # of one sitting, runs apart
_HEADING = "\\paragraph{"
_RUN = 0.2  # chance of a run behind an edit


def play(case: Case) -> None:
    """One sitting with one section. Runs are the real ones, save for the search; each is judged."""
    chance, project = case.chance, Project()
    project.run(chance.randrange(30))
    done = 0
    while done < EDITS:
        before = project.text
        take(project, (chance.choice(_MANNERS), chance.randrange(6000), chance.randrange(200)))
        done += project.text != before
        if chance.random() < _RUN or done == EDITS:
            regenerate(project, chance.randrange(30))
            case.counts["runs between them"] += 1
    case.counts["edits"] += done
    case.counts["words typed"] += project.typed


def regenerate(project: Project, seed: int) -> None:
    """A run, after which every word of the author's is there as often as before; a refused one changes nothing.

    A heading that citeplug printed above a text, word for word from the plan, is citeplug's: it goes when the plan's
    does, or is changed.
    """
    before = project.text
    printed = {
        line for bases in project.bases.values() for base in bases for line in base.lines if line.startswith(_HEADING)
    }
    try:
        project.run(seed)
    except WouldOverwrite:
        demand(None if project.text == before else "it was refused, and the text changed all the same")
    files = {"before.tex": before.encode("utf-8", "replace"), "after.tex": project.text.encode("utf-8", "replace")}
    demand(words_lost(before, project.text, printed), **files)
