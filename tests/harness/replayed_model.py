"""A strong model's replies, replayed: those in `model_replies/`, written by hand in that manner.

A file holds all that is answered to the requests of one section, and the draft where it is ours (`DRAFTS`). The others
are of drafts of DeepScholar-Bench, by arXiv id, which `benchmarks.field` reads; `by` says who wrote them. Papers are
named by arXiv id where the model would use a handle, so that the replies fit whatever order retrieval has. `judge` and
`repairs` are by a fragment of the sentence they are for; a repair that is null leaves the sentence out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import citeplug.demo
from citeplug.records.dialogue import Request, Stage
from citeplug.sources.snapshot import SnapshotReader
from tests.harness.scripted_models import Answer, Seen, planned_line, read_prompt

FOLDER = Path(__file__).parent / "model_replies"
DRAFTS = ("robust", "sessions", "depth")
BREADTH = 12  # with which all their papers are found
_ID = re.compile(r"\d{4}\.\d{5}")
_STAGES: dict[str, Stage] = {
    "queries": "queries",
    "order": "ranking",
    "candidates": "ranking",
    "summary": "summaries",
    "left_out": "plan",
    "verdicts": "judge",
}


def stage_of(request: Request) -> Stage:
    """The stage of a request as a server gets it: the protocol does not name it, the schema shows it."""
    asked = (request.schema or {}).get("properties", {})
    return next((stage for name, stage in _STAGES.items() if name in asked), "prose")


def ids_of_library() -> dict[str, str]:
    """The arXiv ids of the demo's library, by title."""
    library = Path(citeplug.demo.__file__).parent / "library.jsonl"
    return {paper.title: paper.id.value for paper in SnapshotReader(library)}


@dataclass
class Replay:
    """Replies for the draft `name`. `ids` are those of the papers that may be shown to the model, by title.

    `requests` are those answered, with their stages.
    """

    name: str
    ids: Mapping[str, str] = field(default_factory=ids_of_library, repr=False)
    requests: list[Request] = field(default_factory=list)
    _handles: dict[str, int] = field(default_factory=dict)

    @cached_property
    def said(self) -> Any:
        return json.loads((FOLDER / f"{self.name}.json").read_text(encoding="utf-8"))

    @property
    def papers(self) -> list[str]:
        """The papers that the plan places, in its order."""
        lines = [line for paragraph in self.said["plan"] for line in paragraph["lines"]]
        return list(dict.fromkeys(value for line in lines for value in line["papers"]))

    def write_draft(self, folder: Path) -> Path:
        """Write the draft into `folder`, and return its main file."""
        text = (
            f"\\documentclass{{article}}\n\\title{{{self.said['title']}}}\n\\begin{{document}}\n\\maketitle\n"
            f"\\begin{{abstract}}\n{self.said['abstract']}\n\\end{{abstract}}\n\\section{{Method}}\nTo be written.\n"
            "\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
        )
        main = folder / "main.tex"
        main.write_text(text, encoding="utf-8")
        (folder / "refs.bib").write_text("", encoding="utf-8")
        return main

    def __call__(self, request: Request) -> Answer:
        """Answer a request as it came over the wire."""
        self.requests.append(request)
        seen = read_prompt(request)
        match stage_of(request):
            case "queries":
                return {"queries": [{"query": q, "facet": "problem", "reason": "near"} for q in self.said["queries"]]}
            case "ranking":
                return self._ranking(seen)
            case "summaries":
                return {"summary": self._summary(seen)}
            case "plan":
                return self._plan(seen)
            case "judge":
                return self._verdicts(request)
            case _:
                return self._prose(seen, request)

    def _ranking(self, seen: Seen) -> Answer:
        handles = self._seen(seen)
        wanted = [handles[value] for value in [*self.papers, *self.said["left_out"]] if value in handles]
        return {"order": wanted, "not_citable": sorted(handles[v] for v in handles if handles[v] not in wanted)}

    def _summary(self, seen: Seen) -> list[str]:
        (paper,) = self._seen(seen)
        sentences: list[str] = self.said["summaries"].get(paper, [f"The paper is on this: {seen.papers[1].title}."])
        return sentences

    def _plan(self, seen: Seen) -> Answer:
        handles = self._seen(seen)
        out = [{"handle": handles[v], "reason": why} for v, why in self.said["left_out"].items() if v in handles]
        paragraphs = [
            {**paragraph, "lines": [_planned(line, handles) for line in paragraph["lines"]]}
            for paragraph in self.said["plan"]
        ]
        return {"left_out": out, "paragraphs": paragraphs}

    def _verdicts(self, request: Request) -> Answer:
        verdicts = []
        for number, text in re.findall(r"^sentence (\d+)(?: \([^)]*\))?: (.*)$", request.prompt, re.M):
            wrong = next((why for part, why in self.said["judge"].items() if part in text), "")
            verdicts.append(
                {"sentence": int(number), "unsupported": wrong, "verdict": "partly" if wrong else "entailed"}
            )
        return {"verdicts": verdicts, "harms": []}

    def _prose(self, seen: Seen, request: Request) -> Answer:
        if "paragraphs" in (request.schema or {})["properties"]:
            self._handles |= self._seen(seen)
            return {"paragraphs": list(self._revised(request.prompt))}
        handles = self._seen(seen)
        self._handles |= handles
        heading = re.search(r"Write paragraph \w+, “([^”]*)”", request.prompt)
        assert heading is not None
        return {"sentences": [self._sentence(item, item["line"]) for item in self.said["prose"][heading[1]]]}

    def _revised(self, prompt: str) -> Iterator[Answer]:
        for name, heading, body in re.findall(r"^(p\d+), “([^”]*)”[^\n]*\n((?:(?!p\d).*\n?)+)", prompt, re.M):
            passed = re.findall(r"^  sentence (\d+) \(\w+\): (.*)$", body, re.M)
            sentences = [
                {"from": [int(n) for part in parts for n, said in passed if part in said], "text": self._text(text)}
                for parts, text in self.said["polish"].get(heading, [])
            ]
            for number, text in re.findall(r"^line (\d+)[^:]*: (.*)$", body, re.M):
                item = next((item for part, item in self.said["repairs"].items() if part in text), None)
                if item is not None:
                    sentences.append({"from": [int(number)], **self._sentence(item, int(number))})
            if sentences:
                yield {"id": name, "sentences": sentences}

    def _sentence(self, item: Answer, line: int) -> Answer:
        quotes = [{"handle": self._handles.get(whose, 0), "quote": quote} for whose, quote in item["quotes"]]
        return {"line": line, "kind": item["kind"], "text": self._text(item["text"]), "quotes": quotes}

    def _text(self, text: str) -> str:
        return _ID.sub(lambda match: str(self._handles[match[0]]), text)

    def _seen(self, seen: Seen) -> dict[str, int]:
        """Handles of the papers in a prompt, by arXiv id."""
        return {self.ids[paper.title]: handle for handle, paper in seen.papers.items()}


def _planned(line: Answer, handles: dict[str, int]) -> Answer:
    return planned_line(
        line["intent"],
        [handles[value] for value in line["papers"]],
        line["kind"],
        line.get("draft_does", ""),
        line.get("left_open", ""),
        line.get("weight", "usual"),
    )
