"""The pages of a job, and its sources: what is to do, what came of it. A job that was killed goes on from here.

The state of a page goes from `pending` by `taken` to `done` or `failed`; `skipped`: the store has it already; `seen`:
fetched by a crawl for its links. A source is a row too: `pending` until it is read to the end.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, func, select, update

from bonmun.model.valid_text import valid_text
from bonmun.store.database import Database
from bonmun.store.schema import JOB_PAGES
from bonmun.store.upsert import insert_ignoring

_LONGEST_MESSAGE = 500
_BATCH = 100
_NOT_AGAIN = "input"
"""The stage of lines that were no page: to try again does not mend them."""


@dataclass(frozen=True, slots=True)
class JobPage:
    """A page or a source of a job."""

    key: str
    """Identifies it within the job."""
    url: str
    number: int = 0
    """Its place in the job: the line of a batch, the index of a source."""
    kind: str = "page"
    """`page` or `source`."""
    state: str = "pending"
    label: str | None = None
    """The id that the client gave it."""
    source_id: int | None = None
    """The row of the site that it was found on; `None` for pages that can be fetched by themselves."""
    content: bytes | None = None
    """The page, compressed; `None` if it is to be fetched."""
    content_type: str | None = None
    network: str | None = None
    """How it was fetched, as JSON."""
    stage: str | None = None
    """Where it failed."""
    error: str | None = None
    message: str | None = None
    result: bytes | None = None
    settled: int | None = None
    """Its place in the order in which pages ended."""
    id: int = 0


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """The pages of a job that failed for the same reason."""

    stage: str
    error: str
    message: str
    count: int
    urls: tuple[str, ...]
    """Some of them."""


class JobPages:
    """The pages and sources of one job. Every call is one transaction."""

    def __init__(self, database: Database, job_id: str) -> None:
        self._database, self._job_id = database, job_id
        self._own = JOB_PAGES.c.job_id == job_id

    def add(self, pages: Sequence[JobPage]) -> int:
        """Add those whose key is new; return their number."""
        added = 0
        for start in range(0, len(pages), _BATCH):
            rows = [self._row(page) for page in pages[start : start + _BATCH]]

            def work(connection: Connection, rows: Sequence[dict[str, Any]] = rows) -> int:
                return insert_ignoring(connection, JOB_PAGES, rows, "job_id", "key")

            added += self._database.write(work)
        return added

    def take(self, most: int, kind: str = "page") -> list[JobPage]:
        """Take the oldest pending ones: they are `taken` then."""
        found = select(JOB_PAGES).where(self._own, JOB_PAGES.c.kind == kind, JOB_PAGES.c.state == "pending")

        def work(connection: Connection) -> list[JobPage]:
            rows = connection.execute(found.order_by(JOB_PAGES.c.id).limit(most)).all()
            _set_state(connection, [row.id for row in rows], "taken")
            return list(map(_page, rows))

        return self._database.write(work)

    def release(self) -> int:
        """Make all taken ones pending again, as after a crash; return their number."""
        taken = update(JOB_PAGES).where(self._own, JOB_PAGES.c.state == "taken").values(state="pending")
        return self._database.write(lambda connection: connection.execute(taken).rowcount)

    def find(self, key: str) -> JobPage | None:
        """Return the page of a key."""
        with self._database.reading() as connection:
            row = connection.execute(select(JOB_PAGES).where(self._own, JOB_PAGES.c.key == key)).first()
            return _page(row) if row is not None else None

    def want(self, key: str) -> bool:
        """Make a page that was only `seen` pending; return whether it was."""
        seen = update(JOB_PAGES).where(self._own, JOB_PAGES.c.key == key, JOB_PAGES.c.state == "seen")
        return self._database.write(lambda connection: connection.execute(seen.values(state="pending")).rowcount > 0)

    def done(self, page_id: int, settled: int, result: bytes | None = None, *, keep_content: bool = False) -> None:
        """Note that a page is stored; with its result, if that is kept here."""
        values: dict[str, Any] = {"state": "done", "settled": settled, "result": result}
        self._settle(page_id, values | {"stage": None, "error": None, "message": None}, keep_content)

    def fail(
        self, page_id: int, settled: int, stage: str, error: str, message: str, result: bytes | None = None
    ) -> None:
        """Note why a page, or a source, failed; with its result, if that is kept here."""
        values: dict[str, Any] = {"state": "failed", "settled": settled, "stage": stage, "error": valid_text(error)}
        values |= {"message": valid_text(message)[:_LONGEST_MESSAGE], "result": result}
        self._settle(page_id, values, keep_content=True)

    def totals(self, kind: str = "page") -> Counter[str]:
        """Count the pages by state."""
        number = func.count()
        found = select(JOB_PAGES.c.state, number).where(self._own, JOB_PAGES.c.kind == kind)
        with self._database.reading() as connection:
            rows = connection.execute(found.group_by(JOB_PAGES.c.state)).all()
            return Counter({row[0]: row[1] for row in rows})

    def last_settled(self) -> int:
        """Return the highest place in the order of ends; 0 if none has ended."""
        with self._database.reading() as connection:
            found = connection.execute(select(func.max(JOB_PAGES.c.settled)).where(self._own)).scalar()
            return found or 0

    def failures(self, groups: int, urls: int) -> tuple[FailureGroup, ...]:
        """Return the failures by reason, the most frequent first, each with some URLs."""
        columns = (JOB_PAGES.c.stage, JOB_PAGES.c.error, JOB_PAGES.c.message)
        failed = (self._own, JOB_PAGES.c.state == "failed")
        number = func.count()
        grouped = select(*columns, number).where(*failed).group_by(*columns)
        with self._database.reading() as connection:
            found = []
            rows = connection.execute(grouped.order_by(number.desc(), *columns).limit(groups)).all()
            for stage, error, message, count in rows:
                same = (columns[0] == stage, columns[1] == error, columns[2] == message)
                some = select(JOB_PAGES.c.url).where(*failed, *same).order_by(JOB_PAGES.c.id).limit(urls)
                found.append(FailureGroup(stage, error, message, count, tuple(connection.scalars(some))))
            return tuple(found)

    def failed_after(self, settled: int, most: int) -> tuple[JobPage, ...]:
        """Return the latest failures after a place in the order of ends."""
        failed = (self._own, JOB_PAGES.c.state == "failed", JOB_PAGES.c.settled > settled)
        with self._database.reading() as connection:
            rows = connection.execute(_light().where(*failed).order_by(JOB_PAGES.c.settled.desc()).limit(most))
            return tuple(map(_page, rows))[::-1]

    def retry(self, stage: str | None = None, error: str | None = None) -> int:
        """Make failed ones pending again, all or those of a stage and an error; return their number.

        Pages that a site's crawl could not fetch are found again by its crawl.
        """
        chosen = [self._own, JOB_PAGES.c.state == "failed", JOB_PAGES.c.stage != _NOT_AGAIN]
        chosen += [JOB_PAGES.c.stage == stage] if stage is not None else []
        chosen += [JOB_PAGES.c.error == error] if error is not None else []
        lost = and_(*chosen, JOB_PAGES.c.source_id.is_not(None), JOB_PAGES.c.content.is_(None))

        def work(connection: Connection) -> int:
            sources = connection.scalars(select(JOB_PAGES.c.source_id).where(lost).distinct()).all()
            count = connection.execute(delete(JOB_PAGES).where(lost)).rowcount
            _set_state(connection, sources, "pending")
            return count + connection.execute(update(JOB_PAGES).where(*chosen).values(state="pending")).rowcount

        return self._database.write(work)

    def results(self, after: int, most: int) -> tuple[JobPage, ...]:
        """Return the pages after a number that have ended, in order; the first that has not ends the list."""
        with self._database.reading() as connection:
            paged = (self._own, JOB_PAGES.c.kind == "page", JOB_PAGES.c.number > after)
            rows = connection.execute(_light().where(*paged).order_by(JOB_PAGES.c.number).limit(most)).all()
        return tuple(_until_open(map(_page, rows)))

    def tidy(self) -> None:
        """Drop the contents of pages, which a job that is over does not need."""

        def work(connection: Connection) -> None:
            connection.execute(delete(JOB_PAGES).where(self._own, JOB_PAGES.c.state == "seen"))
            kept = and_(self._own, JOB_PAGES.c.content.is_not(None))
            connection.execute(update(JOB_PAGES).where(kept).values(content=None, network=None))

        self._database.write(work)

    def clear(self) -> None:
        """Remove all pages."""
        self._database.write(lambda connection: connection.execute(delete(JOB_PAGES).where(self._own)))

    def _row(self, page: JobPage) -> dict[str, Any]:
        row = {"job_id": self._job_id, **asdict(page)}
        del row["id"]
        texts = ("label", "url", "content_type", "message")
        return row | {name: valid_text(row[name]) for name in texts if row[name] is not None}

    def _settle(self, page_id: int, values: dict[str, Any], keep_content: bool) -> None:
        if not keep_content:
            values |= {"content": None}
        found = update(JOB_PAGES).where(self._own, JOB_PAGES.c.id == page_id).values(**values)
        self._database.write(lambda connection: connection.execute(found))


def _set_state(connection: Connection, ids: Collection[int], state: str) -> None:
    if ids:
        connection.execute(update(JOB_PAGES).where(JOB_PAGES.c.id.in_(ids)).values(state=state))


def _until_open(pages: Iterator[JobPage]) -> Iterator[JobPage]:
    for page in pages:
        if page.state not in ("done", "failed"):
            return
        yield page


def _light() -> Select[Any]:
    """All columns but the content."""
    return select(*(column for column in JOB_PAGES.c if column.name != "content"))


def _page(row: Row[Any]) -> JobPage:
    values = dict(row._mapping)
    del values["job_id"]
    return JobPage(**values)
