// Requests to the service. A problem document becomes a `Problem`, whose message a screen shows in place.

import { has, t } from "./words.js";

/** An answer that is no success; `message` is a sentence for the reader. */
export class Problem extends Error {
  constructor(status, document) {
    super(sentence(status, document));
    this.name = "Problem";
    this.status = status;
    this.type = document.type || "about:blank";
    this.title = document.title || "";
    this.detail = document.detail || "";
    this.document = document;
  }
}

function sentence(status, { detail, title, type = "" }) {
  const known = `shell.problem_${type.replace("urn:bonmun:problem:", "")}`;
  if (has(known)) return t(known, { detail: detail.replace(/\.$/, "") });
  if (status === 0) return t("shell.problem_unreachable");
  if (status === 503 || status === 429) return t("shell.problem_busy");
  if (status === 401 || (status === 403 && !detail)) return t("shell.problem_refused");
  return detail || title || t("shell.problem_unexpected", { status: String(status) });
}

/** Whether an error is a request that was given up on purpose. */
export const isAbort = (error) => error?.name === "AbortError";

/**
 * Ask the service. `body` is an object (sent as JSON), FormData, a Blob, a string, or nothing (then it is a GET).
 * Returns what `as` says: "json" (default), "text", "blob", "response". Throws `Problem`, or AbortError.
 */
export async function api(path, body, { method, signal, as = "json", headers = {} } = {}) {
  const plain = body !== null && typeof body === "object" && Object.getPrototypeOf(body) === Object.prototype;
  const options = { method: method || (body === undefined ? "GET" : "POST"), signal, headers: { ...headers } };
  options.headers.Accept ||= as === "json" ? "application/json, application/problem+json" : "*/*";
  if (body !== undefined) options.body = plain || Array.isArray(body) ? JSON.stringify(body) : body;
  if (plain || Array.isArray(body)) options.headers["Content-Type"] ||= "application/json";
  const response = await answered(path, options);
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return null;
  return as === "response" ? response : response[as]();
}

async function answered(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Problem(0, {});
  }
}

async function problemOf(response) {
  let document = {};
  try {
    document = await response.json();
  } catch {
    // an answer of something in between; the status has to do
  }
  return new Problem(response.status, document);
}

/** Runs only the latest of several calls: each one aborts the one before. */
export class Latest {
  #controller = null;

  /** Call `work(signal)`; returns undefined if a later call took over. */
  async run(work) {
    this.abort();
    const controller = (this.#controller = new AbortController());
    try {
      const result = await work(controller.signal);
      return controller.signal.aborted ? undefined : result;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#controller === controller) this.#controller = null;
    }
  }

  abort() {
    this.#controller?.abort();
    this.#controller = null;
  }

  get running() {
    return this.#controller !== null;
  }
}

/** A function that waits until it has not been called for a while. */
export function debounced(work, milliseconds = 150) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}
