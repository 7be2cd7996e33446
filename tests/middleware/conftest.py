import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.middleware.local_server import Server, serving


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for good.test alone, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl command to make a certificate with")
    made = tmp_path_factory.mktemp("tls") / "good.pem"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=good.test"
    extensions = ("subjectAltName=DNS:good.test", "keyUsage=critical,digitalSignature,keyCertSign")
    asked = [openssl, *options.split(), "-keyout", str(made), "-out", str(made.with_suffix(".crt"))]
    subprocess.run(
        [*asked, *(part for text in extensions for part in ("-addext", text))], check=True, capture_output=True
    )
    made.write_text(made.read_text() + made.with_suffix(".crt").read_text())
    return made


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running
