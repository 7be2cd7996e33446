"""``bonmun token`` as a command."""

import json
import stat
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")


@pytest.fixture
def token(bonmun, folder: Path):
    """Run `bonmun token` with a configuration folder of its own."""
    return lambda *arguments, **environment: bonmun("token", *arguments, XDG_CONFIG_HOME=str(folder), **environment)


def test_a_token_is_shown_once_listed_and_revoked(token, folder: Path) -> None:
    added = token("add", "me", "--scope", "extract", "--scope", "read", "--rate", "60/min", "--expires", "90d")
    assert added.code == 0 and added.out.startswith("bonmun_") and len(added.out) == 7 + 43 + 1
    assert "not shown again" in added.err and added.out.strip() not in added.err
    file = folder / "bonmun" / "tokens.json"
    assert added.out.strip() not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    (row,) = json.loads(token("list", "--json").out)
    assert (row["name"], row["scopes"], row["rate"], row["expired"]) == ("me", ["extract", "read"], "60/min", False)
    again = token("add", "me", "--scope", "read")
    assert again.code == 2 and "there is a token 'me' already" in again.err
    assert token("revoke", "me").code == 0
    assert token("list").out == ""


def test_a_file_of_ones_own_and_wrong_values(token, folder: Path) -> None:
    assert token("add", "ci", "--scope", "write", "--max-bytes", "2MB", BONMUN_TOKEN_FILE="ci.json").code == 0
    assert "ci  write" in token("list", "--token-file", "ci.json").out
    assert "max_bytes 2000000" in token("list", "--token-file", "ci.json").out
    for wrong in (
        ["a b", "--scope", "read"],
        ["a"],
        ["a", "--scope", "admin"],
        ["a", "--scope", "read", "--rate", "1/m"],
    ):
        done = token("add", *wrong)
        assert done.code == 2 and done.err.count("\n") == 1, done.err
    assert "there is no token 'you'" in token("revoke", "you").err
    (folder / "bad.json").write_text("{\n")
    broken = token("list", "--token-file", "bad.json")
    assert broken.code == 1 and broken.err.startswith("bonmun: TokenFileError: token file bad.json, line 2:")
