// The page at hand: its explanation, the block that is lit up, the reader's corrections. Parts listen to it.

/** Scores between these bounds are doubtful: the method could as well have decided otherwise. */
export const DOUBTFUL = [0.3, 0.7];

export class State {
  explanation = null;
  /** What the reader gave: {kind: "url" | "html" | "file" | "sample", url?, name?, text?}. */
  source = null;
  method = "auto";
  prefer = 1;
  output = {};
  current = -1;
  marked = new Set();
  #wanted = new Map();
  #history = [];
  #listeners = new Map();

  /** Listen to "page" (a new one), "verdicts" (judged anew), "highlight", "marks", "corrections" or "options". */
  on(name, listener) {
    const all = this.#listeners.get(name) || [];
    this.#listeners.set(name, [...all, listener]);
  }

  #tell(name, ...values) {
    for (const listener of this.#listeners.get(name) || []) listener(...values);
  }

  get pageId() {
    return this.explanation?.page ?? null;
  }

  get blocks() {
    return this.explanation?.blocks ?? [];
  }

  /** Take over an explanation: of a new page, or of the same one judged anew. */
  take(explanation) {
    const same = this.pageId === explanation.page && this.blocks.length === explanation.blocks.length;
    this.explanation = explanation;
    if (same) {
      this.#tell("verdicts");
    } else {
      this.current = -1;
      this.#wanted = new Map();
      this.#history = [];
      this.#tell("page");
    }
    this.#tell("corrections");
  }

  /** A switch of the output, the method or the preference changed. */
  optionsChanged() {
    this.#tell("options");
  }

  /**
   * Light a block up everywhere. `from` is the part that asks, which does not scroll; `reveal` scrolls the others, even
   * if the block is in view there; `spoken` says it to screen readers.
   */
  highlight(index, { from = null, reveal = false, spoken = false } = {}) {
    const next = index >= 0 && index < this.blocks.length ? index : -1;
    if (next === this.current && !reveal) return;
    this.current = next;
    this.#tell("highlight", next, { from, reveal, spoken });
  }

  /** Mark a set of blocks on the page: those that an analysis is about. */
  mark(indexes) {
    this.marked = new Set(indexes);
    this.#tell("marks");
  }

  onHighlight(listener) {
    this.on("highlight", listener);
  }

  /** Move to the next (+1) or previous (-1) block that `wanted` accepts. */
  step(direction, wanted = () => true) {
    for (let at = this.current + direction; at >= 0 && at < this.blocks.length; at += direction) {
      if (wanted(this.blocks[at])) {
        this.highlight(at, { reveal: true, spoken: true });
        return;
      }
    }
  }

  // Corrections are verdicts that the reader wants, so that they outlast another method.

  /** Whether a block is kept, with the reader's corrections. */
  keeps(index) {
    return this.#wanted.get(index) ?? this.blocks[index].keep;
  }

  /** Whether the reader corrected the method's verdict. */
  isFlipped(index) {
    return this.keeps(index) !== this.blocks[index].keep;
  }

  get corrections() {
    return [...this.#wanted.keys()].filter((index) => this.isFlipped(index)).length;
  }

  /** Flip the verdict on a block. */
  flip(index) {
    if (index >= 0 && index < this.blocks.length) this.#change([index], !this.keeps(index));
  }

  /** Give all blocks between two the verdict that the first has now. */
  flipRange(first, last) {
    const [start, end] = first < last ? [first, last] : [last, first];
    const keep = this.keeps(first);
    const changed = [];
    for (let at = start; at <= end; at += 1) if (this.keeps(at) !== keep) changed.push(at);
    this.#change(changed, keep);
  }

  #change(indexes, keep) {
    if (!indexes.length) return;
    this.#history.push(indexes.map((index) => [index, this.#wanted.get(index)]));
    for (const index of indexes) this.#wanted.set(index, keep);
    this.#tell("corrections", indexes);
  }

  /** Take the latest correction back; returns whether there was one. */
  undo() {
    const latest = this.#history.pop() ?? [];
    for (const [index, before] of latest) {
      if (before === undefined) this.#wanted.delete(index);
      else this.#wanted.set(index, before);
    }
    if (latest.length) this.#tell("corrections", latest.map(([index]) => index));
    return latest.length > 0;
  }

  /** Forget all corrections. */
  clearCorrections() {
    const all = [...this.#wanted.keys()];
    this.#history = [];
    this.#wanted = new Map();
    this.#tell("corrections", all);
  }
}
