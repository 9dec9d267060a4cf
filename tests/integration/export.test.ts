import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BillingFixture, type Payer } from "../support/billing.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { exportedAs } from "./exported-tables.ts";
import { liveHere, marksOf, tablesWith } from "./lived-account.ts";
import { savedVersionsOf } from "./saved-versions.ts";

type Row = Record<string, unknown>;
type Exported = Record<string, unknown>;

let billing: BillingFixture;
const marks = { ada: marksOf("ada"), bob: marksOf("bob") };
let ada: Payer;
let bob: Payer;
let versions: Exported;
let exported: Exported;
let text = "";

/** What the export leaves out; docs/subsystems/access.md says why. */
const leftOut = [
  "auth.flow_state",
  "auth.mfa_amr_claims",
  "auth.mfa_challenges",
  "auth.one_time_tokens",
  "auth.refresh_tokens",
  "auth.webauthn_challenges",
  "auth.webauthn_credentials",
  "host.contested_sign_ups",
  "private.affiliate_visits",
  "private.billing_readings",
  "private.billing_sync_versions",
  "private.directory_entries",
  "private.document_openings",
  "private.draft_films",
  "private.draft_pictures",
  "private.invoice_failures",
  "private.member_search_index",
  "private.message_search_documents",
  "private.plan_change_quotes",
  "private.push_outbox",
  "private.search_documents",
  "private.search_words",
  "private.trial_cards",
  "realtime.messages",
];

const isCovered = (table: string) => table in exportedAs || leftOut.includes(table);

/**
 * Asks for the export in a transaction that `work` can go on reading in, and undoes it. Scheduled work that other
 * files run, as the reconciliation of all customers, changes rows of the member between two readings of anything else.
 */
