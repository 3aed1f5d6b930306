"""Entailment of a sentence by the papers that it cites: citation precision (TruthReader 5.2, DeepScholar-Bench), ALCE's
citation recall and precision (4.3), and claim coverage (DeepScholar-Bench) are computed from it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_SECTION, RULES, Question, fields, orders, schema_of, show
from citeplug.evaluate.measures.citation_recall import MOST_PUBLISHED
from citeplug.evaluate.measures.entailment import CitedSentence, Verdicts
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request

SENTENCE = "the sentence"
SYSTEM = f"""Decide whether a premise, which is the text of one or several documents, entails a sentence: a reader of the premise alone, without knowledge of their own, would agree to all that the sentence says.

{RULES}"""
_SCHEMA = schema_of({"entailed": {"type": "boolean"}})


def ask_entailment(
    gold: Gold, line: RunLine, texts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[Question]:
    """Ask for each sentence about all sets of papers that a measure may need, as far as their texts are known.

    These are each citation alone, all together, all but one, and those of the sentences beside it. As published the
    premise comes first.
    """
    for at, sentence in enumerate(line.sentences):
        for papers in _sets(line.sentences, at, texts):
            premise = {f"document {number}": texts[paper] for number, paper in enumerate(papers, 1)}
            for order in orders(as_published):
                own = {SENTENCE: sentence.text}
                shown = premise | own if order == "first" else own | premise
                prompt, label = show(shown, LONGEST_SECTION), f"entailment of sentence {at + 1}"
                request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=60, label=label)
                item, place = item_of(at, papers), list(shown).index(SENTENCE)
                yield Question(gold.query_id, "entailment", order, {item: place}, request, partial(_read, item))


def item_of(sentence: int, papers: Sequence[str]) -> str:
    """The name of a sentence, from 0, beside these papers."""
    return " ".join((str(sentence), *sorted(papers)))


def verdicts_from(items: Mapping[str, float]) -> Verdicts:
    """Verdicts of one order by sentence and papers, as the measures take them."""
    named = ((item.split(" "), value) for item, value in items.items())
    return Verdicts({(int(at), frozenset(papers)): bool(value) for (at, *papers), value in named})


def _sets(sentences: Sequence[CitedSentence], at: int, texts: Mapping[str, str]) -> list[tuple[str, ...]]:
    near = [tuple(dict.fromkeys(each.cites)) for each in sentences[max(0, at - 1) : at + 2]]
    own = tuple(dict.fromkeys(sentences[at].cites))
    real = tuple(cite for cite in own if texts.get(cite))
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for known in (real, real[:MOST_PUBLISHED]):
        for papers in (known, *((each,) for each in known), *(known[:n] + known[n + 1 :] for n in range(len(known)))):
            found.setdefault(frozenset(papers), papers)
    for papers in near:
        if all(texts.get(cite) for cite in papers):
            found.setdefault(frozenset(papers), papers)
    return [papers for papers in found.values() if papers]


def _read(item: str, reply: Reply) -> Mapping[str, float]:
    said = fields(reply).get("entailed")
    return {item: float(said)} if isinstance(said, bool) else {}
