"""Work that dies, hangs, fills its memory or fails, and routes that ask for it. Imported by worker processes."""

import os
import time
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI

from bonmun.serve.dependencies import TheService

router = APIRouter()


@dataclass(frozen=True)
class HardWork:
    """A unit of work that behaves as its name says; it counts its starts in a file."""

    name: str
    file: str = ""
    limit: float = 60.0

    @property
    def seconds(self) -> float:
        return self.limit

    def run(self) -> str:
        if self.file:
            with open(self.file, "a") as file:  # noqa: PTH123
                file.write("x")
        getattr(self, self.name)()
        return "done"

    def exit(self) -> None:
        os._exit(3)

    def fill_memory(self) -> None:
        blocks = []
        while True:
            blocks.append(bytearray(1 << 24))

    def hang(self) -> None:
        time.sleep(600)

    def wait_for_file(self) -> None:
        """Wait until the file has a `y`."""
        while True:
            with open(self.file) as file:  # noqa: PTH123
                if "y" in file.read():
                    return
            time.sleep(0.01)

    def fail(self) -> None:
        raise KeyError("a secret of the service")


@router.post("/test/{name}")
async def hard(name: str, service: TheService, file: str = "", limit: float = 60.0) -> dict[str, str]:
    return {"answer": await service.perform(HardWork(name, file, limit))}


def with_hard_work(app: FastAPI) -> None:
    app.include_router(router)
