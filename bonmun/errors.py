"""Every error that Bonmun raises on purpose. A page without content is not an error but a `Document` with a status.

::

    BonmunError
    ├── InputError                 the input cannot be read as a page
    │   ├── NotAPage               a PNG, a PDF, a ZIP …
    │   ├── SourceError            a file or directory that is missing, unreadable or without pages
    │   ├── SiteFileError          a malformed site file; names the line
    │   ├── BadRule                an edited rule of a site that is invalid; names template and selector
    │   ├── TokenFileError         a malformed file of tokens; names the line
    │   └── ConfigError            a malformed configuration of `bonmun run`; names the line
    ├── BadModel                   a model file that is corrupt or of an unsupported version
    ├── LimitExceeded              a page beyond `Limits`: bytes, nodes, blocks, output or seconds
    ├── UnknownName                no method or format of that name
    ├── UnsupportedPreference      a method that cannot favour precision or recall
    ├── MissingExtra               an optional dependency is not installed; names what to `pip install`
    ├── PluginError                a plug-in that cannot be loaded
    ├── WorkerError                a worker process gave no result
    │   ├── WorkerDied             it crashed, exited or was killed
    │   ├── WorkerTimeout          it was stopped at its time limit; also a `LimitExceeded`
    │   ├── WorkerOutOfMemory      it reached its memory limit
    │   ├── WorkerNotStarted       the process did not start, whatever the item
    │   └── QueueFull              the pool has no room for another item now
    ├── RenderError                a page that the browser did not draw
    │   ├── MissingBrowser         no Chromium, or one that does not start; names what to install
    │   └── NotRendered            a method that sees the rendered page was given one without layout
    ├── StoreError                 a database that cannot be used; the driver's errors never leak
    │   ├── NotAStore              another kind of file, a damaged one, or another program's database
    │   ├── NewerStore             written by a newer version; names both schema versions
    │   ├── StoreLocked            another process kept it locked for too long
    │   ├── StoreUnreachable       no such file or server, or no permission
    │   ├── StoreFull              no space left; the database is intact
    │   └── NotStored              no such document, version, site or label
    ├── OutputError                a folder of `bonmun batch` that cannot be written
    │   ├── OutputLocked           another run writes to it
    │   ├── OutputDiffers          it has the results of other settings or inputs; names the difference
    │   ├── OutputFull             no space left; what was finished is intact
    │   └── WrongAccount           the pages read and the rows written do not add up
    ├── ServiceError               `bonmun serve` cannot start
    │   ├── AddressUnavailable     another program listens there, or it is no address of this machine
    │   └── Unprotected            other machines can reach the address, and there is no token
    └── FetchError                 a URL that gave no page
        ├── AddressRefused         private, loopback or otherwise not public
        ├── RobotsDisallowed       the site's robots.txt forbids it
        ├── TooManyRedirects
        ├── FetchTimeout
        └── BadStatus              the server answered with an error
"""

from collections.abc import Iterable


class BonmunError(Exception):
    """The base class: ``except bonmun.BonmunError`` catches every error below and nothing else.

    >>> import bonmun
    >>> try:
    ...     bonmun.extract("<p>Tea", method="magic")
    ... except bonmun.BonmunError as error:
    ...     print(type(error).__name__)
    UnknownName
    """


class InputError(BonmunError):
    """The input cannot be read as a page, or is too little to learn from.

    >>> import bonmun
    >>> bonmun.Site.learn(["<p>one page</p>"])
    Traceback (most recent call last):
    bonmun.errors.InputError: nothing to learn: 1 pages; a template needs 3
    """


class NotAPage(InputError):
    """The bytes are of another type: an image, a PDF, an archive.

    >>> import bonmun
    >>> bonmun.extract(b"%PDF-1.7")
    Traceback (most recent call last):
    bonmun.errors.NotAPage: not a web page: PDF document
    """


class SourceError(InputError):
    """A file or directory is missing, cannot be read, or has no pages.

    >>> import bonmun
    >>> bonmun.SiteLibrary("no-such-folder")
    Traceback (most recent call last):
    bonmun.errors.SourceError: no-such-folder: no such folder of site files
    """


class SiteFileError(InputError):
    """A malformed site file.

    >>> print(SiteFileError("example.json", 12, "'host' must be a string, not a list"))
    site file example.json, line 12: 'host' must be a string, not a list
    """

    def __init__(self, name: str, line: int, what: str) -> None:
        self.name, self.line, self.what = name, line, what
        super().__init__(name, line, what)

    def __str__(self) -> str:
        return f"site file {self.name}, line {self.line}: {self.what}"


