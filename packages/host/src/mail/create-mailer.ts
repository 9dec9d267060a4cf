import type { HostConfig } from "../config.ts";
import { createCatchingMailer } from "./inbox-mailer.ts";
import type { Mailer } from "./mailer.ts";

/** The mailer of an install: its SMTP server where one is configured, else the inbox of this machine. */
export async function createMailer(
  config: Pick<HostConfig, "smtpUrl" | "mailFrom">,
): Promise<Mailer> {
  if (config.smtpUrl === undefined) return createCatchingMailer(config.mailFrom);
  // Loaded only where mail is really sent: a local install starts without it.
  const { createSmtpMailer } = await import("./smtp-mailer.ts");
  return createSmtpMailer(config.smtpUrl, config.mailFrom);
}
