import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { BillingFixture, studentPlan, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { administrator, newcomer } from "../security/members.ts";
import { postPicture } from "../security/message-picture.ts";

let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
});
afterAll(async () => await billing.close());

const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };

async function member(): Promise<Payer> {
  const ada = await billing.payer();
  await billing.pay(ada, studentPlan);
  await finishOnboarding(ada.client, ada.id, person);
  return ada;
}

const remove = async (ada: Payer, password = testPassword) =>
  await billing.call(ada.client, "delete-my-account", { password });

/** The tables, the audit log aside, in which an account's id still stands. */
async function tracesOf(id: string): Promise<string[]> {
  const tables = await billing.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage')
       and (schemaname, tablename) not in (('private', 'audit_log'), ('auth', 'audit_log_entries'))`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await billing.sql<{ held: boolean }>(
      `select exists (select from ${name} t where t::text like '%' || $1 || '%') as held`,
      [id],
    );
    if (row?.held === true) found.push(name);
  }
  return found;
}

describe("deleting an account", () => {
  it("ends the membership and leaves no row and no file, only the record of the deletion", async () => {
    const ada = await member();
    const picture = await ada.client.storage
      .from("learning-images")
      .upload(`${ada.id}-1.png`, onePixelPng, { contentType: "image/png" });
    expect(picture.error).toBeNull();
    const portrait = await ada.client.storage
      .from("profile-pictures")
      .upload(`${ada.id}-1.png`, onePixelPng, { contentType: "image/png" });
    expect(portrait.error).toBeNull();
    const shown = await ada.client.rpc("set_my_picture", { name: `${ada.id}-1.png` });
    expect(shown.error).toBeNull();
    await postPicture(ada);
    const post = { user_id: ada.id, submission_type: "success", title: "Done", content: "It is." };
    expect((await ada.client.from("learning_submissions").insert(post)).error).toBeNull();
    expect(await tracesOf(ada.id)).toContain("public.learning_submissions");

    expect(await remove(ada)).toEqual({
      status: 200,
      body: { message: "Your account has been deleted" },
    });

    expect((await billing.atProvider(ada)).live).toEqual([]);
    expect(await tracesOf(ada.id)).toEqual([]);
    const again = await ada.client.auth.signInWithPassword({
      email: ada.email,
      password: testPassword,
    });
    expect(again.error?.code).toBe("invalid_credentials");
    const record = await billing.sql(
      "select action from private.audit_log where subject = $1 order by id",
      [ada.id],
    );
    expect(record).toContainEqual({ action: "profile.deleted" });
  });

  it("is followed by webhooks without an account, which are accepted and not repeated", async () => {
    const ada = await member();
    const customer = await billing.customerId(ada);
    await remove(ada);
    const news = await billing.stripe.events.list({ type: "customer.subscription.deleted" });
    const own = news.data.filter(
      ({ data }) => "customer" in data.object && data.object.customer === customer,
    );
    const deliveries = await billing.deliverWebhooks();
    const answers = deliveries.filter(({ eventId }) => own.some(({ id }) => id === eventId));
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(await tracesOf(ada.id)).toEqual([]);
  });

  it("requires the password, and a wrong one changes nothing", async () => {
    const ada = await member();
    expect(await remove(ada, "Wrong-Horse-42!")).toMatchObject({
      status: 403,
      body: { code: "wrong_password", error: "This is not your password." },
    });
    expect(await billing.status(ada)).toBe("active");
  });

  it("requires a sign-in of the last minutes instead, of an account that only a provider opens", async () => {
    const ada = await member();
    const bare = async () => await billing.call(ada.client, "delete-my-account", {});
    expect(await bare()).toMatchObject({ status: 400, body: { code: "password_required" } });
    await billing.sql(
      `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"providers": ["google"]}' where id = $1`,
      [ada.id],
    );
    expect(await bare()).toMatchObject({ status: 403, body: { code: "sign_in_again" } });
    /** Makes the session one that began at a provider, this long ago. */
    const signedIn = async (ago: string) => {
      await billing.sql(
        `update auth.mfa_amr_claims set authentication_method = 'oauth', updated_at = now() - $2::interval
          where session_id in (select id from auth.sessions where user_id = $1)`,
        [ada.id, ago],
      );
      expect((await ada.client.auth.refreshSession()).error).toBeNull();
    };
    await signedIn("11 minutes");
    expect(await bare()).toMatchObject({ status: 403, body: { code: "sign_in_again" } });
    expect(await billing.status(ada)).toBe("active");
    await signedIn("1 minute");
    expect(await bare()).toMatchObject({ status: 200 });
    expect(await tracesOf(ada.id)).toEqual([]);
  });

  it("is refused to anonymous clients and administrators", async () => {
    const anonymousClient = billing.client(billing.host.anonKey);
    const refused = await billing.call(anonymousClient, "delete-my-account", {
      password: testPassword,
    });
    expect(refused.status).toBe(401);
    const admin = await administrator();
    expect(await remove(admin)).toMatchObject({ status: 409, body: { code: "administrator" } });
    const { data } = await admin.client.from("profiles").select("role").eq("id", admin.id).single();
    expect(data?.role).toBe("admin");
  });

  it("leaves its payments to be refunded in the console, and a refund that fails later is told", async () => {
    const ada = await member();
    const customer = await billing.customerId(ada);
    const [charge] = (await billing.stripe.charges.list({ customer })).data;
    const id = charge?.id ?? "";
    expect((await remove(ada)).status).toBe(200);
    const admin = await newcomer();
    await signInWithSecondFactor(admin.client, admin.email);
    await billing.sql("select private.make_admin($1)", [admin.id]);
    const found = async () => (await admin.client.rpc("admin_payments", { search: id })).data;
    const refund = async (amount: number) =>
      await billing.call(admin.client, "admin-refund-payment", {
        request_id: randomUUID(),
        payment_id: id,
        amount_pence: amount,
        reason: "Left within 14 days",
      });
    expect(await found()).toMatchObject([{ state: "paid", user_id: null }]);
    expect(await refund(5001)).toMatchObject({ status: 400, body: { code: "FF253" } });
    const part = await refund(2000);
    expect(part).toMatchObject({ status: 200, body: { status: "succeeded" } });
    expect(await found()).toMatchObject([{ state: "partly_refunded", refunded_pence: 2000 }]);
    expect(await refund(3001)).toMatchObject({ status: 400, body: { code: "FF253" } });
    await billing.control("/refunds/fail", { refund: part.body["refund_id"] });
    await billing.deliverWebhooks();
    expect(await found()).toMatchObject([{ state: "paid", refunded_pence: 0 }]);
    expect((await refund(5000)).status).toBe(200);
    expect(await found()).toMatchObject([{ state: "refunded" }]);
    expect((await billing.stripe.charges.retrieve(id)).refunded).toBe(true);
    const requests = await billing.sql(
      "select state from private.refund_requests where charge_id = $1 order by requested_at",
      [id],
    );
    expect(requests).toEqual([{ state: "failed" }, { state: "made" }]);
    expect(await tracesOf(ada.id)).toEqual([]);
  });
});
