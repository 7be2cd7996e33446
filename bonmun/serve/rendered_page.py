"""A page as a browser draws it, for the screens: a screenshot, and where its blocks and elements are on it."""

from base64 import b64encode
from typing import Final

from pydantic import BaseModel, Field

from bonmun import registry
from bonmun.deadline import within
from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.rendering.settings import RenderSettings
from bonmun.serve.given_page import GivenPage
from bonmun.write.block_boxes import block_boxes, is_cut, screenshot_of
from bonmun.write.element_boxes import element_boxes

WITH_SCREENSHOT: Final = RenderSettings(screenshot=True)
"""Offline and without scripts: a service renders pages of anybody."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels from the top left of the page."""


class RenderedAnswer(BaseModel):
    """A page as a browser drew it."""

    width: int
    """Of the screenshot, in pixels; of the page if there is none. So is `height`."""
    height: int
    page_height: int
    """Of the whole page, of which a screenshot has the upper part."""
    boxes: list[Box | None]
    """The box of every block, in order; null for a block that cannot be seen on the screenshot."""
    elements: list[tuple[int, int, int, int, float]]
    """Elements with the probability that they are main content, of a method that judges elements."""
    aborted: int
    """Requests of the page that were not sent: for style sheets, pictures, scripts."""
    screenshot: str | None = Field(json_schema_extra={"contentEncoding": "base64", "contentMediaType": "image/png"})
    """Null unless the request has `rendered`."""


def rendered_page(page: GivenPage, limits: Limits) -> Page:
    """Return a page that the browser of this worker process has drawn; raise `RenderError`."""
    with within(limits.seconds):
        read = read_page(page.content, url=page.url, charset=page.content_type, limits=limits)
    return registry.renderer()(read, WITH_SCREENSHOT)


def rendering_seconds() -> float:
    """Return the time that a browser may need for `rendered_page`."""
    return registry.rendering_seconds(WITH_SCREENSHOT)


def rendered_answer(document: Document) -> RenderedAnswer | None:
    """Return where blocks and elements of a rendered page are; `None` for a page that was not rendered."""
    page, layout = document.page, document.page.layout
    if layout is None:
        return None
    picture, size = screenshot_of(page) if layout.screenshot is not None else (None, layout.document)
    found = (box and box.within(size) for box in block_boxes(page, layout))
    return RenderedAnswer(
        width=size[0],
        height=size[1],
        page_height=layout.document[1] if is_cut(layout, size[1]) else size[1],
        boxes=list(found),
        elements=[(*box, round(probability, 3)) for box, probability in element_boxes(document, size)],
        aborted=layout.aborted,
        screenshot=None if picture is None else b64encode(picture).decode(),
    )
