"""Pages with metadata, for the tests of their readers."""

import json

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.metadata import read_metadata
from bonmun.read.parse import parse
from bonmun.read.segment import segment


def read(html: str, url: str | None = None) -> Metadata:
    nodes = parse(html)
    return read_metadata(Page(nodes, segment(nodes), url))


def ld(**fields: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


def meta(**contents: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ":")}" content="{text}">' for name, text in contents.items())
