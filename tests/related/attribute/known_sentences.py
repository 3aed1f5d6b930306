"""Sentences on real abstracts that are known to be true or false, each ready to be checked (for tests and benchmarks).

`data/sentences.jsonl` was written for this project: true paraphrases in free words, and false sentences of four kinds
(beyond the abstract, wrong direction, wrong comparison, the draft credited with another's result). Their papers are
those of the demo's library, and `data/abstracts.jsonl`: arXiv's metadata, which is in the public domain (CC0).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import citeplug.demo
from citeplug.records.paper import ArxivId, Paper
from citeplug.related.attribute.checks import DRAFT, CheckedSentence, Proposed, SentenceDemands, check_sentence
from citeplug.text.material import Material, draft_material, material_of

LIBRARY = Path(citeplug.demo.__file__).parent / "library.jsonl"
DATA = Path(__file__).parent / "data"
NO_DRAFT = draft_material("A draft", "We write on something else altogether.")
_HANDLES = re.compile(r"\[@?([\d, ]+)\]")
_LONGEST_QUOTATION = 1_900  # characters
_DAY = date(2020, 1, 1)


@dataclass(frozen=True, slots=True)
class Known:
    """A sentence with handles, its papers by handle, and whether they bear it out; `kind` says in which way not."""

    text: str
    papers: dict[int, Paper]
    truth: bool
    kind: str
    draft: Material = NO_DRAFT

    @property
    def desk(self) -> dict[int, Material]:
        return {DRAFT: self.draft, **{handle: material_of(handle, paper) for handle, paper in self.papers.items()}}

    def check(self) -> CheckedSentence:
        """The checks, with the quotations most favourable to the sentence: all of each text, or nearly."""
        desk = self.desk
        quotes = tuple((handle, _most_of(material.text)) for handle, material in desk.items())
        return check_sentence(Proposed(self.text, quotes), SentenceDemands(tuple(self.papers)), desk)


def _most_of(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTATION else text[:_LONGEST_QUOTATION].rsplit(" ", 1)[0]


def _paper(arxiv_id: str, title: str, abstract: str) -> Paper:
    text = " ".join(abstract.split())
    return Paper(ArxivId(arxiv_id), " ".join(title.split()), text, ("Ann Lee", "Bo Chen", "Cy Dee"), _DAY, _DAY)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def own_sentences() -> list[Known]:
    """The sentences of this repository."""
    records = [*_lines(LIBRARY), *_lines(DATA / "abstracts.jsonl")]
    papers = {record["id"]: _paper(record["id"], record["title"], record["abstract"]) for record in records}
    found = []
    for item in _lines(DATA / "sentences.jsonl"):
        cited = dict(enumerate((papers[value] for value in item["papers"]), start=1))
        draft = NO_DRAFT
        if "draft" in item:
            draft = draft_material(papers[item["draft"]].title, papers[item["draft"]].abstract)
        found.append(Known(item["text"], cited, item["kind"] == "true", item["kind"], draft))
    return found


def sentences_of(path: Path) -> list[Known]:
    """Sentences of a file with `sentence`, `sources` and `borne_out` in each line, those of doubtful truth left out.

    A sentence without handles speaks of the draft, whose abstract is its one source, or of all its sources.
    """
    found = []
    for item in _lines(path):
        if item["borne_out"] not in ("yes", "no"):
            continue
        text, sources = item["sentence"], item["sources"]
        handles = list(dict.fromkeys(int(n) for group in _HANDLES.findall(text) for n in group.split(",")))
        draft = NO_DRAFT
        if not handles and len(sources) == 1:
            draft = draft_material(sources[0]["title"], sources[0]["abstract"])
        elif not handles:
            handles = list(range(1, len(sources) + 1))
            text = f"{text.rstrip('. ')} [{', '.join(map(str, handles))}]."
        papers = {handle: _from(source) for handle, source in zip(handles, sources, strict=False)}
        found.append(Known(text, papers, item["borne_out"] == "yes", item.get("kind", "true"), draft))
    return found


def _from(source: dict[str, str]) -> Paper:
    made_up = f"9901.{sum(map(ord, source['title'])) % 90_000 + 10_000}"
    return _paper(source.get("arxiv_id", made_up), source["title"], source["abstract"])
