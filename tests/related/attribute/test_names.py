import pytest

from citeplug.related.attribute.claims import unknown_names

SOURCES = (
    "we pretrain BERT-large and GPT-4 with large language models on ImageNet, using Kalman filters",
    "LogVec: Embedding Log Lines",
    "on the COVID question",
)


def names(segment: str) -> list[str]:
    return [doubt.reason for doubt in unknown_names(segment, SOURCES)]


@pytest.mark.parametrize(
    "segment",
    [
        "BERT is pretrained",
        "LLMs are pretrained",
        "an LLM is pretrained on ImageNet",
        "GPT4 and BERT-based models",
        "LogVec's embedding of lines",
        "Kalman filtering on COVID",
        "Earlier work pretrains models",
        "Pretraining of models",
        "A model is pretrained",
        "Weighing models against each other",
    ],
)
def test_names_of_quotation_title_and_author_pass(segment: str) -> None:
    assert names(segment) == []


@pytest.mark.parametrize(
    "segment",
    [
        "RoBERTa is pretrained",
        "GPT-3 is pretrained",
        "a model called Atlas is pretrained",
        "models of Vaswani are pretrained",
        "CNNs are pretrained",
        "it is pretrained on Wikipedia",
        "it runs in Paris",
        "F1 is measured",
        "BERT-RNN models",
    ],
)
def test_a_name_from_nowhere_is_refused(segment: str) -> None:
    assert names(segment)


def test_in_other_languages_a_single_capital_is_no_name() -> None:
    said = "Das Modell liest Protokolle mit LogBERT"
    assert [doubt.reason for doubt in unknown_names(said, SOURCES, capitals=False)] == ["“LogBERT” is in no source"]


def test_a_pair_of_names_is_not_turned_round() -> None:
    source = ("We translate on WMT15 German-English.",)
    assert list(unknown_names("models for German-English translation", source)) == []
    assert list(unknown_names("models that translate from German to English", source)) == []
    assert len(list(unknown_names("models for English-German translation", source))) == 1
