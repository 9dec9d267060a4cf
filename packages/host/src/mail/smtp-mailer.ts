import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Mailer } from "./mailer.ts";

const TIMEOUT_MS = 15_000;
const CLOSING_MS = 5000;

/** A mailer over one SMTP server, such as `smtps://user:password@mail.example.com`. */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 4,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Nothing a template or a member writes may make the host read files or fetch addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const underWay = new Set<Promise<unknown>>();
  return {
    delivers: true,
    send: async (mail) => {
      const sending = transport.sendMail(mail);
      underWay.add(sending);
      try {
        await sending;
      } finally {
        underWay.delete(sending);
      }
    },
    caught: () => [],
    close: async () => {
      const patience = new AbortController();
      const giveUp = sleep(CLOSING_MS, undefined, { signal: patience.signal }).catch(
        () => undefined,
      );
      await Promise.race([Promise.allSettled(underWay), giveUp]);
      patience.abort();
      transport.close();
    },
  };
}
