"""Services that must not start, and why."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bonmun.cli.serve import serve
from bonmun.errors import AddressUnavailable, BonmunError, NotAStore, ServiceError, TokenFileError, Unprotected
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.listening import is_exposed
from bonmun.serve.server import check
from bonmun.serve.settings import ServeSettings
from tests.serve.access.live import TREE, add_token, revoke


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("BONMUN_TOKEN_FILE", raising=False)
    return tmp_path


@pytest.fixture
def file(folder: Path) -> Path:
    return folder / "config" / "bonmun" / "tokens.json"


def refusal(*options: str) -> BonmunError | click.ClickException:
    """The error of a command that must not start."""
    with pytest.raises((BonmunError, click.ClickException)) as raised:
        serve.main(["--port", "0", *options], standalone_mode=False)
    return raised.value


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--host", "0.0.0.0"), "0.0.0.0"),
        (("--host", "::"), "::"),
        (("--host", "0"), "0"),
        (("--host", "192.168.1.7"), "192.168.1.7"),
        (("--allow-host", "bonmun.example.org"), "bonmun.example.org"),
        (("--proxy", "127.0.0.1"), "127.0.0.1"),
        (("--uds", "bonmun.sock", "--allow-host", "bonmun.example.org"), "bonmun.example.org"),
    ],
)
def test_a_public_service_without_tokens(folder: Path, options: tuple[str, ...], name: str) -> None:
    error = refusal(*options)
    assert isinstance(error, Unprotected) and error.host == name
    assert "bonmun token add" in str(error) and "--without-tokens" in str(error)
    assert not list(folder.glob("bonmun*"))


def test_everybody_gets_in_only_if_told_so() -> None:
    check(ServeSettings(host="0.0.0.0", store=":memory:", access=AccessSettings(without_tokens=True)))
    with pytest.raises(Unprotected):
        check(ServeSettings(host="0.0.0.0", store=":memory:"))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "::ffff:127.0.0.1"])
def test_only_the_loopback_interface_is_private(host: str) -> None:
    assert not is_exposed(host)


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        error = refusal("--port", str(port), "--store", ":memory:")
    assert isinstance(error, AddressUnavailable)
    assert str(error).startswith(f"port {port} of 127.0.0.1 is in use") and "--port" in str(error)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1", "999.1.1.1", "", "a" * 300, "\ud55c\uae00..org"])
def test_an_address_of_another_machine(host: str) -> None:
    error = refusal("--host", host, "--without-tokens", "--store", ":memory:")
    assert isinstance(error, AddressUnavailable) and "no address of this machine" in str(error)


def test_a_socket_where_there_is_a_file(folder: Path) -> None:
    (folder / "file").touch()
    for path in ("file", "no-folder/bonmun.sock", "x" * 200):
        assert isinstance(refusal("--uds", path, "--store", ":memory:"), AddressUnavailable)
    assert (folder / "file").exists()


def test_a_file_of_which_all_tokens_were_revoked_does_not_open_the_service(file: Path) -> None:
    add_token(file)
    revoke(file)
    error = refusal()
    assert type(error) is ServiceError and "has no token" in str(error) and "--without-tokens" in str(error)
    assert "has no token" in str(refusal("--token-file", "other.json"))


def test_a_malformed_token_file(file: Path) -> None:
    add_token(file)
    file.write_text("{\n oops")
    error = refusal()
    assert isinstance(error, TokenFileError) and error.line == 2


def test_a_store_that_cannot_be_used(folder: Path) -> None:
    (folder / "bonmun.db").write_text("this is not a database, but it is long enough to be read as one " * 20)
    assert isinstance(refusal(), NotAStore)


@pytest.mark.parametrize(
    "options",
    [("--allow-origin", "*"), ("--allow-host", "*"), ("--rate", "often"), ("--memory", "much"), ("--max-bytes", "0"),
     ("--port", "70000"), ("--workers", "-1")],
)  # fmt: skip
def test_a_wrong_option(options: tuple[str, str]) -> None:
    error = refusal(*options)
    assert isinstance(error, click.UsageError) and error.exit_code == 2


@pytest.mark.parametrize(
    ("command", "package"), [("serve", "fastapi"), ("serve", "uvicorn"), ("token list", "fastapi")]
)
def test_a_missing_package(command: str, package: str) -> None:
    script = f"import sys; sys.modules[{package!r}] = None; from bonmun.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, *command.split()], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(TREE)},
    )  # fmt: skip
    assert done.returncode == 1 and done.stderr.startswith("bonmun: MissingExtra: "), done.stderr
    assert "pip install 'bonmun[serve]'" in done.stderr


def test_logs_that_cannot_be_written(folder: Path) -> None:
    (folder / "file").touch()
    assert "cannot write log" in str(refusal("--log", "file/serve.log", "--store", ":memory:"))
