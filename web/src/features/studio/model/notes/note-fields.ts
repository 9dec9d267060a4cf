import { parse as parseToml, TomlError } from "smol-toml";
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import type { NoteMessage } from "./note-message.ts";

/** A field before the text of a note. */
export interface NoteField {
  readonly value: unknown;
  /** The value as it was written, on one line. */
  readonly text: string;
  readonly line: number;
}

/** The parts of a note: its fields by their names in small letters, and the text after them. */
export interface NoteParts {
  readonly fields: ReadonlyMap<string, NoteField>;
  readonly body: string;
  /** Line of the file on which the body begins. */
  readonly bodyLine: number;
}

type Report = (line: number, message: NoteMessage) => void;

/** A value as text; a list by commas. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.replaceAll(/\s+/g, " ").trim();
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return JSON.stringify(value);
}

/** Tabs and tags of Obsidian, which are no YAML but are found in it. */
function withoutTabsAndSigns(line: string): string {
  return line
    .replace(/^\t+/, (tabs) => "  ".repeat(tabs.length))
    .replace(/^(\s*-\s+)(#\S.*)$/, (_, start: string, tag: string) => start + JSON.stringify(tag))
    .replace(
      /^(\w+:\s+)(#\S.*)$/,
      (_, start: string, tags: string) => start + JSON.stringify(tags),
    );
}

/** Puts the value on a line or above it in quotes, as `Money: a plan` needs; false when there is none to put so. */
function quoteValue(lines: string[], from: number): boolean {
  for (let at = from; at >= 0; at--) {
    const [, start = "", value = ""] = /^([^\s#:][^:]*:[ \t]+)(\S.*)$/.exec(lines[at] ?? "") ?? [];
    if (start === "") continue;
    if (/^"(?:[^"\\]|\\.)*"\s*$/.test(value) || /^[|>][+-]?\d?\s*$/.test(value)) return false;
    lines[at] = start + JSON.stringify(value.trim().replace(/^(['"])(.*)\1$/, "$2"));
    return true;
  }
  return false;
}

/** Every value as it was written: `1.10` and `007` are words to people who write notes. */
const yamlOptions = {
  schema: "failsafe",
  merge: true,
  prettyErrors: false,
  logLevel: "error",
  uniqueKeys: false,
} as const;

/** The fields of YAML on the lines after the first of a file; null when it can't be read. */
function readYaml(source: readonly string[], report: Report): Map<string, NoteField> | null {
  const lines = source.map(withoutTabsAndSigns);
  for (;;) {
    const counter = new LineCounter();
    const written = `${lines.join("\n")}\n`;
    const document = parseDocument(written, { ...yamlOptions, lineCounter: counter });
    const lineOf = (offset: number) => counter.linePos(offset).line;
    const [error] = document.errors;
    if (error) {
      const line = lineOf(error.pos[0]);
      if (quoteValue(lines, line - 1)) continue;
      report(line + 1, ["brokenFields", error.message]);
      return null;
    }
    const fields = new Map<string, NoteField>();
    if (document.contents === null) return fields;
    if (!isMap(document.contents)) {
      report(2, ["noFields"]);
      return null;
    }
    for (const { key, value } of document.contents.items) {
      const name = isScalar(key) ? String(key.value).toLowerCase() : "";
      const line = isScalar(key) ? lineOf(key.range?.[0] ?? 0) : 1;
      if (name === "" || fields.has(name)) continue;
      const [start = 0, end = 0] = isNode(value) ? (value.range ?? []) : [];
      const raw = written.slice(start, end).trim();
      const plain = toPlain(value, document) ?? raw;
      const isRaw = (isScalar(value) && value.type === "PLAIN") || (isMap(value) && value.flow);
      fields.set(name, { value: plain, text: isRaw ? raw : textOf(plain), line: line + 1 });
    }
    return fields;
  }
}

/** A value with what it refers to; null for a reference to nothing, as a star before a word is, or to too much. */
function toPlain(value: unknown, document: Document): unknown {
  try {
    return isNode(value) ? value.toJS(document, { maxAliasCount: 100 }) : null;
  } catch {
    return null;
  }
}

/** The fields of TOML, as Hugo writes them. */
function readToml(lines: readonly string[], report: Report): Map<string, NoteField> | null {
  try {
    const fields = new Map<string, NoteField>();
    for (const [name, value] of Object.entries(parseToml(lines.join("\n")))) {
      const at = lines.findIndex((line) => line.replace(/^\s*\[*\s*/, "").startsWith(name));
      fields.set(name.toLowerCase(), { value, text: textOf(value), line: Math.max(0, at) + 2 });
    }
    return fields;
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    const [reason = ""] = error instanceof Error ? error.message.split("\n") : [];
    report(line + 1, ["brokenFields", reason]);
    return null;
  }
}

/** The fields of JSON, as Hugo takes them: an object from the first line to one that closes it. */
function splitJson(lines: readonly string[]): NoteParts | null {
  if (lines[0]?.trimEnd() !== "{") return null;
  const end = lines.findIndex((line) => line.trimEnd() === "}");
  try {
    const found: unknown = JSON.parse(lines.slice(0, end + 1).join("\n"));
    if (typeof found !== "object" || found === null) return null;
    const fields = new Map<string, NoteField>();
    for (const [name, value] of Object.entries(found)) {
      const at = lines.findIndex((line) => line.trimStart().startsWith(JSON.stringify(name)));
      fields.set(name.toLowerCase(), { value, text: textOf(value), line: Math.max(0, at) + 1 });
    }
    return { fields, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
  } catch {
    // A text that begins with a brace.
    return null;
  }
}

/** Splits a note at its front matter, in YAML, TOML or JSON, if it has any. Reports what it can't read, and returns null. */
export function splitNote(text: string, report: Report): NoteParts | null {
  const lines = text.split("\n");
  const json = splitJson(lines);
  if (json !== null) return json;
  const mark = lines[0]?.trimEnd();
  const isYaml = mark === "---";
  const end =
    isYaml || mark === "+++"
      ? lines.findIndex((line, index) => {
          const found = line.trimEnd();
          return index > 0 && (found === mark || (isYaml && found === "..."));
        })
      : -1;
  // A line across the page at the very top begins no fields.
  const isRule = isYaml && end < 0 && !/^[\w-]+:/.test(lines[1] ?? "");
  if ((!isYaml && mark !== "+++") || isRule) {
    return { fields: new Map(), body: text, bodyLine: 1 };
  }
  if (end < 0) {
    report(1, ["openFields", mark]);
    return null;
  }
  const between = lines.slice(1, end);
  const fields = isYaml ? readYaml(between, report) : readToml(between, report);
  if (fields === null) return null;
  return { fields, body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}

/** The lines of a page of Notion below its title, such as `Created: 1 March 2024`, as fields; no others look so for certain. */
export function withNotionFields(parts: NoteParts): NoteParts {
  const lines = parts.body.split("\n");
  const isTitled = parts.fields.size === 0 && /^# \S/.test(lines[0] ?? "") && lines[1] === "";
  if (!isTitled) return parts;
  const end = lines.findIndex((line, index) => index > 1 && line.trim() === "");
  const found = lines
    .slice(2, end < 0 ? lines.length : end)
    .map((line) => /^([\p{L}][\p{L}\p{N} _-]{0,40}): (.+)$/u.exec(line));
  if (found.length === 0 || found.some((match) => match === null)) return parts;
  const fields = new Map<string, NoteField>();
  for (const [index, [, name = "", text = ""] = []] of found
    .map((match) => match ?? [])
    .entries()) {
    fields.set(name.toLowerCase(), {
      value: text,
      text: text.trim(),
      line: parts.bodyLine + index + 2,
    });
    lines[index + 2] = "";
  }
  return { ...parts, fields, body: lines.join("\n") };
}