class BadRule(InputError):
    """A rule of a site's template is invalid.

    >>> print(BadRule("t1", "p:hover", "invalid selector 'p:hover': unexpected ':hover'"))
    template 't1': invalid selector 'p:hover': unexpected ':hover'
    """

    def __init__(self, template: str, selector: str, what: str) -> None:
        self.template, self.selector, self.what = template, selector, what
        super().__init__(template, selector, what)

    def __str__(self) -> str:
        return f"template {self.template!r}: {self.what}"


class TokenFileError(InputError):
    """A malformed file of tokens.

    >>> print(TokenFileError("tokens.json", 4, "'scopes' must be a list"))
    token file tokens.json, line 4: 'scopes' must be a list
    """

    def __init__(self, name: str, line: int, what: str) -> None:
        self.name, self.line, self.what = name, line, what
        super().__init__(name, line, what)

    def __str__(self) -> str:
        return f"token file {self.name}, line {self.line}: {self.what}"


class ConfigError(InputError):
    """A malformed configuration of ``bonmun run``.

    >>> print(ConfigError("config.toml", 12, "unknown key 'evry'; did you mean 'every'?"))
    config.toml, line 12: unknown key 'evry'; did you mean 'every'?
    """

    def __init__(self, name: str, line: int, what: str) -> None:
        self.name, self.line, self.what = name, line, what
        super().__init__(name, line, what)

    def __str__(self) -> str:
        return f"{self.name}, line {self.line}: {self.what}"


class BadModel(BonmunError):
    """A model file is corrupt, or of a version that this one does not read.

    >>> import bonmun
    >>> try:
    ...     bonmun.Learned.load(__file__)
    ... except bonmun.BadModel:
    ...     print("not a model")
    not a model
    """


class LimitExceeded(BonmunError):
    """A page exceeded one of its `Limits`.

    >>> LimitExceeded("bytes", 50_000_000, 20_000_000).limit
    'bytes'
    """

    def __init__(self, limit: str, found: float, allowed: float) -> None:
        self.limit, self.found, self.allowed = limit, found, allowed
        super().__init__(limit, found, allowed)  # the arguments, so that it survives pickling

    def __str__(self) -> str:
        if self.limit == "seconds":
            return f"the page takes more than {self.allowed:g} seconds (Limits.seconds)"
        if self.limit == "output":
            return f"the output has {self.found:,} characters; the limit is {self.allowed:,} (Limits.output)"
        return f"the page has {self.found:,} {self.limit}; the limit is {self.allowed:,} (Limits.{self.limit})"


class UnknownName(BonmunError):
    """No method or format of that name; the message lists the known ones.

    >>> print(UnknownName("method", "magic", ["auto", "xpath"]))
    no method named 'magic'; there are: auto, xpath
    """

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(sorted(known))
        super().__init__(what, name, self.known)

    def __str__(self) -> str:
        return f"no {self.what} named {self.name!r}; there are: {', '.join(self.known)}"


class UnsupportedPreference(BonmunError):
    """A method that cannot favour precision or recall was asked to.

    >>> print(UnsupportedPreference("xpath", "recall"))
    method 'xpath' does not support prefer='recall'
    """

    def __init__(self, method: str, prefer: str) -> None:
        self.method, self.prefer = method, prefer
        super().__init__(method, prefer)

    def __str__(self) -> str:
        return f"method {self.method!r} does not support prefer={self.prefer!r}"


class MissingExtra(BonmunError):
    """An optional dependency is not installed.

    >>> print(MissingExtra("the bench's peers", "bench"))
    the bench's peers need an extra: pip install 'bonmun[bench]'
    """

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(what, extra)

    def __str__(self) -> str:
        return f"{self.what} need an extra: pip install 'bonmun[{self.extra}]'"


class PluginError(BonmunError):
    """A plug-in cannot be loaded.

    >>> from bonmun.middleware import plugins
    >>> plugins.load("nowhere:Tea", "wrappers")
    Traceback (most recent call last):
    bonmun.errors.PluginError: plug-in nowhere:Tea (wrappers): ModuleNotFoundError: No module named 'nowhere'
    """

    def __init__(self, name: str, group: str, reason: str) -> None:
        self.name, self.group, self.reason = name, group, reason
        super().__init__(name, group, reason)

    def __str__(self) -> str:
        return f"plug-in {self.name} ({self.group}): {self.reason}"


