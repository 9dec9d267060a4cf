import { randomUUID } from "node:crypto";
import type { CaughtMail, Mailer } from "./mailer.ts";

const maxKeptMails = 500;
const maxPartLength = 256 * 1024;

/** A mailer that sends nothing: it keeps the last e-mails in memory for the inbox page. */
export function createInboxMailer(from: string): Mailer {
  const kept: CaughtMail[] = [];
  return {
    delivers: false,
    send: async (mail) => {
      kept.unshift({
        id: randomUUID(),
        from,
        caughtAt: new Date().toISOString(),
        to: mail.to,
        subject: mail.subject,
        text: mail.text.slice(0, maxPartLength),
        ...(mail.html === undefined ? {} : { html: mail.html.slice(0, maxPartLength) }),
      });
      kept.length = Math.min(kept.length, maxKeptMails);
      await Promise.resolve();
    },
    caught: () => kept,
    close: async () => await Promise.resolve(),
  };
}
