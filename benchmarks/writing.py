"""Writing without a model: a benchmark of related-work sections that no language model has written.

    python -m benchmarks.writing --fetch [--home DIR] [--run NAME=RUN.jsonl ...]

The task: given title and abstract of a draft and the papers that its authors cite (id, title, abstract), write the
section. So finding papers is no part of it (`benchmarks.field` has that). The 63 drafts are those of DeepScholar-Bench,
their papers the cited ones that arXiv has; the data are fetched at one commit (--fetch, or --clone DIR) and written as
a gold set under --home, which `citeplug evaluate section` reads. Whoever has a system writes a run for
`citeplug evaluate inputs --gold GOLD` and names it with --run: it is measured by the same functions.

Baselines: a list of the titles; the first sentence of each abstract; TextRank (Mihalcea and Tarau, 2004) over all
sentences of the abstracts, one for each paper; and rules, which quote the sentence that says what a paper does and
group the papers by their closest theme of two words. All measures are by code, none by a judge:

    cited       share of the given papers that the section cites
    quoted      share of the sentences with a citation that hold a quotation, all of which the cited paper has
    copied      share of the words in runs of eight or more that a cited abstract has, outside of quotation marks
    we          share of the sentences that say "we" or "our" outside of quotation marks: another's work as one's own
    together    share of the sentences with a citation that cite two works or more
    nuggets     mean share of a nugget's words; ROUGE-1, -2, -L: F1 against the authors' own section
"""

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.field import as_line, section_by_citeplug
from benchmarks.gold import machine
from benchmarks.published_sections import (
    Drafts,
    PublishedSection,
    Work,
    drafts_asked_for,
    gold_row,
)
from citeplug.corpus.stores import open_corpus
from citeplug.evaluate.evaluate_run import numbered_lines
from citeplug.evaluate.gold import Gold, read_gold
from citeplug.evaluate.measures.citations import CitedSentence
from citeplug.evaluate.runs import RunLine, read_run
from citeplug.evaluate.scores import MeasureSettings, score
from citeplug.records.outcome import Options
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import QUOTED
from citeplug.text.quotation import find_quote
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import content_stems

Papers = Sequence[Mapping[str, str]]  # id, title, abstract
_SAYS = re.compile(r"\b(?:we|this (?:paper|work)) (?:\w+ )?(?:propose|present|introduce|show|study)", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)


def lead_sentences(gold: Gold, papers: Papers) -> PublishedSection:
    """The first sentence of each abstract."""
    return _section([(_sentences(paper["abstract"])[0], (paper["id"],), "") for paper in papers])


def title_list(gold: Gold, papers: Papers) -> PublishedSection:
    """One sentence with all titles."""
    listed = "; ".join(paper["title"] for paper in papers)
    return _section([(f"Related work includes {listed}.", tuple(paper["id"] for paper in papers), "")])


def text_rank(gold: Gold, papers: Papers) -> PublishedSection:
    """The sentences that most others share words with, as many as there are papers (TextRank, section 4)."""
    sentences = [(text, paper["id"]) for paper in papers for text in _sentences(paper["abstract"])]
    stems = [content_stems(text) for text, _ in sentences]
    weights = np.zeros((len(stems), len(stems)))
    for i, one in enumerate(stems):
        for j in range(i):
            if len(one) > 1 and len(stems[j]) > 1:
                weights[i, j] = weights[j, i] = len(one & stems[j]) / (np.log(len(one)) + np.log(len(stems[j])))
    rank = np.ones(len(stems))
    share = weights / np.maximum(weights.sum(1, keepdims=True), 1e-9)
    for _ in range(50):
        rank = 0.15 + 0.85 * (share.T @ rank)
    best = sorted(np.argsort(-rank, kind="stable")[: len(papers)])
    return _section([(sentences[at][0], (sentences[at][1],), "") for at in best])


def by_rules(gold: Gold, papers: Papers) -> PublishedSection:
    """Papers grouped by the pair of words of their titles that most share, each with a quotation of what it does."""
    pairs = {paper["id"]: _pairs(paper["title"]) for paper in papers}
    common = Counter(pair for own in pairs.values() for pair in own)
    groups: defaultdict[str, list[Mapping[str, str]]] = defaultdict(list)
    for paper in papers:
        theme = max(pairs[paper["id"]], key=lambda pair: (common[pair], pair), default="")
        groups[theme if common[theme] > 1 else ""].append(paper)
    rows: list[tuple[str, tuple[str, ...], str]] = []
    for theme, members in sorted(groups.items(), key=lambda item: -len(item[1]) if item[0] else 1):
        if theme:
            rows.append((f"Several works are on {theme}.", tuple(paper["id"] for paper in members), ""))
        for paper in members:
            sentences = _sentences(paper["abstract"])
            said = next((text for text in sentences if _SAYS.search(text)), sentences[0])
            rows.append((f"In “{paper['title']}”, “{said.rstrip('.')}”.", (paper["id"],), said.rstrip(".")))
    return _section(rows)


def _pairs(title: str) -> set[str]:
    words = re.findall(r"[a-z][a-z-]+", title.lower())
    return {f"{one} {other}" for one, other in pairwise(words) if len(one) > 3 and len(other) > 3}


