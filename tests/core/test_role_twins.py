"""Kinds of blocks by the ARIA roles around them: the compiled twin agrees with Python."""

from itertools import islice
from random import Random

import pytest

import bonmun
from bonmun.core import core
from bonmun.model.aria import TABLE_TAGS, TAGS_OF_ROLES, tags_by_role, with_role_kinds_by_reference
from bonmun.model.page import Page
from bonmun.read.compiled import READ_COLUMNS
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is not built")

ELEMENTS = (
    "<div role=heading aria-level=' 3 '>{}</div>",
    "<div role=heading aria-level=9>{}</div>",
    "<span role='\u3000Heading\n'>{}</span>",
    "<div role=list>{}</div>",
    "<section role=LISTITEM>{}</section>",
    "<ul><li>{}</li></ul>",
    "<ul role=list><li role=listitem>{}</ul>",
    "<div role=listbox>{}</div>",
    "<div role=table><div role=row><div role=cell>{}</div></div></div>",
    "<p>{}</p>",
    "{}<br>b",
    "<h2>{}</h2>",
)


def compared(page: Page) -> bool:
    """Compare, and tell whether a role changed a block."""
    expected = with_role_kinds_by_reference(page.nodes, page.blocks)
    assert page.shown_blocks == expected
    assert page.nodes.roles == page.nodes.roles_by_reference()
    return expected is not page.blocks


def test_the_twins_agree_on_nested_roles() -> None:
    random, count = Random(4), 0
    for _ in range(500):
        html = ""
        for _ in range(random.randint(1, 7)):
            html = random.choice(("", "a")) + random.choice(ELEMENTS).format(f"{html} x") + random.choice(("", html))
        count += compared(bonmun.read_page(html))
    assert count > 200


def test_the_twins_agree_on_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 29):
        compared(bonmun.read_page(record["html"], url=record["url"]))


def test_a_changed_copy_keeps_all_other_columns() -> None:
    nodes = bonmun.read_page("<div role=table>a</div><b>b").nodes
    changed = nodes.replaced(tag=tags_by_role(nodes, TABLE_TAGS))
    assert changed.rows_of("table") == nodes.rows_of("div")
    assert all(getattr(changed, name) == getattr(nodes, name) for name in READ_COLUMNS if name != "tag")
    assert changed.xpath(5) and changed.tag_names == nodes.tag_names


@pytest.mark.parametrize("roles", [b"\0" * 7, (99).to_bytes(4, "little") + bytes(4), bytes(16)])
def test_roles_of_other_rows_are_refused(roles: bytes) -> None:
    compiled, page = core(), bonmun.read_page("<div role=list>a")
    assert compiled is not None
    assert tags_by_role(page.nodes, TAGS_OF_ROLES) != page.nodes.tag
    with pytest.raises(ValueError, match="roles, blocks"):
        compiled.role_kinds(page.nodes.held, page.blocks.columns, roles, -1)
