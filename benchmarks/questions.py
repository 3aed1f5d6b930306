"""Questions to real papers without a model: answered right, answered wrong, refused.

    python -m benchmarks.questions [--half dev|new|held|cited|dialogues] [--file FILE] [--show]

benchmarks/questions.json has {id, of, question, facts[]}: what is asked, and for the judgement facts of which a
sentence of the answer must have one, with all parts that `&` joins; none where nothing answers. Right is an answer
whose first sentence has one, and where a whole paper is asked (`summary`) any. They were written from the papers in
../shared/data/latex and abstracts of ../shared/data/arxiv_sample.jsonl.gz, before the code was read. Even numbers are
for development (`dev`; from q142 on `new`, written later to papers of their own), odd ones are held back (`held`).
`cited` are questions to the abstracts that one draft cites, half of which none of them answers.
Facts judge only as far as they go: `--show` prints each answer. `after` is a question that is asked before
(`dialogues`). FILE has other questions of this form, whose `of` is the path of a text beside it.
"""

import argparse
import gzip
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from citeplug.ask.retrieval import PASSAGES, PER_TEXT, choose_passages
from citeplug.ask.session import AskSession
from citeplug.ask.texts import AskedTexts, GivenText, Selection
from citeplug.corpus.stores import settings
from citeplug.records.answer import Answer

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
QUESTIONS = Path(__file__).with_name("questions.json")
DOCUMENTS = {
    "cnn_graph": "mdeff+paper-cnn-graph-nips2016/nips2016.tex",
    "deepsphere": "deepsphere+paper-deepsphere-iclr2020/main.tex",
    "minimap2": "lh3+minimap2/tex/minimap2.tex",
    "edo": "daffidwilde+edo-paper/arxiv/main.tex",
    "hollywood": "lumisota+mmsys2018hollywood/dash_hollywood.tex",
    "scipy": "scipy+scipy-articles/scipy-1.0/paper.tex",
    "ferroelectric": "benvial+ferromtm/paper/marked_manuscript.tex",
    "discouragement": "ethereum+research/papers/discouragement/discouragement.tex",
    "autostat": "jamesrobertlloyd+gpss-research/papers/translation/autostat_translation.tex",
    "sympy": "sympy+sympy-paper/paper.tex",
    "abstraction": "david-abel+state_abstraction/arxiv_paper/paper.tex",
    "casper": "ethereum+research/papers/casper-basics/casper_basics.tex",
    "pricing": "ethereum+research/papers/pricing/ethpricing.tex",
    "phi": "objectionary+eolang-paper/paper.tex",
    "maxent": "pglpm+maxNt/maxNt_v4.tex",
    "censorship": "ethereum+research/papers/outdated/censorship_rejection/censorship_rejection.tex",
}
HALVES = ("dev", "new", "held", "cited", "dialogues", "file")
FIRST_NEW = 142  # number of a question
FIRST_DOCUMENTS = 11  # what `all` asks together
ABSTRACTS = {
    "abstracts": "1909.01811 1804.08881 1808.00274 1408.0838 1609.02953 1809.09405 1810.01566 1912.12814 1903.08989"
    " 1905.04425 1604.01116 1807.11624 1610.09274 1609.05362 1405.0749",
    "more_abstracts": "1409.4560 1701.03513 1612.01251 cs/0301016 1911.06783 1904.06480 1909.04230 1007.3459 1608.06549"
    " 1902.00369 1906.06418 1503.00814 1909.04472 1709.10248",
    "cited": "1211.0053 1312.6203 1506.05163 1509.04537 1308.4942 0912.3848 1006.0448 1511.05493 1503.03291 1512.00783"
    " 0711.0189 1710.10355 1710.10035 1704.02901 1711.05697 1808.06099 1004.1220 1603.04467",
}
VERDICTS = (
    *("right", "right further down", "wrong", "answered without an answer"),
    *("refused, and shown as nearest", "refused wrongly", "refused rightly"),
)


