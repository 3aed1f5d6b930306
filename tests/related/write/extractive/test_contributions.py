"""Which sentence of an abstract is taken, and that it is whole."""

import pytest

from citeplug.related.write.extractive.contributions import find_contributions, find_deeds, is_main
from citeplug.related.write.extractive.sentences import clause, own_words
from citeplug.related.write.extractive.titles import TitleWords
from tests.related.write.examples import paper

NO_WORDS = TitleWords(frozenset(), frozenset())


def said(abstract: str, title: str = "Parsers of system logs of servers", authors: int = 3) -> str | None:
    """What is reported of an abstract, the authors as A."""
    work = paper(abstract, title, authors)
    found = find_contributions(work)
    return clause(found[0], work).text.replace("{{author:2001.00001}}", "A") if found else None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "In this paper, we propose a parser that reads long system logs without any templates.",
            "A propose a parser “that reads long system logs without any templates”",
        ),
        (
            "This paper presents a parser that reads long system logs without any templates.",
            "A present a parser “that reads long system logs without any templates”",
        ),
        (
            "We have shown that parsers of system logs make errors where lines are very long.",
            "A have shown that “parsers of system logs make errors where lines are very long”",
        ),
        (
            "Using results on random graphs, we prove that parsers of logs err on few long lines.",
            "Using results on random graphs, A prove that “parsers of logs err on few long lines”",
        ),
        (
            "To address this problem, we develop a parser that reads system logs without any templates.",
            "A develop a parser “that reads system logs without any templates”",
        ),
        (
            "In this paper a new parser of system logs without any templates or labels is proposed.",
            "A propose “a new parser of system logs without any templates or labels”",
        ),
        (
            "As lines grow, we propose LogVec, an embedding of system logs for anomaly detection.",
            "A propose LogVec, “an embedding of system logs for anomaly detection”",
        ),
        (
            "To cut costs, in this paper we empirically compare parsers of long system logs with few templates.",
            "A empirically compare “parsers of long system logs with few templates”",
        ),
        (
            "Considering the lines beside it, a new parser of system logs without templates is developed.",
            "A develop “a new parser of system logs without templates”",
        ),
        (
            "Recently, a new parser of system logs without any templates is developed.",
            None,
        ),
        (
            "It is shown that parsers of system logs make errors where lines are very long.",
            "A show that “parsers of system logs make errors where lines are very long”",
        ),
        (
            "We propose a parser that reads long system logs without templates, which lets us read more of them.",
            "A propose a parser “that reads long system logs without templates”",
        ),
        (
            "In this paper, two parsers of long system logs with few templates are compared.",
            "A compare “two parsers of long system logs with few templates”",
        ),
        (
            "We propose to read the long logs of servers without any of the usual templates.",
            "A propose to “read the long logs of servers without any of the usual templates”",
        ),
        (
            "We develop and test a parser that reads long system logs without any templates.",
            "A develop and test a parser “that reads long system logs without any templates”",
        ),
        (
            "We extend our earlier parser of system logs to logs of several interleaved sources.",
            None,
        ),
    ],
)
def test_a_sentence_is_taken_whole_in_the_third_person(sentence: str, expected: str | None) -> None:
    assert said(sentence) == expected


def test_one_author_has_a_verb_in_the_singular() -> None:
    text = "We propose a parser that reads long system logs without any templates."
    assert said(text, authors=1) == "A proposes a parser “that reads long system logs without any templates”"


