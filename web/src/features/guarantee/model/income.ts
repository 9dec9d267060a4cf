/** The most that a record takes, in pounds. */
const maxPounds = 1_000_000;

/** Reads an income in whole pounds, such as `1200` or `£1,200`. Pence, or null when it is none. */
export function parseIncome(typed: string): number | null {
  const digits = typed.replace(/[£,\s]/g, "");
  if (!/^\d{1,7}$/.test(digits)) return null;
  const pounds = Number(digits);
  return pounds <= maxPounds ? pounds * 100 : null;
}
