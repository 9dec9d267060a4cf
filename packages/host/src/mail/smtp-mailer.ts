// Mailer of installs with SMTP_URL; on shutdown it waits a moment for e-mails that are being sent.

import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Mailer } from "./mailer.ts";

const timeoutMs = 15_000;
const closeTimeoutMs = 5000;

/** A mailer for one SMTP server, such as `smtps://user:password@mail.example.com`. */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 4,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Content must not make the host read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const pending = new Set<Promise<unknown>>();
  return {
    delivers: true,
    send: async (mail) => {
      // RFC 3834: absence notices and other programs must not answer it.
      const headers = { "Auto-Submitted": "auto-generated" };
      const sending = transport.sendMail({ ...mail, headers });
      pending.add(sending);
      try {
        await sending;
      } finally {
        pending.delete(sending);
      }
    },
    caught: () => [],
    close: async () => {
      const controller = new AbortController();
      const timeout = sleep(closeTimeoutMs, undefined, { signal: controller.signal }).catch(
        () => undefined,
      );
      await Promise.race([Promise.allSettled(pending), timeout]);
      controller.abort();
      transport.close();
    },
  };
}
