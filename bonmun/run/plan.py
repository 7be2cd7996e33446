"""From a configuration to what it names: sources, wrappers, settings. A mistake is named by its line."""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from inspect import signature
from os.path import normpath
from pathlib import Path
from typing import Any, get_type_hints

from bonmun import registry
from bonmun.errors import BonmunError, ConfigError, PluginError
from bonmun.middleware import plugins
from bonmun.middleware.exchange import Source
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.settings import ContainerSettings
from bonmun.middleware.sources import Crawl, CrawlLimits, Files, WatchedFolder, source_of
from bonmun.middleware.wrapper import Wrapper
from bonmun.rendering.chromium import check_browser
from bonmun.run.config import LogConfig, RunConfig, SourceConfig, WrapperConfig, read_config
from bonmun.run.reading import Reading
from bonmun.run.schedule import Rhythm
from bonmun.run.toml_lines import KeyPath
from bonmun.store.address import MEMORY, parse

_OF_PATHS = ("urls", "files", "warc", "watch")
"""The one-line forms that name a file or folder."""
_FORM = re.compile(r"([a-z][a-z0-9_-]+):(.*)", re.S)


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """A source, and when it is asked."""

    name: str
    source: Source
    rhythm: Rhythm
    revisit: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a run needs, checked."""

    title: str
    """The name of the configuration."""
    config: RunConfig
    sources: tuple[PlannedSource, ...]
    wrappers: tuple[Callable[[], Wrapper], ...]
    store: str
    network: NetworkSettings
    container: ContainerSettings
    log: LogConfig


def plan(path: str | Path, *, once: bool = False) -> Plan:
    """Read a configuration and find what it names; `once` asks every source once, whatever its schedule.

    Relative paths are relative to the folder of the file, and modules are looked for there too.
    """
    return _Planner(Path(path), once).plan()


class _Planner:
    def __init__(self, path: Path, once: bool) -> None:
        self._reading: Reading[RunConfig] = read_config(path)
        self._config, self._once = self._reading.value, once
        self._title, self._folder = path.name, path.parent
        _find_modules_in(self._folder)

    def plan(self) -> Plan:
        config = self._config
        return Plan(
            self._title,
            config,
            tuple(self._source(index, source) for index, source in enumerate(config.sources)),
            tuple(self._wrapper(index, wrapper) for index, wrapper in enumerate(config.wrappers)),
            self._store(),
            self._network(),
            self._container(),
            replace(config.log, file=self._folder / config.log.file if config.log.file else None),
        )

    def _source(self, index: int, config: SourceConfig) -> PlannedSource:
        try:
            source = self._made_by_plugin(config) if config.use else self._of_one_line(index, config)
        except ConfigError:
            raise
        except (BonmunError, TypeError) as error:
            key = "options" if isinstance(error, TypeError) else "use" if config.use else "source"
            raise self._reading.error(("sources", index, key), str(error)) from error
        every = config.every if config.every is not None else self._config.schedule.every
        jitter = config.jitter if config.jitter is not None else self._config.schedule.jitter
        rhythm = Rhythm() if self._once else Rhythm(every, jitter or 0.0)
        return PlannedSource(config.label, source, rhythm, config.revisit)

    def _made_by_plugin(self, config: SourceConfig) -> Source:
        source: Source = plugins.load(config.use, "bonmun.sources")(**config.options)
        return source

    def _of_one_line(self, index: int, config: SourceConfig) -> Source:
        text = config.source.strip()
        form = _FORM.fullmatch(text)
        if form is None:
            text = self._beside(text)
        elif form[1] in _OF_PATHS:
            text = f"{form[1]}:{self._beside(form[2].strip())}"
        source = source_of(text, plugins.load_all("bonmun.sources").plugins)
        if self._once and isinstance(source, WatchedFolder):
            source = Files(source.path)
        for key, value in config.options.items():
            self._set(source, key, value, ("sources", index, "options", key))
        return source

    def _set(self, source: Source, key: str, value: Any, path: KeyPath) -> None:
        """Set a field of a source of ours; the limits of a crawl stand beside its own fields."""
        own = _fields(source)
        limits = {one.name: float if one.name == "seconds" else int for one in fields(CrawlLimits)}
        known = {**own, **limits} if isinstance(source, Crawl) else own
        if key not in known:
            shown = ", ".join(sorted(known)) or "none"
            raise self._reading.error(path, f"unknown option {key!r}; known are: {shown}")
        converted = self._reading.converted(known[key], value, path)
        if isinstance(source, Crawl) and key in limits:
            source.limits = replace(source.limits, **{key: converted})
        else:
            setattr(source, key, converted)

    def _beside(self, path: str | Path) -> str:
        """Return a path that is relative to the configuration's folder."""
        return normpath(self._folder / path)

    def _wrapper(self, index: int, config: WrapperConfig) -> Callable[[], Wrapper]:
        try:
            made: Callable[..., Wrapper] = plugins.load(config.wrapper, "bonmun.wrappers")
        except BonmunError as error:
            raise self._reading.error(("wrappers", index, "wrapper"), str(error)) from error
        try:
            signature(made).bind(**config.options)
        except TypeError as error:
            raise self._reading.error(("wrappers", index, "options"), f"{config.wrapper}: {error}") from error
        return partial(_made, config, made)

    def _store(self) -> str:
        try:
            address = parse(self._config.store)
        except BonmunError as error:
            raise self._reading.error(("store",), str(error)) from error
        if address.path is None:
            return self._config.store
        return self._beside(address.path)

    def _network(self) -> NetworkSettings:
        network = self._config.network
        if network.cache is None or str(network.cache) == MEMORY:
            return network
        return replace(network, cache=self._beside(network.cache))

    def _container(self) -> ContainerSettings:
        config = self._config.extract
        try:
            registry.method(config.method)
        except BonmunError as error:
            raise self._reading.error(("extract", "method"), str(error)) from error
        if self._config.render is not None or registry.needs_layout(config.method):
            check_browser()
        return ContainerSettings(
            method=config.method,
            render=self._config.render,
            limits=self._config.limits,
            prefer=config.prefer,
            abstain_below=config.abstain_below,
            jobs=config.workers,
        )


def _made(config: WrapperConfig, wrapper: Callable[..., Wrapper]) -> Wrapper:
    try:
        return wrapper(**config.options)
    except Exception as error:  # whatever the code of another package raises
        raise PluginError(config.wrapper, "wrappers", f"{type(error).__name__}: {error}") from error


def _fields(value: object) -> dict[str, Any]:
    """Return the types of the fields that options can set: all but the address, which is the first, and the name."""
    if not is_dataclass(value):
        return {}
    hints, own = get_type_hints(type(value)), fields(value)[1:]
    return {one.name: hints[one.name] for one in own if one.init and one.name not in ("name", "limits")}


def _find_modules_in(folder: Path) -> None:
    """Let `module:Class` name a file beside the configuration."""
    path = str(folder.resolve())
    if path not in sys.path:
        sys.path.append(path)
