"""Papers and drafts to write about, in abstracts made up for the purpose."""

from datetime import date
from pathlib import Path

from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper

DAY = date(2020, 1, 1)


def paper(abstract: str, title: str = "Log parsing", authors: int = 3, arxiv_id: str = "2001.00001") -> Paper:
    """A paper with that many authors; its abstract must have its white space collapsed."""
    names = ("Ada Adams", "Bo Brown", "Cy Clark", "Di Dean")[:authors]
    return Paper(ArxivId(arxiv_id), title, abstract, names, DAY, DAY)


def draft(abstract: str = "", title: str = "Reading logs", packages: tuple[str, ...] = ()) -> Draft:
    root = Path("main.tex").resolve()
    return Draft(root, (root,), title, abstract, packages=packages)


PARSER = paper(
    "Logs are long. In this paper, we propose a novel parser that reads system logs without templates."
    " We prove that the number of errors is bounded. Experiments show that our parser is fast.",
    "A parser for system logs",
)
SURVEY = paper(
    "This paper surveys methods for anomaly detection in system logs. It compares nine methods on three datasets.",
    "Anomaly detection in logs: a survey",
    1,
    "2001.00002",
)
EMBEDDING = paper(
    "We introduce LogVec, an embedding of log lines for anomaly detection. LogVec needs no labels.",
    "LogVec: embedding log lines",
    2,
    "2001.00003",
)
DRAFT = draft(
    "Servers write logs all day. We propose a detector that finds faults in system logs while they are written."
    " We show that the detector needs no labels.",
    "Finding faults in system logs",
)
