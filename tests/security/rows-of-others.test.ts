import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { BillingFixture, studentPlan, type Payer } from "../support/billing.ts";
import { anonymous, testPassword } from "../support/clients.ts";
import { administrator, owner } from "./members.ts";

/** What one member has, and two who want it: another paying member and an administrator without a second factor. */
let billing: BillingFixture;
let victim: Payer;
let mallory: Payer;
let session: string;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
  [victim, mallory] = [await billing.payer(), await billing.payer()];
  for (const each of [victim, mallory]) await billing.pay(each, studentPlan);
  await billing.deliverWebhooks();
  admin = await administrator();
  session = await sessionOf(victim);
});
afterAll(async () => await billing.close());

async function sessionOf({ client }: Payer): Promise<string> {
  const { data } = await client.auth.getSession();
  const [, claims = ""] = data.session?.access_token.split(".") ?? [];
  return (JSON.parse(atob(claims)) as { session_id: string }).session_id;
}

async function tokenOf({ client }: Pick<Payer, "client">): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

/** Everything stored about the victim's account, sessions and payments. */
async function stateOfVictim(): Promise<unknown> {
  const { rows } = await owner.query(
    `select to_jsonb(u) - 'updated_at' as account,
       (select jsonb_agg(s.id) from auth.sessions s where s.user_id = u.id) as sessions,
       (select jsonb_agg(to_jsonb(i) - 'updated_at' order by i.invoice_id) from public.invoices i
         join public.stripe_customers c on c.customer_id = i.customer_id where c.user_id = u.id) as invoices,
       (select jsonb_agg(to_jsonb(s) - 'updated_at') from public.stripe_subscriptions s
         join public.stripe_customers c on c.customer_id = s.customer_id where c.user_id = u.id) as subscriptions
     from auth.users u where u.id = $1`,
    [victim.id],
  );
  return rows;
}

