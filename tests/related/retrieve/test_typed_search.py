"""What people type: ids, names, phrases, a few words, and words that are misspelled."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from citeplug.related.retrieve.typed_search import is_typed, parse_query, search_typed
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel

GCN, VGAE, WELL, POOL, MINING, FACES, FLOW, ADAM, CURVED = (
    "1609.02907",
    "1611.07308",
    "0904.00001",
    "1806.08804",
    "2001.00001",
    "1708.00223",
    "1907.03993",
    "1412.06980",
    "1705.01440",
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    store = MemoryStore()
    opened = Corpus(tmp_path_factory.mktemp("typed"), WordModel, lambda model: store)
    kipf = ("Thomas N. Kipf", "Max Welling")
    opened.add_papers(
        [
            make_paper(
                GCN, title="Semi-supervised classification", authors=kipf, abstract="Graph convolutions work well."
            ),
            make_paper(VGAE, title="Variational graph auto-encoders", authors=kipf, abstract="They do well."),
            make_paper(WELL, title="On the well extension of partial well orderings", abstract="Well orderings."),
            make_paper(POOL, title="Hierarchical pooling of graphs", abstract="Efficient pooling.", doi="10.1000/pool"),
            make_paper(MINING, title="Socially optimal mining pools", abstract="Efficient miners."),
            make_paper(FACES, title="Learning to hallucinate face images", abstract="Generation of images of faces."),
            make_paper(FLOW, title="Ricci flow on networks", abstract="Curved networks."),
            make_paper("1907.03994", title="Communities by Ricci flow", abstract="Curved networks."),
            make_paper(ADAM, title="Adam, an optimizer", abstract="Steps of the optimizer."),
            make_paper(
                CURVED, title="Hydraulics", authors=("Sophie Ricci", "Adam Berg"), abstract="The flow of rivers."
            ),
            make_paper("1705.01441", title="Levees", authors=("Sophie Ricci", "Adam Hahn"), abstract="Rivers."),
            *(make_paper(f"2101.0000{n}", title=f"Other matter {n}", abstract="It works well.") for n in range(8)),
        ]
    )
    yield opened
    opened.close()


def found(text: str, corpus: Corpus, where: Filter | None = None) -> list[str]:
    results = search_typed(text, corpus, where or Filter(), 20)
    return [candidate.paper.id.value for candidate in results.candidates]


@pytest.mark.parametrize(
    "text",
    [
        GCN,
        f"arXiv:{GCN}",
        f"arXiv {GCN}",
        f"[{GCN}]",
        f" https://arxiv.org/abs/{GCN}v4 ",
        f"{GCN}v2",
        f"https://arxiv.org/pdf/{GCN}",
        f"Kipf and Welling. Semi-supervised classification. arXiv:{GCN}, 2016",
    ],
)
def test_an_id_finds_its_paper_alone(text: str, corpus: Corpus) -> None:
    assert found(text, corpus) == [GCN]


@pytest.mark.parametrize(
    "text", ["10.1000/pool", "https://doi.org/10.1000/POOL", "doi:10.1000/pool", "DOI: 10.1000/pool"]
)
def test_a_doi_finds_its_paper_alone(text: str, corpus: Corpus) -> None:
    assert found(text, corpus) == [POOL]


@pytest.mark.parametrize("text", ["1902.04615", "10.1000/none"])
def test_an_id_that_the_catalogue_does_not_have_finds_nothing(text: str, corpus: Corpus) -> None:
    assert found(text, corpus) == []
    assert found(f"{text} pooling", corpus)[0] == POOL


@pytest.mark.parametrize("text", ["Kipf Welling", "Max Welling", "M. Welling", "Kipf, T. N.", "Welling et al. kipf"])
def test_names_find_the_papers_of_their_authors_alone(text: str, corpus: Corpus) -> None:
    assert set(found(text, corpus)) == {GCN, VGAE}


def test_words_beside_names_order_the_papers_of_these_authors(corpus: Corpus) -> None:
    assert found("welling kipf variational", corpus)[0] == VGAE
    assert found("M. Welling classification", corpus)[0] == GCN
    assert {GCN, CURVED} < set(found("Kipf Ricci", corpus))  # who never wrote together


def test_a_name_that_others_write_of_is_a_word_and_so_is_a_given_name(corpus: Corpus) -> None:
    assert set(found("Ricci flow", corpus)[:2]) == {FLOW, "1907.03994"}
    assert found("Adam optimizer", corpus)[0] == ADAM


def test_papers_that_have_all_words_come_before_those_that_lack_one(corpus: Corpus) -> None:
    assert found("efficient pooling on graphs", corpus)[0] == POOL


def test_papers_that_have_all_of_a_model_s_keywords_come_first(corpus: Corpus) -> None:
    scores = dict(corpus.keywords("mining pools efficient", 20, Filter()))
    assert next(iter(scores)) == MINING
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert scores[MINING] > 3 * scores[POOL] > 0


def test_a_phrase_is_looked_for_word_for_word(corpus: Corpus) -> None:
    assert found('"mining pools"', corpus) == [MINING]
    assert found('"pools mining"', corpus) == []
    assert found("“face images” hallucinate", corpus) == [FACES]


def test_what_no_paper_has_finds_nothing(corpus: Corpus) -> None:
    results = search_typed("zzqqxx", corpus, Filter(), 20)
    assert (list(results.candidates), results.unmatched, results.meant) == ([], True, None)


def test_another_spelling_is_offered(corpus: Corpus) -> None:
    assert search_typed("hierarchcal poolng", corpus, Filter(), 20).meant == "hierarchical pooling"
    assert search_typed("hierarchical pooling", corpus, Filter(), 20).meant is None


def test_the_filter_holds_for_ids_too(corpus: Corpus) -> None:
    assert found(GCN, corpus, Filter(exclude=frozenset({GCN}))) == []
    assert GCN not in found("Kipf", corpus, Filter(exclude=frozenset({GCN})))


def test_papers_that_another_search_found_take_part(corpus: Corpus) -> None:
    live = make_paper("2401.00001", title="Pooling of graphs, once more", abstract="New.")
    results = search_typed("pooling graphs", corpus, Filter(), 20, live=[live])
    by_id = {candidate.paper.id.value: candidate for candidate in results.candidates}
    assert "arxiv" in by_id["2401.00001"].found_by
    assert "lexical" in by_id[POOL].found_by


@pytest.mark.parametrize(
    "text", ["", "?!", "\0", "\ud800", "a" * 5000, '"', '""', "“”", "10.", "arXiv:", "AND OR NOT ("]
)
def test_any_text_is_a_query(text: str, corpus: Corpus) -> None:
    search_typed(text, corpus, Filter(), 5)


def test_a_passage_is_not_typed() -> None:
    assert is_typed("graph attention networks")
    assert not is_typed("We study the attention of graphs, and find that it is all that one needs, more or less.")
    assert parse_query('a "b c" d').phrases == ("b c",)


class _Synonyms(WordModel):
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return super().embed_queries([text.replace("Globes", "spherical") for text in texts])


def test_of_papers_with_the_same_words_the_one_whose_title_means_them_comes_first(tmp_path: Path) -> None:
    store = MemoryStore()
    with closing(Corpus(tmp_path, _Synonyms, lambda model: store)) as corpus:
        texts = ["Spherical maps.", "Spherical."]  # some have all words
        papers = [make_paper(f"2001.{n:05}", title="xy" * n, abstract=texts[n % 2]) for n in range(1, 40)]
        corpus.add_papers([*papers, make_paper("2001.00040", title="Globes", abstract=texts[0])])
        # There is no time to embed an abstract, so that titles alone can tell.
        results = search_typed("spherical maps", corpus, Filter(), 3, seconds=1e-9)
        without = search_typed("spherical maps", corpus, Filter(), 3, seconds=0.0)
    assert results.candidates[0].paper.id.value == "2001.00040"
    assert without.candidates[0].paper.id.value != "2001.00040"  # as an editor asks: the query alone is embedded
