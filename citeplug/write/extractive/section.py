"""Write the planned section from what the papers' abstracts say of themselves, without a language model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.plan.from_clusters import MORE, is_planners
from citeplug.plan.resolve import Resolver
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.text.cited_text import MARKER, copied_runs, words
from citeplug.text.language import language_of
from citeplug.text.letters import capital
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.closing import DraftVoice, relate_to_draft
from citeplug.write.extractive.grouping import join, list_up
from citeplug.write.extractive.mentions import Mentions, Style, best_phrase, source_of, title_phrase, title_source
from citeplug.write.extractive.statement import Statement

# More papers than this in one sentence are listed, not described one by one.
_DESCRIBED = 3
_LISTED = 5
# Words for each of so many papers in a sentence, where a sentence of the plan has as many as is usual.
_TARGETS = {1: 26, 2: 18, 3: 13}
# Words in a sentence on so many papers, as abstracts give them; the planner counts 25, which is among them.
_USUAL = {0: (18, 25), 1: (18, 25), 2: (25, 36), 3: (25, 39)}
_LEAST_CONTENT = 5  # words of a further sentence on a paper that are no stop words
_LEAST_WEIGHT = 1.0  # of what it tells
_LEAST_STRETCH, _MOST_STRETCH = 0.5, 1.5
_AUTHOR_FIRST = ("active", "claim", "question", "pair")


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """What became of a plan line: the arXiv `ids` of its papers that are known, its sentences, and doubts about it."""

    line: PlanLine
    ids: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    findings: tuple[Finding, ...]


def write_section(plan: Plan, draft: Draft, papers: Mapping[str, Paper]) -> tuple[Section, list[Finding]]:
    """Follow `plan` line by line: each line with papers becomes a sentence that cites them all.

    `papers` are records by arXiv id without version. A line without papers becomes a sentence on the draft. Findings: `plan_unknown_paper`, `plan_no_source`, `title_only`,
    `close_wording`, `no_draft_statement`.
    """
    written = write_lines(plan, draft, papers)
    paragraphs = [
        SectionParagraph(paragraph.id, paragraph.heading, tuple(s for line in lines for s in line.sentences))
        for paragraph, lines in zip(plan.paragraphs, written, strict=True)
    ]
    return Section(tuple(paragraphs)), [finding for lines in written for line in lines for finding in line.findings]


def write_lines(plan: Plan, draft: Draft, papers: Mapping[str, Paper]) -> list[list[WrittenLine]]:
    """As `write_section`, with what became of each line of each paragraph."""
    writer = _Writer(draft, papers, Resolver(papers, draft))
    return [writer.lines(paragraph) for paragraph in plan.paragraphs]


def in_english(draft: Draft) -> list[Finding]:
    """What there is to say where sentences are made from English abstracts for a draft in another language."""
    language = language_of(draft)
    if language == "English":
        return []
    return [
        Finding(
            "section_in_english",
            "info",
            f"the draft seems to be in {language}; without a language model sentences are made in English alone",
            fix="name a language model with --llm, or translate the section when it is done",
        )
    ]


@dataclass(slots=True)
class _Writer:
    draft: Draft
    papers: Mapping[str, Paper]
    resolver: Resolver
    findings: list[Finding] = field(default_factory=list)
    mentions: dict[str, Mentions] = field(default_factory=dict)
    voice: DraftVoice = field(init=False)
    written: int = 0
    said: dict[str, frozenset[str]] = field(default_factory=dict)  # content words, by paper

    def __post_init__(self) -> None:
        self.voice = DraftVoice.of(self.draft, self.draft.packages)

    def lines(self, planned: PlanParagraph) -> list[WrittenLine]:
        written: list[WrittenLine] = []
        recent: list[str] = []
        verbs: set[str] = set()
        group = self.resolver.papers_of(planned.lines)
        stretch = _stretch(planned)
        for line in planned.lines:
            intent = _intent_words(line.intent)
            sentences: list[Sentence] = []
            ids: list[str] = []
            noted = len(self.findings)
            if not line.cites:
                closing = relate_to_draft(self.voice, group, intent)
                if closing is None:
                    self._note_silence(planned)
                else:
                    self._note_close(closing)
                    sentences.append(closing)
            else:
                found, unknown = self.resolver.resolve(line)
                ids = list(found)
                self.findings += unknown
            if line.intent == MORE and len(ids) == 1:
                further = self._further(ids[0], recent, verbs, stretch)
                sentences += [further] if further else []
                ids_left: list[str] = []
            else:
                ids_left = ids
            for start in range(0, len(ids_left), _LISTED):
                sentence = self._sentence(
                    ids_left[start : start + _LISTED], line.intent, intent, recent, verbs, stretch
                )
                self._note_close(sentence)
                sentences.append(sentence)
            written.append(WrittenLine(line, tuple(ids), tuple(sentences), tuple(self.findings[noted:])))
        return written

    def _sentence(
        self,
        ids: Sequence[str],
        wish: str,
        intent: frozenset[str],
        recent: list[str],
        verbs: set[str],
        stretch: float,
    ) -> Sentence:
        told = [self._mentions(value) for value in ids]
        self.written += 1
        if len(told) > _DESCRIBED:
            text, listed = list_up(told, self.written)
            grounds: list[tuple[Statement, ...]] = [(statement,) if statement else () for statement in listed]
        else:
            clauses: list[str] = []
            grounds = []
            for position, mentions in enumerate(told):
                style = Style(
                    target=round(_TARGETS[len(told)] * stretch),
                    intent=intent,
                    recent=tuple(recent[-3:]),
                    verbs=frozenset(verbs),
                    variant=self.written + position,
                    author_first_wanted=not (position == 0 and recent and recent[-1] in _AUTHOR_FIRST),
                    alone=len(told) == 1,
                    may_open=position == 0,
                    asked=not is_planners(wish),
                )
                phrase = best_phrase(mentions, style)
                clauses.append(phrase.text if phrase else title_phrase(mentions.paper, self.written))
                grounds.append(phrase.statements if phrase else ())
                if phrase is not None:
                    recent.append(phrase.construction)
                    verbs.update(statement.verb for statement in phrase.statements)
            text = join(clauses, wish, self.written)
        sources: list[Source] = []
        for mentions, statements in zip(told, grounds, strict=True):
            if not statements:
                sources.append(title_source(mentions.paper))
                self._note_title(mentions.paper)
            mentions.used.update(statement.start for statement in statements)
            sources += [source_of(statement, mentions.paper) for statement in statements]
        for value in ids:
            self.said[value] = self.said.get(value, frozenset()) | _content(text)
        text = capital(text) + "."
        close = any(copied_runs(text, source.text) for source in sources)
        return Sentence(text, "paper", tuple(ids), tuple(sources), quoted=close)

    def _further(self, value: str, recent: list[str], verbs: set[str], stretch: float) -> Sentence | None:
        """One more sentence on a paper, if its abstract says anything that was not said yet."""
        mentions = self._mentions(value)
        unsaid = [s for s in mentions.statements if s.start not in mentions.used and s.weight >= _LEAST_WEIGHT]
        style = Style(
            target=round(_TARGETS[1] * stretch),
            recent=tuple(recent[-3:]),
            verbs=frozenset(verbs),
            variant=self.written + 1,
            author_first_wanted=not (recent and recent[-1] in _AUTHOR_FIRST),
        )
        phrase = best_phrase(replace(mentions, statements=unsaid), style) if unsaid else None
        if phrase is None or phrase.unquoted or self._said_already(phrase.text, value):
            return None
        self.written += 1
        self.said[value] = self.said.get(value, frozenset()) | _content(phrase.text)
        recent.append(phrase.construction)
        verbs.update(statement.verb for statement in phrase.statements)
        mentions.used.update(statement.start for statement in phrase.statements)
        text = capital(phrase.text) + "."
        sources = tuple(source_of(statement, mentions.paper) for statement in phrase.statements)
        close = any(copied_runs(text, source.text) for source in sources)
        sentence = Sentence(text, "paper", (value,), sources, quoted=close)
        self._note_close(sentence)
        return sentence

    def _said_already(self, text: str, value: str) -> bool:
        """Whether it says little, or half of it in the words of what was said of the paper before."""
        content = _content(text)
        return len(content) < _LEAST_CONTENT or 2 * len(content & self.said.get(value, frozenset())) >= len(content)

    def _mentions(self, value: str) -> Mentions:
        if value not in self.mentions:
            self.mentions[value] = Mentions.of(self.papers[value], self.draft.packages)
        return self.mentions[value]

    def _note_close(self, sentence: Sentence) -> None:
        if sentence.quoted:
            self.findings.append(
                Finding(
                    "close_wording",
                    "info",
                    f"eight or more words in a row are the source's: {_shown(sentence.text)}",
                    fix="say it in your own words, or leave it in quotation marks",
                )
            )

    def _note_title(self, paper: Paper) -> None:
        self.findings.append(
            Finding(
                "title_only",
                "info",
                f"the abstract of {paper.id.value} gives no sentence that can be reported: only its title is mentioned",
                fix="say what the paper contributes",
            )
        )

    def _note_silence(self, planned: PlanParagraph) -> None:
        self.findings.append(
            Finding(
                "no_draft_statement",
                "info",
                f"paragraph {planned.id} ends without a sentence on the draft: its abstract states no contribution",
                fix="say in the abstract what the paper does ('we propose ...'), or write the sentence yourself",
            )
        )


# Words of plan lines that say what to do, not what about.
_PLANNERS_WORDS = frozenset(
    "describe work say contributes compare set side papers paper relate draft introduce contrast".split()
)


def _content(text: str) -> frozenset[str]:
    return frozenset(words(MARKER.sub(" ", text))) - STOPWORDS


def _stretch(planned: PlanParagraph) -> float:
    """How much longer than usual the plan wants its sentences."""
    if not planned.words or not planned.lines:
        return 1.0
    usual = [_USUAL.get(len(line.cites), (25, 60)) for line in planned.lines]
    least, most = sum(low for low, _ in usual), sum(high for _, high in usual)
    return min(_MOST_STRETCH, max(_LEAST_STRETCH, min(1.0, planned.words / least), planned.words / most))


def _intent_words(intent: str) -> frozenset[str]:
    return frozenset(words(intent)) - STOPWORDS - _PLANNERS_WORDS


def _shown(text: str) -> str:
    bare = re.sub(r"\{\{(?:cite|author):([^{}]*)\}\}", r"[\1]", text)
    return bare if len(bare) <= 160 else bare[:157] + "..."
