// The verdicts of several methods on the blocks of a page: where they differ, and which rows the screen shows.

const SHORTEST_FOLD = 3; // a shorter run of dropped blocks is shown as it is
const LONGEST_FOLD = 200; // blocks that one click shows

/** Whether the methods that answered differ on a block; keeping a part of it is not the same as keeping it. */
export function differs(block) {
  const answers = block.keep.map((keep, at) => (keep === null ? null : `${keep}${block.partial[at]}`)).filter((answer) => answer !== null);
  return answers.some((answer) => answer !== answers[0]);
}

/** Whether no method keeps any of a block. */
export const isDropped = (block) => !block.keep.some(Boolean);

/**
 * The rows of the screen: blocks, and runs of blocks that are folded. Folded are runs that all methods drop, and with
 * `onlyDifferences` all runs on which they agree.
 */
export function rowsOf(blocks, onlyDifferences) {
  const rows = [];
  let run = [];
  const flush = () => {
    if (run.length < (onlyDifferences ? 1 : SHORTEST_FOLD)) rows.push(...run.map((block) => ({ block })));
    else for (let at = 0; at < run.length; at += LONGEST_FOLD) rows.push({ fold: run.slice(at, at + LONGEST_FOLD), opened: false });
    run = [];
  };
  for (const block of blocks) {
    if (onlyDifferences ? !block.differs : isDropped(block)) run.push(block);
    else {
      flush();
      rows.push({ block });
    }
  }
  flush();
  return rows;
}
