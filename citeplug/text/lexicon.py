"""Closed lists of English words: verbs, praise, nouns for what papers make."""

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
    assume minimize maximise maximize minimise bound control monitor handle support detect segment track rank
    recommend cluster encode decode sample parallelize parallelise infer"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CREATE, STUDY, RESULT, OTHER = _words(_CREATE), _words(_STUDY), _words(_RESULT), _words(_OTHER)
VERBS = CREATE | STUDY | RESULT | OTHER

# What methods and programs do; papers seldom say it of themselves.
DOINGS = _words(
    """accelerate access accommodate achieve acquire adjust align allocate alleviate annotate assign attain
    automate avoid balance bridge capture choose clean combine compose compress correct correlate count cover
    customize debug decide decrease decompose defend delete deploy detect diagnose differentiate discover
    discriminate distinguish distribute edit elicit eliminate encourage enforce enhance enrich ensure enumerate
    execute expand extrapolate extract facilitate fill filter find fit forecast fuse gain generate guarantee guide
    handle help identify incorporate increase index inspect interact interpolate isolate join keep
    lift locate maintain manage manipulate match mine mitigate move navigate obtain organize
    overcome partition perform plan precode predict preserve prevent prioritize process produce protect prune query
    reach reason reconstruct recover rectify regularize remove render reorder replace resolve respond
    restore retrieve reuse search select separate share specify speed stabilize store
    strengthen synthesize synthesise target teach trace transfer transform transmit tune understand update
    visualize visualise write recognize recognise check contain satisfy need yield bypass read
    account aggregate attend assist benefit break bring build cope create deal define depend describe evolve
    exist explain exploit follow form get give go grow hold ignore improve include involve lead make meet occur
    operate outperform play provide relate rely remain require run scale serve support take tend treat unify use vary
    parse sort label count schedule route price fold tag annotate summarize cache render replay repair patch rewrite
    work compete converge adapt admit act accept allow enable consist belong encompass"""
)

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
    "construct": ("construct", "build"),
    "build": ("build", "construct"),
    "study": ("study", "examine", "investigate"),
    "investigate": ("investigate", "study", "examine"),
    "examine": ("examine", "study"),
    "explore": ("explore", "investigate"),
    "consider": ("consider", "study"),
    "analyze": ("analyze", "study", "examine"),
    "analyse": ("analyse", "study", "examine"),
    "address": ("address", "take up"),
    "tackle": ("tackle", "address", "take up"),
    "show": ("show", "demonstrate"),
    "demonstrate": ("demonstrate", "show"),
    "find": ("find", "report"),
    "observe": ("observe", "report"),
    "give": ("give", "present"),
    "provide": ("provide", "give", "present"),
    "review": ("review", "survey"),
    "survey": ("survey", "review"),
    "compute": ("compute", "calculate"),
    "calculate": ("calculate", "compute"),
    "evaluate": ("evaluate", "assess"),
    "assess": ("assess", "evaluate"),
    "derive": ("derive", "obtain"),
    "obtain": ("obtain", "derive"),
    "use": ("use", "employ"),
    "employ": ("employ", "use"),
    "utilize": ("utilize", "use"),
    "utilise": ("utilise", "use"),
    "perform": ("perform", "carry out"),
    "conduct": ("conduct", "carry out"),
    "focus on": ("focus on", "concentrate on"),
    "concentrate on": ("concentrate on", "focus on"),
    "aim": ("aim", "seek"),
    "seek": ("seek", "aim"),
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
    "compute": ("compute", "calculate"),
    "construct": ("construct", "build"),
}

# Praise and newness: a report on somebody's work does without.
PRAISE = _words(
    """novel powerful innovative elegant promising comprehensive rigorous state-of-the-art clever interesting remarkable
    principled groundbreaking pioneering cutting-edge seminal highly very extremely quite fully truly really surprisingly successfully efficiently effectively
    significantly substantially considerably dramatically easily simply elegantly extensively thoroughly carefully
    fundamentally detailed systematic"""
)
# Praise of a method, but of a graph or of a field theory a technical term.
PRAISE_OF_PRODUCTS = _words("new simple efficient effective original unique better lightweight extensive alternative")
STUDIES = _words(
    "study analysis evaluation survey review comparison investigation characterization experiment experiments"
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
    application interface environment device controller policy logic calculus grammar parser compiler paradigm baseline
    workflow suite engine service attack attacks defense defence agent agents solver planner detector tracker recognizer
    encoder decoder generator predictor ranker retriever learner dashboard prototype testbed objective regularizer
    optimizer resource resources corpora benchmarks taxonomy implementation metrics measures"""
)
BARE_PRODUCTS = _words(
    """approach method model framework algorithm system technique scheme tool procedure strategy problem issue
    solution methodology mechanism result results theorem one ones idea concept work study analysis way
    experiment experiments case example examples paper set number class use effect effects role"""
)

PREPOSITIONS = _words(
    """of for in on with by from to at via through using under over into between among within without against
    towards toward across upon about as during after before based whose where when which that while and or"""
)
AUXILIARIES = _words("is are was were can cannot could may might must will would has have does do should shall")
NEGATIONS = _words(
    "not no never without nor neither none cannot hardly rarely unless except only few little fails fail"
)

# What is done, as a noun and as an "-ing" form.
NOMINAL = {
    "management": "managing", "estimation": "estimating", "construction": "constructing", "development": "developing",
    "computation": "computing", "identification": "identifying", "detection": "detecting", "evaluation": "evaluating",
    "classification": "classifying", "recognition": "recognizing", "optimization": "optimizing",
    "optimisation": "optimising", "extraction": "extracting", "generation": "generating", "prediction": "predicting",
    "simulation": "simulating", "verification": "verifying", "reconstruction": "reconstructing",
    "selection": "selecting", "comparison": "comparing", "improvement": "improving", "reduction": "reducing",
    "integration": "integrating", "exploration": "exploring", "determination": "determining",
    "calculation": "calculating", "quantification": "quantifying", "visualization": "visualizing",
    "assessment": "assessing", "removal": "removing", "retrieval": "retrieving", "segmentation": "segmenting",
    "synthesis": "synthesizing", "validation": "validating", "discovery": "discovering",
}  # fmt: skip
