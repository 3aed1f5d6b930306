"""Writing with a language model: the strategies of LitLLM (section 4), by name."""

from collections.abc import Callable, Mapping

from citeplug.protocols import LanguageModel
from citeplug.related.write.by_model.brief import Brief, Composed
from citeplug.related.write.by_model.per_cite import per_cite
from citeplug.related.write.by_model.plan_based import plan_based
from citeplug.related.write.by_model.prompted_plan import prompted_plan
from citeplug.related.write.by_model.sentence_by_sentence import sentence_by_sentence
from citeplug.related.write.by_model.zero_shot import zero_shot

Strategy = Callable[[Brief, LanguageModel], Composed]

STRATEGIES: Mapping[str, Strategy] = {
    "plan": plan_based,
    "prompted-plan": prompted_plan,
    "per-cite": per_cite,
    "sentence-by-sentence": sentence_by_sentence,
    "zero-shot": zero_shot,
}
