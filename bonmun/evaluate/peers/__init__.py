"""Other people's extractors: one small adapter each, loaded in a worker process only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """What is to be known of a peer before it is started."""

    distribution: str
    """The package it is installed as."""
    form: str = "text"
    """What it returns: `text` or `html`."""
    runtime: str = "here"
    """Who runs it: this interpreter (`here`), CPython 3.12 (`python3.12`) or Node (`node`)."""
    adapter: str = ""
    """The adapter's file; the name with underscores where it is not said."""


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