def _sentences(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in split_sentences(text)] or [text]


def _section(rows: Sequence[tuple[str, tuple[str, ...], str]]) -> PublishedSection:
    sentences = tuple(CitedSentence(text, cites) for text, cites, _ in rows)
    works = {cite: Work(cite, cite) for _, cites, _ in rows for cite in cites}
    return PublishedSection(sentences, works, tuple((cites[0], quote) for _, cites, quote in rows if quote))


BASELINES: Mapping[str, Callable[[Gold, Papers], PublishedSection]] = {
    "list of titles": title_list,
    "first sentences": lead_sentences,
    "TextRank": text_rank,
    "rules": by_rules,
}


def write_gold(drafts: Drafts, file: Path) -> None:
    """The gold set: what a system may see of a draft includes the papers, and the texts are their abstracts."""
    rows = []
    for gold in drafts.gold:
        papers = [drafts.records[value] for value in sorted(gold.cited)]
        given = [{name: paper[name] for name in ("id", "title", "abstract")} for paper in papers]
        texts = {str(paper["id"]): str(paper["abstract"]) for paper in papers}
        plan = {"cites": sorted(gold.cited)}
        rows.append(gold_row(gold) | {"papers": given, "texts": texts, "plan": plan})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def leaderboard(runs: Mapping[str, Mapping[str, RunLine]], gold: Sequence[Gold]) -> Iterator[str]:
    """Lines of the table: means over the drafts."""
    names = ("cited", "quoted", "copied", "we", "together", "nuggets", "ROUGE-1", "ROUGE-2", "ROUGE-L", "words")
    yield f"{len(gold)} drafts, means{'':10}" + "".join(f"{name:>9}" for name in names)
    for system, run in runs.items():
        scored = {measure.name: measure.value for measure in score("section", gold, run, MeasureSettings()).measures}
        lines = [run[query.query_id] for query in gold]
        cells = {
            "cited": scored["citation coverage"],
            "quoted": _mean(_is_quoted(line, query) for line, query in zip(lines, gold, strict=True)),
            "copied": scored.get("share of copied runs", 0.0),
            "we": _mean(_share(line, lambda text, _: bool(_WE.search(QUOTED.sub(" ", text)))) for line in lines),
            "together": _mean(_share(line, lambda _, cites: len(cites) > 1) for line in lines),
            "nuggets": scored["words of nuggets"],
            **{name: scored[name] for name in names if name.startswith("ROUGE")},
            "words": fmean(len(line.text.split()) for line in lines),
        }
        yield f"{system:27}" + "".join(f"{cells[name]:>9.{0 if name == 'words' else 3}f}" for name in names)


def _share(line: RunLine, has: Callable[[str, Sequence[str]], bool]) -> float | None:
    cited = [sentence for sentence in line.sentences if sentence.cites]
    return fmean(has(sentence.text, sentence.cites) for sentence in cited) if cited else None


def _is_quoted(line: RunLine, gold: Gold) -> float | None:
    texts = {paper["id"]: f"{paper['title']}. {paper['abstract']}" for paper in gold.inputs["papers"]}

    def has(text: str, cites: Sequence[str]) -> bool:
        quotes = [quote for quote in re.findall(r"“([^”]*)”", text) if len(quote.split()) > 4]
        return bool(quotes) and all(any(find_quote(q, texts.get(cite, "")) for cite in cites) for q in quotes)

    return _share(line, has)


def _mean(values: Iterator[float | None]) -> float:
    there = [value for value in values if value is not None]
    return fmean(there) if there else 0.0


def main() -> int:
    """Print the leaderboard."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked = drafts_asked_for(parser)
    if asked is None:
        return 0
    chosen, drafts = asked
    folder = chosen.home / "writing"
    _, records = drafts.write(folder)
    write_gold(drafts, folder / "gold.jsonl")
    gold = read_gold(*numbered_lines(folder / "gold.jsonl"))
    start = time.process_time()
    sections: dict[str, Mapping[str, PublishedSection]] = {
        name: {query.query_id: write(query, query.inputs["papers"]) for query in gold}
        for name, write in BASELINES.items()
    }
    sections["the authors"] = {query.query_id: drafts.authors[query.query_id] for query in gold}
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=folder / "catalogue")) as corpus:
        corpus.add([records])
        sections["citeplug"] = {
            query.query_id: section_by_citeplug(
                query, corpus, Options(breadth=max(1, len(query.cited)), pin=tuple(sorted(query.cited)))
            )
            for query in gold
        }
    runs: dict[str, Mapping[str, RunLine]] = {}
    for name, written in sections.items():
        file = folder / f"{name.replace(' ', '-')}.jsonl"
        file.write_text("".join(json.dumps(as_line(query, s)) + "\n" for query, s in written.items()), "utf-8")
        runs[name] = read_run(*numbered_lines(file), gold)
    for name, _, path in (given.partition("=") for given in chosen.run):
        runs[name] = read_run(*numbered_lines(Path(path)), gold)
    print(f"python -m benchmarks.writing\n{machine()}\ngold set and runs: {folder}")
    print(*leaderboard(runs, gold), sep="\n")
    print(f"{time.process_time() - start:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
