import json
import logging
from pathlib import Path

import pytest

from bonmun.errors import SourceError
from bonmun.run.config import LogConfig
from bonmun.run.logs import logging_to, note

LOG = logging.getLogger("bonmun.run")


def test_a_file_has_one_json_object_per_line(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "run.log"
    with logging_to(LogConfig(path)):
        note(LOG, logging.INFO, "page stored", url="https://example.org/차", version=2, title="two\nlines \ud800")
        note(LOG, logging.DEBUG, "not shown at this level")
        try:
            raise ValueError("no tea")
        except ValueError:
            LOG.exception("wrapper failed")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines] == ["page stored", "wrapper failed"]
    assert lines[0] | {"time": ""} == {
        "time": "", "level": "info", "logger": "bonmun.run", "event": "page stored",
        "url": "https://example.org/차", "version": 2, "title": "two\nlines ?",
    }  # fmt: skip
    assert "ValueError: no tea" in lines[1]["traceback"]


def test_text_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to(LogConfig(format="text", level="warning")):
        note(LOG, logging.WARNING, "fetch failed", url="https://me:secret@example.org/", error="\x1b[2Jtwo words")
        note(LOG, logging.INFO, "not shown at this level")
    line = capsys.readouterr().err
    assert line[9:] == 'warning: fetch failed: url=https://…@example.org/ error="\\u001b[2Jtwo words"\n'


def test_the_screen_keeps_standard_error_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to(LogConfig(), quiet=True):
        LOG.error("not shown")
    assert capsys.readouterr().err == ""


def test_a_log_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    logging_to_folder = logging_to(LogConfig(tmp_path))
    with pytest.raises(SourceError, match=r"cannot write log .*: Is a directory"):
        logging_to_folder.__enter__()


def test_a_log_that_is_moved_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with logging_to(LogConfig(path)):
        LOG.info("first")
        path.rename(tmp_path / "run.log.1")
        LOG.info("second")
    assert '"second"' in path.read_text()
    assert '"first"' not in path.read_text()


def test_nothing_stays_configured_afterwards(tmp_path: Path) -> None:
    logger = logging.getLogger("bonmun")
    before = (logger.handlers[:], logger.level, logger.propagate)
    with logging_to(LogConfig(tmp_path / "run.log")):
        assert logger.handlers
    assert (logger.handlers, logger.level, logger.propagate) == before
