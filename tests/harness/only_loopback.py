"""`python -m tests.harness.only_loopback ARGS...`: the command, stopped dead if it reaches for another machine."""

import ipaddress
import os
import socket
import sys
from typing import Any

LEFT = 97  # exit status


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # else a file of this machine
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host is not None and not stays(host):
        os.write(2, f"\nreached for {host}\n".encode())
        os._exit(LEFT)


def stays(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        pass
    try:
        return socket.inet_aton(host)[0] == 127  # 127.1 is this machine, too
    except OSError:
        return False


if __name__ == "__main__":
    sys.addaudithook(guard)
    from citeplug.__main__ import main

    main()
