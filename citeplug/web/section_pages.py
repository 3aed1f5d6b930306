"""The page of the section, and its forms: plan, sentences, and the writing of it."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from citeplug.corpus.citations.references import known_mentions
from citeplug.corpus.fulltext.paper_pdf import with_pdf
from citeplug.corpus.stores import open_corpus
from citeplug.errors import CiteplugError, UsageError
from citeplug.records.provenance import Status
from citeplug.related.attribute.support import matching, support_of
from citeplug.related.plan.from_clusters import is_listing, topic_of
from citeplug.related.section.accept import Recorded
from citeplug.related.section.review import ReviewedParagraph, ReviewedPiece, ReviewedSection
from citeplug.related.section.shown_sources import sources_of
from citeplug.related.section.status import REASONS, State, state_of
from citeplug.section_file import edit
from citeplug.section_file.grammar import find_cites
from citeplug.text.folding import fold_title
from citeplug.web.frame import PageFrame, Typed
from citeplug.web.guard import FORM, SHOWN
from citeplug.web.section_prose import compared, offered, prose_of, unsourced

_MOST_MENTIONS = 3  # sentences of other papers on a source
_MOST_AHEAD = 4  # sentences that a script gets before they are looked at
_MOST_TITLES = 8
_LONGEST_TITLE = 500  # characters
_LONGEST_SENTENCE = 4000
_NAMED = re.compile(r"\[([^\[\]\s]+)\]$|^[\w.-]+/?\d+\S*$")  # an id or key in brackets at the end, or alone
_NAMED_VERDICTS = {"unchecked": "not checked", "not_arxiv": "no arXiv record"}
# The marks in the margin, in the order of the legend: what it says of each, and what the page says of its sentence.
_MARKS = {
    "weak": ("weakly supported", "weakly supported: compare it"),
    "close": ("close to source", "close to its source"),
    "verbatim": ("in their source’s words", "in its source’s words"),
    "titles": ("only name works", "only names works"),
    "opening": ("openings", "opens its paragraph"),
    "own": ("yours", "yours"),
    "accepted": ("accepted", "accepted"),
}
_STATUSES: Mapping[str, Status] = {"accept": "accepted", "reject": "rejected", "unreview": "unreviewed"}


@dataclass(frozen=True, slots=True)
class Selected:
    """The sentence that is looked at: its name in the page (`p1.2`), its paragraph, and itself."""

    name: str
    paragraph: ReviewedParagraph
    piece: ReviewedPiece


class SectionPages:
    """The handlers; `pages` renders them."""

    def __init__(self, pages: PageFrame) -> None:
        self._pages = pages
        self._review = pages.review
        pages.templates.globals |= {
            "colour_of": colour_of,
            "mark_of": mark_of,
            "marks": _MARKS,
            "shown_marks": _shown_marks,
            "named_verdict": lambda name: _NAMED_VERDICTS.get(name) or name.replace("_", " "),
            "prose": lambda piece, section: prose_of(piece.shown, section, piece.tex),
            "compared": compared,
            "offered": offered,
            "unsourced": unsourced,
            "matching": matching,
            "sentences": sentences_of,
            "heading_of": heading_of,
            "wording": lambda line: _split(line)[0],
            "outline": _outline,
        }

    @property
    def get(self) -> Mapping[str, Callable[[Request], Response]]:
        return {"/": self.section, "/titles": self.titles, "/words": self.words}

    @property
    def post(self) -> Mapping[str, Callable[[Request], Response]]:
        return {
            **{f"/{what}": self._marks(what) for what in _STATUSES},
            "/reword": self._edits(
                "edit", lambda f: partial(edit.set_sentence, new=f["new"], at=_place(f), **_words(f))
            ),
            "/offer": self._edits(
                "edit",
                lambda f: partial(
                    edit.answer_offer, offer=f["offer"], takes=f["answer"] == "take", at=_place(f), **_words(f)
                ),
            ),
            "/up": self._edits("move", lambda f: partial(edit.move_paragraph, name=f["p"], by=-1)),
            "/down": self._edits("move", lambda f: partial(edit.move_paragraph, name=f["p"], by=1)),
            "/move": self._edits(
                "move", lambda f: partial(edit.place_paragraph, name=f["p"], before=f.get("before") or None)
            ),
            "/delete": self._edits("delete", lambda f: partial(edit.delete_paragraph, **_words(f))),
            "/heading": self._edits("plan", lambda f: partial(edit.set_heading, heading=f["new"], **_words(f))),
            "/add": self._edits("plan", lambda f: partial(edit.add_paragraph, heading=f["heading"], line=f["line"])),
            "/line/add": self._edits("plan", lambda f: partial(edit.add_line, name=f["p"], new=f["new"])),
            "/line/save": self._edits("plan", lambda f: partial(edit.set_line, new=_with_papers(f), **_line(f))),
            "/line/cite": self._edits("plan", self._cited),
            "/line/uncite": self._edits(
                "plan", lambda f: partial(edit.set_line, new=_without(f["was"], f["paper"]), **_line(f))
            ),
            "/line/delete": self._edits("plan", lambda f: partial(edit.delete_line, **_line(f))),
            "/line/move": self._edits("plan", lambda f: partial(edit.place_line, to=_number(f["to"]), **_line(f))),
            "/write": self._writes(),
            "/insert": self._writes(insert=True),
            "/write/deep": self._writes(deep=True),
        }

    def section(self, request: Request, error: CiteplugError | None = None) -> Response:
        """The page; for a script that shows the section already, only what is not as in its page.

        With `part` in the query that is nothing but the sentence that is looked at, with its sources; with `near` those
        around it, too, each in a template.
        """
        project = self._review.project
        stamp = self._review.stamp(project)  # before the files are read: what changes meanwhile is read again
        shown = self._review.shown(stamp, project) if {"part", "near"} & request.query_params.keys() else None
        section = shown or self._review.section(project)
        before = self._review.shown(request.headers.get(SHOWN, ""), project)
        self._review.now_shown(stamp, project, section)
        typed = self._pages.typed(request, error)
        at = request.query_params.get("at") or request.scope.get(FORM, {}).get("at")
        selected = _selected(section, at, typed, self._review.fresh)
        in_page = typed.in_page(section, selected.piece if selected else None)
        values = {
            "project": project,
            "stamp": stamp,
            "section": section,
            "fresh": _fresh(section, self._review.fresh),
            "gone": _gone(section, self._review.gone),
            "selected": selected,
            "typed": typed if in_page else Typed(),
            "lost": () if in_page else typed.texts,
            **self._sources(section, selected),
        }
        if "part" in request.query_params and selected is not None and error is None:
            return self._pages.render("part.html", request, None, **values)
        if "near" in request.query_params and selected is not None and error is None:
            near = [
                {"selected": selected, **self._sources(section, selected)} for selected in _around(section, selected)
            ]
            return self._pages.render("near.html", request, None, **{**values, "near": near, "typed": Typed()})
        changed = None if before is None or error is not None else _changed(before, section)
        if changed is not None and selected is not None:
            parts = {*changed, selected.paragraph.id}
            return self._pages.render("parts.html", request, None, parts=parts, plan=None, **values)
        form = request.scope.get(FORM, {})
        plan = f"{form['p']}.{form['number']}" if {"paper", "p", "number"} <= form.keys() else None
        plan = request.query_params.get("plan", plan)
        return self._pages.render(
            "section.html",
            request,
            error,
            plan=plan,
            models=self._review.models(),
            **(self._of_section(state_of(project)) if section.paragraphs else self._review.beginning()),
            **values,
        )

    def _of_section(self, state: State) -> dict[str, Any]:
        to_insert, own = self._review.insertion(state.project)
        return {"due": due(state), "options": self._review.options(), "to_insert": to_insert, "own": own}

    def titles(self, request: Request) -> Response:
        """Papers on this machine whose titles are like what is typed, for the field that chooses one."""
        words = request.query_params.get("q", "")[:_LONGEST_TITLE]
        with open_corpus(self._review.chosen) as corpus:
            papers = corpus.by_title(words, _MOST_TITLES) if words.strip() else []
        return self._pages.render("titles.html", request, None, readable=False, papers=papers)

    def words(self, request: Request) -> Response:
        """What a sentence would say without a source, while it is typed anew."""
        project, query = self._review.project, request.query_params
        section = self._review.shown(self._review.stamp(project), project) or self._review.section(project)
        piece, new = piece_named(section, query.get("at", "")), query.get("new", "")[:_LONGEST_SENTENCE]
        words = unsourced(new, piece, section) if piece else []
        return self._pages.render("unsourced.html", request, None, readable=False, words=words)

    def _cited(self, form: Mapping[str, str]) -> Callable[[str], str]:
        """Add a paper to a plan line: the one whose id or key ends what was typed, else the one with that title."""
        typed = form["paper"].strip()[:_LONGEST_TITLE]
        named = _NAMED.search(typed)
        if named is None:
            with open_corpus(self._review.chosen) as corpus:
                papers = corpus.by_title(typed, 1)
            if not papers or fold_title(papers[0].title) != fold_title(typed):
                near = f"; the nearest is {papers[0].title} [{papers[0].id.value}]" if papers else ""
                raise UsageError(f"no paper on this machine has the title {typed!r}{near}", "choose one from the list")
            paper = papers[0].id.value
        else:
            paper = named[1] or named[0]
        return partial(edit.set_line, new=_with(form["was"], paper), **_line(form))

    def _sources(self, section: ReviewedSection, selected: Selected | None) -> dict[str, Any]:
        """The sources of the sentence that is looked at, and what is known of them."""
        sources = sources_of(section, selected.piece, self._review.chosen) if selected else []
        papers = {source.source.arxiv_id for source in sources if source.source.arxiv_id}
        return {
            "sources": sources,
            "described": {paper: known_mentions(self._review.chosen, paper, _MOST_MENTIONS) for paper in papers},
            "pdfs": with_pdf(papers, self._review.chosen),
            "ledger": self._review.ledger(),
            "names": {item.piece.sentence.place: item.name for item in _all(section) if item.piece.sentence},
        }

    def _writes(self, **how: bool) -> Callable[[Request], Response]:
        return lambda request: self._pages.begin("The section", "/", self._review.writing(request.scope[FORM], **how))

    def _marks(self, what: str) -> Callable[[Request], Response]:
        status = _STATUSES[what]
        return self._pages.act(
            what, lambda form: self._review.mark(what, form["p"], form["words"], status, _place(form))
        )

    def _edits(
        self, what: str, change: Callable[[Mapping[str, str]], Callable[[str], str]]
    ) -> Callable[[Request], Response]:
        return self._pages.act(what, lambda form: self._review.edit(what, change(form)))


def due(state: State) -> str:
    """What has changed since the section was written, as a sentence; empty if nothing has."""
    names = ", ".join(REASONS[change].removeprefix("the ") for change in state.changed)
    return f"Out of date: {names} changed." if names else ""


def _changed(before: ReviewedSection, now: ReviewedSection) -> list[str] | None:
    """The ids of the paragraphs whose text is not as it was before; None if more than that has changed."""
    plans, then = (
        [replace(paragraph, pieces=(), hash="") for paragraph in section.paragraphs] for section in (now, before)
    )
    named_once = len({plan.id for plan in plans}) == len(plans)
    if plans != then or not named_once or (before.conflict, before.bib) != (now.conflict, now.bib):
        return None
    return [new.id for old, new in zip(before.paragraphs, now.paragraphs, strict=True) if old != new]


def sentences_of(paragraph: ReviewedParagraph) -> list[tuple[str, ReviewedPiece]]:
    """The sentences of a paragraph, generated or not, with their names in the page, such as `p1.2`."""
    pieces = [piece for piece in paragraph.pieces if piece.kind in ("generated", "own")]
    return [(f"{paragraph.id}.{number}", piece) for number, piece in enumerate(pieces, 1)]


def heading_of(paragraph: ReviewedParagraph, section: ReviewedSection) -> str:
    """The heading of a paragraph, or what stands for one."""
    is_first = paragraph.id == section.paragraphs[0].id
    return paragraph.heading or ("Opening paragraph" if is_first else "Paragraph without a heading")


def piece_named(section: ReviewedSection, name: str) -> ReviewedPiece | None:
    """The sentence with a name in the page."""
    return next((item.piece for item in _all(section) if item.name == name), None)


def _selected(section: ReviewedSection, at: str | None, typed: Typed, fresh: Collection[str]) -> Selected | None:
    """The sentence that was typed anew, wherever it is now; else that of the name `at`, or the one before it.

    Without a name it is the first to be reviewed, of those that the last run wrote if there are any.
    """
    pieces = _all(section)
    meant = [item for item in pieces if item.paragraph.id == typed.fields.get("p") and typed.is_about(item.piece)]
    if meant:
        return next((item for item in meant if str(item.piece.at) == typed.fields.get("place")), meant[0])
    here, _, number = (at or "").rpartition(".")
    same = [item for item in pieces if item.paragraph.id == here]
    if same and number.isdecimal() and len(number) < 5:
        return same[min(max(int(number), 1), len(same)) - 1]
    waiting = [item for item in pieces if item.piece.sentence and item.piece.sentence.status == "unreviewed"]
    return min(waiting or pieces[:1], key=lambda item: item.piece.tex not in fresh, default=None)


def _around(section: ReviewedSection, selected: Selected) -> list[Selected]:
    pieces = _all(section)
    here = [item.name for item in pieces].index(selected.name)
    return pieces[max(here - 1, 0) : here] + pieces[here + 1 : here + 1 + _MOST_AHEAD]


def _all(section: ReviewedSection) -> list[Selected]:
    return [
        Selected(name, paragraph, piece) for paragraph in section.paragraphs for name, piece in sentences_of(paragraph)
    ]


def _fresh(section: ReviewedSection, fresh: Collection[str]) -> list[str]:
    """The names of the sentences that the last run wrote and that are not accepted."""
    new = [item for item in _all(section) if item.piece.tex in fresh]
    return [item.name for item in new if not (item.piece.sentence and item.piece.sentence.status == "accepted")]


def _gone(section: ReviewedSection, gone: Mapping[str, str]) -> list[str]:
    """The sentences that the last run took out, and no undo put back."""
    standing = {item.piece.tex for item in _all(section)}
    return [text for tex, text in gone.items() if tex not in standing]


def colour_of(verdict: str) -> str:
    """The colour of a verdict on an entry, as a class of its word."""
    return {"verified": "good", "differs": "middle", "unchecked": "", "not_arxiv": ""}.get(verdict, "bad")


def mark_of(sentence: Recorded | None, section: ReviewedSection, *, accepted: bool = True) -> str:
    """The mark of a sentence, a name in `_MARKS`: how close it is to its sources, accepted, or the author's.

    Without `accepted` it is that of a sentence which is still to be reviewed.
    """
    if sentence is None:
        return "own"
    if accepted and sentence.status == "accepted":
        return "accepted"
    papers = [section.papers[cite] for cite in sentence.cites if cite in section.papers]
    return support_of(sentence, papers) or ("titles" if sentence.cites else "opening")


def _shown_marks(section: ReviewedSection) -> Counter[str]:
    return Counter(mark_of(item.piece.sentence, section) for item in _all(section))


def _outline(intent: str) -> str:
    """A planned line as an outline has it: its topic, without "describe work on"."""
    return topic_of(intent) or (intent.removeprefix("list ") if is_listing(intent) else intent)


def _split(line: str) -> tuple[str, list[str]]:
    """A plan line as it is written: what is in front of its papers, and these."""
    cites = find_cites(line)
    if cites is None:
        return line, []
    bracket = line.rindex("[", 0, cites[0][0] if cites else None)  # a key in braces may have one, too
    return line[:bracket].rstrip(), [name for _, name in cites]


def _with_papers(form: Mapping[str, str]) -> str:
    """The new words of a plan line, with the papers that it has unless they name others."""
    new, (_, papers) = form["new"], _split(form["was"])
    return new if find_cites(new.strip()) is not None else _joined(new, papers)


def _with(line: str, paper: str) -> str:
    words, papers = _split(line)
    return _joined(words, list(dict.fromkeys([*papers, paper])))


def _without(line: str, paper: str) -> str:
    words, papers = _split(line)
    return _joined(words, [name for name in papers if name != paper])


def _joined(words: str, papers: Sequence[str]) -> str:
    """As `print_plan_line`: a key with a sign that would end it stands in braces."""
    named = ", ".join("{" + name + "}" if re.search(r"[,;\[\]]", name) else name for name in papers)
    return f"{words.strip()} [{named}]" if papers else words


def _words(form: Mapping[str, str]) -> dict[str, Any]:
    return {"name": form["p"], "was": form["was"]}


def _line(form: Mapping[str, str]) -> dict[str, Any]:
    return {**_words(form), "number": _number(form["number"])}


def _place(form: Mapping[str, str]) -> int | None:
    return _number(form["place"]) if "place" in form else None


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0
