"""Preparation of one paper without a model."""

from citeplug.prepare.facts import find_facts
from citeplug.prepare.questions import make_pairs
from citeplug.prepare.store import PATTERNS
from citeplug.records.paper import Paper
from citeplug.records.prepared import PaperSource, Prepared


def prepare_by_patterns(source: PaperSource, paper: Paper) -> Prepared:
    """Fields and questions of a paper in its own words. `paper` has the abstract of `source`."""
    facts, pairs = find_facts(source), make_pairs(source, paper)
    return Prepared(source.paper, source.title, source.version, source.of, source.digest, PATTERNS, facts, pairs)
