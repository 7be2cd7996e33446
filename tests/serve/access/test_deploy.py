"""The files of deploy/ and `make serve` name commands and options that exist."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bonmun.cli.commands import commands

ROOT = Path(__file__).parents[3]
UNIT = (ROOT / "deploy" / "bonmun.service").read_text(encoding="utf-8")
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
DOCS = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")


def parsed(arguments: list[str]) -> click.Context:
    """Parse the arguments of `bonmun` as the command does; raise `click.ClickException` for what does not exist."""
    command, rest = commands, arguments
    context = click.Context(command, info_name="bonmun")
    while isinstance(command, click.Group):
        name, *rest = rest
        found = command.get_command(context, name)
        assert found is not None, f"no command {name}"
        command = found
    return command.make_context(command.name, rest, parent=context)


def calls(text: str) -> list[list[str]]:
    """The calls of `bonmun` in a text: lines of a shell, with their continuations."""
    joined = re.sub(r"\\\n#?\s*", "", text)
    found = re.findall(r"(?:^|[\s/])bonmun((?: (?:serve|token)\b)[^\n`|&<>]*)", joined)
    return [shlex.split(call, comments=True) for call in found if "…" not in call]


def directives(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def test_the_unit_starts_a_service_that_needs_tokens() -> None:
    (start,) = directives("ExecStart")
    program, *arguments = shlex.split(start)
    assert program == "/opt/bonmun/bin/bonmun"
    options = parsed(arguments).params
    assert options["host"] == "127.0.0.1" and options["token_file"] == Path("/var/lib/bonmun/tokens.json")
    assert directives("StateDirectory") == ["bonmun"] and options["store"].startswith("/var/lib/bonmun/")
    assert directives("DynamicUser") == ["yes"] and directives("KillMode") == ["mixed"]


def test_the_container_listens_everywhere_and_therefore_needs_tokens() -> None:
    entry, start = (json.loads(re.findall(rf"^{name} (\[.*\])$", CONTAINERFILE, re.MULTILINE)[-1])
                    for name in ("ENTRYPOINT", "CMD"))  # fmt: skip
    assert entry == ["bonmun"]
    options = parsed(start).params
    assert options["host"] == "0.0.0.0" and not options["without_tokens"] and options["store"].startswith("/data/")
    assert re.search(r"^USER bonmun$", CONTAINERFILE, re.MULTILINE) and "VOLUME /data" in CONTAINERFILE
    assert re.search(r"BONMUN_TOKEN_FILE=/data/tokens.json", CONTAINERFILE)
    assert f"EXPOSE {options['port']}" in CONTAINERFILE and f":{options['port']}/readyz" in CONTAINERFILE


def test_what_the_container_copies_and_installs_exists() -> None:
    for sources in re.findall(r"^COPY (?!--)(.*) \S+$", CONTAINERFILE, re.MULTILINE):
        for name in sources.split():
            assert (ROOT / name).exists(), name
    extras = re.search(r"'\.\[(.*)\]'", CONTAINERFILE)
    assert extras is not None
    for extra in extras[1].split(","):
        assert re.search(rf"^{extra} = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE), extra


@pytest.mark.parametrize("text", [UNIT, CONTAINERFILE, DOCS], ids=["unit", "container", "docs"])
def test_every_call_in_comments_and_docs_is_a_valid_one(text: str) -> None:
    found = calls(text)
    assert found
    for call in found:
        parsed(call)


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "bonmun.service"
    unit.write_text(UNIT.replace("/opt/bonmun/bin/bonmun", sys.executable))
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, timeout=60)
    if "Failed to" in done.stderr and "bonmun.service" not in done.stderr:
        pytest.skip(f"systemd-analyze does not run here: {done.stderr.strip()[:200]}")
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_make_serve_sets_up_and_starts() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    done = subprocess.run([make, "--dry-run", "serve", "ARGS=--port 9000"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "bonmun serve --port 9000" in done.stdout
