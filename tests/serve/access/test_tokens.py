"""The file of tokens: hashes only, for its owner only, errors by line."""

import json
import os
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bonmun.cli.token import SCOPES as CLI_SCOPES
from bonmun.errors import SourceError, TokenFileError
from bonmun.serve.access.rates import Rate
from bonmun.serve.access.scopes import SCOPES
from bonmun.serve.access.token_file import TokenFile
from bonmun.serve.access.tokens import find, hash_of
from tests.serve.access.live import add_token, revoke

ENTRY = {"name": "me", "hash": "0" * 64, "scopes": ["read"], "created": "2026-11-16T00:00:00Z"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "tokens.json"


def written(file: Path, *entries: object, **top: object) -> TokenFile:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"format": "bonmun/tokens", "version": 1, "tokens": entries, **top}, indent=1))
    file.chmod(0o600)
    return TokenFile(file)


def test_the_file_has_hashes_only_and_is_for_its_owner(file: Path) -> None:
    before = os.umask(0)
    try:
        secret = add_token(file, rate=Rate(60, 60), concurrency=4, max_bytes=1000)
    finally:
        os.umask(before)
    text = file.read_text()
    assert secret not in text and secret.removeprefix("bonmun_") not in text and hash_of(secret) in text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (token,) = TokenFile(file).tokens()
    assert (token.name, str(token.rate), token.concurrency, token.max_bytes) == ("me", "60/min", 4, 1000)
    assert find((token,), hash_of(secret)) == token and find((token,), hash_of(secret + "x")) is None


def test_a_change_is_seen_without_a_restart(file: Path) -> None:
    add_token(file, "first")
    reader = TokenFile(file)
    assert [token.name for token in reader.tokens()] == ["first"]
    add_token(file, "second")
    assert [token.name for token in reader.tokens()] == ["first", "second"]
    revoke(file, "first")
    assert [token.name for token in reader.tokens()] == ["second"]
    file.unlink()
    assert reader.tokens() == ()


def test_an_expired_token_is_not_found(file: Path) -> None:
    secret = add_token(file, expires=datetime.now(UTC) - timedelta(seconds=1))
    assert find(TokenFile(file).tokens(), hash_of(secret)) is None


def test_changes_of_several_processes_are_all_kept(file: Path) -> None:
    threads = [threading.Thread(target=add_token, args=(file, f"token{number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {token.name for token in TokenFile(file).tokens()} == {f"token{number}" for number in range(8)}


@pytest.mark.parametrize(
    ("changed", "line", "problem"),
    [
        ({"scopes": "read"}, 8, "'tokens.0.scopes': Input should be a valid list"),
        ({"scopes": ["admin"]}, 9, "'tokens.0.scopes.0': Input should be 'extract', 'fetch', 'read' or 'write'"),
        ({"scopes": []}, 8, "at least 1 item"),
        ({"hash": "secret"}, 7, "'tokens.0.hash'"),
        ({"name": "a/b"}, 6, "'tokens.0.name'"),
        ({"created": "yesterday"}, 11, "'tokens.0.created'"),
        ({"rate": "often"}, 12, "not a rate: 'often'"),
        ({"concurrency": 0}, 12, "greater than or equal to 1"),
        ({"concurrency": True}, 12, "valid integer"),
        ({"color": "red"}, 12, "'tokens.0.color': Extra inputs"),
    ],
)
def test_a_malformed_entry_is_named_by_its_line(
    file: Path, changed: dict[str, object], line: int, problem: str
) -> None:
    with pytest.raises(TokenFileError) as raised:
        written(file, {**ENTRY, **changed}).tokens()
    assert raised.value.line == line and problem in str(raised.value), str(raised.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{\n\n oops", 3),
        ("[]", 1),
        ("", 1),
        ("[" * 100_000, 1),
        ('{"format": "other",\n "version": 1, "tokens": []}', 1),
    ],
)
def test_what_is_no_token_file_is_an_error(file: Path, text: str, line: int) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(TokenFileError) as raised:
        TokenFile(file).tokens()
    assert raised.value.line == line


def test_a_newer_version_and_a_repeated_name_are_errors(file: Path) -> None:
    with pytest.raises(TokenFileError, match="'version'"):
        written(file, version=2).tokens()
    with pytest.raises(TokenFileError, match="another token is named 'me'"):
        written(file, ENTRY, {**ENTRY, "hash": "1" * 64}).tokens()


def test_a_file_that_others_may_change_is_refused(file: Path) -> None:
    add_token(file)
    file.chmod(0o622)
    with pytest.raises(TokenFileError, match="chmod 600"):
        TokenFile(file).tokens()


def test_an_error_stays_until_the_file_is_mended(file: Path) -> None:
    add_token(file)
    reader = TokenFile(file)
    good = file.read_bytes()
    reader.tokens()
    file.write_text("{")
    for _ in range(2):
        with pytest.raises(TokenFileError):
            reader.tokens()
    file.write_bytes(good)
    assert len(reader.tokens()) == 1


def test_a_path_that_cannot_be_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SourceError, match="cannot read token file"):
        TokenFile(tmp_path).tokens()
    with pytest.raises(SourceError, match="cannot write token file"):
        TokenFile(tmp_path / "file" / "tokens.json").change(lambda known: known)


def test_the_command_line_knows_the_same_scopes() -> None:
    assert set(CLI_SCOPES) == SCOPES
