"""DeepScholar-Bench's drafts, and the sections that published systems wrote for them, read from public repositories.

A repository is a git directory that holds the commit named here: one fetched from GitHub, or a clone that is given. Its
texts are material to measure and are never written anywhere but to the folder of the benchmarks.
"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from citeplug.evaluate.gold import Gold, Nugget
from citeplug.evaluate.measures.citations import CitedSentence
from citeplug.latex.plain import plain
from citeplug.records.paper import ArxivId
from citeplug.settings.environment import read_settings
from citeplug.text.sentences import split_sentences

csv.field_size_limit(2**24)  # a related-work section in one field
_REFERENCES = re.compile(r"^\W*(?:references|bibliography)\W*$", re.IGNORECASE | re.MULTILINE)
_ENTRY = re.compile(r"^\s*(?:\[(\d+)\]|(\d+)\.(?=\s))\s*(.*)$")
_NUMBERS = re.compile(r"\[(\d+(?:\s*[,–-]\s*\d+)*)\]")
_CITE = re.compile(r"\\[A-Za-z]*cite[a-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{([^{}]*)\}")
_LINK = re.compile(r"\\?\[\\?\[?[^\]\[]*\]\(https?://arxiv\.org/abs/([^)\s]+)\)\\?\]?")


class Skipped(Exception):
    """A repository or a file of it cannot be read; the text says why."""


@dataclass(frozen=True)
class Repository:
    """A public repository at one commit. `place` is a git directory that has it, once it is `opened`."""

    name: str  # owner/name at GitHub
    commit: str
    place: Path | None = None

    def opened(self, home: Path, clones: Sequence[Path], *, fetch: bool) -> "Repository":
        """Return the repository with its git directory: a clone, or the fetched one under `home`. Raises Skipped."""
        own = home / "published" / self.name.replace("/", "+")
        for place in (*clones, own):
            if place.is_dir() and not _git(place, "cat-file", "-e", self.commit).returncode:
                return Repository(self.name, self.commit, place)
        if not fetch:
            raise Skipped(f"{self.name} at {self.commit[:7]} was not fetched: --fetch does, or name a --clone")
        own.mkdir(parents=True, exist_ok=True)
        _git(own, "init", "--bare", "--quiet", str(own))
        done = _git(own, "fetch", "--quiet", "--depth=1", f"{GITHUB}/{self.name}", self.commit)
        if done.returncode:
            raise Skipped(f"{self.name}: {done.stderr.decode(errors='replace').strip()[:200]}")
        return Repository(self.name, self.commit, own)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Paths of all files."""
        listed = self._run("ls-tree", "-rz", "--name-only", self.commit)
        return tuple(listed.decode().split("\0"))

    def text(self, path: str) -> str:
        """The text of a file. Raises Skipped."""
        return self._run("show", f"{self.commit}:{path}").decode("utf-8", "replace")

    def rows(self, path: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.text(path), newline="")))

    def _run(self, *words: str) -> bytes:
        assert self.place is not None
        done = _git(self.place, *words)
        if done.returncode:
            raise Skipped(f"{self.name}: {done.stderr.decode(errors='replace').strip()[:200]}")
        return done.stdout


def _git(place: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"GIT_TERMINAL_PROMPT": "0", "GIT_DIR": str(place)}
    return subprocess.run(["git", *words], env=environment, capture_output=True, check=False)


GITHUB = "https://github.com"
BENCHMARK = Repository("guestrin-lab/deepscholar-bench", "6ff05aa53db6dc5f94e7342084293d36b0153f99")
MASSGEN = Repository("ncrispino/deepscholar-massgen", "5dd41186d286b172adf22a36e581ec89e4369f86")
SURGE = Repository("oneal2000/SurGE", "b4eaaef424303ff9491d33d4667a62c9182f411e")


@dataclass(frozen=True, slots=True)
class Work:
    """A work that a section cites: what its reference list prints of it, and the arXiv id printed there, if any."""

    text: str
    printed: str = ""


@dataclass(frozen=True, slots=True)
class PublishedSection:
    """A section. `works` are those it cites, by label; `cites` of a sentence are labels.

    `quotes` are pairs of label and quotation; `tokens` and `dollars` are those that were published.
    """

    sentences: tuple[CitedSentence, ...]
    works: Mapping[str, Work]
    quotes: tuple[tuple[str, str], ...] = ()
    tokens: int | None = None
    dollars: float | None = None

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True)
class Drafts:
    """The benchmark's drafts in the order of its query file, and the works that they cite and arXiv has.

    `authors` are the sections that the authors wrote, by query. `records` are lines of the snapshot's form, by id, with
    the authors that the citing papers print.
    """

    gold: tuple[Gold, ...]
    authors: Mapping[str, PublishedSection] = field(repr=False)
    records: Mapping[str, Mapping[str, Any]] = field(repr=False)

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write the gold set and the records as files of JSON lines, and return their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        gold, records = folder / "gold.jsonl", folder / "records.jsonl"
        gold.write_text("".join(json.dumps(gold_row(draft)) + "\n" for draft in self.gold), "utf-8")
        records.write_text("".join(json.dumps(record) + "\n" for record in self.records.values()), "utf-8")
        return gold, records


