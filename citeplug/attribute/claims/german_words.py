"""The German words that claims hang on, each group beside the English ones that bear it out."""

import re
from typing import NamedTuple

from citeplug.text.stems import stem


class Direction(NamedTuple):
    """One side of a pair of opposites: a pattern of German words, and English stems."""

    german: re.Pattern[str]
    english: frozenset[str]


def _english(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


def _side(german: str, english: str) -> Direction:
    return Direction(re.compile(rf"\b(?:{german})\b", re.IGNORECASE), _english(english))


DENIALS = re.compile(
    r"\b(?:nicht|nichts|nie|niemals|nirgends|kein\w*|ohne|weder|kaum|keineswegs|keinesfalls|ebensowenig)\b",
    re.IGNORECASE,
)
NO_DENIAL = re.compile(
    r"\bnicht (?:nur|bloß|allein|zuletzt|lediglich|notwendigerweise|unbedingt)\b|\boder nicht\b|\bnicht (?:mehr|weniger) als\b",
    re.IGNORECASE,
)
# Words that may stand for a denial of the source.
SOFT_DENIALS = re.compile(
    r"\b(?:un(?!d\b|s\b|ter|ser|iv|it|ik|gefähr)[a-zäöüß]{4,}|[a-zäöüß]{3,}(?:los|frei)(?:e[rsnm]?)?|fehl(?:t|en|te|ten|ende[rsnm]?)|mangel\w*"
    r"|vermeid\w*|vermied\w*|verzicht\w*|verhinder\w*|scheiter\w*|versag\w*|statt|anstatt|anstelle|selten\w*|wenig\w*|nur"
    r"|ausschließ\w*|nicht-\w+|außer|schwer|schwierig\w*|entfäll\w*|erübrig\w*)\b",
    re.IGNORECASE,
)
_UP = "increase raise grow growth boost gain rise enlarge augment amplify improve enhance more higher larger"
_DOWN = "decrease reduce reduction lower drop decline diminish shrink fall cut lessen less fewer smaller degrade"
# (one side, the other, whether neither may be spoken of where the source speaks of neither)
DIRECTIONS: tuple[tuple[Direction, Direction, bool], ...] = (
    (
        _side(r"erhöh\w*|steiger\w*|gesteiger\w*|vergrößer\w*|wachsen\w*|wächst|gewachsen|anstieg\w*|ansteig\w*|steig(?:t|en)|zunahme\w*|zunehm\w*|n[ia]hm\w* .{1,60} zu", _UP),
        _side(r"senk\w*|gesenkt\w*|verringer\w*|reduzier\w*|reduktion\w*|vermind\w*|sink\w*|gesunken|rückgang\w*|abnahme\w*|n[ia]hm\w* .{1,60} ab|verkleiner\w*|schrumpf\w*", _DOWN),
        True,
    ),
    (
        _side(r"verbesser\w*|besser\w*", "improve improvement enhance boost better gain increase outperform superior higher"),
        _side(r"verschlechter\w*|schlechter\w*|beeinträchtig\w*|schade\w*|schwäch\w*", "degrade degradation worsen harm hurt deteriorate worse impair weaken damage decrease"),
        True,
    ),
    (
        _side(r"übert(?:riff|raf|roff|reff)\w*|überlegen\w*|übersteig\w*|schlägt|schlagen", "outperform surpass exceed beat superior superiority better above improve"),
        _side(r"unterl[ie]+g\w*|unterlegen\w*|zurückbleib\w*|bleib\w* .{1,60} zurück|hinterher\w*", "underperform lag trail inferior worse below"),
        True,
    ),
    (
        _side(r"schnell\w*|beschleunig\w*", "faster quicker accelerate acceleration speedup fast speed quick rapid efficient efficiency"),
        _side(r"langsam\w*|verlangsam\w*|brems\w*", "slower slow decelerate slowdown"),
        True,
    ),
    (_side(r"höher\w*|höchst\w*", "higher high highest increase improve better larger greater exceed"), _side(r"niedriger\w*|geringer\w*|niedrigst\w*|geringst\w*", "lower low lowest decrease reduce less smaller fewer minimal"), True),
    (_side(r"beste[rsnm]?|am besten", "best state-of-the-art stateoftheart optimal"), _side(r"schlechteste[rsnm]?", "worst"), True),
    (
        _side(r"gelingt|gelingen|gelang\w*|erfolgreich\w*", "succeed success successful successfully"),
        _side(r"scheiter\w*|versag\w*|misslingt|misslang", "fail failure unsuccessful"),
        True,
    ),
    (_side(r"bestätig\w*|stütz\w*|untermauer\w*", "confirm support corroborate verify validate"), _side(r"widerleg\w*|widerspr\w*", "contradict refute disprove reject"), True),
    (_side(r"mehr", "more"), _side(r"weniger", "less fewer"), False),
    (_side(r"groß\w*|größer\w*", "larger large big bigger largest huge"), _side(r"klein\w*", "smaller small tiny smallest"), False),
    (_side(r"stärker\w*|stärkste\w*|verstärk\w*", "stronger strong strengthen"), _side(r"schwächer\w*|schwächste\w*|schwach\w*", "weaker weak weaken"), False),
    (_side(r"immer|stets", "always"), _side(r"nie|niemals", "never"), False),
    (_side(r"ermöglich\w*|erlaub\w*|gestatte\w*", "enable allow permit"), _side(r"verhinder\w*|verbiet\w*|unterbind\w*", "prevent forbid prohibit hinder"), False),
    (_side(r"positiv\w*", "positive"), _side(r"negativ\w*", "negative"), False),
    (_side(r"global\w*", "global"), _side(r"lokal\w*", "local"), False),
    (_side(r"statisch\w*", "static"), _side(r"dynamisch\w*", "dynamic"), False),
    (_side(r"deterministisch\w*", "deterministic"), _side(r"stochastisch\w*|zufällig\w*", "stochastic random"), False),
    (_side(r"diskret\w*", "discrete"), _side(r"kontinuierlich\w*|stetig\w*", "continuous"), False),
    (_side(r"überwacht\w*", "supervised"), _side(r"unüberwacht\w*|nicht überwacht\w*", "unsupervised"), False),
    (_side(r"linear\w*", "linear"), _side(r"nichtlinear\w*|nicht-linear\w*", "nonlinear"), False),
    (_side(r"einfach\w*", "simple simpler easy easier"), _side(r"komplex\w*|kompliziert\w*", "complex complicated"), False),
    (_side(r"leicht\w*|einfacher\w*", "easy easier simple light"), _side(r"schwer\w*|schwierig\w*", "hard harder difficult heavy"), False),
    (_side(r"günstig\w*|billig\w*|preiswert\w*", "cheap cheaper inexpensive"), _side(r"teuer\w*|teure\w*|kostspielig\w*|aufwendig\w*|aufwändig\w*", "expensive costly"), False),
    (_side(r"minimal\w*|minimier\w*|minimum", "minimum minimize minimal"), _side(r"maximal\w*|maximier\w*|maximum", "maximum maximize maximal"), False),
    (_side(r"vorteil\w*", "advantage benefit"), _side(r"nachteil\w*", "disadvantage drawback"), False),
    (_side(r"theoretisch\w*", "theoretical"), _side(r"empirisch\w*|experimentell\w*", "empirical experimental"), False),
    (_side(r"gleich\w*|identisch\w*", "same identical equal similar"), _side(r"verschieden\w*|unterschiedlich\w*", "different various"), False),
    (_side(r"länger\w*|lang\w*", "longer long"), _side(r"kürzer\w*|kurz\w*", "shorter short"), False),
    (_side(r"oberhalb|über", "above"), _side(r"unterhalb", "below"), False),
    (_side(r"konvergier\w*|konvergenz\w*", "converge convergence"), _side(r"divergier\w*|divergenz\w*", "diverge divergence"), False),
    (_side(r"klassisch\w*", "classical"), _side(r"quanten\w*", "quantum"), False),
    (_side(r"notwendig\w*", "necessary"), _side(r"unnötig\w*|überflüssig\w*", "unnecessary"), False),
    (_side(r"dicht\w*", "dense"), _side(r"dünn\w*|spärlich\w*", "sparse"), False),
    (_side(r"stabil\w*", "stable stability"), _side(r"instabil\w*", "unstable instability"), False),
    (_side(r"effizient\w*", "efficient"), _side(r"ineffizient\w*", "inefficient"), False),
    (_side(r"bekannt\w*", "known"), _side(r"unbekannt\w*", "unknown"), False),
)  # fmt: skip
# What stands on the two sides of these must stand there in the source.
RELATIONS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"\bübert(?:riff|raf|roff|reff)\w*|\bschlägt\b|\bschlagen\b", re.I), _english("outperform surpass exceed beat")),
    (re.compile(r"\bals\b", re.I), frozenset({"than"})),
    (re.compile(r"\b(?:an)?statt\b|\banstelle(?: von)?\b", re.I), frozenset({"instead", "rather", "over"})),
    (re.compile(r"\bersetz\w*", re.I), _english("replace")),
    (re.compile(r"\berweiter\w*|\bverallgemeiner\w*", re.I), _english("extend generalize")),
    (re.compile(r"\bverursach\w*|\bführ(?:t|en|te|ten) zu\b", re.I), _english("cause lead induce")),
)  # fmt: skip
STRONG: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(rf"\b(?:{german})\b", re.IGNORECASE), _english(english))
    for german, english in (
        (
            r"deutlich\w*|erheblich\w*|wesentlich\w*|signifikant\w*|stark|starke[rsnm]?|drastisch\w*|massiv\w*|enorm\w*|beträchtlich\w*|merklich\w*|weitaus|bei weitem|immens\w*",
            "significantly significant substantially substantial considerably considerable dramatically dramatic greatly vastly drastically markedly far largely notably strongly strong tremendous massive huge essential",
        ),
        (r"erst(?:e|er|es|en|em|mals|malig\w*)", "first pioneering pioneer seminal earliest"),
        (r"neuartig\w*|innovativ\w*", "novel new newly innovative original"),
        (r"stand der technik|state-of-the-art", "stateoftheart sota art"),
        (r"optimal\w*", "optimal optimally optimum optimality best"),
        (r"immer|stets|jederzeit", "always invariably"),
        (r"durchgehend\w*|durchweg\w*|konsistent\w*", "consistently consistent always throughout"),
        (r"alle[rsnm]?|jede[rsnm]?|sämtlich\w*|überall|universell\w*", "every all any each universally universal everywhere arbitrary"),
        (r"einzig\w*|ausschließlich\w*", "only sole solely exclusively unique uniquely"),
        (r"garantier\w*|gewährleist\w*|sicherstell\w*", "guarantee ensure assure"),
        (r"bewei(?:st|sen|s|se)|bewies\w*|bewiesen\w*|nachgewiesen\w*", "prove proven proof theorem rigorous rigorously show"),
        (r"löst|lösen|löste\w*|gelöst\w*|lösung\w*", "solve solved solution resolve"),
        (r"perfekt\w*|fehlerfrei\w*|fehlerlos\w*|exakt\w*", "perfect perfectly flawless exact exactly errorfree ideal"),
        (r"vollständig\w*|komplett\w*|gänzlich\w*|völlig\w*|umfassend\w*", "fully full completely complete entirely entire totally whole wholly comprehensive exhaustive"),
        (
            r"bahnbrechend\w*|revolutionär\w*|bemerkenswert\w*|beeindruckend\w*|hervorragend\w*|herausragend\w*|außergewöhnlich\w*|exzellent\w*|wegweisend\w*|einflussreich\w*",
            "groundbreaking revolutionary breakthrough remarkable remarkably impressive impressively outstanding exceptional exceptionally extraordinary excellent powerful superb landmark influential pioneering",
        ),
        (r"eindeutig\w*|zweifellos|zweifelsfrei\w*|offensichtlich\w*|klar|endgültig\w*", "clearly clear obviously obvious undoubtedly certainly definitely definitive conclusively conclusive evident unambiguous unique"),
        (r"meist\w*|mehrheit\w*|größtenteils|überwiegend\w*", "most majority mostly predominantly often usually typically"),
        (r"robust\w*|zuverlässig\w*|verlässlich\w*", "robust robustly robustness reliable reliably"),
        (r"effektiv\w*|wirksam\w*|wirkungsvoll\w*", "effective effectively effectiveness"),
        (r"effizient\w*", "efficient efficiently efficiency fast faster"),
        (r"entscheidend\w*|unerlässlich\w*|unverzichtbar\w*|grundlegend\w*", "crucial critical essential vital key fundamental necessary important"),
        (r"muss|müssen", "must need require necessary have"),
        (r"übermenschlich\w*|menschlich\w* niveau", "humanlevel superhuman human"),
    )
)  # fmt: skip
RESERVATIONS = re.compile(
    r"\b(?:könnte\w*|können|kann|mag|mögen|möglicherweise|vielleicht|eventuell|vermutlich|wohl|womöglich|potenziell\w*|potentiell\w*|teilweise"
    r"|manchmal|gelegentlich|etwas|geringfügig\w*|leicht\w*|nahe|nahelegen\w*|deute\w*|andeut\w*|anscheinend|schein(?:t|en|bar)|versuch\w*"
    r"|soll\w*|ziel\w*|bestreb\w*|anstreb\w*|streb\w*|hoff\w*|beabsichtig\w*|planen|geplant\w*|vermut\w*|mutma\w*|hypothes\w*|annahme|spekul\w*"
    r"|bemüh\w*|suggerier\w*|unter umständen)\b",
    re.IGNORECASE,
)
_GLOSSARY = """accuracy genauigkeit|answer antwort|attack angriff|attention aufmerksam|brain hirn|cell zell|compare vergleich|cost kost|data daten
    |detection erkenn,detek|detect erkenn,entdeck,detek|detector erkenn,detek|disease krankheit|edge kante|embedding einbett|energy energ
    |equation gleichung|error fehler|estimate schätz|feature merkmal|field feld|find find,fand|gene gen|generation erzeug,generier|graph graf,graph
    |image bild|knowledge wissen|label label,beschrift,annot|language sprach|learn lern|light licht|line zeile,linie|log protokoll,log|memory speicher,gedächtnis
    |method verfahren,methode|molecule molekül|neighbor nachbar|network netz|node knoten|noise rausch|number zahl|parameter parameter
    |particle teilchen|predict vorhers,prognos|prediction vorhers,prognos|problem problem,aufgabe|question frage|read les,lies|recognition erkenn
    |representation repräsent,darstell|retrieval abruf,retrieval,suche|sample stichprob,abtast,sampl|search such|security sicher|sentence satz,sätz
    |set menge|space raum,räum|speech sprach|speed geschwindig|star stern|survey überblick,übersicht|task aufgabe|template vorlage
    |text text|time zeit|train train|translation übersetz|tree baum,bäum|user nutz|word wort,wört|wave welle"""
GLOSSARY = {
    stem(item.split()[0]): "|".join(item.split()[1].split(","))
    for item in " ".join(_GLOSSARY.split()).split("|")
    if item.strip()
}
