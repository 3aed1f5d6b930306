"""The closed lists of English that the writer stands on, and the inflection of its verbs."""

from typing import Literal

VerbClass = Literal["create", "study", "result", "other"]

_CREATE = """propose introduce present develop describe design devise construct formulate provide offer outline
    build advocate contribute define create implement establish formalize formalise"""
_STUDY = """study investigate examine analyze analyse explore consider discuss address tackle review survey revisit
    characterize characterise evaluate compare assess treat explain illustrate extend generalize generalise
    model test measure quantify improve apply adapt combine unify optimize optimise simulate
    reconsider analyse summarize summarise highlight pursue solve estimate approach
    classify exploit leverage document"""
_RESULT = """derive obtain prove calculate compute determine identify find demonstrate show give report observe
    confirm achieve verify reveal discover argue conclude suggest conjecture claim validate exhibit
    predict recover characterize note deduce"""
_OTHER = """use employ utilize utilise adopt perform conduct train build take make focus deal concentrate look aim
    seek attempt try start begin point carry set put turn take initiate motivate release collect learn
    create integrate incorporate reduce answer complement generate modify express map reformulate reinterpret
    cast pose translate relate link connect interpret represent embed rely elaborate work contrast argue ask
    minimize maximise maximize minimise bound control monitor handle support detect segment track rank
    recommend cluster encode decode sample parallelize parallelise infer"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CREATE, STUDY, RESULT, OTHER = _words(_CREATE), _words(_STUDY), _words(_RESULT), _words(_OTHER)
VERBS = CREATE | STUDY | RESULT | OTHER

# Verbs that may be followed by a statement, with or without "that".
CLAIM = _words(
    """show prove demonstrate find argue observe report establish conclude suggest conjecture confirm claim verify
    reveal discover note deduce derive hypothesize hypothesise propose predict illustrate point"""
)
# Words that are nouns at least as often as verbs: "and use" may be either.
AMBIGUOUS = _words(
    """design model test measure use approach survey review study focus work look aim attempt start point set put
    document report note control monitor support track rank cluster sample bound link map cast claim result
    estimate contrast release address process release map make take deal turn handle"""
)

# One of a group may stand for another without saying more than the source does.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "propose": ("propose", "introduce", "put forward", "present"),
    "introduce": ("introduce", "present", "propose"),
    "present": ("present", "describe", "introduce"),
    "develop": ("develop", "present"),
    "describe": ("describe", "present"),
    "devise": ("devise", "present"),
    "design": ("design", "present"),
    "study": ("study", "examine", "investigate"),
    "investigate": ("investigate", "study", "examine"),
    "examine": ("examine", "study", "look at"),
    "explore": ("explore", "investigate", "look into"),
    "consider": ("consider", "study", "treat"),
    "analyze": ("analyze", "study", "examine"),
    "analyse": ("analyse", "study", "examine"),
    "discuss": ("discuss", "treat"),
    "address": ("address", "turn to", "take up"),
    "tackle": ("tackle", "address", "take up"),
    "show": ("show", "demonstrate"),
    "demonstrate": ("demonstrate", "show"),
    "find": ("find", "report"),
    "observe": ("observe", "report"),
    "give": ("give", "present"),
    "provide": ("provide", "give", "present"),
    "review": ("review", "survey"),
    "survey": ("survey", "review"),
}
PASSIVE_SYNONYMS: dict[str, tuple[str, ...]] = {
    "propose": ("propose", "introduce", "put forward"),
    "introduce": ("introduce", "present"),
    "present": ("present", "describe"),
    "study": ("study", "examine"),
    "investigate": ("study", "investigate"),
    "consider": ("consider", "study"),
    "analyze": ("analyze", "study"),
    "analyse": ("analyse", "study"),
    "address": ("address", "take up"),
}

_THIRD = {"have": "has", "are": "is", "do": "does", "go": "goes"}
_PARTICIPLE = {
    "show": "shown", "find": "found", "build": "built", "give": "given", "make": "made", "put": "put",
    "set": "set", "take": "taken", "begin": "begun", "prove": "proved", "deal": "dealt", "seek": "sought",
    "cast": "cast", "learn": "learned", "bound": "bounded", "do": "done", "model": "modelled",
}  # fmt: skip
_PAST = {
    "show": "showed", "find": "found", "build": "built", "give": "gave", "make": "made", "take": "took",
    "begin": "began",
}  # fmt: skip
_DOUBLING = frozenset(["map", "set", "put", "begin", "rank_", "run", "cut", "plan", "control", "submit", "embed"])
_VOWELS = "aeiou"


def third_person(verb: str) -> str:
    """ "proposes" of "propose"; of several words the first is inflected ("puts forward")."""
    head, _, rest = verb.partition(" ")
    if head in _THIRD:
        form = _THIRD[head]
    elif head.endswith(("s", "x", "z", "ch", "sh")):
        form = head + "es"
    elif head.endswith("y") and head[-2] not in _VOWELS:
        form = head[:-1] + "ies"
    else:
        form = head + "s"
    return f"{form} {rest}".rstrip()


def participle(verb: str) -> str:
    """ "proposed" of "propose", "shown" of "show"."""
    return _with_ed(verb, _PARTICIPLE)


def past(verb: str) -> str:
    """ "proposed" of "propose", "showed" of "show"."""
    return _with_ed(verb, {**_PARTICIPLE, "show": "showed", **_PAST})


def gerund(verb: str) -> str:
    """ "proposing" of "propose"."""
    head, _, rest = verb.partition(" ")
    if head in _DOUBLING:
        form = head + head[-1] + "ing"
    elif head.endswith("e") and not head.endswith(("ee", "oe", "ye")) and head != "be":
        form = head[:-1] + "ing"
    else:
        form = head + "ing"
    return f"{form} {rest}".rstrip()


def _with_ed(verb: str, irregular: dict[str, str]) -> str:
    head, _, rest = verb.partition(" ")
    if head in irregular:
        form = irregular[head]
    elif head.endswith("e"):
        form = head + "d"
    elif head.endswith("y") and head[-2] not in _VOWELS:
        form = head[:-1] + "ied"
    elif head in _DOUBLING:
        form = head + head[-1] + "ed"
    else:
        form = head + "ed"
    return f"{form} {rest}".rstrip()


# Every form of every verb of the lists, with its base.
BASE_OF_THIRD = {third_person(verb): verb for verb in VERBS}
BASE_OF_PAST = {past(verb): verb for verb in VERBS} | {"modeled": "model"}
BASE_OF_PARTICIPLE = {participle(verb): verb for verb in VERBS} | {"proven": "prove", "modeled": "model"}

# Praise and newness: a report on somebody's work does without.
PRAISE = _words(
    """novel new simple efficient effective powerful innovative elegant promising comprehensive rigorous
    state-of-the-art original unique better detailed systematic extensive fundamentally clever
    interesting remarkable principled lightweight highly very extremely quite fully truly really surprisingly
    successfully efficiently effectively significantly substantially considerably dramatically easily
    simply elegantly rather extensively thoroughly carefully"""
)

# Nouns for what papers make; after these "that" opens a relative clause.
PRODUCTS = _words(
    """approach method model framework algorithm system technique scheme architecture network networks protocol tool
    language dataset library procedure strategy mechanism methodology pipeline toolkit platform solution
    formulation representation estimator classifier code corpus benchmark metric measure function theory
    formalism construction program package test design process semantics structure module layer loss
    algorithms methods models techniques schemes protocols tools systems strategies procedures
    approaches frameworks estimators architectures mechanisms datasets functions classifiers codes
    principle extension variant decomposition transform operator embedding embeddings mapping simulator
    application interface environment device controller policy logic calculus grammar parser compiler"""
)
BARE_PRODUCTS = _words(
    """approach method model framework algorithm system technique scheme tool procedure strategy problem issue
    solution methodology mechanism result results theorem one ones idea concept work study analysis way
    experiment experiments case example examples paper set number class use effect effects role"""
)

STOPWORDS = _words(
    """a an the this that these those such some any each every all both many most more less few several other
    another same own one two three four first second and or but nor so yet if then else than as at by for from in
    into of off on onto out over per to toward towards under up upon via with within without about above across
    after against along among amongst around before behind below beneath beside besides between beyond during
    except inside like near outside since through throughout until versus vs whether while where when which
    who whom whose what why how because although though however therefore thus hence moreover furthermore
    also only even still just not no is are was were be been being am has have had having do does did doing can
    could may might must shall should will would cannot i we you he she it they me us him her them my our your
    his its their mine ours theirs here there now often usually very too quite rather much well
    e.g i.e etc et al eg ie namely especially particularly based using used use uses given
    itself themselves ourselves"""
)

PREPOSITIONS = _words(
    """of for in on with by from to at via through using under over into between among within without against
    towards toward across upon about as during after before based whose where when which that while and or"""
)
AUXILIARIES = _words("is are was were can cannot could may might must will would has have does do should shall")
NEGATIONS = _words(
    "not no never without nor neither none cannot hardly rarely unless except only few little fails fail"
)
