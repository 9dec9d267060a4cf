import type { DatabaseClient } from "../_shared/database/database-client.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import { readCount, requireEnv, type Deps } from "../_shared/deps.ts";
import { EmailOutbox } from "../_shared/emails/email-outbox.ts";
import { writeEmail } from "../_shared/emails/email-templates.ts";
import { runSenders } from "../_shared/emails/mail-run.ts";
import { mailTransport } from "../_shared/emails/mail-transport.ts";
import { renderEmail } from "../_shared/emails/render-email.ts";
import { unsubscribeAddress } from "../_shared/emails/unsubscribe-link.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "send-emails", failureMessage: "The scheduled run failed." };
/** No e-mail is begun after this time; the host ends a run after 150 s. */
const maxRoundMs = 80_000;
/** Senders side by side unless SMTP_CONNECTIONS says otherwise: providers allow eight or ten connections, the smallest fewer. */
const defaultConnections = 5;
const maxConnections = 50;

/** Sends the e-mails of the outbox that are due. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const siteUrl = requireEnv(deps, "SITE_URL");
    const connections = readCount(deps, "SMTP_CONNECTIONS", maxConnections);
    const most = readCount(deps, "EMAILS_PER_RUN", 1_000_000);
    const service = serviceClient(deps);
    const seller = await readSeller(service);
    const result = await runSenders({
      outbox: new EmailOutbox(service),
      openTransport: () => mailTransport(deps),
      connections: connections ?? defaultConnections,
      most: most ?? Infinity,
      maxMs: maxRoundMs,
      deliver: async (transport, email) => {
        const content = writeEmail(email.template, email.data, email.texts);
        const rendered = renderEmail(content, { firstName: email.first_name, siteUrl, seller });
        const unsubscribe = await unsubscribeAddress(deps, email.user_id, email.kind);
        await transport.send({ id: email.message_id, to: email.address, ...rendered, unsubscribe });
      },
      onError: ({ id }, error) => console.error(`${options.name}: ${id}: ${error}`),
    });
    return jsonResponse(200, { ...result });
  });
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
