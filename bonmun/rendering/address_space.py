"""The address space of a browser."""

import sys


def lift_address_limit() -> None:
    """Lift the soft limit on the address space of this process: Chromium reserves terabytes and uses little of it.

    The worker pools of a service or a container set one, which the processes that a worker starts inherit.
    """
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
