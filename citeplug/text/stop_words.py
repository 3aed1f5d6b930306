"""Stop words of English: the words of its closed classes, which say nothing of a text's subject.

The published list of the Snowball project (M. F. Porter, `algorithms/english/stop.txt`, BSD 3-clause) without its
contractions, and what that list leaves out of the same classes: modal verbs, quantifiers, small numbers, further
prepositions ("based" and "using" among them) and joining adverbs. The list that scikit-learn has is not used: it
counts "system", "fire" and "interest" among them.
"""

_SNOWBALL = """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is are was
    were be been being have has had having do does did doing would should could ought cannot a an the and but if or
    because as until while of at by for with about against between into through during before after above below to
    from up down in out on off over under again further then once here there when where why how all any both each few
    more most other some such no nor not only own same so than too very"""
_MODALS = "can may might must shall will"
_DETERMINERS = """another any either else enough every less least many mine much neither none nothing others several
    us whole whose one two three four five six seven eight nine ten first second third"""
_PREPOSITIONS = """across along alongside amid among amongst around based behind beneath beside besides beyond despite
    due except given inside instead like near onto outside per since throughout till toward towards unlike upon use
    used uses using versus via vs within without"""
_ADVERBS = """almost already also although always e.g eg especially et al etc even ever furthermore hence however i.e
    ie indeed just meanwhile moreover namely never nevertheless nonetheless now often otherwise particularly perhaps
    quite rather sometimes soon still therefore thereby though thus together unless usually well whereas whereby
    whether yet"""

STOPWORDS = frozenset(" ".join((_SNOWBALL, _MODALS, _DETERMINERS, _PREPOSITIONS, _ADVERBS)).split())
