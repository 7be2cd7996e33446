"""Near-duplicates: MinHash signatures, compared with those that share a band (LSH). All of it is kept in tables.

A document joins the group of the most similar one. A group is made when its second member comes.
"""

import struct
from collections.abc import Sequence

from rensa import RMinHash
from sqlalchemy import Connection, delete, insert, select, update

from bonmun.store.clock import now
from bonmun.store.schema import BANDS, DOCUMENTS, GROUPS, SIGNATURES

SIMILARITY = 0.8
"""Jaccard similarity of the token triples from which on two texts are near-duplicates."""
_HASHES, _BANDS, _SEED = 128, 16, 1
_ROWS = _HASHES // _BANDS
_LEAST_TOKENS = 20
"""Shorter texts are not compared: "page not found" is no article."""
_MOST_CANDIDATES = 200

Signature = tuple[int, ...]


def signature(tokens: Sequence[str]) -> Signature:
    """Return the MinHash signature of a text's tokens; an empty one if it is too short to compare.

    >>> story = [f"word{number}" for number in range(200)]
    >>> similarity(signature(story), signature([*story, "the", "end"])) > 0.9
    True
    """
    if len(tokens) < _LEAST_TOKENS:
        return ()
    hashed = RMinHash(num_perm=_HASHES, seed=_SEED)
    hashed.update([" ".join(triple) for triple in zip(tokens, tokens[1:], tokens[2:], strict=False)])
    return tuple(hashed.digest())


def similarity(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the estimated Jaccard similarity of two texts."""
    return sum(map(int.__eq__, one, other)) / _HASHES if one and other else 0.0


def group(connection: Connection, document_id: int, signed: Signature) -> int | None:
    """Put a document into the group of its near-duplicates; return the most similar one, or `None`."""
    ungroup(connection, document_id)
    if not signed:
        return None
    nearest = _nearest(connection, signed)
    connection.execute(insert(SIGNATURES), {"document_id": document_id, "digest": _packed(signed)})
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
    bands = _bands(_unpacked(held))
    connection.execute(delete(BANDS).where(BANDS.c.hash.in_(bands), BANDS.c.document_id == document_id))
    left = connection.execute(select(DOCUMENTS.c.group_id).where(DOCUMENTS.c.id == document_id)).scalar()
    if left is None:
        return
    connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == document_id).values(group_id=None))
    others = connection.execute(select(DOCUMENTS.c.id).where(DOCUMENTS.c.group_id == left).limit(2)).all()
    if len(others) < 2:
        connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.group_id == left).values(group_id=None))
        connection.execute(delete(GROUPS).where(GROUPS.c.id == left))


def _nearest(connection: Connection, signed: Signature) -> int | None:
    """Return the stored document that is most similar, if it is a near-duplicate."""
    candidates = select(BANDS.c.document_id).where(BANDS.c.hash.in_(_bands(signed))).distinct().limit(_MOST_CANDIDATES)
    rows = connection.execute(select(SIGNATURES).where(SIGNATURES.c.document_id.in_(candidates)))
    best = max(((similarity(signed, _unpacked(digest)), -found) for found, digest in rows), default=(0.0, 0))
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


def _bands(signed: Signature) -> list[int]:
    """Return a 64-bit number for each band of a signature."""
    from hashlib import blake2b

    found = []
    for band in range(_BANDS):
        digest = blake2b(_packed((band, *signed[band * _ROWS : (band + 1) * _ROWS])), digest_size=8).digest()
        found.append(int.from_bytes(digest, "big", signed=True))
    return found


def _packed(numbers: Signature) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def _unpacked(digest: bytes) -> Signature:
    return struct.unpack(f"<{len(digest) // 4}I", digest)
