"""The file of tokens: JSON, readable by its owner only, written whole; read again when it changes."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from bonmun.atomic_file import write_atomically
from bonmun.errors import SourceError, TokenFileError
from bonmun.serve.access.rates import Rate
from bonmun.serve.access.scopes import Scope
from bonmun.serve.access.tokens import NAME, Token
from bonmun.sites.lines import lines_of

FORMAT: Final = "bonmun/tokens"
VERSION: Final = 1
_OTHERS_MAY_WRITE: Final = 0o022


def _rate(value: Any) -> Any:
    return Rate.parse(value) if isinstance(value, str) else value


_RateText = Annotated[Rate, BeforeValidator(_rate), PlainSerializer(str)]
_Time = Annotated[datetime, Field(strict=False)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(pattern=f"^{NAME.pattern}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")
    scopes: list[Scope] = Field(min_length=1)
    created: _Time
    expires: _Time | None = None
    rate: _RateText | None = None
    concurrency: int | None = Field(None, ge=1, le=10_000)
    max_bytes: int | None = Field(None, ge=1, le=2**40)


class _Contents(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    format: str = Field(pattern=f"^{FORMAT}$")
    version: int = Field(ge=VERSION, le=VERSION)
    tokens: list[_Entry]


def default_path() -> Path:
    """Return where tokens are kept unless told otherwise: the user's folder of configurations."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "bonmun" / "tokens.json"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "bonmun" / "tokens.json"


class TokenFile:
    """The tokens in a file; an empty one if it does not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._tokens: tuple[Token, ...] = ()

    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens as they are now; raise `TokenFileError` or `SourceError`.

        An error stays until the file is mended: a service must not go on with tokens that may have been revoked.
        """
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self._seen, self._tokens = None, ()
            return ()
        except OSError as error:
            raise SourceError(f"cannot read token file {self.path}: {error.strerror}") from error
        seen = (status.st_mtime_ns, status.st_size, status.st_ino)
        if seen != self._seen:
            self._tokens = _read(self.path, status.st_mode)
            self._seen = seen
        return self._tokens

    def change(self, change: Callable[[tuple[Token, ...]], tuple[Token, ...]]) -> None:
        """Replace the tokens by what a function makes of them; one process at a time."""
        try:
            with _locked(self.path):
                content = _written(change(self.tokens()))
                write_atomically(self.path, content, private=True)
        except OSError as error:
            raise SourceError(f"cannot write token file {self.path}: {error.strerror}") from error


def _read(path: Path, mode: int) -> tuple[Token, ...]:
    if os.name == "posix" and mode & _OTHERS_MAY_WRITE:
        raise TokenFileError(str(path), 1, f"other users may change it; run: chmod 600 {path}")
    try:
        text = path.read_text(encoding="utf-8")
        contents = _Contents.model_validate(json.loads(text))
    except OSError as error:
        raise SourceError(f"cannot read token file {path}: {error.strerror}") from error
    except ValidationError as error:
        raise _invalid(path, text, error) from error
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise TokenFileError(str(path), line, f"invalid JSON: {getattr(error, 'msg', error)}") from error
    tokens = tuple(_token(entry) for entry in contents.tokens)
    names = [token.name for token in tokens]
    for index, name in enumerate(names):
        if name in names[:index]:
            line = lines_of(text).get(("tokens", index, "name"), 1)
            raise TokenFileError(str(path), line, f"another token is named {name!r}; rename one of them")
    return tokens


def _token(entry: _Entry) -> Token:
    return Token(
        entry.name, entry.hash, frozenset(entry.scopes), entry.created.astimezone(),
        entry.expires.astimezone() if entry.expires else None, entry.rate, entry.concurrency, entry.max_bytes,
    )  # fmt: skip


def _invalid(path: Path, text: str, error: ValidationError) -> TokenFileError:
    first = error.errors()[0]
    lines, place = lines_of(text), tuple(first["loc"])
    while place not in lines and place:
        place = place[:-1]
    key = ".".join(map(str, first["loc"])) or "the file"
    return TokenFileError(str(path), lines.get(place, 1), f"{key!r}: {first['msg']}")


def _scopes(token: Token) -> list[Scope]:
    return [scope for scope in get_args(Scope) if scope in token.scopes]


def _written(tokens: tuple[Token, ...]) -> bytes:
    entries = [
        _Entry(
            name=token.name, hash=token.hash, scopes=_scopes(token), created=token.created, expires=token.expires,
            rate=token.rate, concurrency=token.concurrency, max_bytes=token.max_bytes,
        ).model_dump(mode="json", exclude_none=True)
        for token in tokens
    ]  # fmt: skip
    return (json.dumps({"format": FORMAT, "version": VERSION, "tokens": entries}, indent=2) + "\n").encode()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes from changing the file meanwhile, where the system can."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    import fcntl

    lock = path.with_name(f".{path.name}.lock")
    with lock.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
