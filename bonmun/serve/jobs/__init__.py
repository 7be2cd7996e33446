"""Crawls and long batches, which outlive a request and a restart of the service.

::

    settings   how many run at once, how politely, with how many workers
    spec       what a job is asked to do, checked
    upload     NDJSON of pages → the rows of a batch
    jobs       all jobs of the service: wait, run, cancel, resume, retry
    run        one job from start to end; `crawl_run` and `batch_run` are the two kinds
    reading    the sources of a crawl → its pages; `recorded`: a site's crawl goes on where it was
    delivery   pages → the container → the store
    progress   counts and rate
    holder     which process works on a job, and whether it lives
    watch      changes of jobs, for those who listen; `events`: the same as server-sent events
    answers    jobs as the API shows them

Every state is in the store (`store.jobs`), so that a job that was killed goes on where it was.
"""
