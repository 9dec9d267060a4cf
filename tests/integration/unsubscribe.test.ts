import { afterAll, beforeAll, describe, expect, it } from "vitest";
import handleSend from "../../supabase/functions/send-emails/handler.ts";
import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { mentorPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because a sender takes the e-mails of all accounts.
let billing: BillingFixture;
let stop: () => Promise<void>;
let sink: SmtpSink;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  sink = await startSmtpSink();
});
afterAll(async () => {
  await sink.stop();
  await stop();
});

/** One scheduled run with a mail server. */
async function sendAll(): Promise<void> {
  const { url, secretKey, serviceRoleKey } = billing.host;
  const request = new Request(`${url}/functions/v1/send-emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const env = {
    SUPABASE_URL: url,
    SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    SITE_URL: "https://members.example.test",
    SMTP_URL: sink.url,
    MAIL_FROM: "Fourfold <hello@example.test>",
  };
  expect((await handleSend(request, { env })).status).toBe(200);
}

/** The address that a mail program calls to unsubscribe by one click; undefined without both headers. */
function oneClickAddress(raw: string): string | undefined {
  const headers = (raw.split("\r\n\r\n")[0] ?? "").replace(/\r\n[ \t]+/g, " ");
  if (!/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m.test(headers)) return undefined;
  return /^List-Unsubscribe: <(\S+)>$/m.exec(headers)?.[1];
}

describe("unsubscribing by one click", () => {
  const preferences = async ({ id }: Payer) =>
    await billing.sql(
      "select kind, email from public.notification_preferences where user_id = $1",
      [id],
    );

  it("is offered by what can be switched off alone, and works without a session", async () => {
    const { ada } = await billing.member(mentorPlan);
    await sendAll();
    const mails = new Map(
      sink
        .all()
        .filter(({ to }) => to === ada.email)
        .map(({ subject, raw }) => [subject, oneClickAddress(raw)]),
    );
    expect(mails.get("Your receipt: £100.00")).toBeUndefined();
    const address = mails.get("Welcome to Fourfold") ?? "";
    expect(address).toContain("/functions/v1/unsubscribe?token=");

    // Looking leads to the page with a button.
    for (const method of ["HEAD", "GET"]) {
      const looked = await fetch(address, { method, redirect: "manual" });
      expect([looked.status, looked.headers.get("location")]).toEqual([
        303,
        expect.stringContaining("/unsubscribe?token="),
      ]);
    }
    const post = async (url: string) =>
      await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      });
    for (const forged of [
      address.replace(".tips.", ".digest."),
      address.replace(ada.id, crypto.randomUUID()),
      `${address}0`,
      address.slice(0, -1),
      address.replace(/token=.*/, "token="),
    ]) {
      expect((await post(forged)).status, forged).toBe(404);
    }
    expect(await preferences(ada)).toEqual([]);
    expect((await post(address)).status).toBe(200);
    expect((await post(address)).status).toBe(200);
    expect(await preferences(ada)).toEqual([{ kind: "tips", email: false }]);
  });
});
