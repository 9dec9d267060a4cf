import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { ReportIssue } from "./library.ts";

/** The parts of a file: its fields with their lines, and the text after them. */
export interface FrontMatter {
  fields: Map<string, { value: unknown; line: number }>;
  body: string;
  /** Line of the file on which the body begins. */
  bodyLine: number;
}

/** The fields of a YAML block that begins on the second line of a file. */
function readFields(yaml: string, report: ReportIssue): FrontMatter["fields"] | undefined {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  for (const error of document.errors) {
    report(lineAt(error.pos[0]), `The front matter is broken: ${error.message}.`);
  }
  if (document.errors.length > 0) return undefined;
  if (!isMap(document.contents)) {
    report(1, "The front matter must be a list of fields, each as `name: value`.");
    return undefined;
  }
  const fields: FrontMatter["fields"] = new Map();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key)) {
      report(2, "The front matter is broken: a field needs a plain name.");
      return undefined;
    }
    const line = lineAt(key.range?.[0] ?? 0);
    try {
      const node = value as { toJS?: (of: unknown, options: object) => unknown } | null;
      const plain = node?.toJS?.(document, { maxAliasCount: 0 }) ?? null;
      fields.set(String(key.value), { value: plain, line });
    } catch {
      report(line, "The front matter is broken: references to other fields are not allowed.");
      return undefined;
    }
  }
  return fields;
}

/** Splits a file into front matter and body. Reports front matter it cannot read, and returns undefined. */
export function splitFrontMatter(text: string, report: ReportIssue): FrontMatter | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") {
    report(1, "The file must begin with front matter between two lines of `---`.");
    return undefined;
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end < 0) {
    report(1, "The front matter has no closing line of `---`.");
    return undefined;
  }
  const fields = readFields(`${lines.slice(1, end).join("\n")}\n`, report);
  if (!fields) return undefined;
  return { fields, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}
