"""The paragraphs that are written in a run, without a model or with one; those whose inputs are the same are kept."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.protocols import LanguageModel
from citeplug.records.finding import Finding
from citeplug.records.outcome import CHOOSING, Options
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Generated, Section, SectionParagraph, Sentence
from citeplug.related.attribute.attribution import with_pinpoints
from citeplug.related.plan.from_clusters import is_planners
from citeplug.related.plan.planned import Resolver
from citeplug.related.write.standing import WritingInputs
from citeplug.section_file.arrange import arrange
from citeplug.section_file.current import CurrentSection, planners_lines
from citeplug.section_file.merged_section import generated
from citeplug.text.cited_text import length
from citeplug.text.cleaning import collapsed
from citeplug.text.language import language_of


@dataclass(frozen=True, slots=True)
class WrittenParagraphs:
    """The paragraphs written in a run, and the plan that they follow.

    `inputs` are digests of what each was made from, by its id; None where it is to be made again as soon as it can be.
    `kept` are paragraphs whose inputs are those of the run before, as they were then generated. `order` are ids.
    `plan_alone`: nothing can be written in the draft's language, and the plan is printed without text.
    """

    plan: Plan
    section: Section
    inputs: Mapping[str, str | None]
    kept: tuple[Generated, ...] = ()
    order: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    language: str = "English"
    plan_alone: bool = False

    def without(self, rejected: Mapping[str, tuple[str, Sentence]]) -> "WrittenParagraphs":
        """All of it but the sentences that the author rejected; finding `sentences_rejected`.

        `rejected` gives a sentence and its paragraph by its words. Without a model, one that says the same by the same
        sources in that paragraph goes with it: "X also propose ..." for "X propose ...".
        """
        by_content = {(name, *_content(sentence)) for name, sentence in rejected.values() if not sentence.by_model}

        def refused(name: str, sentence: Sentence) -> bool:
            known = not sentence.by_model and (name, *_content(sentence)) in by_content
            return known or collapsed(sentence.text) in rejected

        paragraphs = self.section.paragraphs
        left = [replace(p, sentences=tuple(s for s in p.sentences if not refused(p.id, s))) for p in paragraphs]
        many = sum(len(p.sentences) for p in paragraphs) - sum(len(p.sentences) for p in left)
        many += sum(collapsed(sentence.text) in rejected for paragraph in self.kept for sentence in paragraph.sentences)
        section = Section(tuple(left))
        return replace(self, section=section, findings=(*self.findings, _rejected(many))) if many else self

    def printed(self, section: Section, work: WritingInputs) -> list[Generated]:
        """The paragraphs kept, and those of `section` that have a sentence or no plan any more, as they are printed, in
        their order."""
        if self.plan_alone:
            return [Generated(paragraph, (), ()) for paragraph in self.plan.paragraphs]
        planned = {paragraph.id: paragraph for paragraph in self.plan.paragraphs}
        unchanged = [_repinned(former, work) for former in self.kept]
        made = [
            generated(
                planned[paragraph.id], paragraph, work.keys, work.style, work.papers, self.inputs.get(paragraph.id)
            )
            for paragraph in section.paragraphs
            if paragraph.id in planned and (paragraph.sentences or not planned[paragraph.id].lines)
        ]
        place = {name: number for number, name in enumerate(self.order)}
        return sorted([*unchanged, *made], key=lambda paragraph: place.get(paragraph.plan.id, len(place)))


def _content(sentence: Sentence) -> tuple[object, ...]:
    """What an extractive sentence says, whatever its first words are: its papers and the spans of their texts."""
    spans = [(s.arxiv_id, s.of, s.section, s.start, s.end) for s in sentence.sources]
    return sentence.kind, sentence.cites, tuple(spans), "“" in sentence.text


def _repinned(paragraph: Generated, work: WritingInputs) -> Generated:
    """A paragraph as before, with the places that its citations are to name now: no reason to write it again."""
    sentences = tuple(
        replace(s, sources=tuple(work.placed(source) for source in s.sources)) for s in paragraph.sentences
    )
    written = SectionParagraph(paragraph.plan.id, paragraph.plan.heading, sentences)
    (after,) = with_pinpoints(Section((written,)), enabled=work.pinpoint).paragraphs
    if [sentence.pinpoint for sentence in after.sentences] == [sentence.pinpoint for sentence in paragraph.sentences]:
        return paragraph
    keys = {**paragraph.keys, **work.keys}
    return replace(
        generated(paragraph.plan, after, keys, work.style, work.papers, paragraph.inputs),
        directives=paragraph.directives,
    )


def write_paragraphs(
    plan: Plan, work: WritingInputs, model: LanguageModel | None, options: Options, *, authored: bool
) -> WrittenParagraphs:
    """Write what is due of the plan; `authored` says that new paragraphs, too, follow a plan of the author's."""
    if model is None:
        written = write_extractively(plan, work, options, authored=authored)
    else:
        written = write_by_model(plan, work, model, options, authored=authored)
    return written.without(work.current.rejected)


