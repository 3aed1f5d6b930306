"""Plan-based generation (LitLLM, section 4): the given plan is followed, a request for each paragraph."""

from citeplug.protocols import LanguageModel
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.follow_plan import follow


def plan_based(brief: Brief, model: LanguageModel) -> Composed:
    """Follow the given plan."""
    return follow(brief, model, "paragraph")
