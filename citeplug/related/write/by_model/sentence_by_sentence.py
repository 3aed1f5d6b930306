"""Sentence-by-sentence generation (LitLLM, section 4): each request has what the paragraph says so far."""

from citeplug.protocols import LanguageModel
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow
from citeplug.related.write.by_model.per_cite import with_one_paper_a_line


def sentence_by_sentence(brief: Brief, model: LanguageModel) -> Composed:
    """A sentence for each paper, one after the other, each knowing what its paragraph says so far."""
    return follow(with_one_paper_a_line(brief), model, "sequence")
