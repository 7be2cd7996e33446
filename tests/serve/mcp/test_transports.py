"""The server as a client meets it: a process on stdio, and /mcp of the web service."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

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
