"""Addresses that a parser would not change are resolved without one, to the same result."""

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.model import links
from bonmun.model.links import Addresses, absolute, address_bases

_PIECES = (
    *("https:", "http:", "//", "/", "a.org", "xn--a.org", "A.org", "a", "..", ".", "?", "#", "%2e", "%41", "é", " "),
    *("'", "|", "@", ":80", ":", "-", "\t", "\\", "1.2.3.4", "mailto:", "example.org/"),
)
_BASES = (
    *(None, "", "https://example.org/a/b?c#d", "http://example.org", "https://example.org?x", "file:///a", "not a URL"),
    *("//a.org/", "https://xn--a.org/", "https://a.org:80/", "HTTPS://A.org/x", "https://a_b.org/"),
)


def by_parser(href: str, base: str | None) -> str | None:
    """The address by the parser alone."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(links, "_plain", lambda *_: None)
        return absolute(href, base)


@settings(max_examples=1500, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), st.sampled_from(_BASES))
def test_the_shortcuts_give_what_the_parser_gives(href: str, base: str | None) -> None:
    assert absolute(href, base) == by_parser(href, base)
    assert Addresses(base).of(href) == by_parser(href, base)


@pytest.mark.parametrize("href", ["/a/../b", "/a/./b", "https://a.org/../b", "/%2e%2E/b", "https://a.org/.."])
def test_steps_upwards_are_left_to_the_parser(href: str) -> None:
    assert absolute(href, "https://example.org/x/y") in ("https://example.org/b", "https://example.org/a/b") or (
        absolute(href, None) in ("https://a.org/b", "https://a.org/")
    )


@pytest.mark.parametrize(
    "path", ["", *"/ // /a /a/ /a/b?c/d /a?b#c/d /?/# /#?a/ /a:b@c;d/~e /a./b /./a /%2e%2e/b /a'b".split()]
)
def test_bases_are_those_of_a_url_parser(path: str) -> None:
    base = f"https://a-b.example.org{path}"
    own = ada_url.join_url(base, "#").removesuffix("#")
    folder = ada_url.join_url(base, "./")
    expected = ("https:", "https://a-b.example.org", folder, own)
    assert address_bases(base) == tuple(part.encode() for part in expected)
