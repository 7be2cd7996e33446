"""Third-party extractors: one small adapter each, loaded in worker processes only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer's package, output format, runtime and adapter."""

    distribution: str
    """The name of its package."""
    form: str = "text"
    """The format of its output: `text` or `html`."""
    runtime: str = "here"
    """Its runtime: this interpreter (`here`), CPython 3.12 (`python3.12`) or Node (`node`)."""
    adapter: str = ""
    """The adapter's file; by default the peer's name with underscores."""


PEERS = {
    "trafilatura": Peer("trafilatura"),
    "readability-lxml": Peer("readability-lxml", form="html"),
    "resiliparse": Peer("resiliparse"),
    "turbohtml": Peer("turbohtml"),
    "newspaper4k": Peer("newspaper4k"),
    "goose3": Peer("goose3"),
    "justext": Peer("jusText"),
    "boilerpy3": Peer("boilerpy3"),
    "rs-trafilatura": Peer("rs-trafilatura", runtime="python3.12"),
    "readability.js": Peer("@mozilla/readability", form="html", runtime="node", adapter="readability.mjs"),
}
