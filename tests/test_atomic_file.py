"""Files that are written whole or not at all."""

import os
import threading
from pathlib import Path

import pytest

from bonmun.atomic_file import AtomicFile, write_atomically


def test_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to("target")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_a_link_to_a_missing_file_creates_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("missing")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "missing").read_text() == "new"


def test_a_discarded_file_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    file = AtomicFile(path)
    file.write(b"half")
    file.discard()
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("file", "old")]


def test_a_pipe_is_written_in_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append((tmp_path / "pipe").read_text()))
    reader.start()
    write_atomically(tmp_path / "pipe", b"through")
    reader.join(30)
    assert received == ["through"]
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="the system has no /dev/fd")
def test_a_descriptor_of_the_system_is_written_in_place(tmp_path: Path) -> None:
    with (tmp_path / "file").open("ab") as file:
        file.write(b"first ")
        file.flush()
        write_atomically(Path(f"/dev/fd/{file.fileno()}"), b"second")
    assert (tmp_path / "file").read_text() == "first second"
