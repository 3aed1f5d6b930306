"""Words and phrases of a record for topics."""

import re
import unicodedata
from collections.abc import Iterator

_WORD = re.compile(r"[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[.,;:?!()]")
# Formulas, commands and addresses are not words.
_ACCENT = re.compile(r"\\[\"'`^~=.]\s?|[{}]")
_NO_PROSE = re.compile(r"\$\$?[^$]{0,300}\$\$?|\\[A-Za-z]+\*?|https?://\S+")
# Words of papers on every subject, which name no topic, beside the stop words of English.
PROSE = frozenset(
    """
    able abstract achieve achieved achieves achieving actual additional additionally address addressed addresses
    addressing advantage advantages aim aims allow allowing allows alternative amount analyse analysed analyses
    analyze analyzed analyzing applied apply applying approach approaches appropriate arbitrary article aspect
    aspects assess associated assume assumed assumption assumptions attempt author authors available basic basis
    become becomes becoming behavior behaviour benefit benefits best better call called capable case cases
    certain challenge challenges challenging characteristic characteristics characterize choice clear clearly
    combine combined combining common commonly compare compared comparing comparison complete completely
    comprehensive compute computed computing concept concepts concern conclude conclusion condition conditions
    conduct conducted consider considered considering considers consist consistent consists construct
    constructed contain contains context contribute contribution contributions corresponding critical crucial
    current currently data deal define defined definition demonstrate demonstrated demonstrates demonstrating
    depend depends derive derived describe described describes describing designed desired detail detailed
    details determine determined develop developed developing development develops difference differences
    different difficult difficulty direct directly discuss discussed discusses discussion done easily easy
    effective effectively effectiveness efficiency efficient efficiently effort emerging employ employed enable
    enables enabling end enhance entire essential establish established evaluate evaluated evaluating evidence
    exactly examine examined example examples exhibit exist existence existing exists experimental
    experimentally explain exploit explore explored extend extended extension extensive extra extract facilitate
    fact factor factors finally find finding findings finds focus focused focuses follow followed following
    follows form formalism formulate formulated formulation found framework frameworks full fully fundamental
    future gain general generalize generally generate generated generic get give gives giving go goal good great
    greater growing hand handle help high higher highly idea ideas identified identify illustrate illustrated
    impact implement implementation implementations implemented implies imply importance important impose
    improve improved improvement improvements improves improving include included includes including increase
    increased increases increasing increasingly independent indicate indicates individual initial input instance
    instances interest interesting introduce introduced introduces introducing introduction investigate
    investigated investigates investigation involve involved involving issue issues keep kind kinds know known
    lack large larger largest last later lead leading leads likely limit limitation limitations limited limits
    literature little long low lower made main mainly major make makes making manner mean means measure measured
    measures mechanism mechanisms method methodology methods modeled modern mostly motivated move multiple name
    nature necessary need needed needs new next non novel numerous observe observed obtain obtained obtaining
    obtains offer offers open original outperform outperforms output overall overcome overview paper papers part
    particular perform performed performing performs perspective perspectives popular possible potential
    potentially practical practice precise presence present presented presenting presents prevent previous
    previously principle prior procedure procedures produce produced produces project promising proof propose
    proposed proposes proposing prove proved proven provide provided provides providing purpose put quality
    quantitative questions range reach real realistic realize reason recent recently reduce reduced reduces
    reducing regarding related relationship relative relatively relevant reliable rely remain remains report
    reported reports represent represented require required requirement requires requiring research researchers
    respect respectively result resulting results reveal review satisfy scenario scenarios scheme schemes scope
    section see seem seems seen serious setting settings severe short show showed showing shown shows side
    significance significant significantly similar simple simply single situation situations smaller solve
    solved solving sophisticated special specific specifically standard state-of-the-art statement step steps
    straightforward strategies strategy studied studies study studying sub subject subsequent substantial
    success successful successfully suffer sufficient suggest suggested suggests suitable supports take
    technique techniques technologies technology term terms tested tests theoretical thesis things thorough top
    traditional twelve twenty typical typically understand understanding unified unique unknown useful usual
    utilize variety various vary varying version view way ways wide widely wider work works world yield yields
    """.split()
)
# Words that are meaningful only in phrases: `field theory`, `time series`, `language models`.
VAGUE = frozenset(
    """
    analysis application applications class classes code complex database databases dataset datasets design domain
    domains effect effects estimation evaluation exact experiment experiments feature features field fields formal
    function functions generation history information key knowledge level levels model modeling modelling models
    natural number numbers order parameter parameters performance point points problem problems process processes
    processing question rate rates relation relations representation representations requirements role scale set
    sets simulation simulations small solution solutions source space spaces state states strong structure
    structures support survey system systems task tasks test testing text theories theory time times tool tools
    transition true type types user users value values variable variables
    """.split()
)


def words_of(text: str) -> list[str]:
    """Return the words of a title or an abstract in order, in lower-case ASCII, and the stops between them.

    Formulas are left out.
    """
    plain = (
        unicodedata.normalize("NFKD", _ACCENT.sub("", _NO_PROSE.sub(" ", text)))
        .encode("ascii", "ignore")
        .decode("ascii")
    )
    return _WORD.findall(plain.lower())


def words_and_phrases(words: list[str], stop: frozenset[str]) -> Iterator[str]:
    """Yield words that are not in `stop`, and phrases of two or three adjacent ones."""
    before: list[str] = []
    for word in words:
        if word in stop or len(word) < 3:
            before = []
            continue
        yield word
        before = [*before[-2:], word]
        for start in range(len(before) - 1):
            yield " ".join(before[start:])
