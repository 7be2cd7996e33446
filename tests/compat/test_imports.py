import subprocess
import sys

HEAVY = "lxml pyarrow numpy httpx2 sqlalchemy trafilatura readability newspaper kiwipiepy".split()


def test_the_modules_load_no_other_package() -> None:
    modules = ", ".join(f"bonmun.compat.{name}" for name in ("trafilatura", "readability", "newspaper"))
    script = f"import sys, {modules}; print(*({{*sys.modules}} & {{*{HEAVY}}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
