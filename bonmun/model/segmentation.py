"""The identity of a page's blocks: labels of blocks hold only for the same segmentation."""

from hashlib import blake2b

from bonmun.model.block import Blocks


def segmentation_digest(blocks: Blocks) -> str:
    """Return a hash of the texts of all blocks.

    >>> from bonmun.read.page import read_page
    >>> one, other = (segmentation_digest(read_page(html).blocks) for html in ("<p>Tea<p>pot", "<p>Teapot"))
    >>> len(one), one == other
    (16, False)
    """
    digest = blake2b(digest_size=8)
    for text in blocks.text:
        digest.update(f"{len(text)}\n{text}\n".encode("utf-8", "replace"))
    return digest.hexdigest()
