"""Work for the process of a job."""

import os
import signal
import time
from pathlib import Path

from citeplug.errors import UsageError
from citeplug.jobs.worker import Channel


def tell(channel: Channel, words: str) -> str:
    print("of a library")
    channel.report("rank", 3, 20)
    channel.text(words)
    channel.log("asking")
    return words.upper()


def ask(channel: Channel, question: str) -> float:
    return channel.consent(question)


def fail(channel: Channel, how: str) -> None:
    if how == "usage":
        raise UsageError("there is no way", "try another")
    if how == "os":
        Path("/nowhere/at all").read_text("utf-8")
    if how == "defect":
        raise ZeroDivisionError
    os._exit(3)


def interrupt(channel: Channel) -> str:
    signal.raise_signal(signal.SIGINT)
    return "goes on"


def write(channel: Channel, file: Path, commit: bool) -> str:
    if commit:
        channel.commit()
    channel.report("print", 0, None)
    for number in range(20 if commit else 1200):  # a minute, unless it is killed
        file.write_text(str(number), "utf-8")
        time.sleep(0.05)
    return "written"
