"""One sentence of the section as LaTeX."""

import re
from collections.abc import Mapping, Sequence

from citeplug.records.paper import ArxivId, Paper, shown_id
from citeplug.records.section import Sentence
from citeplug.section_file.cite_style import CiteStyle, unfit_for_cite
from citeplug.text.cited_text import close_source
from citeplug.text.cleaning import plain
from citeplug.text.folding import is_collective, split_name
from citeplug.text.people import listed
from citeplug.text.tex_print import to_latex

_MARKER = re.compile(r"\{\{(cite|author):([^{}]*)\}\}")
_STOP = re.compile(r"([.!?]+[\"”’']*)\s*$")
_LONGEST_DOUBT = 400
# What a citation names of a work, as authors write it; anything else in a file of the project is left out.
_PLACE = re.compile(r"(?:Sec|App|pp?)\. [0-9A-Z][0-9A-Z.]{0,11}(?:-[0-9]{1,5})?")


def print_sentence(
    sentence: Sentence, keys: Mapping[str, str], style: CiteStyle, papers: Mapping[str, Paper]
) -> list[str]:
    """Print a sentence as LaTeX, after a note if its wording is close to the source, or its meaning is in doubt.

    Raises ValueError on a citation without a key.
    """
    lines = []
    source = close_source(sentence)
    if source is not None:
        shared = f"eight or more words in a row are from {shown_id(source)}"
        lines.append(f"% citeplug:note close wording: {shared}; rephrase or quote")
    if sentence.judgement is not None and (doubt := plain(sentence.judgement.doubt)):
        lines.append(f"% citeplug:note {doubt[:_LONGEST_DOUBT]}; compare it with them")
    lines.append(_Writer(keys, style, papers, sentence.pinpoint).sentence(sentence.text))
    return lines


class _Writer:
    def __init__(
        self, keys: Mapping[str, str], style: CiteStyle, papers: Mapping[str, Paper], pinpoint: str = ""
    ) -> None:
        self.keys = keys
        self.style = style
        self.papers = papers
        self.option = f"[{pinpoint.replace(' ', '~').replace('-', '--')}]" if _PLACE.fullmatch(pinpoint) else ""

    def sentence(self, text: str) -> str:
        pieces = _MARKER.split(text)  # text, kind, ids, text, kind, ids, ..., text
        if len(pieces) != 4 or "," in pieces[2]:
            self.option = ""  # it belongs to one citation of one work
        out, pending = "", ""
        for index in range(0, len(pieces), 3):
            plain = pieces[index]
            last = index + 3 >= len(pieces)
            if pending and not (plain.strip() == "" and not last and pieces[index + 1] == "cite"):
                out, pending = self._with_citation(out, pending, at_end=last and not plain.strip()), ""
            if not pending:
                out += to_latex(plain, self.style.packages)
            if last:
                break
            kind, ids = pieces[index + 1], self._ids(pieces[index + 2])
            if kind == "cite":
                pending = ",".join(filter(None, [pending, *dict.fromkeys(map(self._key, ids))]))
            elif ids:
                out += self._textual(ids, first=not out.strip())
        return out.strip()

    def _ids(self, listed: str) -> list[str]:
        return [part.strip() for part in listed.split(",") if part.strip()]

    def _with_citation(self, out: str, keys: str, *, at_end: bool) -> str:
        command = f"\\{self.style.parenthetical}{self.option}{{{keys}}}"
        stop = ""
        if at_end and (match := _STOP.search(out)):
            out, stop = out[: match.start()], match[1]
        out = out.rstrip()
        tie = "" if not out or out.endswith(("(", "[", "~")) else "~"
        return f"{out}{tie}{command}{stop}"

    def _textual(self, ids: Sequence[str], *, first: bool) -> str:
        textual = self.style.textual_first if first and self._small(ids[0]) else self.style.textual
        if textual is not None:
            return f"\\{textual}{self.option}{{{','.join(map(self._key, ids))}}}"
        names = [self._names(arxiv_id, first=first and number == 0) for number, arxiv_id in enumerate(ids)]
        return listed(names)

    def _small(self, arxiv_id: str) -> bool:
        """Return True if the first author's name begins with a lower-case letter: `van den Oord`."""
        paper = self.papers.get(arxiv_id)
        return bool(paper and paper.authors and split_name(paper.authors[0]).surname[:1].islower())

    def _names(self, arxiv_id: str, *, first: bool) -> str:
        cite = f"\\{self.style.parenthetical}{self.option}{{{self._key(arxiv_id)}}}"
        paper = self.papers.get(arxiv_id)
        people = [split_name(author).surname for author in paper.authors] if paper else []
        if not people:
            return cite
        if len(people) == 2 and not is_collective(people[0]):
            names = f"{people[0]} and {people[1]}"
        else:
            names = people[0] if len(people) == 1 or is_collective(people[0]) else f"{people[0]} et al."
        if first:
            names = names[0].upper() + names[1:]
        return f"{to_latex(names)}~{cite}"

    def _key(self, name: str) -> str:
        """Return the citation key of an arXiv id or of the author's own key."""
        key = self.keys.get(name)
        if key is None:
            if _is_id(name):
                raise ValueError(f"no citation key for {shown_id(name)}")
            key = name  # the author's own key
        if unfit_for_cite(key):
            raise ValueError(f"not a citation key: {key!r}")
        return key


def _is_id(name: str) -> bool:
    try:
        return bool(ArxivId.parse(name))
    except ValueError:
        return not ArxivId(name).on_arxiv
