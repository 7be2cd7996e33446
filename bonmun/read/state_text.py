"""The text of a page in the state of its scripts: the part of the state with most of the prose, as markup.

A state holds the article beside menus, translations, settings and other articles. The part is found from the top: while
one value of an object holds most of the prose, the others are left behind.
"""

import re
from collections import Counter, defaultdict
from html import escape, unescape
from typing import Final, NamedTuple

from bonmun.read.rich_text import element_of, is_inline

_MIN_PROSE = 80  # characters; shorter texts are labels, unless they stand among prose
_MAX_DEPTH = 60  # of a path; the deepest text of the development pages has 31
_MAX_VALUES = 1_000_000
_MAX_CHARS = 2_000_000  # of prose
_MIN_SHARE = 0.55  # of the prose, of a value that leaves its siblings behind
_MIN_ITEM_SHARE = 0.85  # the same in a list, whose items are more alike
_MIN_KEY_SHARE = 0.2  # of the prose under the most frequent key
_UNLIKELY_WEIGHT = 0.1  # of texts whose path has a name as in `_UNLIKELY`
_BODY_WEIGHT = 1.5  # of texts under a key as in `_BODY`
_SENTENCE_END: Final = re.compile(r"[.!?…](?:[\s\"'”’)<]|$)|[。！？]")
_MARKUP: Final = re.compile(r"<(?:p|div|br|li|h[1-6])\b", re.IGNORECASE)
_WORDS: Final = re.compile(r"\w\s+\w+\s+\w|[。！？]")
_TAG: Final = re.compile(r"<[^<>]*>")
_NOT_WORD: Final = re.compile(r"\W+")
_NOT_PROSE: Final = re.compile(
    r"\s*(?:\{\s*\"|\[\s*[\[{\"]|https?:|data:|//|<(?:!|(?:html|head|header|meta|link|nav|script|style|svg|iframe)\b))"
    r"|[^{]{0,300}(?:function\s*\(|\)\s*=>\s*[{(]|@media)",
    re.IGNORECASE,
)
_BODY: Final = re.compile(r"body|content|html|text|paragraph|article|story|post|markup|value|children")
_UNLIKELY: Final = re.compile(
    r"cookie|consent|privacy|translat|i18n|locale|languages?$|messages$|dictionar|phrases|labels?$|strings$|footer|header"
    r"|navigation|^nav|menu|sidebar|related|recommend|mostread|mostpopular|popular|trending|teaser|prologue|newsletter|legal"
    r"|disclaimer|bio$|biograph|^authors?$|seo|^meta|schema|jsonld|ld_json|config|theme|css|style|snippet"
    r"|caption|^alt|alttext|advert|banner|login|signup|subscri|paywall|error|template|tracking|analytics|toggle"
    r"|feature_?flags|compiledsource|imagelist|seealso"
)
_SHORT: Final = re.compile(r"description|excerpt|summary|abstract|caption|dek$|deck$")
_MAX_SHORT = 1000  # characters; a longer description is the text itself
_TITLES: Final = ("headline", "title", "heading", "question")
_LEADS: Final = ("lead", "lede", "intro", "introduction", "standfirst", "preamble")
_MAX_TITLE = 200
_MIN_COPY = 25  # characters of a text that is not repeated by chance
_Path = tuple[str | int, ...]


class _Text(NamedTuple):
    """A text, its path from the top (keys, and numbers of items), and its weight as prose."""

    path: _Path
    text: str
    weight: float


def state_markup(state: object) -> tuple[str, float]:
    """Return the text of a state as markup, and its weight: characters of prose, less for unlikely keys.

    >>> body = "The sea was calm that morning, and nobody spoke until the boats had come in again. "
    >>> state_markup({"article": {"title": "The sea", "body": [{"type": "p", "text": body}]}, "menu": ["Home"]})[0]
    '<h1>The sea</h1><p>The sea was calm that morning, and nobody spoke until the boats had come in again. </p>'
    """
    texts = _prose(state)
    if not texts:
        return "", 0
    path, texts = _main_part(texts)
    holders = _holders(state, path)
    keys = _text_keys(texts)
    if holders and isinstance(holders[-1], str):
        markup = marked_up(holders[-1])
    else:
        markup = _Writer(keys, {text.path[:-1] for text in texts if text.path}).markup(holders[-1], path)
    title = _title(holders)
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    return heading + _lead(holders, markup) + markup, sum(text.weight for text in texts)


