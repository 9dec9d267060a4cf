import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const x = (length: number) => "x".repeat(length);
const many = (length: number) => Array.from({ length }, () => "x");
const unknown = "unheard-of";
const id = "00000000-0000-4000-8000-000000000000";
const control = "A\u0007da";

/**
 * For each check constraint the smallest row it refuses: values just outside what is allowed. Columns that are left out
 * are null, which every other constraint of the table accepts or comes later by name.
 */
const refusedRows: Record<string, Row> = {
  account_flags_reason_check: { reason: unknown },
  affiliate_payouts_amount_check: { amount_pence: 0 },
  affiliate_payouts_reference_check: { reference: x(141) },
  affiliate_terms_attribution_check: { attribution_days: 366 },
  affiliate_terms_id_check: { id: false },
  affiliate_terms_months_check: { commission_months: 61 },
  affiliate_terms_payout_check: { least_payout_pence: 0 },
  affiliate_terms_pending_check: { pending_days: 181 },
  affiliate_terms_rate_check: { rate_basis_points: 5001 },
  affiliate_visits_hash_check: { visit_hash: `\\x${"00".repeat(31)}` },
  affiliates_code_check: { code: "abcdefg1" },
  articles_content_check: { content: "é".repeat(102_401) },
  articles_estimated_read_time_check: { estimated_read_time: 0 },
  articles_excerpt_check: { excerpt: x(501) },
  articles_read_count_check: { read_count: -1 },
  articles_slug_check: { slug: "two--hyphens" },
  articles_tags_check: { tags: many(11) },
  articles_title_check: { title: x(201) },
  billing_attempts_state_check: { state: unknown },
  billing_charges_dispute_check: { dispute: unknown },
  cancellation_reasons_comment_check: { comment: x(501) },
  cancellation_reasons_not_empty: {},
  cancellation_reasons_reason_check: { reason: unknown },
  chat_messages_content_check: { content: x(4001) },
  chat_messages_like_count_check: { like_count: -1 },
  chat_messages_message_type_check: { message_type: unknown },
  chat_messages_parent_check: {
    message_type: "message",
    parent_message_id: id,
  },
  chat_rooms_description_check: { description: x(301) },
  chat_rooms_display_order_check: { display_order: 10_001 },
  chat_rooms_id_check: { id: "Upper" },
  chat_rooms_min_level_required_check: { min_level_required: 5 },
  chat_rooms_name_check: { name: "" },
  chat_rooms_participant_count_check: { participant_count: -1 },
  complimentary_memberships_reason_check: { reason: "" },
  content_days_amount_check: { amount: 0 },
  content_days_event_check: { event: unknown },
  content_days_state_is_only_check: { is_only: false },
  content_imports_source_check: { source: unknown },
  content_questions_answer_check: { answer: x(4001) },
  content_questions_answered_check: { answer: "Yes" },
  content_questions_question_check: { question: x(1001) },
  content_questions_text_check: {},
  course_enrollments_progress_percentage_check: { progress_percentage: 101 },
  course_modules_content_check: { content: "é".repeat(102_401) },
  course_modules_estimated_duration_check: { estimated_duration: -1 },
  course_modules_module_order_check: { module_order: 0 },
  course_modules_slug_check: { slug: x(121) },
  course_modules_title_check: { title: "" },
  course_modules_video_url_check: { video_url: "http://example.com/film" },
  courses_description_check: { description: x(2001) },
  courses_difficulty_level_check: { difficulty_level: unknown },
  courses_enrollment_count_check: { enrollment_count: -1 },
  courses_estimated_duration_check: { estimated_duration: -1 },
  courses_module_count_check: { module_count: -1 },
  courses_price_check: { price: -0.01 },
  courses_slug_check: { slug: "-begins" },
  courses_title_check: { title: "" },
  document_pins_sha256_check: { reviewed_sha256: "f".repeat(63) },
  draft_comments_comment_check: { comment: "   " },
  draft_comments_quote_check: { quote: x(501) },
  draft_versions_content_check: { content: "é".repeat(102_401) },
  draft_versions_difficulty_level_check: { difficulty_level: unknown },
  draft_versions_excerpt_check: { excerpt: x(2001) },
  draft_versions_modules_check: { modules: many(61) },
  draft_versions_price_check: { price: 1_000_000 },
  draft_versions_slug_check: { slug: x(121) },
  draft_versions_tags_check: { tags: many(11) },
  draft_versions_title_check: { title: x(201) },
  draft_versions_version_check: { version: 0 },
  drafts_kind_check: { kind: unknown },
  drafts_kind_of_work_check: {
    kind: "article",
    course_id: id,
  },
  drafts_schedule_check: { status: "scheduled" },
  drafts_status_check: { status: unknown },
  drafts_version_check: { version: 0 },
  email_outbox_status_check: { status: unknown },
  email_pauses_only_one_check: { only_one: false },
  email_templates_kind_check: { kind: unknown },
  engagement_histogram_members_check: { members: -1 },
  failed_exports_step_check: { step: unknown },
  guarantee_baselines_monthly_pence_check: { monthly_pence: -1 },
  guarantee_baselines_source_check: { source: "" },
  guarantee_check_ins_month_number_check: { month_number: 0 },
  guarantee_check_ins_monthly_pence_check: { monthly_pence: -1 },
  guarantee_claims_appeal_check: { appeal: "" },
  guarantee_claims_appealed_check: { appeal: "Look again" },
  guarantee_claims_monthly_pence_check: { monthly_pence: -1 },
  guarantee_claims_reason_check: { reason: "" },
  guarantee_claims_state_check: { state: unknown },
  guarantee_claims_statement_check: { statement: x(2001) },
  guarantee_terms_id_check: { id: false },
  install_marks_mark_check: { mark: unknown },
  invoices_card_last4_check: { card_last4: "424" },
  invoices_lines_check: { lines: {} },
  invoices_status_check: { status: unknown },
  learning_submission_comments_content_check: { content: x(2001) },
  learning_submissions_comment_count_check: { comment_count: -1 },
  learning_submissions_content_check: { content: x(10_001) },
  learning_submissions_image_url_check: { image_url: "https://example.com/picture.png" },
  learning_submissions_like_count_check: { like_count: -1 },
  learning_submissions_submission_type_check: { submission_type: unknown },
  learning_submissions_title_check: { title: x(151) },
  ledger_entries_account_check: { account: unknown },
  ledger_entries_amount_check: { amount_pence: 0 },
  ledger_transactions_kind_check: { kind: unknown },
  level_completions_level_check: { level: 5 },
  level_requirements_category_check: { category: unknown },
  level_requirements_kind_check: { kind: unknown },
  level_requirements_level_check: { level: 0 },
  level_requirements_needed_check: { needed: 0 },
  level_requirements_shelf_check: { kind: "articles" },
  member_blocks_other_check: {
    user_id: id,
    blocked_id: id,
  },
  member_notes_note_check: { note: x(2001) },
  member_reports_decision_check: { decision: unknown },
  member_reports_reason_check: { reason: "" },
  member_reports_resolved_check: { decision: "keep" },
  membership_periods_order_check: { started_at: "2026-02-02", ended_at: "2026-02-01" },
  message_reports_decision_check: { decision: unknown },
  message_reports_reason_check: { reason: "" },
  message_reports_resolved_check: { decision: "keep" },
  notification_preferences_kind_check: { kind: "money" },
  notifications_actor_check: {
    user_id: id,
    actor_id: id,
  },
  notifications_kind_check: { kind: unknown },
  onboarding_progress_completed_steps_check: { completed_steps: [10] },
  onboarding_progress_current_step_check: { current_step: 10 },
  onboarding_progress_data_check: { data: [] },
  onboarding_responses_answer_check: { answer: x(5001) },
  onboarding_responses_page_number_check: { page_number: 10 },
  onboarding_responses_question_check: { question: "" },
  payment_records_kind_check: { kind: unknown },
  plan_change_quotes_kind_check: { kind: unknown },
  plans_amount_pence_check: { amount_pence: 0 },
  plans_currency_check: { currency: "gbp" },
  plans_id_check: { id: unknown },
  plans_interval_check: { interval: "year" },
  plans_role_check: { role: "admin" },
  profile_choices_topics_check: { topics: many(9) },
  profiles_avatar_url_check: { avatar_url: "https://example.com/me.png" },
  profiles_bio_check: { bio: x(2001) },
  profiles_first_name_check: { first_name: control },
  profiles_last_name_check: { last_name: control },
  profiles_occupation_check: { occupation: control },
  profiles_role_check: { role: "owner" },
  progress_ledger_category_check: { category: unknown },
  progress_ledger_kind_check: { kind: unknown },
  progress_ledger_reference_check: { reference: "" },
  progress_ledger_shelf_check: { kind: "article_read" },
  rate_limits_max_count_check: { max_count: 0 },
  rate_limits_period_check: { period: "0 seconds" },
  refund_requests_amount_check: { amount_pence: 0 },
  refund_requests_state_check: { state: unknown },
  search_documents_kind_check: { kind: unknown },
  stripe_subscriptions_hold_check: { hold: unknown },
  stripe_subscriptions_payment_method_expires_check: { payment_method_expires: "12/2030" },
  stripe_subscriptions_payment_method_last4_check: { payment_method_last4: "424" },
  stripe_subscriptions_status_check: { status: unknown },
  subcategories_color_check: { color: "#FFFFFF" },
  subcategories_description_check: { description: x(301) },
  subcategories_icon_check: { icon: "Book" },
  subcategories_main_category_check: { main_category: unknown },
  subcategories_name_check: { name: "" },
  subcategories_slug_check: { slug: x(81) },
  trial_card_keys_id_check: { id: false },
  trial_card_keys_key_check: { key: "\\x00" },
  trial_cards_card_hash_check: { card_hash: "\\x00" },
  trial_codes_code_check: { code: "ab" },
  trial_codes_days_check: { days: 366 },
  trial_codes_max_redemptions_check: { max_redemptions: 0 },
  user_levels_current_level_check: { current_level: 5 },
  user_levels_unlocked_levels_check: { unlocked_levels: [5] },
  user_progress_current_level_check: { current_level: 0 },
  user_progress_learning_submissions_check: { learning_submissions: -1 },
  user_progress_message_engagements_check: { message_engagements: -1 },
  user_verifications_document_type_check: { document_type: unknown },
  user_verifications_reason_check: { status: "rejected" },
  user_verifications_reset_check: { status: "approved", attempts_reset_at: "2026-01-01" },
  user_verifications_status_check: { status: unknown },
};

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
  "private.billing_customers_to_delete.customer_id",
  "private.commissions.affiliate_id",
  "private.console_edits.row_id",
  // Counted also for what is gone.
  "private.content_days.content_id",
  "private.document_pins.object_id",
  "private.email_outbox.claim",
  "private.ledger_transactions.affiliate_id",
  "private.member_notes.author",
  "private.payment_records.customer_id",
  "private.search_documents.owner_id",
  "stripe_customers.customer_id",
];