describe("another member's", () => {
  test("sessions are neither listed nor ended", async () => {
    const before = await stateOfVictim();
    for (const { client } of [mallory, admin]) {
      const { data } = await client.rpc("my_sessions");
      const listed = data as { id: string }[];
      expect(listed.length).toBeGreaterThan(0);
      expect(listed.map(({ id }) => id)).not.toContain(session);
      // Not to be told from a session that does not exist.
      const answers = [];
      for (const session_id of [session, crypto.randomUUID()]) {
        const { data: isEnded, error } = await client.rpc("end_session", { session_id });
        answers.push([isEnded, error?.code]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.[0]).not.toBe(true);
    }
    const { error } = await anonymous().rpc("end_session", { session_id: session });
    expect(error).toMatchObject({ code: "42501" });
    expect(await stateOfVictim()).toEqual(before);
    expect((await victim.client.rpc("my_sessions")).error).toBeNull();
  });

  test("export is given to no one else, whatever is sent", async () => {
    const invoices = await victim.client.from("invoices").select("invoice_id");
    const secrets = [victim.id, victim.email, String(invoices.data?.[0]?.invoice_id)];
    expect(secrets[2]).toMatch(/^in_/);
    const own = JSON.stringify((await victim.client.rpc("export_my_data")).data);
    for (const secret of secrets) expect(own).toContain(secret);
    for (const args of [undefined, { member: victim.id }, { user_id: victim.id }]) {
      const { data } = await mallory.client.rpc("export_my_data", args);
      for (const secret of secrets) expect(JSON.stringify(data ?? {})).not.toContain(secret);
    }
    for (const name of ["export_account_data", "export_part_email", "export_part_invoices"]) {
      const { error } = await mallory.client.rpc(name, { member: victim.id });
      expect(error, name).toMatchObject({ code: "PGRST202" });
      const hidden = await mallory.client.schema("private").rpc(name, { member: victim.id });
      expect(hidden.error, name).toMatchObject({ code: "PGRST106" });
    }
  });

  test("address, password and account cannot be read or changed through the auth service", async () => {
    const before = await stateOfVictim();
    const { url, anonKey } = billing.host;
    const asked = { id: victim.id, user_id: victim.id, sub: victim.id };
    const ask = async (method: string, path: string, bearer: string, body?: object) =>
      await fetch(`${url}/auth/v1${path}`, {
        method,
        headers: {
          apikey: anonKey,
          authorization: `Bearer ${bearer}`,
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const each of [mallory, admin]) {
      const token = await tokenOf(each);
      // The body names the victim; the account of the token is meant.
      const changed = await ask("PUT", "/user", token, { ...asked, data: { taken: true } });
      expect(await changed.json()).toMatchObject({ id: each.id });
      for (const [method, path, body] of [
        ["GET", `/admin/users/${victim.id}`],
        ["GET", "/admin/users"],
        ["PUT", `/admin/users/${victim.id}`, { email: "mallory@example.test" }],
        ["PUT", `/admin/users/${victim.id}`, { password: `${testPassword}-new` }],
        ["DELETE", `/admin/users/${victim.id}`],
        ["POST", "/admin/generate_link", { type: "recovery", email: victim.email }],
        ["POST", `/admin/users/${victim.id}/factors`, {}],
      ] as const) {
        const answer = await ask(method, path, token, body);
        expect([401, 403, 404, 405], `${method} ${path}`).toContain(answer.status);
        expect(await answer.text()).not.toContain(victim.email);
      }
    }
    expect(await stateOfVictim()).toEqual(before);
  });

  test("address is taken over by no change of one's own, and shown in no row", async () => {
    const before = await stateOfVictim();
    await mallory.client.auth.updateUser({ email: victim.email });
    expect(await stateOfVictim()).toEqual(before);
    const { rows } = await owner.query<{ email: string }>(
      "select email from auth.users where id = $1",
      [mallory.id],
    );
    expect(rows).toEqual([{ email: mallory.email }]);
    const { rows: tables } = await owner.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace order by 1`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { data } = await mallory.client.from(name).select("*");
      expect(JSON.stringify(data ?? []), name).not.toContain(victim.email);
    }
  });

  test("invoices, subscription and card are reached by no function with their ids", async () => {
    const [invoice] = (await victim.client.from("invoices").select("*")).data as {
      invoice_id: string;
      customer_id: string;
      subscription_id: string;
    }[];
    const named = {
      invoice_id: invoice?.invoice_id,
      customer_id: invoice?.customer_id,
      subscription_id: invoice?.subscription_id,
      customer: invoice?.customer_id,
      subscription: invoice?.subscription_id,
      invoice: invoice?.invoice_id,
      user_id: victim.id,
      member: victim.id,
    };
    const setup = await billing.call(victim.client, "stripe-create-setup-intent");
    const quote = await billing.call(victim.client, "stripe-preview-plan-change", {
      price_id: "price_mentor_access",
    });
    expect([setup.status, quote.status]).toEqual([200, 200]);
    const theirs = {
      setup_intent_id: String(setup.body["client_secret"]).split("_secret_")[0],
      quote_id: quote.body["quote_id"],
    };
    const before = await stateOfVictim();
    for (const [name, body, status] of [
      ["stripe-cancel-subscription", {}, 404],
      ["stripe-uncancel-subscription", {}, 404],
      ["stripe-update-card", { setup_intent_id: theirs.setup_intent_id }, 404],
      ["stripe-change-plan", { quote_id: theirs.quote_id }, 404],
      // It takes back the caller's own membership, whatever the body names.
      ["stripe-withdraw", {}, 200],
    ] as const) {
      const answer = await billing.call(mallory.client, name, { ...named, ...body });
      expect(answer.status, name).toBe(status);
      expect(JSON.stringify(answer.body), name).not.toContain(invoice?.invoice_id);
    }
    for (const name of ["create-stripe-customer", "stripe-create-setup-intent"]) {
      const answer = await billing.call(mallory.client, name, named);
      expect(JSON.stringify(answer.body), name).not.toContain(invoice?.customer_id);
    }
    const { data } = await mallory.client.from("invoices").select("*, stripe_customers(*)");
    expect(JSON.stringify(data ?? [])).not.toContain(String(invoice?.customer_id));
    expect(await stateOfVictim()).toEqual(before);
  });
});
