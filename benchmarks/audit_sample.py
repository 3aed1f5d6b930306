"""What `citeplug audit` shows of drafts, with what a reader needs who judges each finding and has not seen the code.

    python -m benchmarks.audit_sample OUT --salt S [--of NAME=N ...] [--data ../shared/data] [--home DIR] [--chunks N]

Drafts are drawn by hash with the salt: `real` ones of `latex/` as their authors wrote them, `lists` of title, abstract
and reference list (`bbl_dev.jsonl.gz`, papers to 2020) and `gold` ones of title and abstract with the papers that the
real one cites. Of the two last a tenth of the citations is hidden. Printed is what the screen has (default options,
--offline): for each finding its message, the paragraph of the draft, title and abstract of the work. OUT gets a file
for each chunk, findings numbered through, and `key.txt`, which says of what kind each draft is and what was hidden.
"""

import argparse
import gzip
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

from benchmarks.audit import FEWEST, real_mains, silent
from benchmarks.gold import DATA, read_gold
from benchmarks.selection import drawn
from citeplug.audit.ranking import doubts_of
from citeplug.audit.run import audit_draft
from citeplug.cli.audit_report import DOUBTS, on_screen
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.audit import Audit
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.prose import ProseParagraph
from citeplug.settings.environment import Settings, read_settings
from citeplug.text.compare import entry_title
from citeplug.text.tex_print import to_latex as escape

