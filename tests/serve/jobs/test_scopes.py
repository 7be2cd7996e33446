from dataclasses import replace
from pathlib import Path

from bonmun.serve.access.settings import AccessSettings
from tests.serve.access.live import add_token
from tests.serve.jobs.conftest import live, settings


def test_jobs_need_scopes(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    headers = {
        scopes: {"Authorization": f"Bearer {add_token(file, str(number), scopes)}"}
        for number, scopes in enumerate(("read", "write", "write fetch"))
    }
    crawl, missing = {"sources": ["http://127.0.0.1:9/"]}, "/v1/jobs/" + "0" * 12
    with live(replace(settings(tmp_path / "store.db"), access=AccessSettings(token_file=file))) as service:
        assert service.get("/v1/jobs").status_code == 401
        for path in ("", "/failures", "/results", "/events"):
            assert service.get(missing + path, headers=headers["write"]).status_code == 403
            assert service.get(missing + path, headers=headers["read"]).status_code == 404
        for path in ("/cancel", "/resume", "/retry"):
            assert service.post(missing + path, headers=headers["read"]).status_code == 403
            assert service.post(missing + path, headers=headers["write"]).status_code == 404
        assert service.client.delete(missing, headers=headers["read"]).status_code == 403
        assert service.post("/v1/jobs", json=crawl, headers=headers["read"]).status_code == 403
        assert service.post("/v1/jobs", json=crawl, headers=headers["write"]).status_code == 403
        assert service.post("/v1/jobs", json=crawl, headers=headers["write fetch"]).status_code == 201
