"""Several wrappers as one: each hears everything, and a failing one does not disturb the others."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from bonmun.errors import PluginError
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.wrapper import Wrapper

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet


class Wrappers(Wrapper):
    """Passes every call on to an observer, then to several wrappers, in order.

    An exception of one is reported to the observer and to its own `on_error`; the page goes on to the next. Only `init`
    is different: a wrapper that cannot start ends the run, after `dispose` of those that were started.
    """

    def __init__(self, observer: Wrapper, wrappers: Sequence[Wrapper]) -> None:
        self._observer = observer
        self._wrappers = (observer, *wrappers)
        self._started: list[Wrapper] = []

    @property
    def wrapper_name(self) -> str:
        """The names of all."""
        return ", ".join(wrapper.wrapper_name for wrapper in self._wrappers[1:])

    def init(self) -> None:
        """Start all; the first that fails ends it."""
        for wrapper in self._wrappers:
            self._started.append(wrapper)  # also one that fails half-way is disposed
            try:
                wrapper.init()
            except Exception as error:
                raise PluginError(wrapper.wrapper_name, "wrappers", f"init: {type(error).__name__}: {error}") from error

    def dispose(self) -> None:
        """Dispose those that were started, the last one first."""
        while self._started:
            wrapper = self._started.pop()
            self._guarded(wrapper, "dispose")

    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Give a page to each."""
        self._each("analyze_news", dataset)

    def on_fetch_started(self, request: Request) -> None:
        """Pass it on."""
        self._each("on_fetch_started", request)

    def on_fetch_finished(self, page: SourcePage) -> None:
        """Pass it on."""
        self._each("on_fetch_finished", page)

    def on_fetch_failed(self, request: Request, error: Exception) -> None:
        """Pass it on."""
        self._each("on_fetch_failed", request, error)

    def on_parsing_started(self, page: SourcePage) -> None:
        """Pass it on."""
        self._each("on_parsing_started", page)

    def on_parsing_finished(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        self._each("on_parsing_finished", dataset)

    def on_analysis_started(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        self._each("on_analysis_started", dataset)

    def on_analysis_finished(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        self._each("on_analysis_finished", dataset)

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        """Pass it on."""
        self._each("on_analysis_failed", page, error)

    def on_error(self, error: Exception, where: str) -> None:
        """Tell the observer, and those wrappers that were started and want to know."""
        self._observer.on_error(error, where)
        for wrapper in self._started:
            if wrapper is not self._observer:
                _tell(wrapper, error, where)

    def _each(self, method: str, *arguments: object) -> None:
        for wrapper in self._wrappers:
            self._guarded(wrapper, method, *arguments)

    def _guarded(self, wrapper: Wrapper, method: str, *arguments: object) -> None:
        try:
            getattr(wrapper, method)(*arguments)
        except Exception as error:
            self._observer.on_error(error, f"{wrapper.wrapper_name}.{method}")
            _tell(wrapper, error, method)


def _tell(wrapper: Wrapper, error: Exception, where: str) -> None:
    """Call `on_error` of a wrapper that has its own; the default would only log what the observer logs."""
    if type(wrapper).on_error is not Wrapper.on_error:
        with suppress(Exception):
            wrapper.on_error(error, where)
