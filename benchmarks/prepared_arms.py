"""Meta Knowledge's four arms: passages or prepared questions are searched, with and without further questions.

    citeplug prepare --topic T --llm anthropic
    python -m benchmarks.prepared_arms OUT [--gold FILE.jsonl] [--llm NAME] [--judge NAME]... [--most 20]

The set is what is prepared in CITEPLUG_HOME, from the texts that its papers have now. Of the gold file those queries
are asked, by their `question` or title, that cite a paper of the set; default: ../shared/data/gold_dev.jsonl. The arms
(section 4 of the paper): chunks of 256 tokens with 10 % overlap; the same with questions that a model writes beside the
query; prepared questions, with the same; prepared questions, with questions that a model writes from the summary of the
set. Each takes the ten nearest items of each question and fuses them by ranks; a model answers from the first ten.
OUT gets the gold set, of whose cited papers those are left that are prepared, and a run for each arm; `citeplug
evaluate prepare` measures them: recall, and with --judge the six metrics, each arm minus the first. Without --llm the
further questions are prepared ones, the last two arms are the same, and nothing is answered. Replies of models are
kept: the same command goes on after a kill.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gold import DATA, GOLD, machine
from citeplug.corpus.fusion import Ranking, fuse
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus, settings
from citeplug.corpus.vectors.minilm import model_folder
from citeplug.errors import CiteplugError
from citeplug.evaluate.evaluate_run import numbered_lines
from citeplug.evaluate.gold import Gold, read_gold
from citeplug.llm.chosen_model import Notice, Wanted, language_model
from citeplug.prepare.asking import ask_readable
from citeplug.prepare.augment import PreparedQuestions, questions_by_model
from citeplug.prepare.paper_sources import current, question_vectors, read_sources
from citeplug.prepare.store import PreparedStore
from citeplug.protocols import LanguageModel, Vectors
from citeplug.records.dialogue import Reply, Request
from citeplug.records.paper import ArxivId
from citeplug.records.prepared import PaperSource, Prepared
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.material import WARNING, fence, fence_number

ARMS = ("chunks", "chunks, augmented", "questions, augmented", "questions, augmented by summary")
TOKENS, OVERLAP = 256, 26
_ITEMS = 10  # shown to the model that answers, and the cut of the recall
_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
SYSTEM = (
    f"You answer a researcher's question from what was retrieved for it.\n\n{WARNING}\n\n"
    "Say what the material says on the question, in at most 200 words, and name the papers by their titles. Say so"
    " where it says nothing. Answer with JSON that fits the schema."
)


@dataclass(slots=True)
class Answered:
    """An arm's line for a query: the questions asked beside it, ids and texts retrieved, and the answer, if any."""

    query: Gold
    asked: Sequence[str]
    results: Sequence[str]
    context: Sequence[str]
    answer: str = ""

    def as_json(self) -> dict[str, object]:
        """The line of a run file."""
        ids = {"query_id": self.query.query_id, "inputs_digest": self.query.digest}
        found = {"asked": list(self.asked), "results": list(self.results), "context": list(self.context)}
        return {**ids, **found, "refused": not self.answer, "text": self.answer}


@dataclass(frozen=True, slots=True)
class Items:
    """What an arm searches: texts, the papers that they are of, and unit vectors (n, d)."""

    texts: Sequence[str]
    papers: Sequence[str]
    vectors: Vectors

    def nearest(self, asked: Vectors, exclude: frozenset[str]) -> list[int]:
        """Places of the nearest items of other papers than these, best first; `asked` is a unit vector (d,)."""
        order = np.argsort(-(self.vectors @ asked), kind="stable")
        return [int(at) for at in order if self.papers[at] not in exclude][:_ITEMS]


