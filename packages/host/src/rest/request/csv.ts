// Converts CSV bodies to the rows they stand for, as PostgREST does.

import { CsvError, parse } from "csv-parse/sync";
import { invalidBody } from "../errors.ts";
import { assertBodyLimit, bodyLimits } from "./body-limits.ts";

/** Messages by the parser's error code. */
const syntaxErrors: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "A quoted CSV field does not end",
  CSV_INVALID_CLOSING_QUOTE: "A quoted CSV field is followed by text",
  INVALID_OPENING_QUOTE: "A CSV field with a quote in it must be quoted",
};

/** Splits CSV (RFC 4180) into records, up to one more than a body may hold. */
function readRecords(text: string): string[][] {
  try {
    return parse(text, {
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      // The header line, and one row too many to be refused.
      to: bodyLimits.rows + 2,
    });
  } catch (error) {
    if (error instanceof CsvError) {
      throw invalidBody(syntaxErrors[error.code] ?? "The body is not valid CSV");
    }
    throw error;
  }
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
