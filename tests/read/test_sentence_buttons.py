"""The label of a button in mid-sentence is a part of the sentence; other buttons stay controls."""

import pytest

import bonmun
from bonmun.model.tags import CONTROL


@pytest.mark.parametrize(
    "html",
    [
        "<p>Press <button>Save</button> now.",
        "<p>Press <button type=button><b>Save</b></button> now.",
        "<p>Press<button>Save</button>now.",
        "<ul><li>Press <button>Save</button> now.</ul>",
    ],
)
def test_a_button_between_two_texts_is_a_word(html: str) -> None:
    page = bonmun.read_page(html)
    assert page.blocks.text == ("Press Save now.",)
    assert page.blocks.flags[0] == 0
    [block] = bonmun.extract(page).all_blocks
    assert "".join(run.text for run in block.runs) == block.text


@pytest.mark.parametrize(
    "html",
    [
        "<p>Tea <button>Copy</button></p>",
        "<p><button>Copy</button> Tea</p>",
        "<div>12 comments <button>Share</button> 5 likes</div>",
        "<p>Tea <i>x</i><button>Copy</button> leaves</p>",
        "<p>Tea <button><div>Copy</div></button> leaves</p>",
    ],
)
def test_other_buttons_are_controls(html: str) -> None:
    blocks = bonmun.read_page(html).blocks
    assert CONTROL in blocks.flags
