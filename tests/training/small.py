"""A small corpus: menus, footers and paragraphs of made-up sentences."""

import json
from pathlib import Path
from random import Random

_WORDS = "river night road water bridge tea milk stone light wind house garden field paper letter engine".split()


def small_corpus(path: Path, pages: int = 24, types: int = 2) -> Path:
    random = Random(1)
    path.write_text("\n".join(json.dumps(_record(number, types, random)) for number in range(pages)), encoding="utf-8")
    return path


def _record(number: int, types: int, random: Random) -> dict[str, str]:
    kind = ("article", "product", "forum")[number % types]
    texts = [" ".join(_sentence(random) for _ in range(2)) for _ in range(random.randint(2, 5))]
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in random.sample(_WORDS, 6))
    foot = "".join(f"<p class=foot>{word} policy</p>" for word in random.sample(_WORDS, 4))
    body = "".join(f"<p>{text}</p>" for text in texts)
    html = (
        f"<title>Page {number}</title><body><nav class=menu><ul>{menu}</ul></nav><main class={kind}>{body}</main>{foot}"
    )
    return {
        "id": str(number),
        "html": html,
        "gold_text": "\n".join(texts),
        "domain": f"site{number // 2}.org",
        "lang": "en",
        "page_type": kind,
    }


def _sentence(random: Random) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(random.randint(6, 14))).capitalize() + ", and so on."
