"""Ray Data on a real local Ray."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("ray", reason="ray is not installed")
from bonmun.scale import BatchSettings, extract_batch
from tests.scale.engines.pages import Fragile, article, batch, deadly_page

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")]
ROOT = Path(__file__).parents[3]
REPEATABLE = BatchSettings(timings=False)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray

        ray.init(
            num_cpus=2,
            include_dashboard=False,
            _node_ip_address="127.0.0.1",
            object_store_memory=100 << 20,
            runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
            log_to_driver=False,
        )
        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        yield
        ray.shutdown()


def answers(batches: list[pa.RecordBatch], settings: BatchSettings) -> list[dict[str, object]]:
    import ray

    from bonmun.scale.ray import extract

    dataset = ray.data.from_arrow([pa.Table.from_batches([one]) for one in batches])
    return extract(dataset, settings, concurrency=len(batches)).take_all()


def test_the_rows_are_those_of_extract_batch_in_order() -> None:
    pages = batch([article(number) for number in range(120)])
    assert answers([pages.slice(0, 70), pages.slice(70)], REPEATABLE) == extract_batch(pages, REPEATABLE).to_pylist()


def test_a_page_that_kills_its_process_costs_a_row() -> None:
    settings = BatchSettings(timings=False, method=Fragile())
    pages = [article(0), deadly_page(), article(1)]
    good, bad, other = answers([batch(pages)], settings)
    assert bad["error"]["type"] == "WorkerDied"
    assert [good["title"], other["title"]] == ["Tea 0", "Bread 1"]
