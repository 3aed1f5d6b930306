"""Topics beside the catalogue."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import exclusive
from citeplug.errors import CorpusEmpty, StoreBroken, StoreBusy, UsageError
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel
from tests.corpus.topical import SUBJECTS, make_papers


def opened(home: Path) -> Corpus:
    store = MemoryStore()
    return Corpus(home, WordModel, lambda model: store)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """160 papers of four subjects, without topics."""
    made = opened(tmp_path)
    made.add_papers(make_papers())
    yield made
    made.close()


def builds(corpus: Corpus) -> int:
    with corpus._database.reading() as db:
        return int(db.execute("SELECT count(*) FROM topic_builds").fetchone()[0])


def change(corpus: Corpus, statement: str) -> None:
    with corpus._database.reading() as db:
        db.execute(statement)


def topics_by_id(corpus: Corpus) -> dict[str, str]:
    ids = [paper.id.value for paper in corpus.catalogue.all_papers()]
    return {value: topic.name for value, topic in corpus.topics.of(ids).items()}


def test_every_record_has_a_topic_and_the_topics_are_the_subjects(corpus: Corpus) -> None:
    done = corpus.make_topics(4)
    assert (done.anew, done.method, done.assigned, done.without) == (True, "words", 160, 0)
    assert [topic.number for topic in done.topics] == [1, 2, 3, 4]
    assert sum(topic.papers for topic in done.topics) == 160
    for topic in done.topics:
        papers = corpus.papers(list(corpus.topics.within([topic.name]))).values()
        subjects = [paper.categories[0] for paper in papers]
        assert max(subjects.count(subject) for subject in SUBJECTS) > 0.9 * len(subjects)


def test_the_order_in_which_records_came_makes_no_difference(corpus: Corpus, tmp_path: Path) -> None:
    other = opened(tmp_path / "other")
    for paper in reversed(make_papers()):
        other.add_papers([paper])
    assert corpus.make_topics(4).topics == other.make_topics(4).topics
    assert topics_by_id(corpus) == topics_by_id(other)
    other.close()


def test_vectors_decide_where_nearly_all_that_are_looked_at_have_one(corpus: Corpus) -> None:
    ids = [paper.id.value for paper in make_papers()]
    corpus.vectors(ids[:20])
    assert corpus.make_topics(4).method == "words"
    corpus.vectors(ids[:150])
    assert corpus.make_topics(4, anew=True).method == "vectors"


def test_vectors_are_computed_where_that_is_asked_for(corpus: Corpus) -> None:
    assert corpus.make_topics(4, embed=True).method == "vectors"
    assert corpus.info()["embedded"] == 160


def test_an_empty_catalogue_has_no_topics(tmp_path: Path) -> None:
    empty = opened(tmp_path)
    with pytest.raises(CorpusEmpty):
        empty.make_topics(None)
    assert empty.info()["topics"] is None
    assert empty.topics.of(["1706.03762"]) == {}
    with pytest.raises(UsageError, match="no topics yet"):
        empty.topics.within(["1"])
    empty.close()


def test_a_record_that_comes_later_gets_a_topic_and_no_other_one_moves(corpus: Corpus) -> None:
    before = corpus.make_topics(4)
    known = topics_by_id(corpus)
    corpus.add_papers(make_papers(5, first=100))
    info = corpus.info()["topics"]
    assert info["not_yet"] == 20
    again = corpus.make_topics(None)
    assert (again.anew, again.assigned, again.made) == (False, 20, before.made)
    after = topics_by_id(corpus)
    assert len(after) == 180
    assert {value: after[value] for value in known} == known
    assert corpus.info()["topics"]["not_yet"] == 0


def test_a_search_finds_records_that_came_later(corpus: Corpus) -> None:
    corpus.make_topics(4)
    corpus.add_papers(make_papers(5, first=100))
    among = corpus.topics.within([str(n) for n in range(1, 5)])
    assert len(among) == 180


def test_a_record_whose_text_changed_is_looked_at_again(corpus: Corpus) -> None:
    corpus.make_topics(4)
    old = make_papers()[0]
    name = corpus.topics.of([old.id.value])[old.id.value].name
    corpus.add_papers([make_paper(old.id.value, version=2, title="Gauge boson", abstract="quark gluon lattice hadron")])
    corpus.make_topics(None)
    assert corpus.topics.of([old.id.value])[old.id.value].name != name
    assert len(topics_by_id(corpus)) == 160


def test_a_record_without_a_known_word_is_in_no_topic(corpus: Corpus) -> None:
    corpus.make_topics(4)
    corpus.add_papers([make_paper("1999.00001", title="Xyzzy", abstract="plugh")])
    assert corpus.make_topics(None).without == 1
    assert corpus.topics.of(["1999.00001"]) == {}


def test_records_that_are_gone_are_in_no_topic(corpus: Corpus) -> None:
    corpus.make_topics(4)
    with corpus._database.writing() as (db, _):
        db.execute("DELETE FROM papers WHERE id LIKE '1801.%'")
    assert sum(topic.papers for topic in corpus.make_topics(None).topics) == 120


def test_a_topic_narrows_both_ways_of_searching_and_k_are_found_where_there_are_so_many(corpus: Corpus) -> None:
    corpus.make_topics(4)
    papers = {paper.id.value: paper for paper in make_papers()}
    corpus.vectors(list(papers))
    (topic,) = corpus.topics.choose([corpus.topics.of(["1801.00000"])["1801.00000"].name])
    where = Filter(among=corpus.topics.within([str(topic.number)]))
    assert where.among is not None and len(where.among) == topic.papers
    query = "boson gauge quark neural network cipher galaxy We study"
    by_words = [value for value, _ in corpus.lexical(query, 30, where)]
    by_meaning = [value for value, _ in corpus.nearest(corpus.embed([query])[0], 30, where)]
    for found in (by_words, by_meaning):
        assert len(found) == 30 and set(found) <= where.among
    assert all(where.admits(papers[value]) for value in by_words)
    assert not corpus.lexical(query, 30, Filter(among=frozenset()))
    assert not corpus.nearest(corpus.embed([query])[0], 30, Filter(among=frozenset()))


def test_papers_from_elsewhere_are_told_by_the_same_topics(corpus: Corpus) -> None:
    corpus.make_topics(4)
    near = corpus.topics.of(["1802.00000"])["1802.00000"]
    live = make_paper("2001.00001", title="Gauge boson", abstract="quark gluon hadron lattice")
    other = make_paper("2001.00002", title="Galaxy redshift", abstract="cosmic halo supernova")
    found = corpus.topics.within([str(near.number)], [live, other])
    assert "2001.00001" in found and "2001.00002" not in found


def test_damaged_topics_are_told_with_the_way_out_and_made_anew(corpus: Corpus) -> None:
    corpus.make_topics(4)
    change(corpus, "UPDATE topic_builds SET model = x'00'")
    assert corpus.topics.damage()
    live = make_paper("2001.00001", title="Gauge boson", abstract="quark gluon hadron lattice")
    with pytest.raises(StoreBroken) as error:
        corpus.topics.within(["1"], [live])
    assert "index topics" in error.value.hint
    assert corpus.make_topics(4).anew
    assert corpus.topics.damage() is None
    assert corpus.topics.within(["1"])


def test_stopped_topics_leave_those_that_were_there_and_go_at_the_next_run(corpus: Corpus) -> None:
    before = corpus.make_topics(4)

    def stop(stage: str, done: int, total: int | None) -> None:
        if "assign" in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.make_topics(3, stop, anew=True)
    assert len(topics_by_id(corpus)) == 160
    assert corpus.make_topics(None).topics == before.topics
    assert builds(corpus) == 1
    corpus.make_topics(3, anew=True)
    assert builds(corpus) == 1


def test_one_writes_at_a_time_and_readers_are_not_held_up(corpus: Corpus) -> None:
    corpus.make_topics(4)
    corpus.add_papers(make_papers(1, first=100))
    with exclusive(corpus.topics.lock):
        with pytest.raises(StoreBusy, match="making topics"):
            corpus.make_topics(None)
        assert len(corpus.topics.within(["1", "2", "3", "4"])) == 160
        assert corpus.info()["topics"]["not_yet"] == 4


def test_readers_see_whole_topics_while_they_are_made_anew(corpus: Corpus, tmp_path: Path) -> None:
    corpus.make_topics(4)
    stop, wrong = threading.Event(), list[object]()
    begun = threading.Event()

    def read() -> None:
        reader = opened(tmp_path)
        while not stop.is_set():
            try:
                found = len(reader.topics.within([str(number) for number in range(1, 3)]))
                if not 0 < found <= 160:
                    wrong.append(found)
            except Exception as error:
                wrong.append(error)
            begun.set()
        reader.close()

    thread = threading.Thread(target=read)
    thread.start()
    try:
        assert begun.wait(60)
        for count in (3, 4, 3):
            corpus.make_topics(count, anew=True)
    finally:
        stop.set()
        thread.join(60)
    assert wrong == []


def test_a_hundred_topics_of_few_records_are_as_many_as_they_make(corpus: Corpus) -> None:
    topics = corpus.make_topics(1000).topics
    assert 4 < len(topics) <= 80
    assert len({topic.name for topic in topics}) == len(topics)


def off(corpus: Corpus, repair: bool) -> dict[str, int]:
    """What is off with the topics, in a corpus in which nothing else is."""
    problems = corpus.verify(repair).problems
    assert {problem.part for problem in problems} <= {"topics"}
    assert all(problem.mended == repair for problem in problems)
    return {problem.kind: problem.count for problem in problems}


@pytest.mark.parametrize("kind", ["behind", "missing", "extra", "damaged"])
def test_what_is_off_is_told_by_verify_and_mended(corpus: Corpus, kind: str) -> None:
    corpus.lexical("quark", 1, Filter())
    assert off(corpus, repair=True) == {}
    corpus.make_topics(4)
    assert off(corpus, repair=False) == {}
    known = topics_by_id(corpus)
    if kind == "behind":
        corpus.add_papers([make_paper("2001.00001", title="Gauge boson", abstract="quark gluon hadron")])
        corpus.lexical("quark", 1, Filter())
    elif kind == "damaged":
        change(corpus, "UPDATE topic_builds SET model = x'00'")
    elif kind == "missing":
        change(corpus, "DELETE FROM topic_papers WHERE paper = 3")
    else:
        change(corpus, "INSERT INTO topic_papers SELECT build, 1000, 1 FROM topic_builds")
    assert off(corpus, repair=False) == {kind: 1}
    assert off(corpus, repair=True) == {kind: 1}
    assert off(corpus, repair=False) == {}
    if kind in ("missing", "extra"):
        assert topics_by_id(corpus) == known
