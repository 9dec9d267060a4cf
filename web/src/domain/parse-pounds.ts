/**
 * `12`, `12.5`, `£12.50`, `1,250` → pence; null for anything else. A comma stands before three digits only: `5,50` is how others
 * write £5.50, and must not become £550.
 */
export function parsePounds(text: string): number | null {
  const match = /^£?(\d{1,3},\d{3}|\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const pounds = Number((match[1] ?? "").replace(",", ""));
  return pounds * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
