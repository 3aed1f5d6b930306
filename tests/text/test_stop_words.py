from citeplug.corpus.topics.names import topic_names
from citeplug.text.stop_words import STOPWORDS


def test_words_of_a_subject_are_no_stop_words() -> None:
    assert not STOPWORDS & set("system fire interest bill thin computer network problem new".split())


def test_a_topic_can_be_named_by_fire() -> None:
    documents = [["fire", "spreads"], ["fire", "burns"], ["fire", "model"], ["rain", "falls"], ["rain", "model"]]
    names = topic_names(documents, [0, 0, 0, 1, 1], 2)
    assert names[0][1][0] == "fire"