def main() -> int:
    """Write the arms and print their measures; the exit code is that of the command that measures them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--gold", type=Path, default=DATA / GOLD)
    parser.add_argument("--llm", help="the model that writes questions and answers")
    parser.add_argument("--judge", action="append", default=[], help="a model that judges; repeatable")
    parser.add_argument("--most", type=int, default=20, help="queries")
    parser.add_argument("--max-cost", type=float, help="US dollars, for the answers, and again for the judges")
    given = parser.parse_args()
    if given.judge and not given.llm:
        parser.error("a judge rates answers, and without --llm there are none")
    print("python -m benchmarks.prepared_arms " + " ".join(sys.argv[1:]))
    print(machine())
    chosen = settings()
    with open_corpus(chosen) as corpus, closing(PreparedStore(chosen.home)) as store:
        prepared = current(store, store.papers(), chosen)
        sources = _sources(prepared, chosen)
        if not sources:
            parser.error(f"nothing is prepared in {chosen.home}: run 'citeplug prepare' first")
        gold = [each for each in read_gold(*numbered_lines(given.gold)) if each.cited & sources.keys()][: given.most]
        if not gold:
            parser.error(f"no query of {given.gold} cites a prepared paper")
        chunks = _chunks(list(sources.values()), corpus)
        questions = _questions(prepared, question_vectors(store, prepared, chosen))
    print(f"{len(sources)} papers, {len(chunks.texts)} chunks, {len(questions.texts)} questions; {len(gold)} queries")
    try:
        runs = _run(gold, chunks, questions, Wanted(given.llm or "none", max_cost=given.max_cost), chosen)
    except CiteplugError as error:
        print(f"{error}\n{error.hint or ''}", file=sys.stderr)
        return 3
    gold_file, *files = _written(given.out, given.gold, gold, runs, frozenset(sources))
    judged = [word for name in given.judge for word in ("--judge", name)]
    bound = ["--max-cost", str(given.max_cost)] if given.judge and given.max_cost else []
    arms = [word for file in files for word in ("--run", str(file))]
    command = ["evaluate", "prepare", "--gold", str(gold_file), *arms, "-k", str(_ITEMS), *judged, *bound]
    print("citeplug " + " ".join(command), flush=True)
    return subprocess.run([sys.executable, "-m", "citeplug", *command], check=False).returncode


def _announce(notice: Notice) -> None:
    print(f"asking {notice.place}, {notice.model}", file=sys.stderr)


def _sources(prepared: Sequence[Prepared], chosen: Settings) -> dict[str, PaperSource]:
    ids = [ArxivId(value) for value in dict.fromkeys(each.paper for each in prepared)]
    return {value: found[0] for value, found in read_sources(ids, chosen) if found is not None}


def chunked(text: str, starts_ends: Sequence[tuple[int, int]]) -> list[str]:
    """Stretches of `TOKENS` tokens, each `OVERLAP` into the one before; `starts_ends` are the places of the tokens."""
    first = range(0, max(1, len(starts_ends) - OVERLAP), TOKENS - OVERLAP)
    return [
        text[starts_ends[at][0] : starts_ends[min(at + TOKENS, len(starts_ends)) - 1][1]] for at in first if starts_ends
    ]


def _chunks(sources: Sequence[PaperSource], corpus: Corpus) -> Items:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts, papers = list[str](), list[str]()
    for source in sources:
        text = "\n".join(source.texts().values())
        for chunk in chunked(text, tokenizer.encode(text, add_special_tokens=False).offsets):
            texts.append(f"{source.title}\n{chunk}")
            papers.append(source.paper)
    return Items(texts, papers, np.asarray(corpus.embedder().embed(texts)))


def _questions(prepared: Sequence[Prepared], vectors: Mapping[str, Vectors]) -> Items:
    found = [(each, pair) for each in prepared for pair in each.pairs if pair.question in vectors]
    texts = [f"{each.title}\n{pair.question}\n{pair.answer}" for each, pair in found]
    width = next((len(each) for each in vectors.values()), 1)
    matrix = np.stack([vectors[pair.question] for _, pair in found]) if found else np.zeros((0, width), np.float32)
    return Items(texts, [each.paper for each, _ in found], matrix)


def _run(
    gold: Sequence[Gold], chunks: Items, questions: Items, wanted: Wanted, chosen: Settings
) -> dict[str, list[Answered]]:
    """A line for each query, by arm."""
    runs: dict[str, list[Answered]] = {arm: [] for arm in ARMS}
    with open_corpus(chosen) as corpus, language_model(wanted, chosen, _announce) as model:
        for query in gold:
            asked = str(query.inputs.get("question") or query.title)
            prepared = PreparedQuestions(sorted({*questions.papers} - query.exclude), chosen)
            near = prepared.near(corpus.embed([asked])[0])
            none: list[str] = []
            naive = by_summary = [pair.pair.question for pair in near]
            if model is not None:
                naive, by_summary = _naive(asked, model), prepared.sub_questions(asked, near, model, [])
            lines = []
            for items, more in ((chunks, none), (chunks, naive), (questions, naive), (questions, by_summary)):
                places = _found([asked, *more], items, corpus, query.exclude)
                papers = list(dict.fromkeys(items.papers[at] for at in places))
                lines.append(Answered(query, more, papers, [items.texts[at] for at in places[:_ITEMS]]))
            if model is not None:
                _answer_all(asked, lines, model)
            for arm, line in zip(ARMS, lines, strict=True):
                runs[arm].append(line)
    return runs


def _naive(asked: str, model: LanguageModel) -> list[str]:
    """Questions by a model that is told nothing of the set."""
    found = questions_by_model(asked, [], [], model)
    if isinstance(found, CiteplugError):
        raise found
    return found or []


def _found(asked: Sequence[str], items: Items, corpus: Corpus, exclude: frozenset[str]) -> list[int]:
    nearest = (items.nearest(np.asarray(vector), exclude) for vector in corpus.embed(asked))
    return [int(at) for at, _ in fuse([Ranking([str(at) for at in each]) for each in nearest])]


def _answer_all(asked: str, lines: Sequence[Answered], model: LanguageModel) -> None:
    requests = []
    for line in lines:
        shown = [plain(each) for each in line.context]
        number = fence_number([asked, *shown])
        texts = [fence(number, f"document {at}", each) for at, each in enumerate(shown, 1)]
        prompt = "\n".join([*texts, fence(number, "the question", plain(asked))])
        requests.append(Request("prose", SYSTEM, prompt, schema=_SCHEMA, max_tokens=500, label=asked))
    for line, found in zip(lines, ask_readable(model, requests, _answer), strict=True):
        if isinstance(found, CiteplugError):
            raise found
        line.answer = found or ""


def _answer(_: int, data: Mapping[str, Any], __: Reply) -> str | None:
    text = data.get("answer")
    return text if isinstance(text, str) else None


def _written(
    out: Path, gold_file: Path, gold: Sequence[Gold], runs: Mapping[str, Sequence[Answered]], known: frozenset[str]
) -> list[Path]:
    """Write the queries that were asked, with the `known` ones of what they cite, and a run for each arm.

    Return the files, the gold set first.
    """
    out.mkdir(parents=True, exist_ok=True)
    cited = {each.query_id: sorted(each.cited & known) for each in gold}
    rows = [json.loads(line) for _, line in numbered_lines(gold_file)[0]]
    asked = [{**row, "cited": cited[_id(row)]} for row in rows if _id(row) in cited]
    files = [out / "gold.jsonl", *(out / f"{arm.replace(',', '').replace(' ', '-')}.jsonl" for arm in ARMS)]
    files[0].write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in asked), "utf-8")
    for file, arm in zip(files[1:], ARMS, strict=True):
        file.write_text("".join(json.dumps(line.as_json(), ensure_ascii=False) + "\n" for line in runs[arm]), "utf-8")
    return files


def _id(row: Mapping[str, Any]) -> str:
    return str(row.get("query_id") or row.get("question_id"))


if __name__ == "__main__":
    raise SystemExit(main())
