"""A written section: paragraphs, sentences, and the sources of each sentence; and what was generated for it last.

The blocks and entries as last written are the bases of a merge with the author's changes.
"""

from dataclasses import dataclass, field
from typing import Literal

from citeplug.records.passage import Passage
from citeplug.records.plan import PlanParagraph

SourceText = Literal["abstract", "title", "full text", "draft"]
# First lines of a new file of entries.
HEADER = "% Entries of the related-work section, written by citeplug.\n\n"


@dataclass(frozen=True, slots=True)
class Source:
    """A passage of a text that supports a sentence.

    `start`, `end` are code points, half-open, in the text with its white space collapsed: the abstract of
    `arxiv_id`, or the draft's own abstract when `arxiv_id` is None. `text` is that passage. In a full text `section`
    names the section, `page` counts from 1, and the span is that in the section's text. `of` says which text it is:
    a `title` puts a paper into a group where its abstract has no words for the theme; `draft` is what the draft says of
    the work `arxiv_id` where it cites it. `place` is what a citation can
    name of a full text (`Passage.place`), empty for nothing. `newer` is a newer version that is
    known, and not known to have the same words.
    """

    arxiv_id: str | None
    version: int | None
    text: str
    start: int
    end: int
    of: SourceText = "abstract"
    section: str | None = None
    page: int | None = None
    place: str = ""
    newer: int | None = None


def source_in_passage(passage: Passage, start: int, end: int) -> Source:
    """The source of a quotation that is at these code points of a passage."""
    quoted, begin = " ".join(passage.text[start:end].split()), passage.start + start
    end += passage.start
    section = passage.section or None
    return Source(passage.paper, passage.version, quoted, begin, end, "full text", section, passage.page, passage.place)


Kind = Literal["paper", "draft", "contrast", "topic", "group"]
Verdict = Literal["entailed", "partly", "not"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdict of a language model on a sentence and its sources; `unsupported` is the part that they do not bear out.

    `suspicion`: what the rules held against the sentence, where nobody judged it (`verdict` None).
    """

    verdict: Verdict | None
    unsupported: str = ""
    by: str | None = None
    suspicion: str = ""

    @property
    def doubt(self) -> str:
        """The doubt that is left about the sentence, in words; empty for none."""
        if self.verdict is None:
            return f"its meaning was not compared with its sources: {self.suspicion}" if self.suspicion else ""
        if self.verdict == "entailed":
            return ""
        return self.support("its sources") + (f": “{self.unsupported}”" if self.unsupported else "")

    def support(self, sources: str) -> str:
        """How much the sources, as they are named, support the sentence by this verdict, in words."""
        much = {"entailed": "", "partly": "only partly ", "not": "not "}[self.verdict or "not"]
        return f"{much}supported by {sources}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the section.

    `text` is plain text in which `{{cite:ID}}` means a parenthetical citation and `{{author:ID}}` for
    a textual one (`\\citet`); several ids are joined by commas. Only the printer makes LaTeX of it.
    Math of the source stays in `$...$`. `cites` are arXiv ids or the author's own keys, in order.
    `kind`: `paper` on cited works, `draft` on the draft, `contrast` on both, each with its spans; `topic` opens a
    paragraph without a citation, borne out by the sentences below it; `group` cites works under one theme.
    `attribution` is 0 to 1: the ROUGE-1 precision of the sentence against its sources, once it has been computed;
    None for a topic or a group. `judgement` is None until the meaning has been compared.
    `quoted`: eight or more words in a row are the source's (in quotation marks, or else reported); `by_model`: a
    language model wrote it. `pinpoint`: the place in the one work cited that its citation names, empty for none.
    """

    text: str
    kind: Kind
    cites: tuple[str, ...]
    sources: tuple[Source, ...]
    attribution: float | None = 0.0
    status: Literal["unreviewed", "accepted"] = "unreviewed"
    quoted: bool = False
    by_model: bool = False
    judgement: Judgement | None = None
    pinpoint: str = ""


@dataclass(frozen=True, slots=True)
class SectionParagraph:
    """A written paragraph; `id` is that of its plan."""

    id: str
    heading: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Section:
    paragraphs: tuple[SectionParagraph, ...]


@dataclass(frozen=True, slots=True)
class Generated:
    """A block as it was generated.

    `plan` is the plan of its text. `directives` are the printed lines of a generated plan, without `% citeplug:`; empty
    if the plan was the author's. `lines` are the text with its notes. `inputs` is a digest of all inputs of the text,
    None to have it written again. `keys` are the citation keys, by arXiv id or key.
    """

    plan: PlanParagraph
    directives: tuple[str, ...]
    lines: tuple[str, ...]
    inputs: str | None = None
    sentences: tuple[Sentence, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GeneratedEntry:
    """One bibliography entry as it was generated: its key, its text with `\\n` line ends, and its paper."""

    key: str
    text: str
    arxiv_id: str