class WorkerError(BonmunError):
    """A worker process gave no result.

    >>> issubclass(WorkerTimeout, WorkerError), issubclass(WorkerTimeout, LimitExceeded)
    (True, True)
    """


class WorkerDied(WorkerError):
    """A worker process crashed, exited or was killed while it held an item.

    >>> print(WorkerDied(-11))
    its process was killed by SIGSEGV
    >>> print(WorkerDied(1, "ImportError: no module named tea"))
    its process ended with status 1: ImportError: no module named tea
    """

    def __init__(self, status: int | None, last_line: str = "") -> None:
        self.status, self.last_line = status, last_line
        super().__init__(status, last_line)

    def __str__(self) -> str:
        return f"its process {_ending(self.status)}{f': {self.last_line}' if self.last_line else ''}"


class WorkerTimeout(WorkerError, LimitExceeded):
    """A worker process was stopped at its time limit.

    >>> print(WorkerTimeout("seconds", 30, 30))
    not done in 30 seconds; its process was stopped
    """

    def __str__(self) -> str:
        return f"not done in {self.allowed:g} seconds; its process was stopped"


class WorkerOutOfMemory(WorkerError):
    """A worker process reached its memory limit.

    >>> print(WorkerOutOfMemory(1_000_000_000))
    out of memory; its process may use 1,000,000,000 bytes
    """

    def __init__(self, allowed: int | None) -> None:
        self.allowed = allowed
        super().__init__(allowed)

    def __str__(self) -> str:
        return "out of memory" + (f"; its process may use {self.allowed:,} bytes" if self.allowed else "")


class WorkerNotStarted(WorkerError):
    """A worker process did not start; no item is the cause.

    >>> issubclass(WorkerNotStarted, WorkerError)
    True
    """


class QueueFull(WorkerError):
    """The pool has no room for another item now; try again later.

    >>> issubclass(QueueFull, WorkerError)
    True
    """


class RenderError(BonmunError):
    """The browser did not draw a page: it crashed, hung or ran out of memory, twice.

    >>> raise RenderError("the browser crashed")
    Traceback (most recent call last):
    bonmun.errors.RenderError: the browser crashed
    """


