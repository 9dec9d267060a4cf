import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { BillingFixture, type Payer } from "../support/billing.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { liveHere, marksOf, tablesWith } from "./lived-account.ts";

type Row = Record<string, unknown>;
type Exported = Record<string, unknown>;

let billing: BillingFixture;
const marks = { ada: marksOf("ada"), bob: marksOf("bob") };
let ada: Payer;
let bob: Payer;
let exported: Exported;
let text = "";

/** Where each table's rows stand in the export, and the columns that it leaves out. */
const exportedAs: Readonly<Record<string, { key: string; without?: readonly string[] }>> = {
  "auth.audit_log_entries": { key: "sign_in_log", without: ["instance_id", "payload"] },
  "auth.identities": { key: "identities", without: ["provider_id", "email"] },
  "auth.mfa_factors": {
    key: "second_factors",
    without: [
      "secret",
      "phone",
      "last_challenged_at",
      "last_used_step",
      "last_webauthn_challenge_data",
      "web_authn_aaguid",
      "web_authn_credential",
    ],
  },
  "auth.sessions": {
    key: "sessions",
    without: [
      "factor_id",
      "not_after",
      "tag",
      "oauth_client_id",
      "refresh_token_hmac_key",
      "refresh_token_counter",
      "scopes",
    ],
  },
  "auth.users": {
    key: "account",
    without: [
      "instance_id",
      "aud",
      "role",
      "encrypted_password",
      "invited_at",
      "confirmation_token",
      "confirmation_sent_at",
      "recovery_token",
      "email_change_token_new",
      "email_change_sent_at",
      "raw_app_meta_data",
      "raw_user_meta_data",
      "is_super_admin",
      "phone_confirmed_at",
      "phone_change",
      "phone_change_token",
      "phone_change_sent_at",
      "confirmed_at",
      "email_change_token_current",
      "email_change_confirm_status",
      "reauthentication_token",
      "reauthentication_sent_at",
      "is_sso_user",
      "deleted_at",
      "is_anonymous",
    ],
  },
  "private.account_flags": { key: "account_flags" },
  "private.affiliates": { key: "affiliate_link" },
  "private.audit_log": { key: "audit_log" },
  "private.billing_attempts": { key: "billing_attempts" },
  "private.billing_charges": { key: "billing_charges" },
  "private.billing_checks": { key: "billing_checks" },
  "private.cancellation_reasons": { key: "cancellation_reasons" },
  "private.content_questions": {
    key: "content_questions",
    without: ["user_id", "answered_by"],
  },
  "private.document_pins": { key: "document_pins" },
  "private.email_outbox": { key: "emails", without: ["claim"] },
  "private.failed_exports": { key: "failed_export" },
  "private.guarantee_baselines": { key: "guarantee_baseline" },
  "private.guarantee_check_ins": { key: "guarantee_check_ins" },
  "private.guarantee_claims": { key: "guarantee_claim" },
  "private.member_notes": { key: "notes", without: ["author"] },
  "private.payment_records": { key: "payment_records" },
  "private.member_reports": {
    key: "member_reports",
    without: ["member_id", "user_id", "reason", "profile"],
  },
  "private.membership_periods": { key: "membership_periods" },
  "private.pending_admins": { key: "pending_admin" },
  "private.progress_ledger": { key: "progress_events" },
  "private.rate_usage": { key: "rate_usage" },
  "private.trusted_mentors": { key: "trusted_mentor" },
  "private.trial_redemptions": { key: "trial_redemption" },
  "private.recovery_codes": { key: "recovery_codes", without: ["code_hash"] },
  "private.referrals": { key: "referral", without: ["affiliate_id"] },
  "private.room_leases": { key: "room_leases" },
  "public.article_opens": { key: "article_opens" },
  "public.article_reads": { key: "article_reads" },
  "public.articles": { key: "articles_written" },
  "public.chat_messages": { key: "messages" },
  "public.chat_room_reads": { key: "room_reads" },
  "public.complimentary_memberships": { key: "complimentary_memberships" },
  "public.course_enrollments": { key: "course_enrollments" },
  "public.course_modules": { key: "courses_written" },
  "public.courses": { key: "courses_written" },
  "public.draft_comments": { key: "draft_comments", without: ["author_id"] },
  "public.draft_versions": { key: "draft_versions", without: ["saved_by"] },
  "public.drafts": { key: "drafts", without: ["approved_by"] },
  "public.invoices": { key: "invoices", without: ["ticket"] },
  "public.learning_submission_comments": { key: "submission_comments" },
  "public.learning_submission_likes": { key: "submission_likes" },
  "public.learning_submissions": { key: "submissions" },
  "public.level_completions": { key: "level_completions" },
  "private.member_blocks": { key: "member_blocks", without: ["blocked_id"] },
  "public.message_likes": { key: "message_likes" },
  "public.module_completions": { key: "module_completions" },
  "public.notification_preferences": { key: "notification_preferences" },
  "public.notifications": {
    key: "notifications",
    without: ["user_id", "actor_id", "group_id", "read_at"],
  },
  "public.onboarding_progress": { key: "onboarding_progress" },
  "public.onboarding_responses": { key: "onboarding_responses" },
  "public.profile_choices": { key: "profile_choices" },
  "public.profiles": { key: "profile" },
  "public.stripe_customers": { key: "customers" },
  "public.stripe_subscriptions": { key: "subscriptions" },
  "public.user_levels": { key: "level" },
  "public.user_progress": { key: "progress" },
  "public.user_verifications": { key: "verifications" },
  "storage.objects": {
    key: "files",
    without: [
      "bucket_id",
      "owner",
      "owner_id",
      "last_accessed_at",
      "metadata",
      "path_tokens",
      "version",
    ],
  },
};
/** In two lists, because a report has a reporter and the author of the message. */
const reportLists = ["message_reports", "reports_about_messages"];

