"""Near-duplicates: MinHash signatures, compared with those that share a band (LSH). All of it is kept in tables.

A document joins the group of the most similar one. A group is made when its second member comes.
"""

from collections.abc import Sequence
from hashlib import blake2b

from sqlalchemy import Connection, delete, insert, select, update

from bonmun import minhash
from bonmun.store.clock import now
from bonmun.store.schema import BANDS, DOCUMENTS, GROUPS, SIGNATURES

SIMILARITY = 0.8
"""Jaccard similarity of the token triples from which on two texts are near-duplicates."""
_SHINGLE, _ROWS = 3, 8
"""Tokens of a shingle and minimums of a band. The tables hold signatures: a change needs a migration."""
_LEAST_TOKENS = 20
"""Shorter texts are not compared: "page not found" is no article."""
_MOST_CANDIDATES = 200


def signature(tokens: Sequence[str]) -> bytes:
    """Return the MinHash signature of a text's tokens; an empty one if it is too short to compare.

    >>> story = [f"word{number}" for number in range(200)]
    >>> minhash.similarity(signature(story), signature([*story, "the", "end"])) > 0.9
    True
    >>> signature(story[:19])
    b''
    """
    return minhash.signature(tokens, _SHINGLE) if len(tokens) >= _LEAST_TOKENS else b""


def group(connection: Connection, document_id: int, signed: bytes) -> int | None:
    """Put a document into the group of its near-duplicates; return the most similar one, or `None`."""
    ungroup(connection, document_id)
    if not signed:
        return None
    nearest = _nearest(connection, signed)
    connection.execute(insert(SIGNATURES), {"document_id": document_id, "digest": signed})
    connection.execute(insert(BANDS), [{"hash": band, "document_id": document_id} for band in _bands(signed)])
    if nearest is not None:
        joined = _group_of(connection, nearest)
        connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(group_id=joined))
    return nearest


def ungroup(connection: Connection, document_id: int) -> None:
    """Forget the signature of a document and take it out of its group; a group of one is no group."""
    held = connection.execute(select(SIGNATURES.c.digest).where(SIGNATURES.c.document_id == document_id)).scalar()
    if held is None:
        return
    connection.execute(delete(SIGNATURES).where(SIGNATURES.c.document_id == document_id))
    bands = _bands(held)
    connection.execute(delete(BANDS).where(BANDS.c.hash.in_(bands), BANDS.c.document_id == document_id))
    left = connection.execute(select(DOCUMENTS.c.group_id).where(DOCUMENTS.c.id == document_id)).scalar()
    if left is None:
        return
    connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(group_id=None))
    others = connection.execute(select(DOCUMENTS.c.id).where(DOCUMENTS.c.group_id == left).limit(2)).all()
    if len(others) < 2:
        connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.group_id == left).values(group_id=None))
        connection.execute(delete(GROUPS).where(GROUPS.c.id == left))


def _nearest(connection: Connection, signed: bytes) -> int | None:
    """Return the stored document that is most similar, if it is a near-duplicate."""
    candidates = select(BANDS.c.document_id).where(BANDS.c.hash.in_(_bands(signed))).distinct().limit(_MOST_CANDIDATES)
    rows = connection.execute(select(SIGNATURES).where(SIGNATURES.c.document_id.in_(candidates)))
    best = max(((minhash.similarity(signed, digest), -found) for found, digest in rows), default=(0.0, 0))
    return -best[1] if best[0] >= SIMILARITY else None


def _group_of(connection: Connection, document_id: int) -> int:
    """Return the group of a document; a new one if it has none."""
    found: int | None
    found = connection.execute(select(DOCUMENTS.c.group_id).where(DOCUMENTS.c.id == document_id)).scalar()
    if found is None:
        made: int = connection.execute(insert(GROUPS).values(made_at=now()).returning(GROUPS.c.id)).scalar_one()
        connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(group_id=made))
        found = made
    return found


def _bands(signed: bytes) -> list[int]:
    """Return a 64-bit number for each band of a signature."""
    found = []
    for number, band in enumerate(minhash.bands(signed, _ROWS)):
        digest = blake2b(number.to_bytes(4, "little") + band, digest_size=8).digest()
        found.append(int.from_bytes(digest, "big", signed=True))
    return found
