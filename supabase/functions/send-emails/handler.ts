import { z } from "zod";
import {
  callRpc,
  type DatabaseClient,
  type ProcedureResult,
} from "../_shared/database/database-client.ts";
import { errorForLog, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { writeEmail } from "../_shared/emails/email-templates.ts";
import {
  MailServerDown,
  mailTransport,
  type MailTransport,
} from "../_shared/emails/mail-transport.ts";
import { renderEmail } from "../_shared/emails/render-email.ts";
import { unsubscribeAddress } from "../_shared/emails/unsubscribe-link.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "send-emails", failureMessage: "The scheduled run failed." };
/** No e-mail is begun after this time; the host ends a run after 150 s. */
const maxRoundMs = 80_000;
/** Longer than sending one e-mail can take, so that no other sender gets it meanwhile. */
const lease = "5 minutes";
/** Pauses before each attempt to record a result; all of them end within the lease. */
const recordPausesMs = [0, 100, 500, 2000, 5000, 10_000];

const emailTexts = z.record(z.string(), z.string());
type ClaimedEmail = Omit<
  ProcedureResult<"claim_email">[number],
  "first_name" | "kind" | "texts"
> & {
  first_name: string | null;
  kind: string | null;
  texts: z.infer<typeof emailTexts>;
};
const result = z.enum(["sent", "pending", "failed", "not_yours"]);

interface SendResult {
  sent: number;
  /** Not sent this time, and tried again later. */
  delayed: number;
  /** Given up. */
  failed: number;
}

/** Sends the e-mails of the outbox that are due. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const siteUrl = requireEnv(deps, "SITE_URL");
    const transport = mailTransport(deps);
    const round: SendResult = { sent: 0, delayed: 0, failed: 0 };
    try {
      await sendDue(deps, transport, siteUrl, round);
    } finally {
      transport.close();
    }
    return jsonResponse(200, { ...round });
  });
}

/** Sends until nothing is due, the time is up or the mail server cannot be reached. */
async function sendDue(
  deps: Deps,
  transport: MailTransport,
  siteUrl: string,
  round: SendResult,
): Promise<void> {
  const service = serviceClient(deps);
  const seller = await readSeller(service);
  const end = Date.now() + maxRoundMs;
  while (Date.now() < end) {
    const email = await claimNext(service);
    if (email === undefined) return;
    const error = await send(deps, transport, email, { siteUrl, seller });
    if (error !== undefined)
      console.error(`${options.name}: ${email.id}: ${describe(error, email)}`);
    const status = await record(service, email, error);
    if (status === "sent") round.sent += 1;
    else if (status === "failed") round.failed += 1;
    else round.delayed += 1;
    // The other e-mails keep their attempts for when it is back.
    if (error instanceof MailServerDown) return;
  }
}

/** Who sells, in one line under every e-mail; empty while no name is on record. */
async function readSeller(service: DatabaseClient): Promise<string> {
  const { data, error } = await service
    .from("business_details")
    .select("legal_name, address, company_number, vat_number")
    .maybeSingle();
  if (error) throw new Error("the seller cannot be read", { cause: error });
  if (data === null || data.legal_name === null) return "";
  const numbers = [
    data.company_number === null ? "" : `company number ${data.company_number}`,
    data.vat_number === null ? "" : `VAT number ${data.vat_number}`,
  ];
  const address = data.address?.split("\n") ?? [];
  return [data.legal_name, ...address, ...numbers].filter((part) => part !== "").join(", ");
}

async function claimNext(service: DatabaseClient): Promise<ClaimedEmail | undefined> {
  const [claimed] = await callRpc(service, "claim_email", { lease });
  return claimed && { ...claimed, texts: emailTexts.parse(claimed.texts) };
}

/** @returns why the e-mail could not be sent; undefined when it was. */
async function send(
  deps: Deps,
  transport: MailTransport,
  email: ClaimedEmail,
  site: { siteUrl: string; seller: string },
): Promise<Error | undefined> {
  try {
    const content = writeEmail(email.template, email.data, email.texts);
    const rendered = renderEmail(content, { firstName: email.first_name, ...site });
    const unsubscribe = await unsubscribeAddress(deps, email.user_id, email.kind);
    await transport.send({ id: email.message_id, to: email.address, ...rendered, unsubscribe });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The error without the member's address, which mail servers repeat and no log may keep. */
function describe(error: Error, { address }: ClaimedEmail): string {
  return errorForLog(error).replaceAll(address, "the address");
}

/**
 * Records the result. The text of an error is kept for administrators. Repeated for a while, because an e-mail whose result
 * is lost is sent again when its lease ends.
 */
async function record(
  service: DatabaseClient,
  email: ClaimedEmail,
  failure: Error | undefined,
): Promise<z.infer<typeof result>> {
  let lastError: unknown;
  for (const pauseMs of recordPausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { data, error } = await service.rpc("record_email_result", {
      email: email.id,
      claim: email.claim,
      error: failure === undefined ? null : describe(failure, email),
    });
    if (error === null) return result.parse(data);
    lastError = error;
  }
  throw new Error("record_email_result", { cause: lastError });
}
