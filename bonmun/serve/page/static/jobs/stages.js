// The names of the stages that a page passes.

import { t } from "../words.js";

const KNOWN = new Set(["total", "own", "source", "fetch", "read", "judge", "metadata", "text", "parsing", "store", "input"]);

/** The name of a stage; one that a plug-in added keeps its own. */
export function stageName(stage) {
  return KNOWN.has(stage) ? t(`jobs.stage_${stage}`) : stage;
}