def write_extractively(plan: Plan, work: WritingInputs, options: Options, *, authored: bool) -> WrittenParagraphs:
    """Write all paragraphs of the plan without a model; of a draft that is not in English the plan is all."""
    from citeplug.related.write.extractive.section import write_section
    from citeplug.related.write.extractive.sentences import other_language

    finding = other_language(work.draft)
    if finding is not None:
        return WrittenParagraphs(
            plan, Section(()), {}, findings=(finding,), language=language_of(work.draft), plan_alone=True
        )
    bound = sorted({*options.pin, *cites_of_author(plan, work.current, authored=authored)})
    section, findings = write_section(
        plan,
        work.draft,
        work.papers,
        quotes=options.quotes,
        bound=bound,
        passages=work.passages,
        standing={paragraph.id: work.standing(paragraph, quotes=options.quotes) for paragraph in plan.paragraphs},
    )
    findings += _silent_lines(plan, section, work.current)
    return replace(keep_unchanged(plan, section, work, quotes=options.quotes), findings=tuple(findings))


def _silent_lines(plan: Plan, section: Section, current: CurrentSection) -> Iterator[Finding]:
    """`no_draft_statement` for lines of the author's without papers that give no sentence."""
    bases = {block.at.id: block.base for block in current.settled if not block.is_planners}
    for paragraph, written in zip(plan.paragraphs, section.paragraphs, strict=True):
        base = bases.get(paragraph.id)
        lines = [line for line in paragraph.lines if not line.cites]
        silent = len(lines) - sum(not sentence.cites for sentence in written.sentences)
        known = [line for line in planners_lines(base) if not line.cites] if base is not None else []
        if paragraph.id in bases and silent > 0 and Counter(lines) - Counter(known):
            yield Finding(
                "no_draft_statement",
                "info",
                f"{paragraph.id}: {silent} of its plan lines without papers gave no sentence: without a language model"
                " one sentence of the section is about the draft",
                fix="remove the line, or write the sentence yourself; or name a language model with --llm",
            )


def _rejected(many: int) -> Finding:
    return Finding(
        "sentences_rejected",
        "info",
        f"{many} sentence{' that you rejected was' if many == 1 else 's that you rejected were'} not written again",
        fix="'citeplug section reject --undo PLACE' brings one back; other papers in the plan give other sentences",
    )


def cites_of_author(plan: Plan, current: CurrentSection, *, authored: bool) -> set[str]:
    """What the lines cite that the author planned; with `authored` that is all that are not an earlier run's."""
    known = {block.at.id: block.base for block in current.settled}
    cites_found: set[str] = set()
    for paragraph in plan.paragraphs:
        if authored or paragraph.id in known:
            base = known.get(paragraph.id)
            planners = planners_lines(base) if base is not None else ()
            own = (li for li in paragraph.lines if li not in planners and (authored or not is_planners(li.intent)))
            cites_found |= {cite for line in own for cite in line.cites}
    return cites_found


