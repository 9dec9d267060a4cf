const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const WHOLE = /^[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
/** About three hundred years: what the databases and clients on both sides can still count. */
const LONGEST_MS = 292 * 365 * 24 * UNIT_MS["h"]!;

/** Milliseconds of a duration as config.toml and the admin API write it (`1h30m`, `60s`), else undefined. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (text.length > 64 || !WHOLE.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) {
    total += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  }
  if (total > LONGEST_MS) return undefined;
  return text.startsWith("-") ? -total : total;
}
