// Live jobs: server-sent events for some of them, asking again for the rest.
//
// A browser opens six connections to one host, and every stream keeps one: the first few running jobs get a stream, the
// others are asked for every few seconds. A hidden page has no streams. EventSource reconnects by itself; where the
// server ends a stream for good, the job is asked for once more.

import { api } from "./page.js";

const MOST_STREAMS = 3;
const PAUSE = 3000; // milliseconds between two questions
export const LIVE = new Set(["waiting", "running", "stopping"]);

export class JobStreams {
  #streams = new Map(); // EventSources by job id
  #asked = new Set(); // ids of the jobs without a stream
  #timer = 0;
  #changed;

  /** `changed(job)` is called with every news of a job. */
  constructor(changed) {
    this.#changed = changed;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#pause() : this.#goOn()));
  }

  /** Follow a job as long as it is live. */
  follow(job) {
    if (!LIVE.has(job.state)) {
      this.drop(job.id);
    } else if (!this.#streams.has(job.id) && !this.#asked.has(job.id)) {
      if (this.#streams.size < MOST_STREAMS && !document.hidden) this.#open(job.id);
      else this.#ask(job.id);
    }
  }

  /** Stop to follow a job. */
  drop(id) {
    this.#asked.delete(id);
    this.#streams.get(id)?.close();
    if (!this.#streams.delete(id)) return;
    const [next] = this.#asked; // a place is free
    if (next !== undefined && !document.hidden) {
      this.#asked.delete(next);
      this.#open(next);
    }
  }

  #open(id) {
    const stream = new EventSource(`/v1/jobs/${id}/events`);
    this.#streams.set(id, stream);
    stream.addEventListener("job", (event) => this.#tell(JSON.parse(event.data)));
    stream.addEventListener("end", () => {
      this.drop(id);
      this.#fetch(id);
    });
    stream.addEventListener("error", () => {
      if (stream.readyState !== EventSource.CLOSED || !this.#streams.has(id)) return;
      this.drop(id);
      this.#ask(id);
    });
  }

  #ask(id) {
    this.#asked.add(id);
    if (!this.#timer) this.#timer = setTimeout(() => this.#round(), PAUSE);
  }

  async #round() {
    this.#timer = 0;
    if (document.hidden) return;
    await Promise.all([...this.#asked].map((id) => this.#fetch(id)));
    if (this.#asked.size) this.#timer = setTimeout(() => this.#round(), PAUSE);
  }

  async #fetch(id) {
    try {
      this.#tell(await api(`/v1/jobs/${id}`));
    } catch (error) {
      if (error.status === 404) this.drop(id);
    }
  }

  #tell(job) {
    if (!LIVE.has(job.state)) this.drop(job.id);
    this.#changed(job);
  }

  #pause() {
    for (const [id, stream] of this.#streams) {
      stream.close();
      this.#asked.add(id);
    }
    this.#streams.clear();
  }

  #goOn() {
    const waiting = [...this.#asked];
    this.#asked.clear();
    waiting.forEach((id, index) => (index < MOST_STREAMS ? this.#open(id) : this.#ask(id)));
  }
}
