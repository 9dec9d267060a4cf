import type { Mailer } from "./mailer.ts";

/** A mailer that knows how it went. */
export interface CountedMailer extends Mailer {
  /** E-mails the mail server did not take since it took one. An address it refuses is no failure of the server. */
  readonly failures: () => number;
}

const isOfAddress = (error: unknown) =>
  (error as { command?: unknown } | null)?.command === "RCPT TO";

/** Counts the failures of a mailer. */
export function countFailures(mailer: Mailer): CountedMailer {
  let failures = 0;
  return {
    ...mailer,
    failures: () => failures,
    send: async (mail) => {
      try {
        await mailer.send(mail);
        failures = 0;
      } catch (error) {
        if (!isOfAddress(error)) failures += 1;
        throw error;
      }
    },
  };
}
