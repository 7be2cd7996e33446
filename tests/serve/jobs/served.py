"""The service as a process of its own: ``python -m tests.serve.jobs.served STORE``. It prints its port."""

import sys

import uvicorn

from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.app import create_app
from bonmun.serve.jobs.settings import JobSettings
from bonmun.serve.settings import ServeSettings


def main() -> None:
    """Serve until a signal comes."""
    network = NetworkSettings(delay=0, retries=0)
    settings = ServeSettings(
        store=sys.argv[1], workers=1, allow_private=True, jobs=JobSettings(network=network, nice=0, patience=5.0)
    )
    config = uvicorn.Config(create_app(settings), port=0, log_level="warning", timeout_graceful_shutdown=5)
    socket = config.bind_socket()
    socket.listen()  # clients wait until the service is ready
    print(socket.getsockname()[1], flush=True)
    uvicorn.Server(config).run([socket])


if __name__ == "__main__":
    main()
