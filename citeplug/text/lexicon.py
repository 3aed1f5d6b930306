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

# Words that are nouns at least as often as verbs: "and use" may be either.
AMBIGUOUS = _words(
    """design model test measure use approach survey review study focus work look aim attempt start point set put
    document report note control monitor support track rank cluster sample bound link map cast claim result
    estimate contrast release address process release map make take deal turn handle"""
)

# Praise and newness: a report on somebody's work does without.
PRAISE = _words(
    """novel powerful innovative elegant promising comprehensive rigorous state-of-the-art clever interesting remarkable
    principled groundbreaking pioneering cutting-edge seminal highly very extremely quite fully truly really surprisingly successfully efficiently effectively
    significantly substantially considerably dramatically easily simply elegantly extensively thoroughly carefully
    fundamentally detailed systematic"""
)
# Praise of a method, but of a graph or of a field theory a technical term.
PRAISE_OF_PRODUCTS = _words("new simple efficient effective original unique better lightweight extensive alternative")

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
