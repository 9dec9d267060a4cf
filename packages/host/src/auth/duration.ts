const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const durationPattern = /^[+-]?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const partPattern = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;
/** About three hundred years, which Postgres and the clients can represent. */
const maxDurationMs = 292 * 365 * 24 * unitMs["h"]!;

/** Parses a duration of config.toml or the admin API (`1h30m`, `60s`). @returns milliseconds, or undefined if invalid */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (text.length > 64 || !durationPattern.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(partPattern)) {
    total += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  }
  if (total > maxDurationMs) return undefined;
  return text.startsWith("-") ? -total : total;
}
