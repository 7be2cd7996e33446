// News of all jobs by server-sent events: one stream, open while the page is seen. EventSource reconnects by itself.

const PAUSE = 2000; // milliseconds before a refused stream is opened again; doubled each time
const LONGEST_PAUSE = 60_000;

/** States in which a job has something to do. */
export const LIVE = new Set(["waiting", "running", "stopping"]);

/** Call `changed(job)` and `removed(id)` with the news of the jobs; the last hundred jobs come first. */
export function followJobs(changed, removed) {
  let stream = null;
  let pause = PAUSE;
  const open = () => {
    if (document.hidden || (stream && stream.readyState !== EventSource.CLOSED)) return;
    stream = new EventSource("/v1/jobs/events");
    stream.addEventListener("open", () => (pause = PAUSE));
    stream.addEventListener("job", (event) => changed(JSON.parse(event.data)));
    stream.addEventListener("removed", (event) => removed(JSON.parse(event.data).id));
    stream.addEventListener("error", () => {
      if (stream?.readyState !== EventSource.CLOSED) return; // it reconnects
      setTimeout(open, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      stream?.close(); // a browser opens six connections to a host, and hidden tabs need none
      stream = null;
    }
    open();
  });
  open();
}
