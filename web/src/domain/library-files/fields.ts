import type { FrontMatter } from "./front-matter.ts";
import type { ReportIssue } from "./library.ts";

/** Reads the fields of one file. A missing or invalid field is reported, and a default takes its place. */
export class Fields {
  readonly #fields: FrontMatter["fields"];
  readonly #report: ReportIssue;
  readonly #known = new Set<string>();

  constructor({ fields }: FrontMatter, report: ReportIssue) {
    this.#fields = fields;
    this.#report = report;
  }

  #take(name: string): { value: unknown; line: number } | undefined {
    this.#known.add(name);
    const field = this.#fields.get(name);
    return field === undefined || field.value === null ? undefined : field;
  }

  #missing(name: string): void {
    this.#report(this.#fields.get(name)?.line ?? 1, `The field \`${name}\` is missing.`);
  }

  /** A single line of text with at most `longest` characters. */
  text(name: string, longest: number): string {
    const field = this.#take(name);
    if (!field) {
      this.#missing(name);
      return "";
    }
    const value = typeof field.value === "string" ? field.value.trim() : undefined;
    if (value === undefined || value === "") {
      this.#report(field.line, `\`${name}\` must be text.`);
    } else if (/\p{Cc}/u.test(value)) {
      this.#report(field.line, `\`${name}\` must be a single line.`);
    } else if (Array.from(value).length > longest) {
      const length = Array.from(value).length;
      this.#report(field.line, `\`${name}\` has ${length} characters; at most ${longest} fit.`);
    }
    return value ?? "";
  }

  /** Text that `accepts` approves; `rule` completes the message "must be …". */
  matching(name: string, accepts: (value: string) => boolean, rule: string): string {
    const value = this.text(name, 500);
    const line = this.#fields.get(name)?.line ?? 1;
    if (value !== "" && !accepts(value)) this.#report(line, `\`${name}\` must be ${rule}.`);
    return value;
  }

  optional(name: string, accepts: (value: string) => boolean, rule: string): string | null {
    return this.#take(name) === undefined ? null : this.matching(name, accepts, rule);
  }

  integer(name: string, least: number, most: number): number {
    const field = this.#take(name);
    if (!field) {
      this.#missing(name);
      return least;
    }
    const { value, line } = field;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) {
      return value;
    }
    this.#report(line, `\`${name}\` must be a whole number from ${least} to ${most}.`);
    return least;
  }

  /** Pounds with at most two decimals. */
  price(name: string): number {
    const field = this.#take(name);
    if (!field) {
      this.#missing(name);
      return 0;
    }
    const { value, line } = field;
    if (
      typeof value === "number" &&
      value >= 0 &&
      value < 1e6 &&
      Number(value.toFixed(2)) === value
    ) {
      return value;
    }
    this.#report(line, `\`${name}\` must be an amount in pounds, 0 or more, such as 49.50.`);
    return 0;
  }

  /** True or false; false when the field is missing. */
  flag(name: string): boolean {
    const field = this.#take(name);
    if (field && typeof field.value !== "boolean") {
      this.#report(field.line, `\`${name}\` must be true or false.`);
    }
    return field?.value === true;
  }

  tags(name: string): string[] {
    const field = this.#take(name);
    if (!field) {
      this.#missing(name);
      return [];
    }
    const tags = Array.isArray(field.value) ? field.value : [];
    if (tags.length < 2 || tags.length > 5) {
      this.#report(field.line, `\`${name}\` must be a list of 2 to 5 words or short phrases.`);
    }
    const accepted = tags.filter(
      (tag): tag is string =>
        typeof tag === "string" && /^[\p{Ll}\p{N}][\p{Ll}\p{N} &’'-]{0,29}$/u.test(tag),
    );
    if (accepted.length < tags.length) {
      this.#report(field.line, `\`${name}\` must be lower-case words of at most 30 characters.`);
    }
    if (new Set(accepted).size < accepted.length) {
      this.#report(field.line, `\`${name}\` names a tag twice.`);
    }
    return accepted;
  }

  /** Reports unknown fields, so that a misspelt name is noticed. */
  finish(): void {
    for (const [name, { line }] of this.#fields) {
      if (!this.#known.has(name)) this.#report(line, `There is no field \`${name}\` here.`);
    }
  }
}
