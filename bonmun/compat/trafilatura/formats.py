"""The output formats of trafilatura, written from our documents."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from html import escape
from typing import Any, Final
from xml.etree import ElementTree

from bonmun.compat.markup import inner
from bonmun.compat.trafilatura.settings import Document
from bonmun.compat.trafilatura.tree import tree_of
from bonmun.deadline import within
from bonmun.model.comment import Comment
from bonmun.model.document import Document as Extracted
from bonmun.model.output import Output
from bonmun.write.front_matter import scalar
from bonmun.write.text import outline_of, written

_HEADER: Final = "title author url hostname description sitename date categories tags fingerprint id license".split()
_ATTRIBUTES: Final = (
    "sitename title author date url hostname description categories tags license id fingerprint".split()
)
_COLUMNS: Final = "url id fingerprint hostname title image date text comments license pagetype".split()
_PLAIN: Final = (
    "title author hostname date fingerprint id license comments raw_text text language image pagetype filedate".split()
)
_RENAMED: Final = {"source": "url", "source-hostname": "sitename", "excerpt": "description"}


def shown(options: Any) -> Output:
    """Return the parts of the document that the options ask for."""
    return Output(
        links=options.links,
        images=options.images,
        captions=False,
        tables=options.tables,
        comments=options.comments and options.format == "xmltei",
    )


def content_text(document: Extracted, options: Any) -> str:
    """Return the text: one line for each paragraph, or Markdown with formatting, links or images.

    >>> import bonmun
    >>> from bonmun.compat.trafilatura.settings import Extractor
    >>> document = bonmun.extract("<h2>Tea</h2><p>Tea is made of <b>leaves</b>, and of water.</p>")
    >>> content_text(document, Extractor())
    'Tea\\nTea is made of leaves, and of water.'
    >>> content_text(document, Extractor(formatting=True))
    '## Tea\\n\\nTea is made of **leaves**, and of water.'
    """
    if options.formatting or options.links or options.images:
        return document.to_markdown(shown(options))
    return plain_text(document, options)


def plain_text(document: Extracted, options: Any) -> str:
    """Return the text, one line for each paragraph."""
    with within(document.limits.seconds):
        texts = written(outline_of(document.with_output(shown(options))))
        return "\n".join(line for _, lines in texts for line in lines)


def comment_text(comments: Sequence[Comment]) -> str:
    """Return the texts of all comments and replies, one line for each paragraph, without names and dates."""
    return "\n".join(line for line in "\n".join(_texts(comments)).split("\n") if line)


def _texts(comments: Sequence[Comment]) -> Iterator[str]:
    return (one.text for comment in comments for one in comment.thread())


def fingerprint(text: str) -> str:
    """Return 16 hexadecimal digits that identify a text exactly.

    >>> fingerprint("Tea")
    '6fdd9d86fe2fc3cc'
    """
    return blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()


def serialised(document: Extracted, result: Document, options: Any) -> str:
    """Return the extracted document in the format of the options; `result` has the metadata and the texts."""
    write: Callable[[Extracted, Document, Any], str] = {
        "json": _json,
        "csv": _csv,
        "xml": _xml,
        "html": _html,
        "xmltei": _tei,
    }.get(options.format, _text)
    return write(document, result, options)


def _text(_: Extracted, result: Document, options: Any) -> str:
    gap = "\n\n" if options.formatting else "\n"
    body = gap.join(filter(None, (result.text, result.comments)))
    return f"---\n{_front_matter(result)}---\n{body}" if options.with_metadata else body


def _front_matter(result: Document) -> str:
    values = ((name, getattr(result, name)) for name in _HEADER)
    return "".join(
        f"{name}: {scalar(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n"
        for name, value in values
        if value
    )


def _json(_: Extracted, result: Document, options: Any) -> str:
    if not options.with_metadata:
        return json.dumps({"text": result.text, "comments": result.comments or ""}, ensure_ascii=False)
    values = {name: getattr(result, name) for name in _PLAIN} | {"comments": result.comments or ""}
    values |= {name: getattr(result, of) for name, of in _RENAMED.items()}
    values |= {name: ";".join(getattr(result, name) or ()) for name in ("categories", "tags")}
    return json.dumps(values, ensure_ascii=False)


def _csv(_: Extracted, result: Document, __: Any) -> str:
    out = io.StringIO()
    values = [getattr(result, name) for name in _COLUMNS]
    csv.writer(out, delimiter="\t").writerow(["null" if value in (None, "") else value for value in values])
    return out.getvalue()


def _attributes(result: Document) -> dict[str, str]:
    values = {name: getattr(result, name) for name in _ATTRIBUTES}
    return {name: ";".join(value) if isinstance(value, list) else value for name, value in values.items() if value}


def _xml(document: Extracted, result: Document, options: Any) -> str:
    root = ElementTree.Element("doc", _attributes(result))
    root.append(main_tree(document, options, "main", ElementTree))
    root.append(comment_tree(document.comments if options.comments else (), "comments", ElementTree))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def main_tree(document: Extracted, options: Any, root: str, etree: Any = None) -> Any:
    """Return the content as a tree of trafilatura's elements."""
    return tree_of(document.to_html(shown(options)), root, options.formatting, etree)


def comment_tree(comments: Sequence[Comment], root: str, etree: Any = None) -> Any:
    """Return the comments as a tree: one `p` for each."""
    return tree_of("".join(f"<p>{escape(text, quote=False)}</p>" for text in _texts(comments)), root, False, etree)


def _html(document: Extracted, result: Document, options: Any) -> str:
    values = _attributes(result).items() if options.with_metadata else ()
    metas = "".join(f'<meta name="{name}" content="{escape(value)}"/>\n' for name, value in values)
    head = f"<head>\n{metas}</head>\n" if metas else ""
    return f"<html>\n{head}<body>\n{inner(document.to_html(shown(options)))}\n</body>\n</html>"


def _tei(document: Extracted, _: Document, options: Any) -> str:
    return document.write("tei", shown(options))
