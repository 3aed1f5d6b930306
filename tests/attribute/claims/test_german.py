"""What of a German sentence is compared with English quotations: true ones pass, false ones do not."""

import pytest

from citeplug.attribute.claims import Evidence, doubts
from citeplug.attribute.claims.german_numbers import german_numbers

PARSER = "We propose a novel parser that reads 1,000 system logs without templates and reduces the error by 3.5%."
GAIN = "The BERT model outperforms LSTM networks and increases the accuracy on two datasets by up to 90 percent."
COUNT = "GraphNet learns representations of 2.5 million nodes and is faster than DeepWalk on large graphs."
HEDGE = "These results suggest that attention may improve the translation of rare words."
DENIAL = "Our experiments do not show that sampling improves the accuracy of graph networks."

TRUE = [
    (PARSER, "[1] stellen einen Parser vor, der 1.000 Systemprotokolle ohne Vorlagen liest"),
    (PARSER, "Ihr Parser liest tausend Protokolle des Systems ohne Vorlagen und senkt den Fehler um 3,5 %"),
    (PARSER, "Der Parser benötigt keine Vorlagen und verringert den Fehler um 3,5 Prozent"),
    (PARSER, "Ein neuartiger Parser kommt ohne Vorlagen aus"),
    (GAIN, "BERT übertrifft LSTM-Netze und erhöht die Genauigkeit auf zwei Datensätzen um bis zu 90 Prozent"),
    (GAIN, "LSTM-Netze werden von BERT übertroffen"),
    (GAIN, "Die Genauigkeit steigt auf zwei Datensätzen"),
    (COUNT, "GraphNet lernt Darstellungen von 2,5 Millionen Knoten und ist schneller als DeepWalk"),
    (COUNT, "Auf großen Graphen ist GraphNet schneller"),
    (HEDGE, "Die Ergebnisse deuten darauf hin, dass Aufmerksamkeit die Übersetzung seltener Wörter verbessern könnte"),
    (DENIAL, "Dass Stichproben die Genauigkeit von Graphnetzen verbessern, zeigt sich nicht"),
]
FALSE = [
    (PARSER, "Ihr Parser liest 1.500 Systemprotokolle ohne Vorlagen", "number"),
    (PARSER, "Ihr Parser liest zweitausend Systemprotokolle ohne Vorlagen", "number"),
    (PARSER, "Der Parser senkt den Fehler um 35 %", "number"),
    (PARSER, "Der Parser senkt den Fehler um 3,5 Punkte", "number"),
    (PARSER, "Der Parser halbiert den Fehler", "number"),
    (PARSER, "Der Parser erhöht den Fehler um 3,5 %", "reversed"),
    (PARSER, "Der Parser liest Systemprotokolle mit Vorlagen", "negation"),
    (PARSER, "Der Parser liest keine Systemprotokolle und braucht nie Vorlagen", "negation"),
    (PARSER, "Der Parser senkt den Fehler ohne Vorlagen deutlich", "inflated"),
    (PARSER, "Der Parser liest stets alle Protokolle ohne Vorlagen", "inflated"),
    (PARSER, "Der Parser liest ohne Vorlagen wie XGBoost", "name"),
    (PARSER, "Kaffee schmeckt ohne Zucker am besten", "unsupported"),
    (GAIN, "LSTM-Netze übertreffen BERT auf zwei Datensätzen", "reversed"),
    (GAIN, "BERT wird von LSTM-Netzen übertroffen", "reversed"),
    (GAIN, "BERT erhöht die Genauigkeit nicht", "negation"),
    (GAIN, "BERT senkt die Genauigkeit auf zwei Datensätzen", "reversed"),
    (GAIN, "BERT erhöht die Genauigkeit um 90 Prozent", "number"),
    (GAIN, "BERT ist auf drei Datensätzen genauer", "number"),
    (GAIN, "BERT unterliegt LSTM-Netzen", "reversed"),
    (COUNT, "GraphNet lernt Darstellungen von 2,5 Milliarden Knoten", "number"),
    (COUNT, "GraphNet lernt Darstellungen von 2,5 Billionen Knoten", "number"),
    (COUNT, "DeepWalk ist schneller als GraphNet", "reversed"),
    (COUNT, "GraphNet ist langsamer als DeepWalk", "reversed"),
    (COUNT, "GraphNet ist auf kleinen Graphen schneller", "reversed"),
    (COUNT, "GraphNet lernt erstmals Darstellungen von Knoten", "inflated"),
    (HEDGE, "Aufmerksamkeit verbessert die Übersetzung seltener Wörter", "inflated"),
    (DENIAL, "Stichproben verbessern die Genauigkeit von Graphnetzen", "negation"),
]