def gold_row(gold: Gold) -> dict[str, Any]:
    """A line of a gold set."""
    return {
        **gold.inputs,
        "source": gold.source,
        "cited": sorted(gold.cited),
        "section": gold.section,
        "nuggets": [{"text": nugget.text, "importance": nugget.importance} for nugget in gold.nuggets],
    }


def add_repositories(parser: argparse.ArgumentParser) -> None:
    """Options that say where the repositories are."""
    parser.add_argument("--fetch", action="store_true", help="fetch the repositories that are not on this machine")
    parser.add_argument("--clone", type=Path, action="append", default=[], help="a git directory of one; repeatable")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")


def opened(repository: Repository, chosen: argparse.Namespace) -> Repository:
    """The repository where the options say it is. Raises Skipped."""
    return repository.opened(chosen.home, chosen.clone, fetch=chosen.fetch)


def open_drafts(chosen: argparse.Namespace) -> Drafts:
    """Read the drafts from the repositories of the options. Raises Skipped."""
    return read_drafts(opened(BENCHMARK, chosen), opened(MASSGEN, chosen))


def drafts_asked_for(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, Drafts] | None:
    """The options of a command on the drafts, and these; None, and it is said why, where no repository is at hand."""
    add_repositories(parser)
    parser.add_argument("--run", action="append", default=[], metavar="NAME=FILE", help="a recorded run; repeatable")
    parser.add_argument("--drafts", type=int, default=63, help="the first so many")
    chosen = parser.parse_args()
    try:
        drafts = open_drafts(chosen)
    except Skipped as reason:
        print(f"skipped: {reason}")
        return None
    return chosen, replace(drafts, gold=drafts.gold[: chosen.drafts])


@contextmanager
def suppressed(name: str) -> Iterator[None]:
    """Say what is skipped, and why, and go on."""
    try:
        yield
    except Skipped as reason:
        print(f"{name} is skipped: {reason}")


def read_drafts(benchmark: Repository, queries: Repository) -> Drafts:
    """Read the drafts in the order of `queries`, which MassGen's outputs follow."""
    cited: dict[str, set[str]] = {}
    records: dict[str, dict[str, Any]] = {}
    works: dict[str, dict[str, Work]] = {}
    authors: dict[str, PublishedSection] = {}
    for row in benchmark.rows("dataset/citations.csv"):
        listed = works.setdefault(_bare_id(row["parent_paper_arxiv_id"]), {})
        listed[row["citation_shorthand"]] = Work(row["cited_paper_title"], row["cited_paper_arxiv_link"])
        if row["cited_paper_arxiv_link"]:
            value = ArxivId.parse(row["cited_paper_arxiv_link"]).value
            cited.setdefault(_bare_id(row["parent_paper_arxiv_id"]), set()).add(value)
            records[value] = _record(value, row)
    nuggets = dict(_nuggets(benchmark))
    gold = []
    for row in queries.rows("dataset/queries.csv"):
        own, day = _bare_id(row["arxiv_id"]), row["published_date"][:10]
        title, abstract = (" ".join(row[name].split()) for name in ("title", "abstract"))
        inputs = {"query_id": own, "title": title, "abstract": abstract, "before": day, "exclude": [own]}
        authors[own] = _by_authors(row["clean_latex_related_works"], works.get(own, {}))
        gold.append(
            Gold(
                own,
                "deepscholar-bench",
                title,
                abstract,
                frozenset(cited.get(own, ())),
                frozenset([own]),
                authors[own].text,
                nuggets=nuggets.get(own, ()),
                inputs=inputs,
            )
        )
    return Drafts(tuple(gold), authors, records)


def _by_authors(latex: str, works: Mapping[str, Work]) -> PublishedSection:
    """The authors' section. What they cite and the benchmark has no work for is without an entry."""
    keys: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        names = [name.strip() for name in match[1].split(",")]
        return "[" + ", ".join(keys.setdefault(name, str(len(keys) + 1)) for name in names) + "]"

    text = plain(_CITE.sub(numbered, latex))
    return parse_section(text, {keys[key]: work for key, work in works.items() if key in keys})


def _bare_id(text: str) -> str:
    return ArxivId.parse(text).value


def _record(value: str, row: Mapping[str, str]) -> dict[str, Any]:
    names = (" ".join(reversed(name.split(", ", 1))) for name in row["bib_paper_authors"].split(" and "))
    return {
        "id": value,
        "authors": ", ".join(name.replace(",", "").strip("{} ") for name in names if name.strip() != "others"),
        "title": row["cited_paper_title"],
        "abstract": " ".join(row["cited_paper_abstract"].split()),
        "categories": "cs.DL",  # the benchmark has none; nothing here reads them
    }


