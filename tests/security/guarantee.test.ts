import { randomUUID } from "node:crypto";
import { FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { expectHidden, storedPrivately } from "./hidden-tables.ts";
import {
  administrator,
  member,
  newcomer,
  owner,
  plainAdministrator,
  setSubscriptionStatus,
} from "./members.ts";

const tables = ["guarantee_baselines", "guarantee_check_ins", "guarantee_claims"] as const;
/** In pounds and words, so that an answer that tells it is found. */
const income = 1_234_500;
const source = "Lighthouse keeping";
const statement = "Payslip of the lighthouse";

async function must<T>(answer: PromiseLike<{ data: T; error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data;
}

const documents = (client: SupabaseClient) => client.storage.from("guarantee-documents");
const documentOf = (account: Account) => `${account.id}-baseline-1.png`;

/** Somebody with a start on record, with a document, and one check-in. */
async function starter(): Promise<Account> {
  const account = await member();
  const document_name = documentOf(account);
  await must(
    documents(account.client).upload(document_name, onePixelPng, { contentType: "image/png" }),
  );
  const baseline = { monthly_pence: income, source, document_name };
  await must(account.client.rpc("record_guarantee_baseline", baseline));
  await must(account.client.rpc("record_guarantee_check_in", { monthly_pence: income + 100 }));
  return account;
}

/** The same with a claim, which the rules have declined, and an appeal that waits. */
async function claimant(): Promise<{ ada: Account; claim: string }> {
  const ada = await starter();
  await owner.query(
    "update private.guarantee_baselines set started_at = now() - interval '6 months 1 day' where user_id = $1",
    [ada.id],
  );
  const filed = await must(
    ada.client.rpc("file_guarantee_claim", { monthly_pence: income, statement }),
  );
  await must(ada.client.rpc("appeal_guarantee_claim", { appeal: "I was ill" }));
  return { ada, claim: (filed as { id: string }).id };
}

async function lapsed(): Promise<Account> {
  const account = await member();
  await setSubscriptionStatus(account.id, "canceled");
  return account;
}

/** The status and code of an edge function's answer. */
async function callFunction(client: SupabaseClient, name: string, body: object) {
  const { error } = await client.functions.invoke(name, { body });
  if (!(error instanceof FunctionsHttpError)) return { status: 200 };
  const response = error.context as Response;
  return { status: response.status, body: (await response.json()) as unknown };
}

describe("the record of a member under the guarantee", () => {
  let ada: Account;
  let claim: string;
  let others: [string, SupabaseClient][];
  const stored = async () => await storedPrivately(tables, [ada.id]);
  beforeAll(async () => {
    ({ ada, claim } = await claimant());
    others = [
      ["another member", (await member()).client],
      ["a mentor", (await member("mentor-access")).client],
      ["a lapsed member", (await lapsed()).client],
      ["an account without a membership", (await newcomer()).client],
      ["a visitor", anonymous()],
      ["an administrator without a second factor", (await plainAdministrator()).client],
    ];
  });

  test("is the member's own to read", async () => {
    const record = await must(ada.client.rpc("my_guarantee"));
    expect(record).toMatchObject({ baseline: { monthly_pence: income, source } });
    expect(await must(ada.client.rpc("my_guarantee_claim"))).toMatchObject({
      id: claim,
      statement,
    });
  });

  test("stands in no table that any client can name", async () => {
    const before = await stored();
    const admin = await administrator();
    const forged = { user_id: ada.id, monthly_pence: 0, state: "granted" };
    for (const client of [ada.client, admin.client, anonymous()]) {
      await expectHidden(client, tables, forged);
    }
    expect(await stored()).toEqual(before);
  });

  test("is told to nobody by any function, whatever it is asked for", async () => {
    for (const [who, client] of others) {
      for (const [name, args] of [
        ["my_guarantee", {}],
        ["my_guarantee_claim", {}],
        ["my_guarantee", { member: ada.id }],
        ["my_guarantee_claim", { user_id: ada.id }],
        ["guarantee_queue", {}],
        ["guarantee_settlement", { claim_id: claim }],
        ["billing_claims_to_settle", {}],
        ["billing_claim_settlement", { claim_id: claim }],
        ["member_profile", { member_id: ada.id }],
        ["member_detail", { member: ada.id }],
        ["export_my_data", {}],
      ] as const) {
        const told = JSON.stringify(await client.rpc(name, args));
        for (const secret of [claim, String(income), source, statement]) {
          expect(told, `${who}: ${name}`).not.toContain(secret);
        }
      }
    }
  });

  test("is moved by nobody else's call", async () => {
    const before = await stored();
    for (const [who, client] of others) {
      for (const [name, args] of [
        ["decide_guarantee_claim", { claim_id: claim, is_granted: true, reason: "Mine" }],
        ["appeal_guarantee_claim", { appeal: "Mine" }],
        ["record_guarantee_baseline", { monthly_pence: 0, source: "x", member: ada.id }],
        ["record_guarantee_check_in", { monthly_pence: 0, user_id: ada.id }],
        ["file_guarantee_claim", { monthly_pence: 0, statement: "x", member: ada.id }],
        ["billing_begin_claim_refund", { claim_id: claim, payment: "ch_1", admin: ada.id }],
        ["billing_claim_renewal_stopped", { claim_id: claim, admin: ada.id }],
        ["queue_guarantee_reminders", {}],
        ["guarantee_figures", {}],
      ] as const) {
        expect((await client.rpc(name, args)).error, `${who}: ${name}`).not.toBeNull();
      }
    }
    expect(await stored()).toEqual(before);
  });

  test("has a document that nobody else reads, lists, signs, replaces or deletes", async () => {
    const name = documentOf(ada);
    const own = await must(documents(ada.client).download(name));
    expect(Buffer.from(await (own as Blob).arrayBuffer())).toEqual(onePixelPng);
    const file = { contentType: "image/png", upsert: true };
    for (const [who, client] of [
      ["an administrator", (await administrator()).client],
      ...others,
    ] as const) {
      const bucket = documents(client);
      expect((await bucket.download(name)).data, who).toBeNull();
      expect((await bucket.list("", { search: ada.id })).data ?? [], who).toEqual([]);
      expect((await bucket.createSignedUrl(name, 60)).data, who).toBeNull();
      expect((await bucket.info(name)).data, who).toBeNull();
      expect((await bucket.upload(name, onePixelPng, file)).error, who).not.toBeNull();
      expect((await bucket.update(name, onePixelPng, file)).error, who).not.toBeNull();
      expect((await bucket.move(name, `${ada.id}-baseline-2.png`)).error, who).not.toBeNull();
      expect((await bucket.copy(name, `${ada.id}-baseline-3.png`)).error, who).not.toBeNull();
      expect((await bucket.remove([name])).data ?? [], who).toEqual([]);
      const address = documents(anonymous()).getPublicUrl(name).data.publicUrl;
      expect((await fetch(address)).ok, who).toBe(false);
    }
    // Not even by its owner, who could otherwise change what was claimed with.
    for (const { error } of [
      await documents(ada.client).update(name, Buffer.from(onePixelPng), file),
      await documents(ada.client).upload(name, Buffer.from(onePixelPng), file),
      await documents(ada.client).move(name, `${ada.id}-baseline-2.png`),
    ]) {
      expect(error).not.toBeNull();
    }
    expect((await documents(ada.client).remove([name])).data ?? []).toEqual([]);
    expect((await documents(ada.client).download(name)).error).toBeNull();
  });

  test("has a document that the console opens in a claim that waits, with a second factor", async () => {
    for (const [who, client] of [["the claimant", ada.client], ...others] as const) {
      const answer = await callFunction(client, "open-guarantee-document", { claim_id: claim });
      expect([401, 403], who).toContain(answer.status);
    }
    const admin = await administrator();
    const opened = await admin.client.functions.invoke<Blob>("open-guarantee-document", {
      body: { claim_id: claim },
    });
    expect(Buffer.from((await opened.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(
      onePixelPng,
    );
    const { rows } = await owner.query<{ actor: string }>(
      "select actor from private.audit_log where action = 'guarantee.document_opened' and subject = $1",
      [ada.id],
    );
    expect(rows).toEqual([{ actor: admin.id }]);
    const none = await callFunction(admin.client, "open-guarantee-document", {
      claim_id: randomUUID(),
    });
    expect(none).toMatchObject({ status: 404, body: { code: "FF685" } });
  });

  test("is settled by nobody but an administrator with a fresh code", async () => {
    const before = await stored();
    for (const [who, client] of [["the claimant", ada.client], ...others] as const) {
      const answer = await callFunction(client, "admin-settle-guarantee", { claim_id: claim });
      expect([401, 403], who).toContain(answer.status);
      const run = await callFunction(client, "billing-reconcile", { everybody: true });
      expect([401, 403], who).toContain(run.status);
    }
    const admin = await administrator();
    // Before it is granted there is nothing to settle, and a claim of nobody does not exist.
    for (const claim_id of [claim, randomUUID()]) {
      const answer = await callFunction(admin.client, "admin-settle-guarantee", { claim_id });
      expect([403, 409]).toContain(answer.status);
    }
    expect(await stored()).toEqual(before);
  });

  test("is not the claimant's to decide, nor to write after it is made", async () => {
    const before = await stored();
    for (const [name, args, code] of [
      ["decide_guarantee_claim", { claim_id: claim, is_granted: true, reason: "Mine" }, "FF002"],
      ["guarantee_settlement", { claim_id: claim }, "FF002"],
      ["file_guarantee_claim", { monthly_pence: 0, statement: "Again" }, "FF678"],
      ["appeal_guarantee_claim", { appeal: "Again" }, "FF679"],
      ["record_guarantee_check_in", { monthly_pence: 0 }, "FF675"],
      ["billing_begin_claim_refund", { claim_id: claim, payment: "ch_1", admin: ada.id }, "42501"],
    ] as const) {
      expect((await ada.client.rpc(name, args)).error, name).toMatchObject({ code });
    }
    expect(await stored()).toEqual(before);
  });

  test("is shown to an administrator in a claim alone, who decides with a fresh code", async () => {
    const [ben, { ada: cleo, claim: waits }] = [await starter(), await claimant()];
    const admin = await administrator();
    const shown = JSON.stringify(await must(admin.client.rpc("guarantee_queue")));
    expect(shown).toContain(cleo.id);
    expect(shown).toContain(source);
    expect(shown).not.toContain(ben.id);
    for (const [name, args] of [
      ["member_detail", { member: ben.id }],
      ["member_profile", { member_id: ben.id }],
    ] as const) {
      const told = JSON.stringify(await admin.client.rpc(name, args));
      expect(told).not.toContain(source);
      expect(told).not.toContain(String(income));
    }
    const decision = { claim_id: waits, is_granted: false, reason: "No payslip" };
    // The factor is newer than this session: no fresh code.
    expect((await admin.client.rpc("decide_guarantee_claim", decision)).error).toMatchObject({
      code: "FF007",
    });
    const fresh = await newcomer();
    await signInWithSecondFactor(fresh.client, fresh.email);
    await owner.query("select private.make_admin($1)", [fresh.id]);
    await must(fresh.client.rpc("decide_guarantee_claim", decision));
    // Once it is decided, the console shows it to nobody.
    expect(JSON.stringify(await must(admin.client.rpc("guarantee_queue")))).not.toContain(cleo.id);
    expect(await must(cleo.client.rpc("my_guarantee_claim"))).toMatchObject({
      state: "refused",
      reason: "No payslip",
    });
  });
});
