"""The structural items that a Markdown reader sees."""

from fidelity_items import DEFINITION_KEY, Item, Items, address_key, code_key, key, tex_key
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from bonmun.model.tags import TEXT
from bonmun.read.parse import parse


def reader() -> MarkdownIt:
    """CommonMark with tables, strikethrough, footnotes and dollar math (`$5 and $6` is none, as in pandoc)."""
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return made.use(footnote_plugin).use(dollarmath_plugin, allow_space=False, allow_digits=False)


def in_markdown(markdown: str, made: MarkdownIt, base: str | None) -> Items:
    """The items that a Markdown reader sees."""
    items = Items()
    tokens = made.parse(markdown)
    definitions: dict[int, str] = {}
    texts: list[str] = []
    opened: list[tuple[str, list[str], int]] = []  # kind, texts, footnote number
    for token in tokens:
        if token.type in ("fence", "code_block"):
            texts.append(token.content)
            items.add("code", code_key(token.content), text=key(token.content))
            _extend(opened, token.content)
        elif token.type == "html_block":
            texts.append(_html_items(token.content, items, base))
        elif token.type.startswith("math_block"):
            items.add("formula", tex_key(token.content) or "?", text=tex_key(token.content))
        elif token.type == "inline":
            text = _inline_items(token.children or [], items, base)
            texts.append(text)
            _extend(opened, text)
        elif token.nesting > 0:
            opened.append((_KIND_OF_TOKEN.get(token.type, ""), [], token.meta.get("id", -1)))
        elif token.nesting < 0:
            kind, parts, number = opened.pop()
            text = key("".join(parts))
            if kind == "definition":
                definitions[number] = text[:DEFINITION_KEY]
            elif kind and text:
                items.add(kind, text, text=text)
    items.text = key("".join(texts))
    _resolve_notes(items, definitions)
    return items


_KIND_OF_TOKEN = {
    "heading_open": "heading",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "td_open": "cell",
    "th_open": "cell",
    "footnote_open": "definition",
}


def _extend(opened: list[tuple[str, list[str], int]], text: str) -> None:
    """Give text to all elements around it, to a list item only what is not of a list inside it."""
    passed_item = False
    for kind, parts, _ in reversed(opened):
        if kind != "item" or not passed_item:
            parts.append(text)
        passed_item = passed_item or kind == "item"


def _inline_items(tokens: list[Token], items: Items, base: str | None) -> str:
    """Add links, images, formulas and footnote references; return the text."""
    texts: list[str] = []
    link: tuple[str, int] | None = None
    for token in tokens:
        if token.type in ("text", "code_inline"):
            texts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            texts.append("\n")
        elif token.type == "link_open":
            link = address_key(str(token.attrs["href"]), base), len(texts)
        elif token.type == "link_close" and link:
            if text := key("".join(texts[link[1] :])):
                items.add("link", f"{link[0]} {text}", text=text)
        elif token.type == "image":
            items.add("image", address_key(str(token.attrs["src"]), base))
        elif token.type.startswith("math_inline"):
            texts.append(token.content)
            items.add("formula", tex_key(token.content) or "?", text=tex_key(token.content))
        elif token.type == "footnote_ref":
            items.add("footnote", f"#{token.meta['id']}")
    return "".join(texts)


def _resolve_notes(items: Items, definitions: dict[int, str]) -> None:
    for at, item in enumerate(items.items):
        if item.kind == "footnote":
            text = definitions.get(int(item.keys[0][1:]), "")
            items.items[at] = Item("footnote", (text,), text)


def _html_items(html: str, items: Items, base: str | None) -> str:
    """Add the cells, links and images of an HTML block; return its text."""
    nodes = parse(html)
    for row in range(len(nodes)):
        name, text = nodes.name(row), key(nodes.content(row)) if nodes.tag[row] != TEXT else ""
        if name in ("td", "th") and text:
            items.add("cell", text, text=text)
        elif name == "a" and text and nodes.attr(row, "href"):
            items.add("link", f"{address_key(nodes.attr(row, 'href') or '', base)} {text}", text=text)
        elif name == "img" and nodes.attr(row, "src"):
            items.add("image", address_key(nodes.attr(row, "src") or "", base))
    return nodes.content(0) if len(nodes) else ""
