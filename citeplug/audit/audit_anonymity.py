"""`citeplug audit --anonymous`: only what tells a blind reviewer who wrote a draft, without network and catalogue."""

from collections.abc import Sequence
from pathlib import Path

from citeplug.audit.anonymity import residues
from citeplug.audit.balance import balance_of
from citeplug.audit.judge_anonymity import judge_sentences, sentences_to_judge, without_doubles
from citeplug.bib.suppress import ignored_codes, suppress
from citeplug.latex.project import read_draft
from citeplug.latex.roots import find_root
from citeplug.protocols import LanguageModel
from citeplug.records.audit import Audit
from citeplug.records.report import BibReport


def audit_anonymity(main: Path, authors: Sequence[str] = (), model: LanguageModel | None = None) -> Audit:
    """Look only for what tells a reviewer who wrote the draft. Raises UnreadableInput.

    `authors` are names that an anonymous draft no longer has. `model` is sent the draft's sentences.
    """
    draft = read_draft(find_root(main))
    findings = residues(draft, authors)
    looked_at = [
        f"{len(draft.files)} {'file' if len(draft.files) == 1 else 'files'}, their comments, and the names of files"
    ]
    not_looked_at = ["figures, supplements and the PDF itself"]
    if model is None:
        not_looked_at.append("traces in words that no pattern foresees: a language model finds more (--llm)")
    else:
        sentences = sentences_to_judge(draft)
        judged, unheard = judge_sentences(sentences, model, known=bool(authors or draft.authors))
        findings = [*without_doubles(findings, judged), *unheard]
        looked_at += [] if unheard else [f"{len(sentences):,} sentences, by {model.name}"]
        not_looked_at += ["some sentences or all, by the language model"] if unheard else []
    whole = suppress(BibReport((), tuple(findings), draft=draft), ignored_codes(draft.root.parent))
    return Audit(whole, (), balance_of(draft, ()), tuple(looked_at), tuple(not_looked_at), anonymity=True)