@pytest.mark.parametrize(
    ("sentence", "of_two", "of_one"),
    [
        (
            "We propose a parser of long system logs without templates and prove that few errors are made.",
            "A propose “a parser of long system logs without templates” and prove that “few errors are made”",
            "A proposes “a parser of long system logs without templates” and proves that “few errors are made”",
        ),
        (
            "This paper studies the cost of parsing system logs, and proposes a parser without any templates.",
            "A study “the cost of parsing system logs”, and propose “a parser without any templates”",
            "A studies “the cost of parsing system logs”, and proposes “a parser without any templates”",
        ),
        (
            "We built a parser of system logs from many servers and then measured its many errors in practice.",
            "A built “a parser of system logs from many servers” and then measured “its many errors in practice”",
            "A built “a parser of system logs from many servers” and then measured “its many errors in practice”",
        ),
        (
            "We propose a parser of long system logs from many servers and examine our templates.",
            "A propose “a parser of long system logs from many servers” and examine their templates",
            "A proposes “a parser of long system logs from many servers” and examines the author's templates",
        ),
        (
            "This paper presents LogNet, a parser of long system logs, whose two kinds of lines few parsers read.",
            "A present LogNet, “a parser of long system logs, whose two kinds of lines few parsers read”",
            "A presents LogNet, “a parser of long system logs, whose two kinds of lines few parsers read”",
        ),
        # Whose verb it is cannot be told: it may be the parser's.
        (
            "We propose a parser to read system logs without templates and compare the many sources of errors.",
            "A propose a parser “to read system logs without templates and compare the many sources of errors”",
            "A proposes a parser “to read system logs without templates and compare the many sources of errors”",
        ),
        # Of two verbs in a clause the second may be that of its subject.
        (
            "We show that parsers of system logs need labels from each day and propose a remedy.",
            "A show that “parsers of system logs need labels from each day and propose a remedy”",
            None,
        ),
    ],
)
def test_a_further_verb_of_the_authors_stands_outside_the_quotation(
    sentence: str, of_two: str, of_one: str | None
) -> None:
    assert said(sentence) == of_two
    assert said(sentence, authors=1) == of_one


def test_what_only_the_abstract_before_it_names_is_told_by_no_sentence() -> None:
    first = "Logs are long, and each has a header, which the full model reads."
    lost = "We study the full model by means of many logs of servers and their templates."
    assert said(f"{first} {lost}") is None
    assert said(f"{first} We propose a parser of long system logs with few labels, and evaluate the full model.") == (
        "A propose “a parser of long system logs with few labels”"
    )


def test_a_sentence_with_less_than_its_title_stands_after_it() -> None:
    text = "We introduce an accelerated gradient method that provably achieves minimax risk."
    (found,) = find_contributions(paper(text, "Accelerated stochastic gradient for least squares regression"))
    assert found.titled
    (found,) = find_contributions(paper(text, "Accelerated stochastic gradient methods with minimax risk"))
    assert not found.titled
    # Less than the title, and next to nothing that it has not.
    text = "We propose an extension of the conventional network approach, the use of an ensemble of networks."
    assert not find_contributions(paper(text, "Calibration of infrared spectra by the use of ensembles of networks"))


@pytest.mark.parametrize(
    "sentence",
    [
        "We develop a collector of garbage in logs for machines with many cores.",
    ],
)
def test_what_follows_a_contribution_is_a_side_matter(sentence: str) -> None:
    before = "We specify and implement an extensible language of logs. It can be bent at will."
    (side,) = find_contributions(paper(f"{before} {sentence}"))
    assert side.is_side
    (main,) = find_contributions(paper(sentence))
    assert not main.is_side


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("Can we read logs?", "We present a reader of system logs that needs neither templates nor labels."),
        (
            "While we have seen progress, logs are long.",
            "We show that readers of system logs need labels from each day.",
        ),
        (
            "We address the cost of reading.",
            "We present a reader of system logs that needs neither templates nor labels.",
        ),
        (
            "We consider logs.",
            "We prove that parsers of system logs of servers err on long lines with rare words.",
        ),
    ],
)
def test_what_is_made_after_a_problem_or_names_the_subject_is_the_contribution(before: str, sentence: str) -> None:
    (main,) = find_contributions(paper(f"{before} {sentence}", "Parsers of system logs of servers"))
    assert not main.is_side


def test_our_becomes_their_of_several_and_the_author_s_of_one() -> None:
    text = "We present a review of parsers of system logs as well as our contributions to parsers."
    assert said(text) == "A present “a review of parsers of system logs as well as [their] contributions to parsers”"
    assert said(text, authors=1) == (
        "A presents “a review of parsers of system logs as well as [the author's] contributions to parsers”"
    )


def test_of_two_findings_one_clause_is_quoted() -> None:
    text = "We propose a parser that reads system logs without templates, and we show that it makes few errors."
    assert said(text) == "A propose a parser “that reads system logs without templates”"


def test_verbs_that_belong_to_one_thing_stay_together() -> None:
    text = "We propose a framework to analyse and compare the parsers of long system logs."
    assert said(text) == "A propose a framework “to analyse and compare the parsers of long system logs”"