/** Ids of the payment provider's objects of which the database keeps no table. */
const providerIds = "(invoice|subscription|price|charge|event|provider|refund|change)_id$";

/** Unique keys besides the primary keys. Take one away only on purpose. */
const onlyOnce = [
  "articles (subcategory_id, slug)",
  "complimentary_memberships (user_id) WHERE (ended_at IS NULL)",
  "course_modules (course_id, slug)",
  "courses (subcategory_id, slug)",
  "drafts (article_id)",
  "drafts (course_id)",
  "notifications (user_id, kind, subject_id, actor_id, detail) NULLS NOT DISTINCT",
  "plans (price_id)",
  "private.affiliates (code)",
  "private.affiliates (user_id)",
  "private.billing_attempts (subscription_id)",
  "private.billing_attempts (user_id) WHERE (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]))",
  "private.email_outbox (cause_key)",
  "private.guarantee_claims (user_id)",
  "private.ledger_transactions (payout_id)",
  "private.member_reports (member_id, user_id) WHERE (resolved_at IS NULL)",
  "private.membership_periods (user_id) WHERE (ended_at IS NULL)",
  "private.message_reports (message_id, user_id)",
  "private.payment_records (provider_id, status)",
  "private.progress_ledger (user_id, kind, reference)",
  "private.refund_requests (refund_id)",
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
      "private.email_outbox.template",
      "private.email_texts.template",
      "private.ledger_transactions.charge_id",
      "private.trial_redemptions.code",
    ]);
  });

  test("has the listed unique keys", async ({ world }) => {
    const sql = `select regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \\S+ ON (?:public\\.)?(\\S+) USING \\w+ ', '\\1 ') as name
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace ${ours} and indisunique and not indisprimary order by name`;
    expect((await world.run("owner", sql)).map(({ name }) => name)).toEqual(onlyOnce);
  });
});