@dataclass(frozen=True)
class Question:
    """`facts`: what a right answer has, any of them; none if it is to be refused. `after`: what is asked before."""

    id: str
    of: str
    question: str
    facts: tuple[str, ...]
    summary: bool = False
    after: str = ""

    @property
    def half(self) -> str:
        if self.after or self.id[0] != "q":
            return "dialogues" if self.after else "cited" if self.id[0] == "r" else "file"
        number = int(self.id[1:])
        return "held" if number % 2 else "dev" if number < FIRST_NEW else "new"

    def is_answered_by(self, text: str) -> bool:
        """True if a text has one of the facts."""
        return any(all(part in text.lower() for part in fact.split(" & ")) for fact in self.facts)

    def verdict(self, answer: Answer) -> str:
        """One of `VERDICTS`."""
        if answer.refused:
            shown = any(self.is_answered_by(near.quote) for near in answer.nearest)
            return VERDICTS[4] if shown else "refused wrongly" if self.facts else "refused rightly"
        if not self.facts:
            return "answered without an answer"
        right = [self.is_answered_by(sentence.text) for sentence in answer.sentences]
        return "right" if right[0] or (self.summary and any(right)) else "right further down" if any(right) else "wrong"


def questions(file: Path = QUESTIONS) -> list[Question]:
    """All questions of a file, in their order."""
    return [Question(**{**line, "facts": tuple(line["facts"])}) for line in json.loads(file.read_text("utf-8"))]


def selections() -> Mapping[str, Selection]:
    """What is asked, by its name in the questions."""
    files = {name: SHARED / "latex" / path for name, path in DOCUMENTS.items()}
    wanted = {paper for papers in ABSTRACTS.values() for paper in papers.split()}
    records = {}
    with gzip.open(SHARED / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            if record["id"] in wanted:
                records[record["id"]] = GivenText(" ".join(record["title"].split()), record["abstract"])
    own = {name: Selection(files=(file,)) for name, file in files.items()}
    abstracts = {
        name: Selection(texts=tuple(records[paper] for paper in papers.split())) for name, papers in ABSTRACTS.items()
    }
    return {**own, "all": Selection(files=tuple(files.values())[:FIRST_DOCUMENTS]), **abstracts}


def _is_found(texts: AskedTexts, question: Question, most: int) -> bool:
    """True if one of the passages that are read, `most` at most, has a fact."""
    query = texts.query(question.question)
    passages = choose_passages(texts.candidates([query]), texts.texts, query, None, most)
    return any(question.is_answered_by(passage.text) for passage in passages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    counts: dict[str, Counter[str]] = {half: Counter() for half in HALVES}
    sentences: list[int] = []
    has_facts: list[list[bool]] = []
    chosen = [question for question in questions(asked.file or QUESTIONS) if asked.half in (None, question.half)]
    texts = (
        {name: Selection(files=(asked.file.parent / name,)) for name in {q.of for q in chosen}} if asked.file else {}
    )
    with tempfile.TemporaryDirectory() as home:
        os.environ["CITEPLUG_HOME"] = home
        session = AskSession(settings())
        for name, selection in (texts or selections()).items():
            if not any(question.of == name for question in chosen):
                continue
            session.select(selection, lambda *_: None)
            for question in [question for question in chosen if question.of == name]:
                session.turns.clear()
                if question.after:
                    session.keep(session.ask(question.after))
                answer = session.ask(question.question)
                verdict = question.verdict(answer)
                counts[question.half][verdict] += 1
                sentences += [len(answer.sentences)] if answer.sentences else []
                if question.facts and not question.summary and not question.after:
                    has_facts.append([_is_found(session.texts, question, most) for most in (PER_TEXT, PASSAGES)])
                if asked.show:
                    print(f"\n{question.id} {name}: {question.question}  [{verdict}]")
                    for sentence in answer.sentences:
                        print(f"    {sentence.text}")
        session.close()
    mean = sum(sentences) / max(1, len(sentences))
    print(f"\n{len(chosen)} questions to papers of {SHARED}; {mean:.1f} sentences an answer")
    for most, found in zip((PER_TEXT, PASSAGES), zip(*has_facts, strict=True), strict=False):
        print(f"recall@{most} of passages: {sum(found)} of {len(found)} questions")
    print(f"| half | {' | '.join(VERDICTS)} |\n|---|{'---|' * len(VERDICTS)}")
    for half, count in counts.items():
        if count.total():
            print(f"| {half} | {' | '.join(str(count[verdict]) for verdict in VERDICTS)} |")


if __name__ == "__main__":
    main()
