"""Several wrappers as one: each hears everything, and a failing one does not disturb the others."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.wrapper import Wrapper

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet


class Wrappers(Wrapper):
    """Passes every call on to several wrappers, in order.

    An exception of one is reported to its own `on_error`; the page goes on to the next. `init` is an exception: a
    wrapper that cannot start ends the run, after `dispose` of those that were started.
    """

    def __init__(self, wrappers: Sequence[Wrapper]) -> None:
        self._wrappers = tuple(wrappers)
        self._started: list[Wrapper] = []

    @property
    def wrapper_name(self) -> str:
        """The names of all."""
        return ", ".join(wrapper.wrapper_name for wrapper in self._wrappers)

    def init(self) -> None:
        """Start all; the first that fails ends it."""
        for wrapper in self._wrappers:
            self._started.append(wrapper)  # also one that fails half-way is disposed
            wrapper.init()

    def dispose(self) -> None:
        """Dispose those that were started, the last one first."""
        while self._started:
            wrapper = self._started.pop()
            _guarded(wrapper, "dispose", wrapper.dispose)

    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Give a page to each."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "analyze_news", wrapper.analyze_news, dataset)

    def on_fetch_started(self, request: Request) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_fetch_started", wrapper.on_fetch_started, request)

    def on_fetch_finished(self, page: SourcePage) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_fetch_finished", wrapper.on_fetch_finished, page)

    def on_fetch_failed(self, request: Request, error: Exception) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_fetch_failed", wrapper.on_fetch_failed, request, error)

    def on_parsing_started(self, page: SourcePage) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_parsing_started", wrapper.on_parsing_started, page)

    def on_parsing_finished(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_parsing_finished", wrapper.on_parsing_finished, dataset)

    def on_analysis_started(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_analysis_started", wrapper.on_analysis_started, dataset)

    def on_analysis_finished(self, dataset: "NewsDataSet") -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_analysis_finished", wrapper.on_analysis_finished, dataset)

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_analysis_failed", wrapper.on_analysis_failed, page, error)

    def on_error(self, error: Exception, where: str) -> None:
        """Pass it on."""
        for wrapper in self._wrappers:
            _guarded(wrapper, "on_error", wrapper.on_error, error, where)


def _guarded(wrapper: Wrapper, where: str, call: Callable[..., None], *arguments: object) -> None:
    try:
        call(*arguments)
    except Exception as error:
        if where == "on_error":
            Wrapper.on_error(wrapper, error, where)
        else:
            _guarded(wrapper, "on_error", wrapper.on_error, error, where)
