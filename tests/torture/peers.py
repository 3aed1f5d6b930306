"""What speaks with citeplug: a client of the review page, a language model, arXiv. Each may send anything, and stop."""

import random
import socket
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from citeplug.errors import CiteplugError
from citeplug.settings.environment import Settings
from citeplug.sources.http import Patience
from citeplug.sources.oai import OaiSource
from tests.harness import arxiv_server, model_server
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.arxiv_server import FastClock, paper
from tests.harness.oai_server import OaiServer
from tests.harness.openai_server import OpenAIServer
from tests.llm.models import ask, claude, local
from tests.torture.case import Case, Loss
from tests.torture.hostile import mangled
from tests.torture.judge import restore, state_of
from tests.torture.merging import EXAMPLE
from tests.web.browser import PATIENCE, reviewed


class Peers:
    """A review page of a project in `folder`. To be closed."""

    def __init__(self, folder: Path) -> None:
        self.paper, self.home = folder / "paper", folder / "home"
        restore(self.paper, state_of(EXAMPLE))
        with ExitStack() as stack:
            self.browser = stack.enter_context(reviewed(self.paper / "main.tex"))
            self.browser.start()
            self._open = stack.pop_all()
        self._kinds = (self._client, self._model, self._arxiv)

    def close(self) -> None:
        self._open.close()

    def play(self, case: Case) -> None:
        """One peer; it is answered or given up, and what was there before is there still."""
        done: list[str | Exception] = []
        kind = self._kinds[case.number % len(self._kinds)]

        def work() -> None:
            try:
                done.append(kind(case.chance))
            except Exception as error:
                done.append(error)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(PATIENCE)
        if not done:
            raise Loss(f"{kind.__name__}: it is still waited for after {PATIENCE} s")
        if isinstance(done[0], Exception):
            raise done[0]
        case.counts[done[0]] += 1

    def _client(self, chance: random.Random) -> str:
        """Bytes that are like a request, from one who hangs up; others are served as before."""
        host = self.browser.host
        before = state_of(self.paper)
        lines = ["POST /x HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", f"Cookie: {self.browser.cookie}"]
        lines += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 20", "", "token=0123456789&a=b"]
        name, _, port = host.partition(":")
        with socket.create_connection((name, int(port)), timeout=PATIENCE) as raw, suppress(ConnectionError):
            raw.sendall(mangled("\r\n".join(lines).encode(), chance))
            raw.shutdown(socket.SHUT_WR)
            while raw.recv(65_536):
                pass
        status = self.browser.ask("GET", "/").status
        if status != 200 or state_of(self.paper) != before:
            raise Loss(f"page: {status} after a hostile client, or a file changed")
        return "client of the page"

    def _model(self, chance: random.Random) -> str:
        """A model that says what it should not, or nothing, or not all of it."""
        fault = model_server.Fault
        junk = mangled(b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}]}\n\n' * 20, chance)
        stream = (("Content-Type", "text/event-stream"),)
        faults = [
            fault.http(chance.choice((400, 401, 429, 500, 529))),
            fault.cut_off(chance.randrange(6)),
            fault.page(),
        ]
        faults += [fault.cut_off(2, quiet=True), fault(body=junk, headers=stream), fault.error_event("x")]
        server = chance.choice((AnthropicServer, OpenAIServer))(mangled(b"All is well. " * 9, chance).decode("latin-1"))
        with server.serve(), (claude if isinstance(server, AnthropicServer) else local)(server) as model:
            for each in chance.choices(faults, k=3):
                server.fail(each)
            try:
                model.complete(ask())
            except CiteplugError:
                return "model, given up"
        return "model, answered"

    def _arxiv(self, chance: random.Random) -> str:
        """arXiv's OAI service, whose replies are mangled, cut or too slow."""
        server, fault = OaiServer(page=3), arxiv_server.Fault
        server.touch(server.today, *(paper(f"2611.{number:05d}", "On Tea") for number in range(1, 8)))
        body = mangled(server.answer(_list(server))[1], chance)
        faults = [fault(body=body), fault.http(503), fault.cut_off(chance.randrange(500)), fault.page()]
        faults += [fault.dripping(0.01), fault.cut_off(300, length=False), fault.slow(2)]
        patience = Patience(tries=3, silence=1.0, transfer=1.0)
        with server.serve():
            for each in chance.choices(faults, k=2):
                server.fail(each)
            chosen = Settings(self.home, oai_url=server.url, arxiv_delay=0.0)
            try:
                list(OaiSource(chosen, patience=patience, clock=FastClock()).pages(server.today, None))
            except CiteplugError:
                return "arXiv, given up"
        return "arXiv, answered"


def _list(server: OaiServer) -> arxiv_server.Asked:
    day = server.today.isoformat()
    asked = {"verb": "ListRecords", "metadataPrefix": "arXiv", "from": day, "until": day}
    return arxiv_server.Asked("GET", "/", asked, {}, 0.0)