def _nuggets(benchmark: Repository) -> Iterator[tuple[str, tuple[Nugget, ...]]]:
    for path in benchmark.files:
        if path.startswith("dataset/gt_nuggets_outputs/") and path.endswith("/res.json"):
            read = json.loads(benchmark.text(path))
            rows = read.get("nuggets") or []
            yield (
                _bare_id(read["qid"]),
                tuple(Nugget(row["text"], "vital" if row["importance"] == "vital" else "okay") for row in rows),
            )


def parse_section(text: str, works: Mapping[str, Work] | None = None) -> PublishedSection:
    """Read a section in Markdown: sentences, what each cites by `[n]` or a link to arXiv, and the works.

    `works` are those that the numbers stand for where the reference list of the text does not say it.
    """
    *_, start = [len(text), *(match.start() for match in _REFERENCES.finditer(text))]
    body, listed = text[:start], dict(works or reference_list(text[start:]))
    listed |= {link: Work(link, link) for link in _LINK.findall(body)}
    sentences = []
    for paragraph in body.split("\n"):
        if paragraph.strip() and not paragraph.lstrip().startswith("#"):
            for begin, end in split_sentences(paragraph):
                sentence = paragraph[begin:end].strip()
                labels = [label for run in _NUMBERS.findall(sentence) for label in _labels(run)]
                cites = tuple(dict.fromkeys([*labels, *_LINK.findall(sentence)]))
                sentences.append(CitedSentence(_NUMBERS.sub("", _LINK.sub("", sentence)), cites))
    cited = dict.fromkeys(label for sentence in sentences for label in sentence.cites)
    return PublishedSection(tuple(sentences), {label: listed[label] for label in cited if label in listed})


def _labels(run: str) -> Iterator[str]:
    for part in re.split(r"\s*,\s*", run):
        ends = [int(end) for end in re.split(r"\s*[–-]\s*", part)]
        yield from map(str, range(ends[0], min(ends[-1], ends[0] + 50) + 1))


def reference_list(text: str) -> dict[str, Work]:
    entries: dict[str, str] = {}
    label = ""
    for line in text.split("\n"):
        if found := _ENTRY.match(line):
            label = found[1] or found[2]
            entries[label] = found[3]
        elif label:
            entries[label] += f" {line.strip()}"
    return {label: Work(entry, printed_id(entry)) for label, entry in entries.items()}


def printed_id(text: str) -> str:
    """What a reference prints as its arXiv id, whether there can be such an id or not; empty where it prints none."""
    found = re.search(r"(?:arxiv[:\s]+|arxiv\.org/(?:abs|pdf)/)((?:[a-z-]+/)?\d[\w.]*\w)", text, re.IGNORECASE)
    return found[1] if found else ""


def massgen(repository: Repository, drafts: Drafts) -> Iterator[tuple[str, PublishedSection]]:
    """MassGen's section of each draft, by query."""
    for number, draft in enumerate(drafts.gold):
        folder = f"outputs/results_minimax/{number}"
        section = parse_section(repository.text(f"{folder}/intro.md"))
        yield draft.query_id, _with_cost(section, repository.text(f"{folder}/stats.json"))


SIX = {
    "deepscholar_base_gpt_4.1": "DeepScholar-base (GPT-4.1)",
    "deepscholar-base": "DeepScholar-base (Llama 4)",
    "search_ai_gpt_4.1": "Search AI (GPT-4.1)",
    "storm": "STORM (Llama 4)",
    "openscholar": "OpenScholar",
    "deepresearcher": "DeepResearcher",
}


def six_systems(repository: Repository, drafts: Drafts, folder: str) -> Iterator[tuple[str, PublishedSection]]:
    """The sections of a system for the first two drafts, by query."""
    for number in range(2):
        prefix = f"tests/baselines_results/{folder}/{number}/"
        files = [path for path in repository.files if path.startswith(prefix)]
        names = ("intro.md", "storm_gen_article.md", ".md")
        text = next(path for name in names for path in files if path.endswith(name))
        works = None
        if index := next((path for path in files if path.endswith("url_to_info.json")), ""):
            urls = json.loads(repository.text(index))["url_to_unified_index"]
            works = {str(place): Work(url, printed_id(url)) for url, place in urls.items()}
        costs = [path for path in files if path.endswith("usage.json")] or [
            path for path in files if path.endswith(".json")
        ]
        section = parse_section(repository.text(text), works)
        yield drafts.gold[number].query_id, _with_cost(section, repository.text(costs[0]))


def _with_cost(section: PublishedSection, usage: str) -> PublishedSection:
    """The section with the tokens and dollars that the system's own file of usage prints."""
    tokens = [int(count) for count in re.findall(r'"(?:total_tokens|virtual tokens|token_count)": (\d+)', usage)]
    dollars = re.findall(r'"total_cost(?:_usd_dollar)?": ([\d.e-]+)', usage)
    steps = "lm_cost" in usage  # STORM counts each step by itself, the others the whole, some of them twice
    total = sum(tokens) if steps else max(tokens, default=0)
    cost = sum(map(float, dollars))
    return PublishedSection(section.sentences, section.works, section.quotes, total or None, cost or None)