def keep_unchanged(plan: Plan, section: Section, work: WritingInputs, *, quotes: bool = True) -> WrittenParagraphs:
    """The extractive `section` without the paragraphs whose inputs are those of the run before: these are kept."""
    planned = {paragraph.id: paragraph for paragraph in plan.paragraphs}
    inputs: dict[str, str | None] = {}
    unchanged: dict[str, Generated] = {}
    for paragraph in section.paragraphs:
        closing = [sentence for sentence in paragraph.sentences if sentence.kind != "paper"]
        digest = work.digest([planned[paragraph.id]], ["extractive", *(() if quotes else ("no quotes",))], closing)
        inputs[paragraph.id] = digest
        base = work.base(paragraph.id)
        if base is not None and base.inputs == digest and paragraph.sentences:
            unchanged[paragraph.id] = base
    due = Section(tuple(paragraph for paragraph in section.paragraphs if paragraph.id not in unchanged))
    return WrittenParagraphs(plan, due, inputs, tuple(unchanged.values()), tuple(planned))


def write_by_model(
    plan: Plan, work: WritingInputs, model: LanguageModel, options: Options, *, authored: bool
) -> WrittenParagraphs:
    """Let the model write the paragraphs that are due, and ask it for nothing else.

    `authored` says that new paragraphs, too, follow a plan of the author's.
    """
    from citeplug.related.write.compose import compose

    wished = {paragraph.id for paragraph in work.current.wishes.paragraphs}
    wishes = [paragraph for paragraph in plan.paragraphs if paragraph.id in wished]
    new = [paragraph for paragraph in plan.paragraphs if paragraph.id not in wished]
    whole = options.strategy in CHOOSING and not authored
    writer = [model.name, options.strategy, str(options.summaries or None), work.draft.title, work.draft.abstract]
    writer += [] if options.polish else ["unpolished"]
    digests = {p.id: work.digest([p], writer) for p in plan.paragraphs}
    if whole:
        # By what the model chose from: a paragraph that the author plans now is no reason to choose again.
        chosen_from = PlanParagraph("", "", (PlanLine("", tuple(sorted(work.shortlist))),), options.words or 0)
        together = work.digest([chosen_from], writer)
        digests |= {p.id: together for p in new}
    same = _same(digests, work) | _standing(wishes, work)
    if whole and not _all_same(digests, new, work):
        same = {name: base for name, base in same.items() if name in wished}
    elif whole:
        fresh = {block.at.id: work.base(block.at.id) for block in work.current.anew}
        same |= {name: base for name, base in fresh.items() if base is not None}
        new = [paragraph for paragraph in new if paragraph.id in same]

    plans: list[PlanParagraph] = []
    written: list[SectionParagraph] = []
    inputs: dict[str, str | None] = {}
    findings: list[Finding] = []
    summaries: dict[str, str] = {}
    for paragraphs, follows in ((wishes, True), (new, authored)):
        due = [paragraph for paragraph in paragraphs if paragraph.id not in same]
        standing = {p.id: work.standing(p, by_model=True) for p in due}
        left = [rest for p in due if (rest := _left(p, standing[p.id], work)).lines]
        written += [_with_standing(p, (), standing[p.id], work) for p in due if p.id not in {rest.id for rest in left}]
        if not left:
            plans += due
            inputs |= {p.id: digests[p.id] for p in due}
            continue
        cites = {cite for paragraph in due for line in paragraph.lines for cite in line.cites}
        papers = {value: paper for value, paper in work.papers.items() if value in cites or follows}
        options_here = replace(options, strategy="plan") if follows and options.strategy == "zero-shot" else options
        composed = compose(
            Plan(tuple(left)),
            work.draft,
            papers,
            model,
            options_here,
            authored=follows,
            whole=plan if follows else None,
            passages=work.passages,
        )
        findings += composed.findings
        summaries |= composed.summaries
        made, section = composed.plan, composed.section
        if whole and not follows:
            made, section = _in_their_places(work.current, wishes, made, section)
        else:
            full = {p.id: p for p in due}
            made = Plan(tuple(full.get(p.id, p) for p in (*made.paragraphs, *(p for p in due if p not in left))))
            section = Section(
                tuple(
                    _with_standing(full[p.id], p.sentences, standing[p.id], work) if p.id in full else p
                    for p in section.paragraphs
                )
            )
        cut_off = any(f.code in ("model_unavailable", "budget_reached") for f in composed.findings)
        # Text written because no model could be asked is written again as soon as one can.
        inputs |= {p.id: None if cut_off else digests.get(p.id, digests[due[0].id]) for p in made.paragraphs}
        plans += made.paragraphs
        written += section.paragraphs
    order = tuple(paragraph.id for paragraph in plan.paragraphs)
    return WrittenParagraphs(
        Plan(tuple(plans)),
        Section(tuple(written)),
        inputs,
        tuple(same.values()),
        order,
        tuple(dict.fromkeys(findings)),
        summaries,
        language_of(work.draft),
    )