@pytest.mark.parametrize(
    "sentence",
    [
        "We solve this problem with a parser that reads system logs without templates.",
        "We show that it reads long system logs in linear time and without any templates.",
        "To read the logs of radios, we fully analyze parsers of texts as well as readers of videos.",
        "This paper presents a parser of logs, and one analysis of servers introduced in this paper.",
        "We additionally demonstrate that most of the adversarial logs are read without any errors.",
        "We also make the source code of the parser publicly available to all readers of logs.",
        r"We extend the parser of \cite{adams} to system logs that have several sources at once.",
        "We propose a parser of logs (from several sources that write lines without any templates.",
        "We then propose a parser that reads long system logs without any templates.",
        "Nous proposons une méthode pour les journaux des serveurs et pour les erreurs.",
        "We propose " + "a parser of logs and " * 12 + "a reader.",
        "Can we propose a parser that reads long system logs without any templates?",
        "We propose a parser that reads long system logs without",
        "We recently designed a parser that reads long system logs without any templates.",
        "We observed that parsers of long system logs have become much better over the years.",
        "We consider a parser that reads long system logs without any templates at all.",
        "We show that parsing is more useful for long system logs of servers and clients.",
        "We propose a parser for logs with two new features: First, we read long lines.",
        "This paper presents a study of the logs of servers and undertakes an analysis of clients.",
        "This paper analyses the logs of servers and of their clients and presents corresponding parsers.",
        "We propose a parser of system logs which: Reads long lines; needs no templates.",
    ],
)
def test_what_is_not_whole_or_leans_on_others_is_not_taken(sentence: str) -> None:
    assert said(sentence) is None


def test_what_the_abstract_names_for_the_first_time_is_known() -> None:
    text = "Logs are long. We propose a parser that sends the lines of long system logs over the web."
    assert said(text) == "A propose a parser “that sends the lines of long system logs over the web”"


def test_another_sentence_is_taken_where_the_first_leans_on_others() -> None:
    text = (
        "We solve this problem with a parser that reads logs. We prove that parsers of system logs without any"
        " templates make errors on long lines."
    )
    assert said(text) == ("A prove that “parsers of system logs without any templates make errors on long lines”")


def test_of_what_the_title_says_only_what_was_made_is_said_again() -> None:
    title = "Parsers for long system logs of servers"
    assert said("We study parsers for long system logs of servers.", title) is None
    assert said("We present parsers for long system logs of servers.", title) == (
        "A present “parsers for long system logs of servers”"
    )


@pytest.mark.parametrize(
    "told",
    [
        "a parser of logs under the Chandra model that reads lines as well as other records",
        "a parser that embeds lines and templates into the same space of recently proposed vectors",
        "a parser of system logs with tighter bounds on the share of wrong templates",
    ],
)
def test_words_that_name_what_they_mean_do_not_dangle(told: str) -> None:
    (found,) = find_contributions(paper(f"We propose {told}."))
    assert is_main(found)


@pytest.mark.parametrize(
    "told",
    [
        "a parser of system logs that solves the problem",
        "another parser of system logs without any templates",
        "parsers of system logs for both approaches to templates",
    ],
)
def test_words_that_point_back_dangle(told: str) -> None:
    assert not any(map(is_main, find_contributions(paper(f"We propose {told}."))))


def test_authors_who_only_look_at_something_are_reported_where_nothing_else_is() -> None:
    text = "In this paper we consider the problem of parsing long system logs of servers without templates."
    (deed,) = find_deeds(paper(text))
    assert clause(deed, paper(text)).text.startswith("{{author:2001.00001}} consider “the problem of parsing")


@pytest.mark.parametrize(
    "sentence",
    [
        "In our prior work, we outlined an approach named DisCoF for cooperative path finding in logs.",
        "We have previously outlined an embedding of parsers of logs into simple type theory.",
        "We finally show that KuafuDet can reduce false negatives in logs of systems.",
    ],
)
def test_what_an_earlier_paper_contributed_is_not_taken(sentence: str) -> None:
    assert find_contributions(paper(sentence)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "We use different readers of system logs of servers for the prediction of faults.",
        "We investigate the speed of parsers of system logs; five factors that can lead to failure have been dug out.",
        "We present a new parser that allows to predict those errors from the system logs of servers.",
    ],
)
def test_what_points_out_of_the_sentence_is_not_reported(sentence: str) -> None:
    assert find_contributions(paper(sentence, "Parsers of system logs")) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "A new parser of system logs is proposed to read long lines without any templates.",
            "A propose “a new parser of system logs” to “read long lines without any templates”",
        ),
        (
            "In this paper, the grammar of system logs is derived by counting the templates of many servers.",
            "A derive “the grammar of system logs” by “counting the templates of many servers”",
        ),
        ("The grammar of system logs is derived to count the templates of many servers.", None),
        ("A parser of system logs is proposed for servers and their many clients are investigated.", None),
    ],
)
def test_what_a_thing_is_proposed_for_stands_behind_it(sentence: str, expected: str | None) -> None:
    assert said(sentence) == expected


