"""What the loopback servers count."""

import json
import threading
import urllib.request
from collections.abc import Callable

import pytest

from tests.harness.anthropic_server import AnthropicServer
from tests.harness.arxiv_server import ArxivServer
from tests.harness.model_server import Answer


def _ask_arxiv(server: ArxivServer) -> None:
    urllib.request.urlopen(f"{server.url}?id_list=1706.03762", timeout=20).read()


def _ask_model(server: AnthropicServer, *, stream: bool = False) -> None:
    body = {"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}], "stream": stream}
    asked = urllib.request.Request(f"{server.root}/v1/messages", json.dumps(body).encode(), {"x-api-key": "k"})
    urllib.request.urlopen(asked, timeout=20).read()


def _stream_from_model(server: AnthropicServer) -> None:
    _ask_model(server, stream=True)


@pytest.mark.parametrize(
    ("made", "ask"),
    [(ArxivServer, _ask_arxiv), (AnthropicServer, _ask_model), (AnthropicServer, _stream_from_model)],
)
def test_who_has_the_whole_reply_may_ask_again_and_is_one_at_a_time(
    made: Callable[[], ArxivServer | AnthropicServer], ask: Callable[[ArxivServer | AnthropicServer], None]
) -> None:
    with made().serve() as server:
        for _ in range(40):
            ask(server)
    assert server.most_at_once == 1


def test_requests_that_overlap_are_counted() -> None:
    with AnthropicServer(Answer("Well.", pause=0.1)).serve() as server:
        threads = [threading.Thread(target=_stream_from_model, args=(server,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert server.most_at_once == 3
