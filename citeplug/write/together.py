"""Many questions to a model at once, whose failures are answers too."""

from collections.abc import Sequence

from citeplug.errors import Cancelled, CiteplugError
from citeplug.ports import LanguageModel
from citeplug.records.dialogue import Reply, Request


def ask_all(model: LanguageModel, requests: Sequence[Request]) -> list[Reply | CiteplugError]:
    """The replies in order, an error in the place of each that failed. Raises Cancelled, nothing else."""
    if not requests:
        return []
    try:
        replies = model.complete_all(requests)
    except Cancelled:
        raise
    except CiteplugError as error:
        return [error] * len(requests)
    for reply in replies:
        if isinstance(reply, Cancelled):
            raise reply
    return replies
