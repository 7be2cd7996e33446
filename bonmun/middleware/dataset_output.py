"""A data set as JSON and XML, by the published schemas `dataset.schema.json` and `dataset.xsd` beside this file.

Both have the same content: the facts of the page, the intermediate results of the XPath-group paper, the verdicts of
each method as numbers of kept blocks, and the document in its own published format.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from bonmun.middleware.dataset import NewsDataSet
from bonmun.middleware.exchange import NetworkFacts
from bonmun.model.valid_text import valid_text, without_surrogates
from bonmun.model.verdict import Verdicts

NAMESPACE: Final = "urn:bonmun:dataset:1"

_DIGITS = 4
_MICROSECONDS = 6
_encode = json.JSONEncoder(ensure_ascii=False).encode


def to_json(dataset: NewsDataSet) -> str:
    """Return the data set as JSON on one line."""
    analysis = dataset.analysis
    head = {
        "format": "bonmun/dataset",
        "version": 1,
        "url": dataset.url,
        "source": dataset.source,
        "html_size": dataset.html_size,
        "nodes": dataset.node_count,
        "blocks": dataset.block_count,
        "timings": {stage: round(seconds, _MICROSECONDS) for stage, seconds in dataset.timings.items()},
        "network": _network(dataset.network) if dataset.network else None,
        "text_paths": [{"path": node.path, "length": node.length} for node in analysis.nodes],
        "groups": [
            {"path": group.path, "first": group.first, "count": group.count, "length": group.length}
            for group in analysis.groups
        ],
        "chosen": {"group": analysis.chosen, "path": dataset.chosen_path} if analysis.chosen >= 0 else None,
        "verdicts": {name: _verdicts(verdicts) for name, verdicts in dataset.verdicts.items()},
        "method_failures": {name: f"{why.kind}: {why.message}" for name, why in dataset.method_failures.items()},
    }
    return without_surrogates(f'{_encode(head)[:-1]}, "document": {dataset.document.to_json()}}}')


def to_xml(dataset: NewsDataSet) -> str:
    """Return the data set as XML."""
    analysis, chosen = dataset.analysis, dataset.chosen_path
    facts = {
        "url": dataset.url,
        "source": dataset.source,
        "html-size": dataset.html_size,
        "nodes": dataset.node_count,
        "blocks": dataset.block_count,
    }
    paths = (_element("text", {"path": node.path, "length": node.length}) for node in analysis.nodes)
    groups = (
        _element("group", {"path": one.path, "first": one.first, "count": one.count, "length": one.length})
        for one in analysis.groups
    )
    parts = chain(
        [_holder("timings", {}, (_timing(*timing) for timing in dataset.timings.items()))],
        [_network_element(dataset.network)] if dataset.network else [],
        [_holder("text-paths", {}, paths), _holder("groups", {}, groups)],
        [_element("chosen", {"group": analysis.chosen, "path": chosen})] if chosen is not None else [],
        (_verdicts_element(name, verdicts) for name, verdicts in dataset.verdicts.items()),
        (
            _element("method-failure", {"method": name}, f"{why.kind}: {why.message}")
            for name, why in dataset.method_failures.items()
        ),
        [dataset.document.to_xml().removeprefix('<?xml version="1.0"?>\n')],
    )
    return f'<?xml version="1.0"?>\n{_holder("dataset", {"xmlns": NAMESPACE, "version": 1, **facts}, parts)}'


def _network(facts: NetworkFacts) -> dict[str, Any]:
    return {
        "requested_url": facts.requested_url,
        "status": facts.status,
        "http_version": facts.http_version,
        "redirects": list(facts.redirects),
        "attempts": facts.attempts,
        "from_cache": facts.from_cache,
        "received_bytes": facts.received_bytes,
        "seconds": round(facts.seconds, _MICROSECONDS),
        "fetched_at": facts.fetched_at.isoformat(),
    }


def _network_element(facts: NetworkFacts) -> str:
    values = _network(facts)
    redirects = values.pop("redirects")
    values["from_cache"] = str(facts.from_cache).lower()
    attributes = {name.replace("_", "-"): value for name, value in values.items()}
    return _holder("network", attributes, (_element("redirect", {}, url) for url in redirects))


def _verdicts(verdicts: Verdicts) -> dict[str, Any]:
    return {
        "confidence": round(verdicts.confidence, _DIGITS),
        "abstained": verdicts.abstained,
        "kept": _kept(verdicts),
        "notes": [str(note) for note in verdicts.notes],
    }


def _verdicts_element(name: str, verdicts: Verdicts) -> str:
    attributes = {
        "method": name,
        "confidence": round(verdicts.confidence, _DIGITS),
        "abstained": "true" if verdicts.abstained else None,
        "kept": " ".join(map(str, _kept(verdicts))),
    }
    return _holder("verdicts", attributes, (_element("note", {}, str(note)) for note in verdicts.notes))


def _kept(verdicts: Verdicts) -> list[int]:
    return [block for block, keep in enumerate(verdicts.keep) if keep]


def _timing(stage: str, seconds: float) -> str:
    return _element("timing", {"stage": stage, "seconds": f"{seconds:.{_MICROSECONDS}f}"})


def _holder(name: str, attributes: Mapping[str, object], parts: Iterable[str]) -> str:
    """An element of elements, each on its own line."""
    return "\n".join((f"{_start(name, attributes)}>", *parts, f"</{name}>"))


def _element(name: str, attributes: Mapping[str, object], text: str = "") -> str:
    start = _start(name, attributes)
    return f"{start}>{escape(valid_text(text))}</{name}>" if text else f"{start}/>"


def _start(name: str, attributes: Mapping[str, object]) -> str:
    given = (f" {key}={quoteattr(valid_text(str(value)))}" for key, value in attributes.items() if value is not None)
    return f"<{name}{''.join(given)}"
