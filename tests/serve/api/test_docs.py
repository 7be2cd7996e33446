"""The commands of docs/http-api.md, run by a shell against a running service."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.middleware.local_server import Server
from tests.serve.api.live import PAGE, TEXT, Live

DOCS = Path(__file__).parents[3] / "docs" / "http-api.md"
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_command_is_answered(served: Live, site: Server, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    answer = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE.encode()
    home = f"http://127.0.0.1:{site.port}"
    for path in ("/tea", "/tea?page=2"):
        site.serve(answer, path)
    assert len(COMMANDS) == 9
    for command in COMMANDS:
        here = command.replace("http://127.0.0.1:8117", served.address).replace("https://example.org", home)
        here = here.replace("https%3A%2F%2Fexample.org", home.replace(":", "%3A").replace("/", "%2F"))
        here = f'set -eu; curl() {{ command curl --silent --show-error --fail-with-body "$@"; }}\n{here}'
        done = subprocess.run(["sh", "-c", here], capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        assert TEXT in done.stdout, command
