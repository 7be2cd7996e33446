"""The compiled reader."""

_Columns = tuple[bytes, ...]

def read(
    source: str,
    flags_of_tag: bytes,
    most_nodes: int,
    most_depth: int,
    most_attributes: int,
    seconds: float,
    /,
) -> str | tuple[_Columns, bytes, tuple[str, ...], tuple[str, ...], int, int]: ...
def tokenize(
    source: bytes,
    model: str = "data",
    last_start_tag: str | None = None,
    in_foreign: bool = False,
    most_attributes: int = 256,
    /,
) -> list[tuple[object, ...]]: ...
