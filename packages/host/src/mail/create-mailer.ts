import type { HostConfig } from "../config.ts";
import { createInboxMailer } from "./inbox-mailer.ts";
import type { Mailer } from "./mailer.ts";

/** The mailer of an install: its SMTP server if one is configured, else the local inbox. */
export async function createMailer(
  config: Pick<HostConfig, "smtpUrl" | "mailFrom">,
): Promise<Mailer> {
  if (config.smtpUrl === undefined) return createInboxMailer(config.mailFrom);
  // Loaded only when needed, which keeps the start of a local install fast.
  const { createSmtpMailer } = await import("./smtp-mailer.ts");
  return createSmtpMailer(config.smtpUrl, config.mailFrom);
}
