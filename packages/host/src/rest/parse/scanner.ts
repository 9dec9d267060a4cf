// Character scanner below all parsers of query strings, with PostgREST's error messages.

import { parseError, type RestError } from "../errors.ts";

const namePattern = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;
const jsonKeyPattern = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/uy;
const nul = String.fromCodePoint(0);

/** Reads one parameter of a query string from left to right. */
export class Scanner {
  readonly text: string;
  readonly what: string;
  position = 0;

  /** `what` names the parameter in error messages. */
  constructor(text: string, what: string) {
    this.text = text;
    this.what = `${what} (${text})`;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** The next character, or an empty text at the end. */
  get next(): string {
    return this.text.charAt(this.position);
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Consumes `text` if it comes next. */
  eat(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.eat(text)) throw this.error(`"${text}"`);
  }

  /** Consumes and returns the match of a sticky expression at the current position. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.position += found.length;
    return found;
  }

  skipSpace(): void {
    this.match(/[ \t]*/y);
  }

  expectEnd(): void {
    if (!this.atEnd) throw this.error("end of input");
  }

  error(expecting: string): RestError {
    const found = this.atEnd ? "end of input" : JSON.stringify(this.next);
    return parseError(this.what, this.position + 1, `unexpected ${found} expecting ${expecting}`);
  }

  /** `"…"` with backslash escapes. */
  quoted(): string | undefined {
    if (this.next !== '"') return undefined;
    let value = "";
    let at = this.position + 1;
    while (at < this.text.length && this.text[at] !== '"') {
      if (this.text[at] === "\\") at += 1;
      value += this.text.charAt(at);
      at += 1;
    }
    if (at >= this.text.length) return undefined;
    this.position = at + 1;
    return value.replaceAll(nul, "");
  }

  /** A column, table or alias: quoted, or letters, digits and `_ $ -`. */
  name(): string {
    const found = this.tryName();
    if (found === undefined) throw this.error("field name (* or [a..z0..9_$])");
    return found;
  }

  /** A name, if one comes next. */
  tryName(): string | undefined {
    const name = this.quoted() ?? this.match(namePattern)?.trim();
    return name === "" ? undefined : name;
  }

  jsonKey(): string {
    const found = this.quoted() ?? this.match(jsonKeyPattern)?.trim();
    if (found === undefined) throw this.error("any non reserved character different from: .,>()");
    return found;
  }

  /** Runs `read`, and restores the position when it returns undefined. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const start = this.position;
    const found = read();
    if (found === undefined) this.position = start;
    return found;
  }
}
