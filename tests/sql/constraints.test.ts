import { describe, expect } from "vitest";
import { refusedRows } from "./refused-rows.ts";
import { test, type World } from "./world.ts";

/** Columns that look like a reference and have no foreign key. Add to this list only on purpose. */
const refersToNoRow = [
  // Rows of several tables.
  "notifications.group_id",
  "notifications.subject_id",
  // The affiliate in the books: what was earned and paid stays when the account is gone.
  "private.affiliate_payouts.affiliate_id",
  "private.affiliates.affiliate_id",
  "private.audit_log.actor",
  "private.audit_log.subject",
  "private.balance_transactions.transaction_id",
  "private.billing_customers_to_delete.customer_id",
  "private.billing_readings.object_id",
  "private.commissions.affiliate_id",
  "private.commissions.course_id",
  "private.console_edits.row_id",
  // Counted also for what is gone.
  "private.content_days.content_id",
  // The mentor in the books, likewise.
  "private.course_purchases.seller_id",
  "private.document_pins.object_id",
  "private.email_outbox.claim",
  // Named by the browser, so that two clicks are one gift.
  "private.gift_memberships.request_id",
  "private.member_notes.author",
  "private.payment_records.customer_id",
  "private.provider_tax_rates.tax_rate_id",
  "private.push_outbox.claim",
  // The author, whose deletion takes along what the report is about.
  "private.reports.author_id",
  // Stands in the column of its kind, too, which refers to it.
  "private.reports.subject_id",
  // Numbers a line of the bell.
  "private.room_openings.line_id",
  "private.search_documents.owner_id",
  "private.vat_documents.customer_id",
  "stripe_customers.customer_id",
];

/** Ids of the payment provider's objects of which the database keeps no table. */
const providerIds =
  "(invoice|subscription|price|charge|payment_intent|event|provider|refund|change)_id$";

/** Unique keys besides the primary keys. Take one away only on purpose. */
const onlyOnce = [
  "articles (subcategory_id, slug)",
  "complimentary_memberships (user_id) WHERE (ended_at IS NULL)",
  "course_modules (course_id, slug)",
  "courses (subcategory_id, slug)",
  "drafts (article_id)",
  "drafts (course_id)",
  "membership_pauses (subscription_id) WHERE (ended_at IS NULL)",
  "notifications (user_id, id)",
  "notifications (user_id, kind, subject_id, actor_id, detail) NULLS NOT DISTINCT",
  "plans (price_id)",
  "plans (yearly_price_id)",
  'private.achievement_kinds ("position")',
  "private.achievement_kinds (measure, needed)",
  "private.affiliates (code)",
  "private.affiliates (user_id)",
  "private.billing_attempts (subscription_id)",
  "private.billing_attempts (user_id) WHERE (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]))",
  "private.certificates (code)",
  "private.certificates (user_id, course_id)",
  "private.content_ratings (user_id, article_id, course_id) NULLS NOT DISTINCT",
  "private.course_offers (slug)",
  "private.course_purchases (payment_intent_id)",
  "private.course_purchases (user_id) WHERE (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]))",
  "private.direct_conversations (first_id, second_id)",
  "private.email_outbox (cause_key)",
  "private.gift_memberships (buyer_id) WHERE (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]))",
  "private.gift_memberships (code)",
  "private.gift_memberships (payment_intent_id)",
  "private.guarantee_claims (user_id)",
  "private.ledger_transactions (payout_id)",
  "private.membership_periods (user_id) WHERE (ended_at IS NULL)",
  "private.mentions (comment_id, user_id)",
  "private.mentions (message_id, user_id)",
  "private.mentions (submission_id, user_id)",
  "private.pacts (outcome_id)",
  "private.payment_records (provider_id, status)",
  'private.plan_prices (plan_id, "interval") WHERE (retired_at IS NULL)',
  "private.progress_ledger (user_id, kind, reference)",
  "private.refund_requests (refund_id)",
  "private.reports (kind, subject_id, user_id) WHERE (resolved_at IS NULL)",
  "private.room_announcements (message_id)",
  "private.room_openings (id)",
  "private.shared_cards (certificate_id)",
  "private.shared_cards (user_id, achievement)",
  "private.vat_documents (provider_id, kind)",
  "private.withdrawals (purchase_id)",
  "private.withdrawals (subscription_id)",
  "push_subscriptions (endpoint)",
  "stripe_customers (user_id) WHERE (deleted_at IS NULL)",
  "stripe_subscriptions (customer_id) WHERE (deleted_at IS NULL)",
  "stripe_subscriptions (subscription_id)",
  "subcategories (main_category, slug)",
  "user_verifications (document_url)",
  "user_verifications (user_id) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text]))",
];