def _prose(state: object) -> list[_Text]:
    """Return the texts with sentences or markup, each once: of copies and beginnings of the same text the heaviest."""
    known: dict[str, _Text] = {}
    seen, room, steps = set[int](), _MAX_CHARS, 0
    waiting: list[tuple[_Path, object]] = [((), state)]
    while waiting and room > 0 and steps < _MAX_VALUES:
        path, value = waiting.pop()
        steps += 1
        if isinstance(value, (dict, list)):
            if id(value) not in seen and len(path) < _MAX_DEPTH:  # tables of references may be cyclic
                seen.add(id(value))
                items = value.items() if isinstance(value, dict) else enumerate(value)
                waiting += [((*path, key), item) for key, item in reversed(list(items)) if _may_hold_text(item)]
        elif isinstance(value, str) and len(value) >= _MIN_PROSE and (weight := _weight(value)):
            room -= len(value)
            text = _Text(path, value, weight * _likelihood(path, weight))
            beginning = _fingerprint(value)
            if beginning not in known or text.weight > known[beginning].weight:
                known[beginning] = text
    return list(known.values())


def _may_hold_text(value: object) -> bool:
    return isinstance(value, (dict, list)) or (isinstance(value, str) and len(value) >= _MIN_PROSE)


def _weight(text: str) -> int:
    """The characters of prose; 0 for addresses, code and labels."""
    if _NOT_PROSE.match(text):
        return 0
    if _MARKUP.search(text):
        return len(_TAG.sub("", text))
    return len(text) if _SENTENCE_END.search(text) and _WORDS.search(text) else 0


def _fingerprint(text: str) -> str:
    """The beginning of a text, for finding copies with other markup."""
    return _NOT_WORD.sub("", _TAG.sub("", text[:1000]))[:100]


def _likelihood(path: _Path, chars: int) -> float:
    """A factor by the names of a path: settings, translations and lists of other pages are hardly the text."""
    names = [key.lower() for key in path if isinstance(key, str)]
    if any(map(_UNLIKELY.search, names)) or (chars < _MAX_SHORT and names and _SHORT.search(names[-1])):
        return _UNLIKELY_WEIGHT
    return _BODY_WEIGHT if names and _BODY.search(names[-1]) else 1.0


def _main_part(texts: list[_Text]) -> tuple[_Path, list[_Text]]:
    """Return the path of the part with most of the prose, and the texts in it."""
    path: _Path = ()
    while len(texts) > 1 or len(texts[0].path) > len(path):
        weights, inside = defaultdict[str | int, float](float), defaultdict[str | int, list[_Text]](list)
        for text in texts:
            if len(text.path) == len(path):
                return path, texts
            weights[text.path[len(path)]] += text.weight
            inside[text.path[len(path)]].append(text)
        key = max(weights, key=weights.__getitem__)
        share = _MIN_SHARE if isinstance(key, str) else _MIN_ITEM_SHARE
        if weights[key] < share * sum(weights.values()):
            break
        path, texts = (*path, key), inside[key]
    return path, texts


def _holders(state: object, path: _Path) -> list[object]:
    """The values along a path, the state first."""
    holders = [state]
    for key in path:
        value = holders[-1]
        holders.append(value[key] if isinstance(value, (dict, list)) else None)  # type: ignore[index]
    return holders


def _title(holders: list[object]) -> str | None:
    """The title beside the text: of the innermost object around it that has one."""
    for holder in reversed(holders[-6:]):
        if not isinstance(holder, dict):
            continue
        for title in map(holder.get, _TITLES[:2]):
            if isinstance(title, dict):
                title = title.get("rendered", title.get("basic"))  # WordPress, Arc
            if isinstance(title, str) and 0 < len(title.strip()) <= _MAX_TITLE:
                return _TAG.sub("", title).strip()
    return None


def _lead(holders: list[object], markup: str) -> str:
    """The markup of the lead beside the text, if the text does not begin with it."""
    beside = holders[-2] if len(holders) > 1 else None
    leads = map(beside.get, _LEADS) if isinstance(beside, dict) else ()
    lead = next((lead for lead in leads if isinstance(lead, str) and len(lead) >= _MIN_COPY), "")
    return marked_up(lead) if lead and _fingerprint(lead) not in _fingerprint(markup) else ""


