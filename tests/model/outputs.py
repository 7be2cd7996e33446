"""Everything a document gives, in a form that compares: for documents that come back from another process."""

from bonmun.model.document import Document
from bonmun.model.judged_block import Block


def outputs(document: Document) -> dict[str, object]:
    """Every output and every property of a document and of its blocks."""
    return {
        "formats": [document.write(name) for name in ("text", "markdown", "html", "json", "xml", "explain")],
        "blocks": [_block(block) for block in document.all_blocks],
        "kept": [block.index for block in document.blocks],
        "comments": [(comment.author, comment.text) for comment in document.comments],
        "comment_blocks": [block.text for block in document.comment_blocks],
        "metadata": document.metadata,
        "analysis": document.analysis.to_dict() if document.analysis else None,
        "page": (document.url, document.page.encoding, document.page.base_url, document.warnings),
        "answer": (document.method, document.status, document.reasons, document.confidence, document.page_type),
    }


def _block(block: Block) -> tuple[object, ...]:
    verdict = (block.keep, block.score, tuple(block.reasons), block.part)
    return (block.text, block.kind, block.level, block.xpath, block.span, block.runs, *verdict)