const ours = "in ('public'::regnamespace, 'private'::regnamespace)";

/** Name and table of every check constraint there is. */
async function checkConstraints(world: World): Promise<{ name: string; table: string }[]> {
  const rows = await world.run(
    "owner",
    `select conname as name, conrelid::regclass::text as table from pg_constraint
     where contype = 'c' and connamespace ${ours}
     order by conname collate "C"`,
  );
  return rows as { name: string; table: string }[];
}

/** An empty copy of the table: its columns and check constraints, and nothing else a row would need. */
async function copyWithChecksOnly(world: World, table: string): Promise<void> {
  await world.run("owner", "drop table if exists pg_temp.checked");
  await world.run("owner", `create temp table checked (like ${table} including constraints)`);
  await world.run(
    "owner",
    `do $$ declare c record; begin
       for c in select attname from pg_attribute
         where attrelid = 'pg_temp.checked'::regclass and attnum > 0 and attnotnull loop
         execute format('alter table pg_temp.checked alter column %I drop not null', c.attname);
       end loop;
     end $$`,
  );
}

describe("every check constraint", () => {
  test("has a row that it refuses", async ({ world }) => {
    const constraints = await checkConstraints(world);
    expect(constraints.map(({ name }) => name)).toEqual(Object.keys(refusedRows).toSorted());
    let copied = "";
    for (const { name, table } of constraints.toSorted((a, b) => (a.table < b.table ? -1 : 1))) {
      if (table !== copied) await copyWithChecksOnly(world, table);
      copied = table;
      const refusedBy = await world
        .run(
          "owner",
          `insert into pg_temp.checked
           select (jsonb_populate_record(null::pg_temp.checked, $1)).*`,
          [JSON.stringify(refusedRows[name])],
        )
        .then(
          () => "nothing",
          (error: { constraint?: string; message: string }) => error.constraint ?? error.message,
        );
      expect(refusedBy, `${table}: ${JSON.stringify(refusedRows[name]).slice(0, 80)}`).toBe(name);
    }
  });
});

describe("every table", () => {
  test("refers by a foreign key wherever it names a row, except on purpose", async ({ world }) => {
    const sql = `select c.oid::regclass::text || '.' || a.attname as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and c.relnamespace ${ours} and a.attnum > 0 and not a.attisdropped
        and a.attname <> 'id' and (a.atttypid = 'uuid'::regtype or a.attname like '%\\_id') and a.attname !~ '${providerIds}'
        and not exists (
          select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
      order by name`;
    const names = (await world.run("owner", sql)).map(({ name }) => name);
    expect(names).toEqual(refersToNoRow);
  });

  test("refers by a foreign key where a row is named by something else than an id", async ({
    world,
  }) => {
    const sql = `select format('%s.%s', k.conrelid::regclass, a.attname) as name
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      where k.contype = 'f' and k.connamespace ${ours}
        and (a.attname !~ '_id$' or a.attname ~ '${providerIds}') and a.atttypid <> 'uuid'::regtype
      order by name`;
    expect((await world.run("owner", sql)).map(({ name }) => name)).toEqual([
      "draft_comments.version",
      "grace_periods.subscription_id",
      "membership_pauses.subscription_id",
      "notifications.kind",
      "private.achievements.key",
      "private.email_outbox.template",
      "private.email_texts.template",
      "private.invoice_failures.invoice_id",
      "private.ledger_transactions.charge_id",
      "private.shared_cards.achievement",
      "private.trial_redemptions.code",
      "private.visitor_usage.action",
    ]);
  });

  test("has the listed unique keys", async ({ world }) => {
    const sql = `select regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \\S+ ON (?:public\\.)?(\\S+) USING \\w+ ', '\\1 ') as name
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace ${ours} and indisunique and not indisprimary order by name`;
    expect((await world.run("owner", sql)).map(({ name }) => name)).toEqual(onlyOnce);
  });
});
