from citeplug.errors import CiteplugError, ModelUnavailable
from citeplug.llm.counted_model import Metered
from citeplug.records.dialogue import Reply, Request
from tests.scripted_models import ScriptedModel

REQUEST = Request("prose", "s", "p")


class Priced(ScriptedModel):
    def _answer(self, request: Request) -> Reply | CiteplugError:
        number = len(self.requests)
        self.requests.append(request)
        if number == 1:
            return ModelUnavailable("away")
        return Reply("a", tokens_in=10, tokens_out=3, cost=0.5, cached=number == 2)


def test_calls_tokens_and_cost_are_counted_and_the_cache_is_free() -> None:
    metered = Metered(Priced(lambda seen, _: ""))
    metered.complete(REQUEST)
    replies = metered.complete_all([REQUEST] * 3)
    assert isinstance(replies[0], ModelUnavailable)
    assert (metered.requests_made, metered.tokens_in, metered.tokens_out) == (2, 20, 6)
    assert metered.cost == 1.0
    assert metered.name == "scripted:test"
