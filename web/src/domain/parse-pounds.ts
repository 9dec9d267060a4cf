/** `12`, `12.5`, `£12.50` → pence; null for anything else. */
export function parsePounds(text: string): number | null {
  const match = /^£?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