def codes(quote: str, said: str, **more: object) -> set[str]:
    evidence = Evidence((quote,), (quote,), **more)  # type: ignore[arg-type]
    return {doubt.code for doubt in doubts(said.removeprefix("[1] "), evidence, "German")}


@pytest.mark.parametrize(("quote", "said"), TRUE)
def test_a_true_sentence_passes(quote: str, said: str) -> None:
    assert codes(quote, said) == set()


@pytest.mark.parametrize(("quote", "said", "code"), FALSE)
def test_a_false_sentence_does_not(quote: str, said: str, code: str) -> None:
    assert code in codes(quote, said)


def test_half_a_sentence_cannot_say_the_opposite_of_the_whole() -> None:
    half = "sampling improves the accuracy of graph networks"
    evidence = Evidence((half,), (DENIAL,))
    found = {
        doubt.code for doubt in doubts("Stichproben verbessern die Genauigkeit von Graphnetzen", evidence, "German")
    }
    assert "negation" in found


def test_the_draft_is_compared_in_its_own_language() -> None:
    draft = "Wir stellen einen Detektor vor, der Fehler in 2.000 Protokollen findet und keine Etiketten braucht."
    assert codes(draft, "Wir stellen einen Detektor für Fehler in 2.000 Protokollen vor", of_draft=True) == {"negation"}
    true = "Unser Detektor findet Fehler in 2.000 Protokollen und braucht keine Etiketten"
    assert codes(draft, true, of_draft=True) == set()
    assert "number" in codes(draft, true.replace("2.000", "2"), of_draft=True)
    assert "unsupported" in codes(draft, "Unsere Kaffeemaschine übersetzt niemals Gedichte", of_draft=True)


def test_two_papers_may_be_called_two() -> None:
    assert codes(COUNT, "Zwei Ansätze lernen Darstellungen von Knoten", papers=2) == set()
    assert codes(COUNT, "Drei Ansätze lernen Darstellungen von Knoten", papers=2) == {"number"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3,5 Prozent von 1.000", [3.5, 1000]),
        ("1.234.567,8 und 12 345", [1234567.8, 12, 345]),
        ("10\u202f000 Knoten", [10000]),
        ("einundzwanzig, zweihundertfünf und dreitausend", [21, 205, 3000]),
        ("eine Milliarde, zwei Billionen, 2,5 Mio", [1e9, 2e12, 2.5e6]),
        ("dreistufig und zehnfach", [3, 10]),
        ("ein Graph, einfach, zweifellos, zweite, GPT-4, H2O", []),
    ],
)
def test_numbers_are_read_as_german_writes_them(text: str, values: list[float]) -> None:
    assert [min(number.values) for number in german_numbers(text)] == pytest.approx(values)


@pytest.mark.parametrize(
    ("said", "code"),
    [("Le modèle atteint 91 %", "number"), ("Le modèle XGBoost lit", "name"), ("Le modèle BERT lit", None)],
)
def test_in_other_languages_digits_and_names_alone_are_compared(said: str, code: str | None) -> None:
    found = {doubt.code for doubt in doubts(said, Evidence((GAIN,)), "French")}
    assert found == ({code} if code else set())
