import type { DeclaredFile } from "./schema/declared-schema.ts";

/** One sentence with which the database refuses something under a code, and the function that does. */
export interface RaisedError {
  readonly code: string;
  readonly message: string;
  /** What is under `details`, as SQL; null where nothing is. */
  readonly details: string | null;
  readonly area: string;
  readonly raisedIn: string;
}

/** The two functions that raise an error with a code; the second for an answer with status 401. */
const raising = /private\.(?:fail|refuse_session)\(\s*'(FF\d{3})'\s*,/g;
const created = /create (?:or replace )?function (?:\w+\.)?(\w+)\(/g;

/** The arguments from `start` to the closing bracket, divided at the commas that stand outside texts and brackets. */
function argumentsFrom(sql: string, start: number): string[] {
  const found = [""];
  let depth = 0;
  for (const [part] of sql.slice(start).matchAll(/'(?:[^']|'')*'|[\s\S]/g)) {
    if (part === ")" && depth === 0) break;
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (part === "," && depth === 0) found.push("");
    else found[found.length - 1] += part;
  }
  return found.map((argument) => argument.trim());
}

/** The sentences in an expression; what `format` fills in when the error is raised stands as "…". */
function sentencesOf(expression: string): string[] {
  const texts = [...expression.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = ""]) =>
    text.replaceAll("''", "'").replaceAll(/%\w/g, "…"),
  );
  return expression.startsWith("format(") ? texts.slice(0, 1) : texts;
}

/**
 * Reads the errors that the declared schema raises.
 * @throws {Error} for one whose sentence is not written where it is raised.
 */
export function raisedErrors(files: readonly DeclaredFile[]): RaisedError[] {
  return files.flatMap(({ path, text }) => {
    const functions = [...text.matchAll(created)];
    return [...text.matchAll(raising)].flatMap((match) => {
      const [whole, code = ""] = match;
      const [message = "", details = null] = argumentsFrom(text, match.index + whole.length);
      const sentences = sentencesOf(message);
      if (sentences.length === 0) throw new Error(`${path}: ${code} has no sentence of its own.`);
      const raisedIn = functions.findLast(({ index }) => index < match.index)?.[1] ?? "";
      const area = path.split("/")[0] ?? "";
      return sentences.map((sentence) => ({ code, message: sentence, details, area, raisedIn }));
    });
  });
}

const distinct = (texts: readonly string[]) => [...new Set(texts)];
const asCode = (text: string) => `\`${text.replaceAll(/\s+/g, " ").replaceAll("::text", "")}\``;
const cell = (text: string) => text.replaceAll("|", "\\|");

function rowOf(code: string, errors: readonly RaisedError[]): string {
  const places = distinct(errors.map(({ area }) => area)).map((area) => {
    const names = distinct(errors.filter((of) => of.area === area).map((of) => of.raisedIn));
    return `${area}: ${names.toSorted().map(asCode).join(", ")}`;
  });
  const details = distinct(errors.flatMap((of) => of.details ?? []));
  const cells = [
    code,
    distinct(errors.map(({ message }) => message)).join(" / "),
    places.join("; "),
    details.map(asCode).join(", "),
  ];
  return `| ${cells.map(cell).join(" | ")} |`;
}

const start = "<!-- Written by npm run gen from the calls of private.fail in supabase/schemas. -->";
const end = "<!-- Written until here. -->";

/**
 * The document of error codes with the part about the database written anew.
 * @throws {Error} when its two marks are gone.
 */
export function writeErrorCodes(document: string, files: readonly DeclaredFile[]): string {
  const [before, after] = [document.indexOf(start), document.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The document has lost “${start}”.`);
  const byCode = Object.groupBy(raisedErrors(files), ({ code }) => code);
  const rows = Object.keys(byCode)
    .toSorted()
    .map((code) => rowOf(code, byCode[code] ?? []));
  const head = ["| code | message | raised in | details |", "| --- | --- | --- | --- |"];
  return [document.slice(0, before) + start, "", ...head, ...rows, "", document.slice(after)].join(
    "\n",
  );
}