class MissingBrowser(RenderError):
    """There is no Chromium, or it does not start.

    >>> print(MissingBrowser("no Chromium found"))
    no Chromium found: apt-get install chromium, or playwright install chromium, or name it by BONMUN_CHROMIUM
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)

    def __str__(self) -> str:
        mend = "apt-get install chromium, or playwright install chromium, or name it by BONMUN_CHROMIUM"
        return f"{self.reason}: {mend}"


class NotRendered(RenderError):
    """A method that sees the rendered page was given one without layout. `bonmun.extract` renders by itself.

    >>> print(NotRendered())
    the page was not rendered: give it to bonmun.render first
    """

    def __str__(self) -> str:
        return "the page was not rendered: give it to bonmun.render first"


class StoreError(BonmunError):
    """A store of documents cannot be used as asked. Messages never show the password of its URL.

    >>> issubclass(StoreLocked, StoreError)
    True
    """


class NotAStore(StoreError):
    """A file that is no database, is damaged, or belongs to another program.

    >>> from bonmun.store import open_store
    >>> open_store(__file__)
    Traceback (most recent call last):
    bonmun.errors.NotAStore: ...
    """


class NewerStore(StoreError):
    """A store whose schema is newer than this version of Bonmun.

    >>> print(NewerStore("news.db", 7, 3))
    news.db: schema version 7 is newer than 3, the latest that this Bonmun knows; upgrade Bonmun
    """

    def __init__(self, name: str, found: int, known: int) -> None:
        self.name, self.found, self.known = name, found, known
        super().__init__(name, found, known)

    def __str__(self) -> str:
        latest = f"{self.known}, the latest that this Bonmun knows"
        return f"{self.name}: schema version {self.found} is newer than {latest}; upgrade Bonmun"


class StoreLocked(StoreError):
    """Another process kept the store locked for too long; try again later.

    >>> issubclass(StoreLocked, StoreError)
    True
    """


class StoreUnreachable(StoreError):
    """The file or the server of a store cannot be opened.

    >>> from bonmun.store import open_store
    >>> open_store("no-such-folder/news.db")
    Traceback (most recent call last):
    bonmun.errors.StoreUnreachable: no-such-folder/news.db: no such folder: no-such-folder
    """


class StoreFull(StoreError):
    """No space is left for the store; it is intact, without the page in flight.

    >>> issubclass(StoreFull, StoreError)
    True
    """


class NotStored(StoreError):
    """The store has no such document, version, site or label.

    >>> from bonmun.store import open_store
    >>> with open_store(":memory:") as store:
    ...     store.show("https://example.org/")
    Traceback (most recent call last):
    bonmun.errors.NotStored: no document https://example.org/ in this store
    """


class OutputError(BonmunError):
    """A folder of results cannot be written. Finished parts stay, and the same call goes on with the rest.

    >>> issubclass(OutputFull, OutputError)
    True
    """


class OutputLocked(OutputError):
    """Another run writes to the folder at this moment.

    >>> issubclass(OutputLocked, OutputError)
    True
    """


class OutputDiffers(OutputError):
    """The folder has the results of another run: of other settings, another version or other inputs.

    >>> print(OutputDiffers("out", "texts was text, is now markdown"))
    out has the results of another run: texts was text, is now markdown; use another folder, or start anew
    """

    def __init__(self, folder: str, difference: str) -> None:
        self.folder, self.difference = folder, difference
        super().__init__(folder, difference)

    def __str__(self) -> str:
        mend = "use another folder, or start anew"
        return f"{self.folder} has the results of another run: {self.difference}; {mend}"


class OutputFull(OutputError):
    """No space is left for a part. It is removed again; finished parts are intact.

    >>> issubclass(OutputFull, OutputError)
    True
    """


class WrongAccount(OutputError):
    """The pages of a shard do not add up: those that were read, their statuses, and the rows that were written.

    >>> print(WrongAccount("a.warc.gz", "40 pages read, 39 rows written"))
    a.warc.gz: the account is wrong: 40 pages read, 39 rows written; please report this
    """

    def __init__(self, shard: str, what: str) -> None:
        self.shard, self.what = shard, what
        super().__init__(shard, what)

    def __str__(self) -> str:
        return f"{self.shard}: the account is wrong: {self.what}; please report this"


class ServiceError(BonmunError):
    """The service cannot start as asked.

    >>> issubclass(Unprotected, ServiceError)
    True
    """


class AddressUnavailable(ServiceError):
    """The service cannot listen there: another program does, or it is no address of this machine.

    >>> issubclass(AddressUnavailable, ServiceError)
    True
    """


class Unprotected(ServiceError):
    """Other machines can reach the address, and there is no token.

    >>> print(Unprotected("0.0.0.0"))  # doctest: +NORMALIZE_WHITESPACE
    other machines can reach 0.0.0.0, and there is no token: create one with `bonmun token add NAME --scope extract`,
    listen on 127.0.0.1, or let everybody in with --without-tokens
    """

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(host)

    def __str__(self) -> str:
        mends = "create one with `bonmun token add NAME --scope extract`, listen on 127.0.0.1"
        return (
            f"other machines can reach {self.host}, and there is no token: {mends}, "
            "or let everybody in with --without-tokens"
        )


class FetchError(BonmunError):
    """A URL gave no page.

    >>> import bonmun
    >>> try:
    ...     bonmun.fetch("http://127.0.0.1/")
    ... except bonmun.FetchError as error:
    ...     print(type(error).__name__)
    AddressRefused
    """


class AddressRefused(FetchError):
    """The URL leads to an address that is private, loopback or otherwise not public.

    >>> import bonmun
    >>> bonmun.fetch("http://127.0.0.1/")
    Traceback (most recent call last):
    bonmun.errors.AddressRefused: ...
    """


class RobotsDisallowed(FetchError):
    """The site's robots.txt does not let this user agent fetch the URL.

    >>> issubclass(RobotsDisallowed, FetchError)
    True
    """


class TooManyRedirects(FetchError):
    """The server redirected more often than allowed.

    >>> issubclass(TooManyRedirects, FetchError)
    True
    """


class FetchTimeout(FetchError):
    """The server took longer than allowed.

    >>> issubclass(FetchTimeout, FetchError)
    True
    """


class BadStatus(FetchError):
    """The server answered with an error status.

    >>> issubclass(BadStatus, FetchError)
    True
    """


def _ending(status: int | None) -> str:
    """How a process ended, by its exit status: a negative one is a signal's number."""
    import signal

    if status is None or status >= 0:
        return f"ended with status {status}"
    known = {one.value: one.name for one in signal.Signals}
    return f"was killed by {known.get(-status, f'signal {-status}')}"
