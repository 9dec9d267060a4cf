import { invalidBody } from "../errors.ts";
import { assertBodyLimit } from "./body-limits.ts";

/** Splits CSV (RFC 4180) into records; quoted fields may hold commas, quotes and line ends. */
function readRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      at += 1;
      while (text[at] !== '"' || text[at + 1] === '"') {
        if (at >= text.length) throw invalidBody("A quoted CSV field does not end");
        if (text[at] === '"') at += 1;
        field += text.charAt(at);
        at += 1;
      }
      at += 1;
    } else {
      const start = at;
      while (at < text.length && !",\r\n".includes(text.charAt(at))) at += 1;
      field = text.slice(start, at);
    }
    record.push(field);
    if (text[at] === ",") {
      at += 1;
      if (at >= text.length) record.push("");
      else continue;
    } else if (at < text.length && text[at] !== "\r" && text[at] !== "\n") {
      throw invalidBody("A quoted CSV field is followed by text");
    }
    records.push(record);
    record = [];
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
  }
  return records;
}

/**
 * Rows of a CSV body with a header line, as objects with text values; `NULL` stands for null.
 * @throws {RestError} PGRST102
 */
export function csvToRows(text: string): Record<string, string | null>[] {
  const [header, ...records] = readRecords(text);
  if (header === undefined) throw invalidBody("Empty CSV body");
  assertBodyLimit(header.length, "fields");
  assertBodyLimit(records.length, "rows");
  return records.map((record) => {
    if (record.length !== header.length) {
      throw invalidBody("All lines must have same number of fields");
    }
    const entries = header.map((name, index) => {
      const value = record[index] ?? "";
      return [name, value === "NULL" ? null : value] as const;
    });
    return Object.fromEntries(entries);
  });
}
