import { randomUUID } from "node:crypto";
import type { CaughtMail, Mailer } from "./mailer.ts";

const MOST_KEPT = 500;
const LONGEST_PART = 256 * 1024;

/** A mailer that sends nothing: the last few hundred e-mails stay in memory for the inbox page. */
export function createCatchingMailer(from: string): Mailer {
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
        text: mail.text.slice(0, LONGEST_PART),
        ...(mail.html === undefined ? {} : { html: mail.html.slice(0, LONGEST_PART) }),
      });
      kept.length = Math.min(kept.length, MOST_KEPT);
      await Promise.resolve();
    },
    caught: () => kept,
    close: async () => await Promise.resolve(),
  };
}
