import { errorForLog } from "../http/responses.ts";
import type { ClaimedEmail, EmailOutbox } from "./email-outbox.ts";
import { MailServerBusy, MailServerDown, type MailTransport } from "./mail-transport.ts";

/** Pauses of the last sender while the mail server is busy; after them the run ends. */
const busyPausesMs = [1000, 2000, 4000, 8000, 16_000];

/** What a run needs. */
export interface MailRunOptions {
  outbox: Pick<EmailOutbox, "claim" | "release" | "record">;
  /** Opens a connection of its own for each sender. */
  openTransport: () => MailTransport;
  /** Writes the e-mail and hands it to the mail server. */
  deliver: (transport: MailTransport, email: ClaimedEmail) => Promise<void>;
  /** Senders side by side. */
  connections: number;
  /** No more e-mails than this are taken. */
  most: number;
  /** No e-mail is begun after this time. */
  maxMs: number;
  /** Told of each e-mail that was not sent, without its address. */
  onError: (email: ClaimedEmail, error: string) => void;
  pause?: (ms: number) => Promise<void>;
}

/** What came of a run. */
export interface MailRunResult {
  sent: number;
  /** Not sent this time, and tried again later. */
  delayed: number;
  /** Given up. */
  failed: number;
}

const sleep = async (ms: number) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
};

/** The error without the member's address, which mail servers repeat and no log may keep. */
function describe(error: Error, { address }: ClaimedEmail): string {
  return errorForLog(error).replaceAll(address, "the address");
}

/**
 * Sends what is due with several senders side by side. The first goes alone until the mail server has answered about an e-mail, so
 * that one that is down costs a single attempt. A sender whose connection is refused, lost or slowed down gives its e-mail back and ends
 * while others go on: that is how the run finds out how many connections the server takes. Only the last one counts it as an
 * attempt; it waits while the server is busy, and ends the run when it is down.
 */
export async function runSenders(options: MailRunOptions): Promise<MailRunResult> {
  const { outbox, deliver, pause = sleep } = options;
  const result: MailRunResult = { sent: 0, delayed: 0, failed: 0 };
  const end = Date.now() + options.maxMs;
  const senders: Promise<void>[] = [];
  const failures: unknown[] = [];
  const working = new Set<number>();
  let [taken, busyTimes] = [0, 0];

  /** @returns false when this sender ends. */
  const handle = async (
    sender: number,
    email: ClaimedEmail,
    error: Error | undefined,
  ): Promise<boolean> => {
    const isAboutServer = error instanceof MailServerDown || error instanceof MailServerBusy;
    const message = error === undefined ? null : describe(error, email);
    if (message !== null) options.onError(email, message);
    if (isAboutServer && working.size > 1) {
      working.delete(sender);
      await outbox.release(email);
      result.delayed += 1;
      return false;
    }
    const status = await outbox.record(email, message);
    if (status === "sent") result.sent += 1;
    else if (status === "failed") result.failed += 1;
    else result.delayed += 1;
    if (!isAboutServer) {
      busyTimes = 0;
      startOthers();
      return true;
    }
    const pauseMs = busyPausesMs[busyTimes];
    if (error instanceof MailServerDown || pauseMs === undefined) return false;
    busyTimes += 1;
    await pause(pauseMs);
    return true;
  };

  const send = async (sender: number) => {
    const transport = options.openTransport();
    try {
      while (failures.length === 0 && taken < options.most && Date.now() < end) {
        taken += 1;
        const email = await outbox.claim();
        if (email === undefined) return;
        const error = await deliver(transport, email).then(
          () => undefined,
          (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown))),
        );
        if (!(await handle(sender, email, error))) return;
      }
    } finally {
      transport.close();
    }
  };
  const start = () => {
    const sender = senders.length;
    working.add(sender);
    const ended = send(sender).catch((error: unknown) => {
      failures.push(error);
    });
    senders.push(ended.finally(() => working.delete(sender)));
  };
  /** Once in a run: a sender that ended is not replaced. */
  const startOthers = () => {
    while (senders.length < options.connections) start();
  };

  start();
  // The list grows while it is gone through.
  for (const sender of senders) await sender;
  if (failures.length > 0) throw failures[0];
  return result;
}