def _same(digests: Mapping[str, str], work: WritingInputs) -> dict[str, Generated]:
    bases = ((name, work.base(name), digest) for name, digest in digests.items())
    return {name: base for name, base, digest in bases if base is not None and base.inputs == digest}


def _standing(plans: Sequence[PlanParagraph], work: WritingInputs) -> dict[str, Generated]:
    """The paragraphs in which each sentence of the last run stands, and that have the same plan lines."""
    bases_standing: dict[str, Generated] = {}
    for plan in plans:
        base = work.base(plan.id)
        if base is not None and base.inputs is not None and base.plan.lines == plan.lines:
            standing = [s.text for line in work.standing(plan, by_model=True) for s in line]
            if all(sentence.text in standing for sentence in base.sentences):
                bases_standing[plan.id] = base
    return bases_standing


def _left(plan: PlanParagraph, standing: Sequence[Sequence[Sentence]], work: WritingInputs) -> PlanParagraph:
    """What a model is to write of a paragraph: the lines of which no sentence stands, and its share of the words."""
    resolver = Resolver(work.papers, work.draft)
    cited = {cite for line in standing for sentence in line for cite in sentence.cites}
    lines = []
    for line, stand in zip(plan.lines, standing, strict=True):
        cites = tuple(cite for cite in line.cites if not cited.issuperset(resolver.resolve(PlanLine("", (cite,)))[0]))
        if cites or not (line.cites or stand):
            lines.append(replace(line, cites=cites))
    words = plan.words - length([sentence for line in standing for sentence in line])
    return replace(plan, lines=tuple(lines), words=max(1, words) if plan.words and cited else plan.words)


def _with_standing(
    plan: PlanParagraph, new: Sequence[Sentence], standing: Sequence[Sequence[Sentence]], work: WritingInputs
) -> SectionParagraph:
    """The paragraph with the sentences that stand and the new ones, in the order of its plan."""
    resolver = Resolver(work.papers, work.draft)
    ids = [{*resolver.resolve(line)[0]} for line in plan.lines]
    roles = [line.role for line in plan.lines]

    def place(sentence: Sentence) -> int:
        if sentence.cites:
            return next((n for n, own in enumerate(ids) if own & {*sentence.cites}), len(ids))
        return next((n for n, role in enumerate(roles) if role == sentence.kind), len(ids))

    numbered = [(n, sentence) for n, line in enumerate(standing) for sentence in line]
    order = sorted([*numbered, *((place(sentence), sentence) for sentence in new)], key=lambda pair: pair[0])
    return SectionParagraph(plan.id, plan.heading, tuple(sentence for _, sentence in order))


def _all_same(digests: Mapping[str, str], new: Sequence[PlanParagraph], work: WritingInputs) -> bool:
    """True if all that was left alone was made together, from the same as would be now."""
    fresh = [block.base for block in work.current.anew]
    expected = {digests[paragraph.id] for paragraph in new}
    return bool(fresh) and all(base is not None and {base.inputs} == expected for base in fresh)


def _in_their_places(
    current: CurrentSection, wishes: Sequence[PlanParagraph], plan: Plan, section: Section
) -> tuple[Plan, Section]:
    """Paragraphs that the model chose, under the ids of the blocks that they take the place of."""
    arranged, ids = arrange(current, wishes, plan.paragraphs)
    by_id = {paragraph.id: paragraph for paragraph in arranged.paragraphs}
    paragraphs = [SectionParagraph(ids[p.id], p.heading, p.sentences) for p in section.paragraphs]
    return Plan(tuple(by_id[name] for name in ids.values())), Section(tuple(paragraphs))