/** What the export leaves out; docs/subsystems/access.md says why. */
const leftOut = [
  "auth.flow_state",
  "auth.mfa_amr_claims",
  "auth.mfa_challenges",
  "auth.one_time_tokens",
  "auth.refresh_tokens",
  "host.contested_sign_ups",
  "private.affiliate_visits",
  "private.billing_reads",
  "private.directory_entries",
  "private.document_openings",
  "private.member_directory",
  "private.plan_change_quotes",
  "private.search_documents",
  "private.search_words",
  "private.trial_cards",
  "realtime.messages",
];

const isCovered = (table: string) =>
  table === "private.message_reports" || table in exportedAs || leftOut.includes(table);

async function exportOf(member: Payer): Promise<Exported> {
  const { data, error } = await member.client.rpc("export_my_data");
  expect(error).toBeNull();
  return data as Exported;
}

/** The objects of one list of the export. */
function listOf(key: string): Row[] {
  const value = exported[key];
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
    expect((await one.client.rpc("report_message", { message_id, reason })).error).toBeNull();
    const like = { user_id: one.id, message_id };
    expect((await one.client.from("message_likes").insert(like)).error).toBeNull();
  }
  await billing.deliverWebhooks();
  exported = await exportOf(ada);
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
    const found = [
      ...new Set((await tablesWith(billing, needles)).map((one) => one.split(":")[0])),
    ];
    expect(found.filter((table = "") => !isCovered(table))).toEqual([]);
    for (const table of found) {
      const place = exportedAs[table ?? ""];
      if (place === undefined) continue;
      const rows = await billing.sql<{ row: Row }>(
        `select to_jsonb(t) as row from ${table} t
          where exists (select from unnest($1::text[]) n where position(lower(n) in lower(t::text)) > 0)`,
        [Object.values(needles)],
      );
      const entries = listOf(place.key);
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
    for (const key of reportLists) expect(listOf(key), key).not.toEqual([]);
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
      "learning-images",
      "profile-pictures",
      "verification-documents",
      "verification-documents",
    ]);
    for (const { bucket, name } of files) {
      expect((await ada.client.storage.from(bucket).download(name)).error, name).toBeNull();
      // Public at their exact address.
      if (bucket !== "verification-documents") continue;
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
