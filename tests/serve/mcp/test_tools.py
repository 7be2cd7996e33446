"""The tools, driven by the SDK's own client in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp.client import Client
from mcp_types import CallToolResult

import bonmun
from bonmun.serve.mcp.server import create_server, opened
from bonmun.serve.settings import ServeSettings

ARTICLE = "<title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1>{}</article>"
PARAGRAPH = "<p>Number {}: tea is made of leaves, and of water that has just boiled and was not left to cool.</p>"
PAGE = ARTICLE.format("".join(map(PARAGRAPH.format, range(300))))


@asynccontextmanager
async def session() -> AsyncIterator[tuple[Client, Any]]:
    async with (
        opened(ServeSettings(store=":memory:", workers=1)) as service,
        Client(create_server(lambda: service)) as client,
    ):
        yield client, service


def in_session(test: Callable[[Client, Any], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with session() as (client, service):
            await test(client, service)

    asyncio.run(run())


def text_of(result: CallToolResult) -> str:
    assert not result.is_error, result.content
    return result.content[0].text  # type: ignore[union-attr]


def test_a_client_sees_the_tools_with_their_descriptions() -> None:
    async def test(client: Client, _: Any) -> None:
        tools = (await client.list_tools()).tools
        assert {"extract", "explain", "search", "read_document", "methods"} <= {tool.name for tool in tools}
        assert all(tool.description and tool.annotations for tool in tools)
        assert "context" not in next(tool for tool in tools if tool.name == "extract").input_schema["properties"]

    in_session(test)


def test_a_long_text_comes_in_parts_that_join_to_the_whole() -> None:
    whole = bonmun.extract(PAGE).to_markdown(bonmun.Output(title=True))

    async def test(client: Client, _: Any) -> None:
        parts: list[str] = []
        offset, page = 0, {"html": PAGE}
        while offset is not None:
            arguments = {**page, "offset": offset, "max_characters": 1500}
            answer = await client.call_tool("extract", arguments)
            facts = answer.structured_content
            assert facts is not None
            assert len(text_of(answer)) < 2200
            page, end = {"page": facts["page"]}, facts["next_offset"]
            assert (f"offset={end}." in text_of(answer)) == (end is not None)
            parts.append(text_of(answer).split("\n\n", 1)[1].rsplit("\n\n[", 1)[0])
            offset = end
        assert len(parts) > 10
        assert "".join(parts) == whole

    in_session(test)


def test_explain_lists_blocks_with_verdict_reasons_and_xpath() -> None:
    async def test(client: Client, _: Any) -> None:
        answer = await client.call_tool("explain", {"html": PAGE, "show": "dropped"})
        assert "dropped" in text_of(answer)
        assert "/html/body/nav" in text_of(answer)
        assert " kept " not in text_of(answer)
        kept = await client.call_tool("explain", {"html": PAGE, "show": "kept", "limit": 7, "offset": 7})
        assert kept.structured_content is not None
        assert kept.structured_content["next_offset"] == 14
        assert len([line for line in text_of(kept).splitlines() if " kept " in line]) == 7

    in_session(test)


def test_the_archive_is_searched_and_read() -> None:
    async def test(client: Client, service: Any) -> None:
        for name in ("tea", "coffee", "본문"):
            html = ARTICLE.format(PARAGRAPH.format(name)).replace("Tea", name)
            service.store.save(bonmun.extract(html), url=f"https://example.org/{name}")
        answer = await client.call_tool("search", {"query": "leaves", "limit": 2})
        assert answer.structured_content is not None
        assert (answer.structured_content["total"], answer.structured_content["next_offset"]) == (3, 2)
        found = await client.call_tool("search", {"query": "본문"})
        document = int(text_of(found).split("\n\n")[1].split()[0])
        assert "Number 본문" in text_of(await client.call_tool("read_document", {"document": document}))

    in_session(test)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("extract", {}, "give html, url or page"),
        ("extract", {"page": "0" * 32}, "send it again"),
        ("extract", {"html": PAGE, "method": "magic"}, "no method named 'magic'"),
        ("extract", {"url": "http://127.0.0.1:9/"}, "AddressRefused"),
        ("extract", {"html": PAGE, "max_characters": 10}, "max_characters"),
        ("read_document", {"document": 7}, "NotStored"),
    ],
)
def test_a_failure_says_what_is_wrong(tool: str, arguments: dict[str, Any], message: str) -> None:
    async def test(client: Client, _: Any) -> None:
        answer = await client.call_tool(tool, arguments)
        assert answer.is_error
        assert message in answer.content[0].text  # type: ignore[union-attr]

    in_session(test)
