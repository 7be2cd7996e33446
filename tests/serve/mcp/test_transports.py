"""The server as a client meets it: a process on stdio, and /mcp of the web service."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from bench.page_server import serving
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.settings import ServeSettings
from tests.serve.access.live import add_token
from tests.serve.page.watched import running

PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><p>Tea is made of leaves, and of water that has just boiled.</p>"
ROOT = Path(__file__).parents[3]


def test_a_process_on_stdio_answers_and_ends_with_its_client(tmp_path: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bonmun", "mcp", "--store", str(tmp_path / "archive.db")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    async def run() -> None:
        async with Client(stdio_client(command)) as client:
            answer = await client.call_tool("extract", {"html": PAGE})
            assert "Tea is made of leaves" in answer.content[0].text  # type: ignore[union-attr]
            found = await client.call_tool("search", {"query": "leaves"})
            assert found.structured_content == {"query": "leaves", "total": 0, "next_offset": None}

    asyncio.run(run())
    assert (tmp_path / "archive.db").exists()


async def call(address: str, tool: str, arguments: dict[str, Any], token: str = "") -> CallToolResult:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    http = httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False)
    async with http, Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client:
        return await client.call_tool(tool, arguments)


def test_the_service_answers_assistants_at_mcp(tmp_path: Path) -> None:
    settings = ServeSettings(store=str(tmp_path / "archive.db"), workers=1)
    with running(settings) as address:
        answer = asyncio.run(call(address, "extract", {"html": PAGE}))
        assert "Tea is made of leaves" in answer.content[0].text  # type: ignore[union-attr]
        other_host = httpx2.post(f"{address}/mcp", json={}, headers={"Host": "evil.example"}, trust_env=False)
        assert other_host.status_code in (403, 421)


def test_the_scopes_of_a_token_hold_for_tools(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    reader, extractor = add_token(tokens, "reader", "read"), add_token(tokens, "extractor", "extract")
    settings = ServeSettings(store=str(tmp_path / "archive.db"), workers=1, access=AccessSettings(token_file=tokens))
    with running(settings) as address:
        assert httpx2.post(f"{address}/mcp", json={}, trust_env=False).status_code == 401
        refused = asyncio.run(call(address, "extract", {"html": PAGE}, reader))
        assert refused.is_error
        assert "scope 'extract'" in refused.content[0].text  # type: ignore[union-attr]
        assert not asyncio.run(call(address, "extract", {"html": PAGE}, extractor)).is_error
        no_fetch = asyncio.run(call(address, "extract", {"url": "https://example.org/"}, extractor))
        assert "scope 'fetch'" in no_fetch.content[0].text  # type: ignore[union-attr]


def test_a_site_is_learned_from_the_addresses_of_its_pages(tmp_path: Path) -> None:
    words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    settings = ServeSettings(store=str(tmp_path / "archive.db"), workers=1, allow_private=True)
    with serving([page.format(*pair).encode() for pair in words]) as site, running(settings) as address:
        answer = asyncio.run(call(address, "learn_site", {"urls": site.urls()}))
        assert "keep #text" in answer.content[0].text  # type: ignore[union-attr]
