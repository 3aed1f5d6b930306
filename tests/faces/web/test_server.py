"""The life of the server of the review page."""

import threading

from starlette.responses import PlainTextResponse

from citeplug.faces.web.server import serve
from tests.faces.web.browser import PATIENCE


def test_a_server_that_is_busy_is_not_idle() -> None:
    looks: list[bool] = []

    def busy() -> bool:
        looks.append(len(looks) < 4)
        return looks[-1]

    served = threading.Thread(
        target=lambda: serve(lambda known: PlainTextResponse("x"), idle=0, ready=lambda address: None, busy=busy)
    )
    served.start()
    served.join(PATIENCE)
    assert not served.is_alive() and looks == [True] * 4 + [False]