async function inSnapshotOfExport(
  member: Payer,
  work: (sql: BillingFixture["sql"], exported: Exported) => Promise<void>,
): Promise<void> {
  const { data } = await member.client.auth.getClaims();
  const client = new pg.Client({ connectionString: inject("host").databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read");
    await client.query(
      "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
      [JSON.stringify(data?.claims)],
    );
    const { rows } = await client.query<{ answer: Exported }>(
      "select public.export_my_data() as answer",
    );
    await client.query("reset role");
    await work(
      async (text, values) => (await client.query(text, values)).rows,
      rows[0]?.answer ?? {},
    );
  } finally {
    await client.end();
  }
}

async function exportOf(member: Payer): Promise<Exported> {
  const { data, error } = await member.client.rpc("export_my_data");
  expect(error).toBeNull();
  return data as Exported;
}

/** The objects of one list of an export. */
function listOf(key: string, of = exported): Row[] {
  const value = of[key];
  return value === null || value === undefined ? [] : ([value].flat() as Row[]);
}

/** What names an account: ids, address, numbers at the card provider, and its own texts. */
async function needlesOf(member: Payer, own: Record<string, string>) {
  const [customer] = await billing.sql<{ customer_id: string; subscription_id: string }>(
    `select customer_id, subscription_id from public.stripe_customers c
       join public.stripe_subscriptions s using (customer_id) where c.user_id = $1`,
    [member.id],
  );
  const [verification] = await billing.sql<{ id: string }>(
    "select id from public.user_verifications where user_id = $1",
    [member.id],
  );
  return {
    id: member.id,
    email: member.email,
    customer: customer?.customer_id ?? "none",
    subscription: customer?.subscription_id ?? "none",
    verification: verification?.id ?? "none",
    ...own,
  };
}

async function firstMessageOf(member: Payer): Promise<string> {
  const [row] = await billing.sql<{ id: string }>(
    "select id from public.chat_messages where user_id = $1",
    [member.id],
  );
  return row?.id ?? "";
}

beforeAll(async () => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
  [ada, bob] = [await billing.payer(), await billing.payer()];
  await liveHere(billing, ada, marks.ada);
  await liveHere(billing, bob, marks.bob);
  // Each has done something to what the other wrote.
  for (const [one, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    const message_id = await firstMessageOf(other);
    const reason = `about the other ${one === ada ? marks.ada.report : marks.bob.report}`;
    expect(
      (await one.client.rpc("report", { kind: "message", subject_id: message_id, reason })).error,
    ).toBeNull();
    const like = { user_id: one.id, message_id };
    expect((await one.client.from("message_likes").insert(like)).error).toBeNull();
    const reaction = { ...like, reaction: "insight" };
    expect((await one.client.from("message_reactions").insert(reaction)).error).toBeNull();
  }
  await billing.deliverWebhooks();
  // First, because these calls are counted in rows that the export holds.
  versions = {
    draft_versions: await savedVersionsOf(ada.client, "draft"),
    course_versions: await savedVersionsOf(ada.client, "course"),
  };
  exported = { ...(await exportOf(ada)), ...versions };
  text = JSON.stringify(exported);
});
afterAll(async () => await billing.close());

describe("the data export", () => {
  it("has a place, or a documented reason, for every table that refers to an account", async () => {
    const tables = await billing.sql<{ name: string }>(
      `with recursive referring (id) as (
         select 'auth.users'::regclass::oid
         union select c.conrelid from pg_constraint c join referring r on r.id = c.confrelid
          where c.contype = 'f'
       )
       select format('%s.%s', n.nspname, t.relname) as name from referring r
         join pg_class t on t.oid = r.id join pg_namespace n on n.oid = t.relnamespace`,
    );
    expect(tables.length).toBeGreaterThan(25);
    expect(tables.map(({ name }) => name).filter((name) => !isCovered(name))).toEqual([]);
    const access = await readFile(join(projectRoot, "docs", "subsystems", "access.md"), "utf8");
    for (const table of leftOut) expect(access).toContain(`\`${table}\``);
  });

  it("contains every row that names the member", async () => {
    const needles = await needlesOf(ada, marks.ada);
    expect(Object.values(needles)).not.toContain("none");
    await inSnapshotOfExport(ada, async (sql, alone) => {
      const whole = { ...alone, ...versions };
      const found = [
        ...new Set((await tablesWith(sql, needles)).map((one) => one.split(":")[0] ?? "")),
      ];
      expect(found.filter((table) => !isCovered(table))).toEqual([]);
      for (const table of found) {
        const place = exportedAs[table];
        if (place === undefined) continue;
        const rows = await sql<{ row: Row }>(
          `select to_jsonb(t) as row from ${table} t
            where exists (select from unnest($1::text[]) n where position(lower(n) in lower(t::text)) > 0)`,
          [Object.values(needles)],
        );
        const entries = listOf(place.key, whole);
        for (const { row } of rows) {
          const columns = Object.keys(row).filter((name) => place.without?.includes(name) !== true);
          const same = entries.some((entry) =>
            columns.every(
              (name) =>
                JSON.stringify(entry[name]) === JSON.stringify(row[name]) ||
                // Other persons in a row are left out.
                (table === "private.audit_log" && entry[name] === null) ||
                (table === "auth.users" && row[name] === ""),
            ),
          );
          expect(same, `${table} ${JSON.stringify(row)}`).toBe(true);
        }
      }
    });
    // By the member with a reason, and about what the member wrote with its copy.
    for (const key of ["reason", "snapshot"]) {
      expect(listOf("reports"), key).toContainEqual(
        expect.objectContaining({ [key]: expect.anything() }),
      );
    }
  });

  it("contains nothing of another member", async () => {
    const needles = await needlesOf(bob, marks.bob);
    const lower = text.toLowerCase();
    const there = Object.entries(needles).filter(([, needle]) =>
      lower.includes(needle.toLowerCase()),
    );
    // Bob's text is what Ada reported: her own report names it by the message's id only.
    expect(there).toEqual([]);
    const admins = await billing.sql<{ id: string; email: string }>(
      "select u.id, u.email from auth.users u join public.profiles p using (id) where p.role = 'admin'",
    );
    expect(admins).not.toEqual([]);
    expect(admins.filter(({ id, email }) => lower.includes(id) || lower.includes(email))).toEqual(
      [],
    );
  });

  it("contains no password, key or token", async () => {
    const secrets = await billing.sql<{ secret: string }>(
      `select encrypted_password as secret from auth.users where id = $1
       union all select secret from auth.mfa_factors where user_id = $1
       union all select code_hash::text from private.recovery_codes where user_id = $1
       union all select token from auth.refresh_tokens where user_id = $1::text
       union all select token_hash from auth.one_time_tokens where user_id = $1`,
      [ada.id],
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter(({ secret }) => secret && text.includes(secret))).toEqual([]);
  });

  it("lists the member's files, which the member's own token opens and no other's", async () => {
    const files = listOf("files") as { bucket: string; name: string }[];
    expect(files.map(({ bucket }) => bucket).toSorted()).toEqual([
      "guarantee-documents",
      "learning-images",
      "message-pictures",
      "profile-pictures",
      "verification-documents",
      "verification-documents",
    ]);
    for (const { bucket, name } of files) {
      expect((await ada.client.storage.from(bucket).download(name)).error, name).toBeNull();
      // Public at their exact address, or shown in a room the other may read.
      if (!["guarantee-documents", "verification-documents"].includes(bucket)) continue;
      expect((await bob.client.storage.from(bucket).download(name)).data).toBeNull();
    }
  });

  it("is limited to twenty an hour", async () => {
    for (let count = 2; count <= 20; count += 1) await exportOf(ada);
    const { error } = await ada.client.rpc("export_my_data");
    expect(error?.code).toBe("FF300");
    expect((await bob.client.rpc("export_my_data")).error).toBeNull();
  });
});
