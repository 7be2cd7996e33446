// Clicks on the blocks of a page: one says that the verdict is wrong.

export class Clicks {
  #state;
  #from;
  #anchor = -1; // the latest block that was clicked, where a range begins
  #tapped = -1; // a finger cannot hover: the first tap shows the block, the second corrects it

  /** `from` is the name of the part that is clicked, which does not scroll. */
  constructor(state, from) {
    this.#state = state;
    this.#from = from;
  }

  /** Flip the verdict on a block; with Shift, give all blocks since the last click the same verdict. */
  on(index, event) {
    event.preventDefault();
    const isFirstTap = event.pointerType === "touch" && index !== this.#tapped;
    this.#tapped = index;
    this.#state.highlight(index, { from: this.#from });
    if (isFirstTap) return;
    if (event.shiftKey && this.#anchor >= 0) this.#state.flipRange(this.#anchor, index);
    else this.#state.flip(index);
    this.#anchor = index;
  }
}