ASKED = """Drafts of papers, each with what a program that reads drafts as a reviewer would tells its author about the
citations. Drafts are as they are: some are of a title, an abstract and a list of references alone, and some are a few
years old; the author is about to hand it in, and could still cite any work that is named here. Of each finding (##):
is it worth the author's time? Answer with a line for each: number, yes / borderline / no, a reason of a few words.

- Not cited, and near your draft: yes if a careful reviewer could ask for this work, or the author would want to know it
  before handing in (same problem, same method, a system it builds on or competes with); no if the author would wonder
  what it has to do with the draft. Add "plainly wrong" where it is of another field or matter.
- References: yes if the message is right and the author would mend it or be glad to know it; no if it is wrong or idle.
- Claims without a citation, names, citations to compare: yes if the sentence wants a citation (or that correction).
"""
LATEST = 2012  # of the drafts with reference lists: the sample has hardly anything later
TITLES = 80  # of works that a draft cites
PARAGRAPH = 1500  # characters


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draft on disk; `given` are options of the command line."""

    kind: str
    name: str
    main: Path
    given: dict[str, Any]
    hidden: tuple[str, ...] = ()


def real(data: Path, salt: str, folder: Path, corpus: Corpus) -> Iterator[Drawn]:
    rows = json.loads((data / "latex_manifest.json").read_text("utf-8"))
    whole = {data / "latex" / row["folder"] / row["main"] for row in rows if row["n_bib_entries"]}
    mains = sorted(whole.intersection(real_mains(data)), key=lambda main: drawn(salt + "/".join(main.parts[-3:])))
    # Without its bibliography nobody knows what a draft cites.
    for main in [main for main in mains if read_draft(main).entries]:
        yield Drawn("real", str(main.relative_to(data / "latex")), main, {})


def lists(data: Path, salt: str, folder: Path, corpus: Corpus) -> Iterator[Drawn]:
    with gzip.open(data / "citations" / "bbl_dev.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    with gzip.open(data / "citations" / "cs_records.jsonl.gz", "rt", encoding="utf-8") as stream:
        records = {row["id"]: row for row in map(json.loads, stream)}
    rows = [row for row in rows if row["id"] in records and float(row["id"][:4]) <= LATEST]
    rows.sort(key=lambda row: drawn(salt + row["id"]))
    for row in rows:
        text = "\n".join(row["files"].values())
        head, *items = re.split(r"(?=\\bibitem\b)", text)
        if len(items) < FEWEST or len(row["files"]) > 1:
            continue
        order = sorted(items, key=lambda item: drawn(salt + item))
        hidden = order[: math.ceil(len(items) / 10)]
        kept = [item for item in items if item not in hidden]
        if items[-1] in hidden:
            kept[-1] += r"\end{thebibliography}"
        keys = [
            match[1] for item in kept if (match := re.search(r"\\bibitem\s*(?:\[.*?\]\s*)?\{([^{}]+)\}", item, re.S))
        ]
        place = folder / row["id"].replace("/", "_")
        place.mkdir()
        (place / "main.bbl").write_text(head + "".join(kept), "utf-8")
        record = records[row["id"]]
        write(place, record["title"], record["abstract"], keys, r"\input{main.bbl}")
        given = {"before": ArxivId.parse(row["id"]).month, "exclude": (row["id"],)}
        yield Drawn("list", row["id"], place / "main.tex", given, tuple(" ".join(item.split()) for item in hidden))


def gold(data: Path, salt: str, folder: Path, corpus: Corpus) -> Iterator[Drawn]:
    queries = [query for query in read_gold(data) if len(query.cited) >= FEWEST and query.source != "latex"]
    queries.sort(key=lambda query: drawn(salt + query.query_id))
    # One of the few of other fields than computer science and physics first.
    first = [query for query in queries if query.source.startswith("unarxive")][:1]
    for query in (*first, *(query for query in queries if query not in first)):
        order = sorted(query.cited, key=lambda value: drawn(salt + query.query_id + value))
        hidden = order[: math.ceil(len(order) / 10)]
        papers = [paper for paper in corpus.papers(order[len(hidden) :]).values() if paper.complete]
        place = folder / re.sub(r"\W", "_", query.query_id)
        place.mkdir()
        title, _, abstract = query.text.partition(". ")
        (place / "references.bib").write_text("".join(map(entry, papers)), "utf-8")
        write(
            place, title, abstract, [paper.id.value.replace("/", "_") for paper in papers], r"\bibliography{references}"
        )
        given: dict[str, Any] = {"exclude": tuple(sorted(query.exclude))} if query.exclude else {}
        if before := query.inputs.get("before"):
            given["before"] = date.fromisoformat(before)
        yield Drawn("gold", query.query_id, place / "main.tex", given, tuple(hidden))


def entry(paper: Paper) -> str:
    fields = {
        "title": f"{{{escape(paper.title)}}}",
        "author": escape(" and ".join(paper.authors)),
        "year": str(paper.published.year),
        "journal": escape(paper.journal_ref or ""),
        "doi": paper.doi or "",
        "eprint": paper.id.value,
        "archiveprefix": "arXiv",
    }
    kind = "article" if paper.journal_ref else "misc"
    rows = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{paper.id.value.replace('/', '_')},\n{rows}}}\n"


def write(place: Path, title: str, abstract: str, keys: list[str], bibliography: str) -> None:
    text = (
        "\\documentclass{article}\n\\title{%s}\n\\begin{document}\n\\maketitle\n"
        "\\begin{abstract}\n%s\n\\end{abstract}\n\\nocite{%s}\n\\bibliographystyle{plain}\n%s\n"
        "\\end{document}\n"
    )
    (place / "main.tex").write_text(
        text % (escape(" ".join(title.split())), escape(" ".join(abstract.split())), ",".join(keys), bibliography),
        "utf-8",
    )


KINDS: dict[str, Callable[[Path, str, Path, Corpus], Iterator[Drawn]]] = {
    "real": real,
    "lists": lists,
    "gold": gold,
}


def shown(found: Audit) -> Iterator[str]:
    """What the screen shows, each finding with what it is about."""
    draft = found.report.draft
    assert draft is not None
    prose = read_prose(draft)
    entries = {item.key: item for item in draft.entries}
    for group in on_screen(found.report):
        # The data lacks some bibliographies, which their authors have.
        if group[0].finding.code in ("missing_bib", "undefined_key"):
            continue
        finding = group[0].finding
        said = []
        for each in group[:6]:
            key = f"{each.key}: " if each.key and each.key not in each.finding.message else ""
            message = key + each.finding.message + (f"\n  advice: {each.finding.fix}" if each.finding.fix else "")
            words = {word.strip(",.") for word in each.finding.message.split()} | {each.key}
            named = [item for name, item in entries.items() if name in words]
            said.append(message + "".join(map(_entry, named)) + _around(prose, each.finding.file, each.finding.line))
        more = f"\n\n  ... and {len(group) - 6} more of the kind" if len(group) > 6 else ""
        yield f"References [{finding.severity}, {finding.code}]" + "".join(f"\n\n- {each}" for each in said) + more
    for doubt in doubts_of(found)[:DOUBTS]:
        passages = [f"{each.key} ({each.title}): {each.text}" for each in (doubt.source, doubt.fits) if each]
        body = "\n".join(("", doubt.reason, f"your sentence: {doubt.sentence}", *passages))
        yield f"Citation to compare with its source [{doubt.code}]\n{_wrapped(body)}"
    for work in found.missing:
        paper = work.paper
        why = f"\nreason given: {work.reasons[0].text}" if work.reasons else ""
        authors = f"{paper.authors[0]}{' and others' if len(paper.authors) > 1 else ''}" if paper.authors else ""
        yield (
            f"Not cited, and near your draft: {paper.title} ({authors}, {paper.published.year}){why}\n\n"
            + _wrapped(f"Its abstract: {paper.abstract}")
            + _around(prose, work.file, work.line, "The audit says that it belongs to this paragraph of the draft")
        )


def _entry(item: BibEntry) -> str:
    return f"\n  entry {item.key}: " + "; ".join(f"{name} = {value}" for name, value in item.fields.items())[:700]


def _around(prose: list[ProseParagraph], file: Path | None, line: int | None, words: str = "In the draft") -> str:
    near = [each for each in prose if each.file == file and each.line <= (line or 0)]
    if not near:
        return ""
    text = near[-1].text
    return f"\n\n{_wrapped(f'{words} (“{near[-1].heading}”): {text[:PARAGRAPH]}')}"


def _wrapped(text: str) -> str:
    return "\n".join(fill(line, 118, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))


def described(number: int, draft: Draft) -> str:
    cited = {key.lower() for cite in draft.cites for key in cite.keys}
    titles = [entry_title(item) for item in draft.entries if item.key.lower() in cited or "*" in cited]
    listed = "\n".join(f"  - {' '.join(title.split()).strip('{}')}" for title in titles[:TITLES] if title)
    more = f"\n  ... and {len(titles) - TITLES} more" if len(titles) > TITLES else ""
    abstract = _wrapped(draft.abstract) or "(none found)"
    return f"# Draft {number}: {draft.title}\n\n{abstract}\n\nIt cites:\n{listed}{more}\n"


def sample(drafts: Sequence[Drawn], settings: Settings) -> tuple[list[list[str]], list[str]]:
    """The findings of each draft, the draft's description before the first, and the lines of the key."""
    texts: list[list[str]] = []
    key: list[str] = []
    number = 0
    for each in drafts:
        found = audit_draft(each.main, settings, online=False, report=silent, given=each.given)
        assert found.report.draft is not None
        parts = [f"## {number}\n\n{part}\n" for number, part in enumerate(shown(found), number + 1)]
        key.append(f"draft {len(texts) + 1}\t{each.kind}\t{each.name}\t{number + 1}-{number + len(parts)}")
        key += [f"    hidden: {value}" for value in each.hidden]
        number += len(parts)
        texts.append([described(len(texts) + 1, found.report.draft) + "\n" + parts[0], *parts[1:]] if parts else [])
        print(f"{each.kind:6}{each.name:60.59}{len(parts):4} findings", flush=True)
    return texts, key


