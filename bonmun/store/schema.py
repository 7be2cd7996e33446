"""The tables as SQLAlchemy sees them; `migrations` makes them."""

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, MetaData, String, Table

_METADATA = MetaData()


def _table(name: str, *columns: Column[object]) -> Table:
    return Table(name, _METADATA, *columns)


def _texts(names: str) -> list[Column[object]]:
    return [Column(name, String) for name in names.split()]


def _numbers(names: str) -> list[Column[object]]:
    return [Column(name, BigInteger) for name in names.split()]


def _id() -> Column[object]:
    return Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


MIGRATIONS = _table("migrations", Column("number", Integer, primary_key=True), *_texts("name applied_at"))
SOURCES = _table("sources", _id(), *_texts("name first_seen"))
DOCUMENTS = _table(
    "documents",
    _id(),
    *_texts("key url host language first_seen last_seen changed_at"),
    *_numbers("source_id version_id group_id"),
)
VERSIONS = _table(
    "versions",
    _id(),
    *_numbers("document_id number html_size page_size text_size"),
    *_texts("hash saved_at title author published modified language site description canonical_url tags"),
    *_texts("page_type method status text markdown keywords summary network"),
    Column("confidence", Float),
)
TIMINGS = _table("timings", *_numbers("version_id"), *_texts("stage"), Column("seconds", Float))
FAILURES = _table(
    "failures", _id(), *_texts("key url stage error message first_at last_at"), *_numbers("source_id count")
)
SITES = _table("sites", *_texts("host data saved_at"))
SITE_PAGES = _table("site_pages", *_texts("host url content_type"), *_numbers("number"), Column("content", LargeBinary))
LABELS = _table(
    "labels",
    _id(),
    *_texts("key url host saved_at title language page_type method prefer model note"),
    *_texts("keep before segmentation gold_text"),
    *_numbers("blocks kept corrections"),
    Column("html", LargeBinary),
)
QUEUE = _table("queue", _id(), *_texts("key url source added_at claimed_until"))
GROUPS = _table("groups", _id(), *_texts("made_at"))
SIGNATURES = _table("signatures", *_numbers("document_id"), Column("digest", LargeBinary))
BANDS = _table("bands", *_numbers("hash document_id"))
JOBS = _table(
    "jobs",
    Column("id", String, primary_key=True),
    *_texts("name kind spec state message created_at started_at ended_at counts holder held_until"),
    *_numbers("revision"),
    Column("rate", Float),
)
JOB_PAGES = _table(
    "job_pages",
    _id(),
    *_texts("job_id kind key label url state content_type network stage error message"),
    *_numbers("number source_id settled"),
    Column("content", LargeBinary),
    Column("result", LargeBinary),
)
