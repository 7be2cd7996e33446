"""The sockets that a service listens on, and whether other machines can reach them."""

import errno
import ipaddress
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

from bonmun.errors import AddressUnavailable

_BACKLOG: Final = 1024
_SOCKET_MODE: Final = 0o660
"""Who may connect to a Unix socket: its owner and group."""


def addresses(host: str) -> tuple[str, ...]:
    """Return the addresses of a host, as they are listened on; raise `AddressUnavailable`.

    >>> addresses("127.0.0.1"), addresses("0.0.0.0")
    (('127.0.0.1',), ('0.0.0.0',))
    """
    name = host.removeprefix("[").removesuffix("]")
    try:
        found = socket.getaddrinfo(name or ".", 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise AddressUnavailable(f"{host or 'an empty host'} is no address of this machine") from error
    return tuple(dict.fromkeys(str(info[4][0]) for info in found))


def is_exposed(host: str) -> bool:
    """Whether other machines may reach a service on this host: unless all its addresses are of the loopback interface.

    >>> [is_exposed(host) for host in ("127.0.0.1", "::1", "0.0.0.0", "::", "192.0.2.7")]
    [False, False, True, True, True]
    """
    return not all(_is_loopback(address) for address in addresses(host))


def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on all addresses of a host; raise `AddressUnavailable`."""
    sockets: list[socket.socket] = []
    failure: OSError | None = None
    for address in addresses(host):
        try:
            sockets.append(_listening(address, port))
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):  # a host without IPv6 has a localhost too
                _close(sockets)
                raise AddressUnavailable(_reason(host, port, error)) from error
            failure = error
        else:
            port = int(sockets[0].getsockname()[1])  # one that the system chose for the first
    if failure is not None and not sockets:
        raise AddressUnavailable(_reason(host, port, failure)) from failure
    return sockets


def listen_unix(path: Path) -> socket.socket:
    """Return a socket that listens at a path, for its owner and group; raise `AddressUnavailable`."""
    _remove_stale(path)
    unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o777 & ~_SOCKET_MODE)
    try:
        unix.bind(str(path))
        unix.listen(_BACKLOG)
    except OSError as error:
        unix.close()
        raise AddressUnavailable(f"cannot listen at {path}: {error.strerror or error}") from error
    finally:
        os.umask(before)
    return unix


def url_of(listening: socket.socket) -> str:
    """Return the address to open in a browser; of a Unix socket its path."""
    name = listening.getsockname()
    if isinstance(name, str):
        return f"unix:{name}"
    host, port = str(name[0]), int(name[1])
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _listening(address: str, port: int) -> socket.socket:
    is_v6 = ":" in address
    created = socket.socket(socket.AF_INET6 if is_v6 else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
            created.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_v6:  # `::` is every address, IPv4 too; no other address is
            created.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, address != "::")
        created.bind((address, port))
        created.listen(_BACKLOG)
    except BaseException:
        created.close()
        raise
    return created


def _is_loopback(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback


def _reason(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use: another program listens there; choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} of {host} needs more rights; choose one above 1023 with --port"
    return f"{host} is no address of this machine"


def _remove_stale(path: Path) -> None:
    """Remove a socket that nobody listens at, as a killed process leaves it."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(5)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            with suppress(FileNotFoundError):
                path.unlink()
            return
        except OSError as error:
            raise AddressUnavailable(f"cannot listen at {path}: {error.strerror or error}") from error
    raise AddressUnavailable(f"{path} is in use: another program listens there")


def _close(sockets: list[socket.socket]) -> None:
    for one in sockets:
        one.close()
