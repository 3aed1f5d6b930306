"""Stop words of English: the words of its closed classes, which say nothing of a text's subject.

The published list of the Snowball project (M. F. Porter, `algorithms/english/stop.txt`, BSD 3-clause) without its
contractions, and what that list leaves out of the same classes: modal verbs, quantifiers, small numbers, further
prepositions ("based" and "using" among them) and joining adverbs. The list that scikit-learn has is not used: it
counts "system", "fire" and "interest" among them.
"""

from citeplug.text.tables import Tables

STOPWORDS = Tables(__name__).words("snowball", "modals", "determiners", "prepositions", "adverbs")
