"""Closed lists by which noun phrases are recognised."""

import re

from citeplug.text.inflection import gerund, participle, past, third_person
from citeplug.text.lexicon import AMBIGUOUS, PRAISE, PRAISE_OF_PRODUCTS, VERBS
from citeplug.text.stop_words import STOPWORDS

_NOUNS_IN_ING = frozenset(
    "learning embedding tracking ranking sampling clustering encoding decoding training testing mapping".split()
)
_VERB_FORMS = (
    frozenset(
        form
        for verb in VERBS
        for form in (
            (participle(verb), past(verb))
            if verb in AMBIGUOUS
            else (verb, third_person(verb), participle(verb), past(verb), gerund(verb))
        )
    )
    - _NOUNS_IN_ING
)
_FILLERS = frozenset(
    """allow allows allowing enable enables enabling require requires requiring provide achieves achieving outperforms
    outperform include includes including lead leads leading become becomes remain remains contain contains containing
    consist consists consisting involve involves involving depend depends arise arises exist exists exhibit exhibits
    recent recently existing current previous prior proposed known called related various different several important
    significant major main key good best large-scale-based unable due according particular certain given general common
    possible necessary challenging popular traditional conventional standard typical paper work article study letter note
    results result approach approaches way ways problem problems issue issues use aspects aspect case cases part number
    variety range lot example examples terms today years year ago simple future further total respective corresponding
    widely currently real successful towards toward via versus using based driven like non et al i.e e.g respect order
    addition contrast fact end context presence absence amount one two three four five much little whole entire overall
    specific additional similar suitable appropriate crucial essential useful help helps need needs without yielding
    obtains makes making make take takes taken being having thing things kind kinds sort sorts type types field area areas
    topic topics question questions answer answers introduction overview survey review tutorial perspective proceedings
    workshop report thesis part remarks comments well-known state-of-the-art novel new beyond everything all you it
    relies rely remain remains studied whose whole able wide broad high low higher lower many few first second third last""".split()
)
# A noun phrase does not reach across these.
BREAKS = STOPWORDS | PRAISE | PRAISE_OF_PRODUCTS | _VERB_FORMS | _FILLERS

# True of too many papers to say what a paragraph is about.
GENERIC = frozenset(
    (
        "time algorithm,information,entry barrier,sufficient condition,necessary condition,large network,modeling framework,high-dimensional data,activation function,natural language,training data,unlabeled data,labeled data,open source,source code,data set,dataset,state space,computational cost,"
        "real data,real world,experimental result,numerical experiment,deep learning,machine learning,neural network,"
        "signal processing,computer science,time series,search space,running time,upper bound,lower bound,data mining,"
        "computational complexity,input data,high dimension,main result,test set,loss function,objective function,"
        "theoretical analysis,performance evaluation,learning rate,artificial intelligence,empirical evaluation,"
        "case study,numerical simulation,simulation result,experimental data,synthetic data,end user,software tool,"
        "deep neural network,learning algorithm,learning method,numerical method,numerical result,high performance,"
        "benchmark dataset,real-world dataset,real-world data,public dataset,large dataset,natural image,image data,"
        "empirical study,comparative study,error rate,strong baseline,baseline method,information loss,computation time,"
        "statistical model,mathematical model,theoretical framework,general framework,unified framework,end-to-end"
    ).split(",")
)

_ADJECTIVE = re.compile(
    r".*(?:ical|ional|ual|ial|eous|ious|ful|less|able|ible|ive|ary|ular|atic|istic|etic|ent|ant|ic|al|ous|ed|aware|free|wise|"
    r"level|scale|driven|based|like|efficient|specific|oriented|independent|dependent|invariant|guided|assisted|agnostic|"
    r"complete|hard)"
)
_NOUNS_ALL_THE_SAME = frozenset(
    """music logic topic metric traffic arithmetic heuristic graphic statistic clinic rhetoric
    signal kernel retrieval removal proposal trial journal arrival interval potential material integral principal
    functional differential exponential polynomial rational tutorial manual animal hospital capital terminal
    goal renewal disposal approval dual residual individual
    agent content document component environment event movement measurement experiment deployment management assignment
    alignment investment development improvement enhancement refinement segment statement argument element entailment
    treatment assessment employment engagement placement moment coefficient gradient patient constant participant variant
    invariant plant determinant accident talent parent client current quotient transient exponent ingredient entanglement
    variable table cable observable ensemble objective perspective alternative derivative archive drive narrative incentive
    vocabulary dictionary summary library boundary glossary commentary speed feed seed need embed bed
    level scale space language database dataset model virus corpus consensus status campus calculus radius locus focus
    apparatus tree free degree""".split()
)
_NEVER_LAST = frozenset(
    """based using driven aware approach approaches method methods problem problems study studies paper work use way
    results result analysis""".split()
)
_MAY_BE_ONE_WORD = re.compile(
    r"[A-Z][\w-]*[A-Z][\w-]*|[a-z]+(?:tion|ity|ment|ness|ism|ology|ometry|ography|gravity|cosmology)s?"
)


def is_break(word: str) -> bool:
    """True if a noun phrase ends before this word, in lower case: a function word, a verb, an adverb."""
    return word in BREAKS or (
        word.endswith("ly") and len(word) > 4 and word not in ("family", "anomaly", "assembly", "supply", "butterfly")
    )


def may_be_last(word: str) -> bool:
    """True if the word can be the head of a noun phrase."""
    small = word.lower()
    if small in _NEVER_LAST or (len(small) < 3 and not word.isupper()) or small.endswith("'s"):
        return False
    return word.isupper() or not is_adjective(small)


def is_adjective(word: str) -> bool:
    """True if the word looks like an adjective before its noun."""
    small = word.lower()
    if small in _NOUNS_ALL_THE_SAME or small.rstrip("s") in _NOUNS_ALL_THE_SAME or not word.islower():
        return False
    return _ADJECTIVE.fullmatch(small) is not None


def may_be_alone(word: str) -> bool:
    """True if the word alone can name a topic: an acronym, a name with two capitals, an abstract noun."""
    return len(word) > 2 and not word.endswith("ing") and _MAY_BE_ONE_WORD.fullmatch(word) is not None
