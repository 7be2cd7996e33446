// Counts, long durations and names of languages, as the interface's language writes them.

import { language, t } from "./words.js";

const languages = new Intl.DisplayNames([language], { type: "language", fallback: "code" });

/** Words for a number of things: `name_one` for one, `name` with `{count}` for all others. */
export function counted(name, count, values = {}) {
  return t(count === 1 ? `${name}_one` : name, { count, ...values });
}

/** A number with significant digits: "0.012". */
export function significant(value, digits = 2) {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value);
}

/** A short time: "0.8ms", "120ms", "1.5s". */
export function briefly(seconds) {
  const [value, unit] = Math.abs(seconds) < 1 ? [seconds * 1000, "millisecond"] : [seconds, "second"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "narrow", maximumSignificantDigits: 2 }).format(value);
}

/** How long something took: "4 s", "2 min 5 s", "1 hr 4 min". */
export function span(seconds) {
  const unit = (value, name) => new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" }).format(Math.floor(value));
  if (seconds < 60) return unit(seconds, "second");
  if (seconds < 3600) return `${unit(seconds / 60, "minute")} ${unit(seconds % 60, "second")}`;
  return `${unit(seconds / 3600, "hour")} ${unit((seconds % 3600) / 60, "minute")}`;
}

/** The name of a language by its code. */
export function languageName(code) {
  try {
    return languages.of(code);
  } catch {
    return code;
  }
}
