"""Plug-ins: classes and functions of other packages, found by entry points or named as `module:Class`.

| group | what it is |
|---|---|
| `bonmun.wrappers` | a subclass of `bonmun.Wrapper` |
| `bonmun.methods` | a class with `name` and `judge(page)`, made without arguments |
| `bonmun.formats` | a function `write(document) -> str` |
| `bonmun.sources` | a class with `name` and `items(network)`, made from the text behind `name:` |
| `bonmun.stores` | a function or class that opens a store by its URL |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from bonmun.errors import PluginError, UnknownName
from bonmun.middleware.wrapper import Wrapper
from bonmun.registry import FORMATS, METHODS

_SOURCES = {
    "urls": "bonmun.middleware.sources:Urls",
    "files": "bonmun.middleware.sources:Files",
    "feed": "bonmun.middleware.sources:Feed",
    "sitemap": "bonmun.middleware.sources:Sitemap",
    "site": "bonmun.middleware.sources:Crawl",
    "warc": "bonmun.middleware.sources:Warc",
    "watch": "bonmun.middleware.sources:WatchedFolder",
}
_STORES = dict.fromkeys(("sqlite", "postgresql"), "bonmun.store:open_store")
BUILT_IN: Final[Mapping[str, Mapping[str, str]]] = {
    "wrappers": {},
    "methods": METHODS,
    "formats": FORMATS,
    "sources": _SOURCES,
    "stores": _STORES,
}
GROUPS: Final = tuple(BUILT_IN)
_BUILT_IN = "built in"
_KINDS = {
    "wrappers": "wrapper",
    "methods": "method",
    "formats": "format",
    "sources": "source",
    "stores": "store",
}


def _is_wrapper(loaded: object) -> bool:
    return isinstance(loaded, type) and issubclass(loaded, Wrapper)


_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "wrappers": (_is_wrapper, "a subclass of bonmun.Wrapper"),
    "methods": (lambda loaded: callable(getattr(loaded, "judge", None)), "a class with a method judge(page)"),
    "formats": (callable, "a function of a document"),
    "sources": (lambda loaded: callable(getattr(loaded, "items", None)), "a class with a method items(network)"),
    "stores": (callable, "a function of a URL"),
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plug-in that was found, loaded or not.

    >>> Plugin("methods", "xpath", "bonmun.methods.xpath_groups:XPathGroups").load().name
    'xpath'
    """

    group: str
    name: str
    target: str
    """The module and the name inside it."""
    origin: str = _BUILT_IN
    """The distribution and its version."""

    @property
    def kind(self) -> str:
        """The group in the singular."""
        return _KINDS[self.group]

    @property
    def is_built_in(self) -> bool:
        """Whether it is a part of Bonmun."""
        return self.origin == _BUILT_IN

    def load(self) -> Any:
        """Import it; raise `PluginError` if that fails or it is something else than its group holds."""
        module, _, path = self.target.partition(":")
        try:
            loaded: Any = import_module(module)
            for attribute in path.split("."):
                loaded = getattr(loaded, attribute)
        except Exception as error:  # Whatever the code of another package raises when it is imported.
            raise PluginError(self.name, self.group, f"{type(error).__name__}: {error}") from error
        fits, expected = _EXPECTED[self.group]
        if not fits(loaded):
            raise PluginError(self.name, self.group, f"{self.target} is not {expected}")
        return loaded


@dataclass(frozen=True, slots=True)
class Loaded:
    """The plug-ins of a group, and those that could not be loaded."""

    plugins: dict[str, Any] = field(default_factory=dict)
    failures: list[PluginError] = field(default_factory=list)


def found(group: str | None = None) -> tuple[Plugin, ...]:
    """Return all plug-ins, or those of one group, without loading them; built-in ones first.

    >>> [plugin.name for plugin in found("methods") if plugin.origin == "built in"][:2]
    ['auto', 'density']
    """
    groups = GROUPS if group is None else (_checked(group),)
    return tuple(
        plugin
        for name in groups
        for plugin in (
            *(Plugin(name, key, target) for key, target in sorted(BUILT_IN[name].items())),
            *_third_party(name),
        )
    )


def load(name: str, group: str) -> Any:
    """Return a plug-in by its name, or what `module:Class` names.

    >>> load("xpath", "methods")().name
    'xpath'
    >>> load("bonmun.methods.density:Density", "bonmun.methods")().name
    'density'
    """
    group = _checked(group)
    if ":" in name:
        return Plugin(group, name, name, "").load()
    plugins = {plugin.name: plugin for plugin in reversed(found(group))}
    if name not in plugins:
        raise UnknownName(_KINDS[group], name, plugins)
    return plugins[name].load()


def load_all(group: str) -> Loaded:
    """Load the plug-ins of other packages; one that fails is reported and skipped.

    >>> load_all("wrappers").failures
    []
    """
    loaded = Loaded()
    for plugin in _third_party(_checked(group)):
        try:
            loaded.plugins[plugin.name] = plugin.load()
        except PluginError as error:
            loaded.failures.append(error)
    return loaded


def _checked(group: str) -> str:
    name = group.removeprefix("bonmun.")
    if name not in GROUPS:
        raise UnknownName("group of plug-ins", group, GROUPS)
    return name


def _third_party(group: str) -> list[Plugin]:
    from importlib.metadata import entry_points  # imported late: takes 26 ms

    plugins = []
    for entry in entry_points(group=f"bonmun.{group}"):
        origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""
        plugins.append(Plugin(group, entry.name, entry.value, origin))
    return sorted(plugins, key=lambda plugin: plugin.name)
