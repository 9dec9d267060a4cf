// Fills the `{{ .Name }}` placeholders of auth e-mails and hands the e-mails to the mailer.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { BootError } from "../../boot-error.ts";
import { escapeHtml, htmlToText } from "../../mail/html-to-text.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";
import type { Project } from "../../project.ts";
import {
  defaultEmailTemplates,
  type EmailKind,
  type EmailTemplate,
} from "./default-email-templates.ts";
import type { AuthSettings } from "../settings.ts";

const placeholderPattern = /\{\{-?\s*(.*?)\s*-?\}\}/g;
const fieldPattern = /^\.(\w+(?:\.\w+)*)$/;
const tokenPattern = /\{\{-?\s*\.Token\s*-?\}\}/;
const notificationKinds: ReadonlySet<EmailKind> = new Set([
  "password_changed",
  "email_changed",
  "mfa_factor_enrolled",
  "mfa_factor_unenrolled",
  "identity_linked",
  "identity_unlinked",
]);

/** Values of the placeholders; `Data` is the account's user metadata. */
export interface EmailValues {
  ConfirmationURL?: string;
  Token?: string;
  TokenHash?: string;
  RedirectTo?: string;
  Email: string;
  NewEmail?: string;
  OldEmail?: string;
  /** A sign-in provider, such as `google`. */
  Provider?: string;
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
  return template.replace(placeholderPattern, (_whole, inside: string) => {
    const path = fieldPattern.exec(inside)?.[1];
    return path === undefined ? "" : encode(valueAt(values, path));
  });
}

function assertOnlyFields(name: string, text: string): void {
  for (const [whole, inside] of text.matchAll(placeholderPattern)) {
    if (!fieldPattern.test(inside ?? "")) {
      throw new BootError(
        `The e-mail template ${name} uses ${whole}; only {{ .Name }} is supported.`,
      );
    }
  }
}

/** Renders and sends the e-mails of accounts, from the project's templates or the defaults. */
export class EmailTemplates {
  readonly #templates = new Map<EmailKind, EmailTemplate>();
  readonly #enabledNotifications = new Set<EmailKind>();
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
    const siteHost = URL.canParse(siteUrl) ? new URL(siteUrl).host : siteUrl;
    this.#site = { Brand: settings.smtp.sender_name ?? siteHost, SiteURL: siteUrl };
    for (const [kind, defaults] of Object.entries(defaultEmailTemplates) as [
      EmailKind,
      EmailTemplate,
    ][]) {
      const notification = notificationKinds.has(kind) ? settings.notification[kind] : undefined;
      const own = notificationKinds.has(kind) ? notification : settings.template[kind];
      if (notification?.enabled) this.#enabledNotifications.add(kind);
      const template = {
        subject: own?.subject ?? defaults.subject,
        html: own?.content_path ? this.#read(project, kind, own.content_path) : defaults.html,
      };
      assertOnlyFields(kind, template.subject + template.html);
      this.#templates.set(kind, template);
    }
  }

  #read(project: Project, kind: EmailKind, path: string): string {
    try {
      // The official CLI reads these paths from the folder that holds `supabase/`.
      return readFileSync(resolve(project.folder, "..", path), "utf8");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(`The e-mail template ${kind} cannot be read: ${reason}`);
    }
  }

  /** True when the template contains a short code; otherwise no code is created. */
  showsCode(kind: EmailKind): boolean {
    const template = this.#templates.get(kind);
    return template !== undefined && tokenPattern.test(template.subject + template.html);
  }

  /** Renders an e-mail. */
  render(kind: EmailKind, to: string, values: EmailValues): Mail {
    const template = this.#templates.get(kind) ?? defaultEmailTemplates[kind];
    const all = { ...this.#site, ...values };
    const html = fill(template.html, all, escapeHtml);
    const subject = fill(template.subject, all, (text) => text)
      .replace(/\s+/g, " ")
      .trim();
    return { to, subject, html, text: htmlToText(html) };
  }

  /**
   * Sends an e-mail without waiting for the mail server: the response time would reveal who has an account.
   * A failure is logged; the recipient can request another e-mail.
   */
  send(kind: EmailKind, to: string, values: EmailValues): void {
    if (notificationKinds.has(kind) && !this.#enabledNotifications.has(kind)) return;
    this.#mailer.send(this.render(kind, to, values)).catch((error: unknown) => {
      this.#log.error({ err: error, template: kind }, "an e-mail could not be sent");
    });
  }
}
