"""Chromium: where it is, and the arguments that keep it quiet and off the network."""

import os
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from bonmun.errors import MissingBrowser, MissingExtra

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

_NO_NETWORK = (
    # Playwright's interception does not see everything: preconnections, WebRTC, web sockets of workers. No name and no
    # address resolves, the proxy's neither, so that nothing connects.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://proxy.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
)
_QUIET = (
    "--block-new-web-contents",  # no popups
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-notifications",
    "--mute-audio",
    "--no-first-run",
)


def chromium(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the path of an installed Chromium; `None` to let Playwright use its own."""
    given = environment.get("BONMUN_CHROMIUM")
    if given:
        if not os.access(given, os.X_OK) or Path(given).is_dir():
            raise MissingBrowser(f"BONMUN_CHROMIUM={given} is not a program")
        return given
    return next((path for path in (shutil.which(name, path=environment.get("PATH")) for name in _NAMES) if path), None)


def arguments(megabytes: int) -> list[str]:
    """Return the command line of a browser whose scripts may use so much memory."""
    return [*_QUIET, *_NO_NETWORK, f"--js-flags=--max-old-space-size={megabytes}"]


def sandboxed() -> bool:
    """Whether Chromium's sandbox can be used: it refuses root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def check_playwright() -> None:
    """Raise `MissingExtra` if Playwright is not installed."""
    if find_spec("playwright") is None:
        raise MissingExtra("rendered pages", "visual")


def check_browser() -> None:
    """Raise `MissingExtra` or `MissingBrowser` if pages can certainly not be drawn, without starting anything."""
    check_playwright()
    chromium()