def main() -> int:
    """Write the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--salt", required=True)
    parser.add_argument("--of", nargs="+", default=["real=8", "lists=8", "gold=8"], metavar="NAME=N")
    parser.add_argument("--chunks", type=int, default=2)
    parser.add_argument("--unlike", type=Path, metavar="KEY", help="leave out the drafts of this key")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    chosen = parser.parse_args()
    settings = replace(read_settings(), home=chosen.home / "full", offline=True)
    seen = set(chosen.unlike.read_text("utf-8").split()) if chosen.unlike else set()
    with TemporaryDirectory() as folder:
        drafts: list[Drawn] = []
        with open_corpus(settings) as corpus:
            for name, number in (each.split("=") for each in chosen.of):
                found = KINDS[name](chosen.data, chosen.salt, Path(folder), corpus)
                drafts += islice((each for each in found if each.name not in seen), int(number))
        texts, key = sample(sorted(drafts, key=lambda each: drawn(chosen.salt + "order" + each.name)), settings)
    chosen.out.mkdir(parents=True, exist_ok=True)
    chunks: list[list[str]] = [[ASKED] for _ in range(chosen.chunks)]
    every, done = sum(map(len, texts)) / chosen.chunks, 0
    for text in texts:
        chunks[min(chosen.chunks - 1, int(done / max(every, 1)))] += text
        done += len(text)
    for place, chunk in enumerate(chunks, 1):
        (chosen.out / f"sample-{place}.md").write_text("\n".join(chunk), "utf-8")
    (chosen.out / "key.txt").write_text("\n".join(key) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
