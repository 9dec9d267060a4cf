import { z } from "zod";
import { callRpc, type DatabaseClient, type ProcedureResult } from "../database/database-client.ts";

/** Longer than sending one e-mail can take, so that no other sender gets it meanwhile. */
const lease = "5 minutes";
/** Pauses before each attempt to record a result; all of them end within the lease. */
const recordPausesMs = [0, 100, 500, 2000, 5000, 10_000];

const emailTexts = z.record(z.string(), z.string());
const result = z.enum(["sent", "pending", "failed", "not_yours"]);

/** An e-mail that this sender alone has until its lease ends. */
export type ClaimedEmail = Omit<
  ProcedureResult<"claim_email">[number],
  "first_name" | "kind" | "texts"
> & {
  first_name: string | null;
  kind: string | null;
  texts: z.infer<typeof emailTexts>;
};

/** The e-mails that wait in the database. */
export class EmailOutbox {
  readonly #service: DatabaseClient;

  constructor(service: DatabaseClient) {
    this.#service = service;
  }

  /** The next e-mail to send; undefined when none is due. Two senders never get the same one. */
  async claim(): Promise<ClaimedEmail | undefined> {
    const [claimed] = await callRpc(this.#service, "claim_email", { lease });
    return claimed && { ...claimed, texts: emailTexts.parse(claimed.texts) };
  }

  /** Gives an e-mail back as if it had not been tried. It is due again in a minute. */
  async release({ id, claim }: ClaimedEmail): Promise<void> {
    await callRpc(this.#service, "release_email", { email: id, claim });
  }

  /**
   * Records the result. The text of an error is kept for administrators. Repeated for a while, because an e-mail whose result
   * is lost is sent again when its lease ends.
   * @param error why it was not sent, without the member's address; null when it was.
   */
  async record({ id, claim }: ClaimedEmail, error: string | null): Promise<z.infer<typeof result>> {
    let lastError: unknown;
    for (const pauseMs of recordPausesMs) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const answer = await this.#service.rpc("record_email_result", { email: id, claim, error });
      if (answer.error === null) return result.parse(answer.data);
      lastError = answer.error;
    }
    throw new Error("record_email_result", { cause: lastError });
  }
}