def test_what_the_thing_is_that_the_title_names_is_described() -> None:
    text = "LogRead (a tool) is a parser of system logs that needs no templates."
    assert said(text, "LogRead: system logs of servers") == (
        "A describe LogRead, “a parser of system logs that needs no templates”"
    )
    assert said(text, "System logs of servers read by LogRead") is None


@pytest.mark.parametrize(
    "thing",
    [
        "a small parser used for reading long system logs of servers",
        "a fast new sorting scheme to read long system logs of servers",
        "parsers not for long system logs of servers but of clients",
    ],
)
def test_what_is_not_named_in_a_few_words_is_quoted_whole(thing: str) -> None:
    assert said(f"We propose {thing}.") == f"A propose “{thing}”"


def test_we_becomes_they_within_a_clause_of_several_authors() -> None:
    text = "We propose a parser of system logs that we call LogRead and that needs no templates."
    assert said(text) == "A propose “a parser of system logs that [they] call LogRead and that needs no templates”"
    assert said(text, authors=1) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "We compare our parser to the best readers of the system logs of servers and their clients.",
        "We propose an attack on their parser that reads long system logs without any templates.",
        "We develop a parser of system logs then we compare readers of all servers.",
        "We propose a parser with log priors, and use these logs of many servers and clients.",
    ],
)
def test_what_was_spoken_of_before_is_not_reported(sentence: str) -> None:
    work = paper(sentence)
    assert find_contributions(work) == find_deeds(work) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "We present our parser of system logs that needs no templates and few lines.",
        "We propose a model of the parsers of system logs, and use these parsers on long lines.",
        "We propose a grammar of system logs and the corresponding parser that reads them without templates.",
        "We present the first parser of system logs, to the best of our knowledge, that reads them without templates.",
        "We propose a parser of system logs based on two passes over the templates of each server.",
    ],
)
def test_what_the_sentence_resolves_is_reported(sentence: str) -> None:
    assert find_contributions(paper(sentence, "Parsers of system logs"))


@pytest.mark.parametrize(
    "like_citation",
    ["`cite:evil2022`", "cite:evil2022", "evil2022", r"\cite{evil}", "[@evil]", "[evil]", "[evil, worse]", "(@evil)"],
)
def test_what_looks_like_a_citation_is_not_quoted(like_citation: str) -> None:
    sentence = "We propose a parser{} that reads long system logs of servers without any templates."
    assert said(sentence.format("")) and own_words(paper(sentence.format("")), (), NO_WORDS)
    hostile = sentence.format(f" {like_citation}")
    assert said(hostile) is None and own_words(paper(hostile), (), NO_WORDS) is None


@pytest.mark.parametrize("harmless", ["logs of 2022", "logs at a ratio of 3:1", "`long' logs", "logs (all of 2 TB)"])
def test_what_only_resembles_a_citation_is_quoted(harmless: str) -> None:
    assert own_words(
        paper(f"We propose a parser that reads the {harmless} of servers without any templates."), (), NO_WORDS
    )


def test_what_is_made_may_have_a_name_that_the_title_has_not_and_a_passive_is_what_the_authors_do() -> None:
    assert (
        said("Adders have regions. We design an algorithm that finds the types of adders for each region.") is not None
    )
    assert said("Fast parsers of long lines from several hosts are described in detail.") == (
        "A describe “fast parsers of long lines from several hosts”"
    )
    assert said("Fast parsers of long lines from several hosts are often described in detail.") is None
    assert said("Robust parsers of long lines from several hosts are described in detail.") is None


def test_what_a_paper_made_is_told_without_a_front_that_points_outside() -> None:
    text = (
        "Logs have two parsers. Based on them, we propose a reader of long system logs that needs no templates at all."
    )
    assert said(text) == "A propose “a reader of long system logs that needs no templates at all”"