def _text_keys(texts: list[_Text]) -> frozenset[str]:
    """The keys under which the prose stands; shorter texts under these keys belong to it."""
    weights = Counter[str]()
    for text in texts:
        weights[_key(text.path)] += int(text.weight)
    most = max(weights.values(), default=0)
    return frozenset(key for key, weight in weights.items() if weight >= _MIN_KEY_SHARE * most)


def _key(path: _Path) -> str:
    """The last name of a path; items of a list have the name of the list."""
    return next((key for key in reversed(path) if isinstance(key, str)), "")


class _End(NamedTuple):
    """The end of an element among values that are still to be written."""

    tag: str


class _Writer:
    """Writes a part of a state with a stack of waiting values, so that no depth of nesting can overflow it."""

    def __init__(self, keys: frozenset[str], parents: set[_Path]) -> None:
        self._keys, self._parents = keys, parents
        self._out: list[str] = []
        self._known, self._seen = set[str](), set[int]()
        self._open = 0  # block elements
        self._start = 0  # of the outermost one, in the output
        self._inside = set[str]()  # the texts in it
        self._waiting: list[tuple[_Path, object]] = []

    def markup(self, part: object, path: _Path) -> str:
        self._waiting.append((path, part))
        for _ in range(_MAX_VALUES):
            if not self._waiting:
                break
            path, value = self._waiting.pop()
            if isinstance(value, _End):
                self._close(value.tag)
            elif isinstance(value, str):
                self._write_text(value, _key(path))
            elif isinstance(value, (dict, list)) and id(value) not in self._seen and len(path) < _MAX_DEPTH:
                self._seen.add(id(value))
                self._enter(path, value)
        return "".join(self._out)

    def _enter(self, path: _Path, value: dict[str, object] | list[object]) -> None:
        if isinstance(value, list):
            self._waiting += [((*path, number), item) for number, item in reversed(list(enumerate(value)))]
            return
        element = element_of(value)
        if element == "" and path not in self._parents:  # a picture; a report of the type `video` has prose
            return
        if element == "br":
            self._out.append("<br>")
        elif element:
            self._out.append(f"<{element}>")
            if not is_inline(element):
                self._open_block()
            self._waiting.append((path, _End(element)))
        if path in self._parents and not element and not self._open:
            self._write_title(value)
        items = [
            ((*path, key), item)
            for key, item in value.items()
            if key in self._keys or not _UNLIKELY.search(key.lower())
        ]
        self._waiting += items[::-1]

    def _open_block(self) -> None:
        if not self._open:
            self._start = len(self._out) - 1
            self._inside.clear()
        self._open += 1

    def _close(self, element: str) -> None:
        self._out.append(f"</{element}>")
        if is_inline(element):
            return
        self._open -= 1
        if not self._open:
            beginning = _fingerprint("".join(self._out[self._start :]))
            if beginning in self._known:
                del self._out[self._start :]  # the text of another block again, or none
            elif len(beginning) >= _MIN_COPY:
                self._known.add(beginning)

    def _write_title(self, value: dict[str, object]) -> None:
        """Write the heading of a section: a title beside its text."""
        title = next((title for name in _TITLES if isinstance(title := value.get(name), str) and title), "")
        if title and len(title) <= _MAX_TITLE and not any(value.get(key) == title for key in self._keys):
            self._out.append(f"<h2>{escape(_TAG.sub('', title))}</h2>")

    def _write_text(self, text: str, key: str) -> None:
        if key not in self._keys or not text:
            return
        if self._open:
            if text in self._inside and len(text) >= _MIN_COPY:
                return  # a node with its text whole and in parts
            self._inside.add(text)
            self._out.append(text if _TAG.search(text) else escape(text, quote=False))
            return
        beginning = _fingerprint(text)
        if beginning and beginning not in self._known:
            self._known.add(beginning)
            self._out.append(marked_up(text))


def marked_up(text: str) -> str:
    """Return a text as markup; lines without markup are paragraphs.

    >>> marked_up("Tea &amp; cake\\nfor two"), marked_up("&lt;p&gt;Tea&lt;/p&gt;")
    ('<p>Tea &amp; cake</p><p>for two</p>', '<div><p>Tea</p></div>')
    """
    if "&" in text and not _TAG.search(text):
        text = unescape(text)
    if _MARKUP.search(text):
        return f"<div>{text}</div>"
    if _TAG.search(text):
        return f"<p>{text}</p>"
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())
