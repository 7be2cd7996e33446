// The health of a site's rules over time, as a sparkline and in words.

import { make, number, t } from "../page.js";
import { sparkline } from "../plots.js";

const LEVELS = ["ok", "doubtful", "failed"];

/** Return the sparkline of health signals `[{condition, reason}]`, oldest first; a dash if there is none. */
export function healthLine(signals) {
  if (!signals.length) return make("span", { class: "muted" }, "–");
  const text = ({ condition, reason }) => [t(`sites.health_${condition}`), reason && reasonText(reason)].filter(Boolean).join(": ");
  return sparkline(signals.map((signal) => ({ level: signal.condition, text: text(signal) })), healthText(signals));
}

/** Return the signals in words: how many pages were in which condition. */
export function healthText(signals) {
  const counts = LEVELS.map((level) => [level, signals.filter(({ condition }) => condition === level).length]);
  const shown = counts.filter(([, count]) => count).map(([level, count]) => `${number(count)} ${t(`sites.health_${level}`)}`);
  return t("sites.health_of", { count: signals.length, conditions: shown.join(", ") });
}

const REASONS = new Set(["rule-missing", "same-text-as-another-page", "rule-empty", "share-out-of-range"]);

function reasonText(reason) {
  return REASONS.has(reason) ? t(`sites.reason_${reason.replaceAll("-", "_")}`) : reason;
}
