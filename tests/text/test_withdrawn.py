import gzip
import json
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeplug.records.paper import ArxivId, Paper
from citeplug.text.withdrawn import possibly_withdrawn

DAY = date(2010, 1, 1)


def record(*, title: str = "On sums", abstract: str = "We add numbers.", comment: str | None = None) -> Paper:
    return Paper(ArxivId("1001.0001", 2), title, abstract, ("A. Author",), DAY, DAY, comment=comment)


@pytest.mark.parametrize(
    "comment",
    [
        "This paper has been withdrawn",
        "This paper has been withdrawn by the author due to a crucial error in equation 3",
        "This submission has been withdrawn by arXiv administrators due to inappropriate text reuse",
        "arXiv admin note: This version has been withdrawn by arXiv administrators",
        "arXiv admin note: withdrawn by arXiv administrators",
        "Withdrawn",
        "(withdrawn)",
        "WITHDRAWN",
        "v2: withdrawn",
        "Paper withdrawn by author",
        "12 pages, withdrawn",
        "25 pages; withdrawn because the results were known",
        "12 pages, 3 figures. Withdrawn due to an error in the proof of Theorem 1",
        "Submitted to JMLR. Withdrawn due to an error",
        "The paper was withdrawn by the authors since the main result is false",
        "This article has been retracted",
        "Retracted due to a fatal error",
        "The authors have withdrawn this paper",
        "The author wishes to withdraw this paper",
        "We retract this paper because of an error in section 2",
        "This manuscript has been withdrawn as it is superseded by arXiv:1234.5678",
        "This paper has been temporarily withdrawn",
        "Withdrawn pending revision",
        "Withdrawn in favor of arXiv:1901.00001",
        "This paper should be considered withdrawn",
        "The current version is being withdrawn, as a constant is wrong",
        "Withdrawal due to wrong data in Table 2",
        "I request the withdrawal of my submission",
        "This paper rests on a wrong estimate and therefore needs to be withdrawn",
        "This paper has been withdrawn from the arXiv by the author",
        "Withdrawn from the archive",
    ],
)
def test_a_comment_that_says_so_counts(comment: str) -> None:
    assert possibly_withdrawn(record(comment=comment))


@pytest.mark.parametrize(
    "comment",
    [
        None,
        "12 pages, 4 figures",
        "Withdrawn from ICML 2019",
        "This paper was withdrawn from the journal Physics Letters B",
        "This paper has been withdrawn by the authors from Phys. Rev. D",
        "withdrawn from submission to Nature",
        "Submission withdrawn from NeurIPS; now under review at JMLR",
        "Accepted to AAAI but withdrawn from it",
        "Replaces the withdrawn paper math/0309001",
        "Supersedes the withdrawn arXiv:1012.3456",
        "This paper supersedes arXiv:0801.0001, which has been withdrawn by the authors",
        "The previous version was withdrawn by the author; this one is corrected",
        "v1 was withdrawn because of an error; v2 is the corrected version",
        "An earlier version of this paper has been withdrawn",
        "Theorem 3 has been withdrawn",
        "12 pages, the claim in Section 4 has been withdrawn",
        "Comment on arXiv:0901.1111, which has been withdrawn",
        "The third author has withdrawn his name",
        "This is a study of retracted papers",
        "Strong deformation retracts of polynomial rings",
        "Data on bank withdrawals",
        "This paper has not been withdrawn",
    ],
)
def test_a_comment_about_something_else_is_innocent(comment: str | None) -> None:
    assert not possibly_withdrawn(record(comment=comment))


@pytest.mark.parametrize(
    "abstract",
    [
        "This paper has been withdrawn.",
        "Withdrawn",
        "Paper withdrawn - lemma 4.1 was false.",
        "We show that the class A is in B. This paper has been withdrawn by the author because the step is wrong.",
        "(Withdrawn) Sharing of data between firms is advocated ever more often. " + "It has its risks. " * 40,
        "This article is temporarily withdrawn and will be resubmitted.",
        "The authors have decided to withdraw this submission.",
    ],
)
def test_an_abstract_that_says_so_counts(abstract: str) -> None:
    assert possibly_withdrawn(record(abstract=abstract))


@pytest.mark.parametrize(
    "abstract",
    [
        "We measure the amounts of water withdrawn and consumed by power plants.",
        "Facts are inserted into the database or retracted from it.",
        "A key cannot be withdrawn without opening the box.",
        "Retracted articles continue to be cited. We count them.",
        "We study the retraction of a neighbourhood onto the fibre.",
    ],
)
def test_an_abstract_in_which_something_else_is_withdrawn_is_innocent(abstract: str) -> None:
    assert not possibly_withdrawn(record(abstract=abstract))


def test_a_title_that_says_so_counts() -> None:
    assert possibly_withdrawn(record(title="Withdrawn: On sums"))
    assert possibly_withdrawn(record(title="Road colouring on k states (withdrawn)"))
    assert not possibly_withdrawn(record(title="Why retracted papers live on"))


@given(st.text(alphabet="withdrawnpe .,():v1\n", max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_has_an_answer(text: str) -> None:
    possibly_withdrawn(record(comment=text, abstract=text, title=text))


@pytest.mark.parametrize(
    "part", ["withdrawn. ", "this paper is withdrawn from ", "previous this is ", "(the authors retract "]
)
def test_a_text_made_to_be_slow_is_not(part: str) -> None:
    text = part * 20_000
    start = time.perf_counter()
    possibly_withdrawn(record(comment=text, abstract=text))
    assert time.perf_counter() - start < 20


@pytest.mark.shared_data
def test_of_90806_real_abstracts_about_eighty_say_so(shared_data: Path) -> None:
    # Read one by one: 78 say so of the paper itself; of the others that hold the stem none does.
    found = []
    with gzip.open(shared_data / "arxiv_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if "ithdr" not in line and "etract" not in line and "ITHDR" not in line:
                continue
            read = json.loads(line)
            if possibly_withdrawn(record(title=read["title"], abstract=" ".join(read["abstract"].split()))):
                found.append(read["id"])
    assert len(found) == 78
    assert {"0812.4798", "1911.03464", "0909.5521", "cs/0406033"} <= set(found)
    assert not {"1908.10469", "1002.1718", "cs/0207085", "1301.0313"} & set(found)
