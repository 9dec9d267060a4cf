import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { BootError } from "../../config.ts";
import { escapeHtml, htmlToText } from "../../mail/html-to-text.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";
import type { Project } from "../../project.ts";
import {
  DEFAULT_LETTERS,
  type LetterKind,
  type LetterTemplate,
} from "./default-email-templates.ts";
import type { AuthSettings } from "../settings.ts";

const PLACEHOLDER = /\{\{-?\s*(.*?)\s*-?\}\}/g;
const FIELD = /^\.(\w+(?:\.\w+)*)$/;
const CODE = /\{\{-?\s*\.Token\s*-?\}\}/;
const NOTICES: ReadonlySet<LetterKind> = new Set([
  "password_changed",
  "email_changed",
  "mfa_factor_enrolled",
  "mfa_factor_unenrolled",
]);

/** What placeholders stand for; `Data` is the account's own metadata. */
export interface LetterValues {
  ConfirmationURL?: string;
  Token?: string;
  TokenHash?: string;
  RedirectTo?: string;
  Email: string;
  NewEmail?: string;
  OldEmail?: string;
  Data: Readonly<Record<string, unknown>>;
}

function valueAt(values: Readonly<Record<string, unknown>>, path: string): string {
  let value: unknown = values;
  for (const name of path.split(".")) {
    const holder = typeof value === "object" && value !== null ? value : {};
    value = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
  }
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function fill(
  template: string,
  values: Readonly<Record<string, unknown>>,
  encode: (text: string) => string,
): string {
  return template.replace(PLACEHOLDER, (_whole, inside: string) => {
    const path = FIELD.exec(inside)?.[1];
    return path === undefined ? "" : encode(valueAt(values, path));
  });
}

function assertOnlyFields(name: string, text: string): void {
  for (const [whole, inside] of text.matchAll(PLACEHOLDER)) {
    if (!FIELD.test(inside ?? "")) {
      throw new BootError(
        `The e-mail template ${name} uses ${whole}; only {{ .Name }} is supported.`,
      );
    }
  }
}

/** Writes and sends the e-mails of accounts, in the project's words where it has its own. */
export class Letters {
  readonly #templates = new Map<LetterKind, LetterTemplate>();
  readonly #notices = new Set<LetterKind>();
  readonly #mailer: Mailer;
  readonly #log: Logger;
  readonly #site: { Brand: string; SiteURL: string };

  /** @throws {BootError} when a template cannot be read or used. */
  constructor(options: {
    settings: AuthSettings["email"];
    project: Project;
    siteUrl: string;
    mailer: Mailer;
    log: Logger;
  }) {
    const { settings, project, siteUrl } = options;
    this.#mailer = options.mailer;
    this.#log = options.log;
    const host = URL.canParse(siteUrl) ? new URL(siteUrl).host : siteUrl;
    this.#site = { Brand: settings.smtp.sender_name ?? host, SiteURL: siteUrl };
    for (const [kind, standard] of Object.entries(DEFAULT_LETTERS) as [
      LetterKind,
      LetterTemplate,
    ][]) {
      const notice = NOTICES.has(kind) ? settings.notification[kind] : undefined;
      const own = NOTICES.has(kind) ? notice : settings.template[kind];
      if (notice?.enabled) this.#notices.add(kind);
      const template = {
        subject: own?.subject ?? standard.subject,
        html: own?.content_path ? this.#read(project, kind, own.content_path) : standard.html,
      };
      assertOnlyFields(kind, template.subject + template.html);
      this.#templates.set(kind, template);
    }
  }

  #read(project: Project, kind: LetterKind, path: string): string {
    try {
      // The official CLI reads these paths from the folder that holds `supabase/`.
      return readFileSync(resolve(project.folder, "..", path), "utf8");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(`The e-mail template ${kind} cannot be read: ${reason}`);
    }
  }

  /** True when the letter shows a short code; where it does not, none is made. */
  showsCode(kind: LetterKind): boolean {
    const template = this.#templates.get(kind);
    return template !== undefined && CODE.test(template.subject + template.html);
  }

  /** The finished e-mail. */
  write(kind: LetterKind, to: string, values: LetterValues): Mail {
    const template = this.#templates.get(kind) ?? DEFAULT_LETTERS[kind];
    const all = { ...this.#site, ...values };
    const html = fill(template.html, all, escapeHtml);
    const subject = fill(template.subject, all, (text) => text)
      .replace(/\s+/g, " ")
      .trim();
    return { to, subject, html, text: htmlToText(html) };
  }

  /**
   * Sends a letter without waiting for the mail server: how long it takes would tell who has an account.
   * A letter that cannot be sent is logged; its reader may ask for another.
   */
  post(kind: LetterKind, to: string, values: LetterValues): void {
    if (NOTICES.has(kind) && !this.#notices.has(kind)) return;
    this.#mailer.send(this.write(kind, to, values)).catch((error: unknown) => {
      this.#log.error({ err: error, letter: kind }, "an e-mail could not be sent");
    });
  }
}
