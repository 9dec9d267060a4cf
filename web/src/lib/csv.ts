const number = /^-?\d+(?:\.\d+)?$/;

/** A cell as CSV. A text that a spreadsheet would run as a formula is made plain with an apostrophe; a number is none. */
function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const plain = !number.test(value) && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Rows as CSV (RFC 4180) with a line of headings. */
export function toCsv(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return [headings, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

/** Pence as pounds for a spreadsheet: `1250` → `12.50`, `-24010` → `-240.10`. */
export function csvPounds(pence: number): string {
  return (pence / 100).toFixed(2);
}
