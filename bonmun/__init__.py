"""Extract the main content of web pages: clean text, Markdown, structured blocks and metadata.

>>> import bonmun
>>> doc = bonmun.extract("<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>")
>>> doc.title, doc.text
('Tea', 'Tea is made of leaves, and of water that has just boiled.')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.errors import (
        AddressRefused,
        AddressUnavailable,
        BadModel,
        BadRule,
        BadStatus,
        BonmunError,
        ConfigError,
        FetchError,
        FetchTimeout,
        InputError,
        LimitExceeded,
        MissingBrowser,
        MissingExtra,
        NewerStore,
        NotAPage,
        NotAStore,
        NotRendered,
        NotStored,
        OutputDiffers,
        OutputError,
        OutputFull,
        OutputLocked,
        PluginError,
        QueueFull,
        RenderError,
        RobotsDisallowed,
        ServiceError,
        SiteFileError,
        SourceError,
        StoreError,
        StoreFull,
        StoreLocked,
        StoreUnreachable,
        TokenFileError,
        TooManyRedirects,
        UnknownName,
        Unprotected,
        UnsupportedPreference,
        WorkerDied,
        WorkerError,
        WorkerNotStarted,
        WorkerOutOfMemory,
        WorkerTimeout,
        WrongAccount,
    )
    from bonmun.limits import Limits
    from bonmun.many import extract_many
    from bonmun.methods.learned import Learned
    from bonmun.middleware.container import Container
    from bonmun.middleware.dataset import NewsDataSet
    from bonmun.middleware.network import fetch
    from bonmun.middleware.wrapper import Wrapper
    from bonmun.model.block import Kind
    from bonmun.model.comment import Comment
    from bonmun.model.document import Document, Status
    from bonmun.model.judged_block import Block
    from bonmun.model.metadata import Metadata
    from bonmun.model.output import Output
    from bonmun.model.page import Page
    from bonmun.model.verdict import Reason, Verdicts
    from bonmun.pipeline import extract
    from bonmun.read.page import read_page
    from bonmun.registry import Method
    from bonmun.rendering.renderer import Renderer, render
    from bonmun.rendering.settings import RenderSettings
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site
    from bonmun.store import open_store
    from bonmun.workers.failure import Failure
    from bonmun.write.chunks import Chunk

__version__ = "0.1.0"

__all__ = [
    "AddressRefused",
    "AddressUnavailable",
    "BadModel",
    "BadRule",
    "BadStatus",
    "Block",
    "BonmunError",
    "Chunk",
    "Comment",
    "ConfigError",
    "Container",
    "Document",
    "Failure",
    "FetchError",
    "FetchTimeout",
    "InputError",
    "Kind",
    "Learned",
    "LimitExceeded",
    "Limits",
    "Metadata",
    "Method",
    "MissingBrowser",
    "MissingExtra",
    "NewerStore",
    "NewsDataSet",
    "NotAPage",
    "NotAStore",
    "NotRendered",
    "NotStored",
    "Output",
    "OutputDiffers",
    "OutputError",
    "OutputFull",
    "OutputLocked",
    "Page",
    "PluginError",
    "QueueFull",
    "Reason",
    "RenderError",
    "RenderSettings",
    "Renderer",
    "RobotsDisallowed",
    "ServiceError",
    "Site",
    "SiteFileError",
    "SiteLibrary",
    "SourceError",
    "Status",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreUnreachable",
    "TokenFileError",
    "TooManyRedirects",
    "UnknownName",
    "Unprotected",
    "UnsupportedPreference",
    "Verdicts",
    "WorkerDied",
    "WorkerError",
    "WorkerNotStarted",
    "WorkerOutOfMemory",
    "WorkerTimeout",
    "Wrapper",
    "WrongAccount",
    "extract",
    "extract_many",
    "fetch",
    "open_store",
    "read_page",
    "render",
]

_MODULES = {
    "bonmun.errors": "AddressRefused AddressUnavailable BadModel BadRule BadStatus BonmunError ConfigError FetchError"
    " FetchTimeout InputError LimitExceeded MissingBrowser MissingExtra NewerStore NotAPage NotAStore NotRendered"
    " NotStored OutputDiffers OutputError OutputFull OutputLocked PluginError QueueFull RenderError RobotsDisallowed"
    " ServiceError SiteFileError SourceError StoreError StoreFull StoreLocked StoreUnreachable TokenFileError"
    " TooManyRedirects UnknownName Unprotected UnsupportedPreference WorkerDied WorkerError WorkerNotStarted"
    " WorkerOutOfMemory WorkerTimeout WrongAccount",
    "bonmun.limits": "Limits",
    "bonmun.many": "extract_many",
    "bonmun.methods.learned": "Learned",
    "bonmun.middleware.container": "Container",
    "bonmun.middleware.dataset": "NewsDataSet",
    "bonmun.middleware.network": "fetch",
    "bonmun.middleware.wrapper": "Wrapper",
    "bonmun.model.block": "Kind",
    "bonmun.model.comment": "Comment",
    "bonmun.model.document": "Document Status",
    "bonmun.model.judged_block": "Block",
    "bonmun.model.metadata": "Metadata",
    "bonmun.model.output": "Output",
    "bonmun.model.page": "Page",
    "bonmun.model.verdict": "Reason Verdicts",
    "bonmun.pipeline": "extract",
    "bonmun.read.page": "read_page",
    "bonmun.registry": "Method",
    "bonmun.rendering.renderer": "Renderer render",
    "bonmun.rendering.settings": "RenderSettings",
    "bonmun.sites.library": "SiteLibrary",
    "bonmun.sites.site": "Site",
    "bonmun.store": "open_store",
    "bonmun.workers.failure": "Failure",
    "bonmun.write.chunks": "Chunk",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use, so that importing the package is nearly free."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
