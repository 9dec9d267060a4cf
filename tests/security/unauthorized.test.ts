import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, owner, plainAdministrator, stored } from "./members.ts";
import { postMessage } from "./rooms.ts";

/** Tables of one member's rows, each with a column that exists. */
const ownTables: Record<string, string> = {
  profiles: "id",
  stripe_customers: "user_id",
  stripe_subscriptions: "customer_id",
  complimentary_memberships: "user_id",
  grace_periods: "subscription_id",
  membership_pauses: "subscription_id",
  invoices: "customer_id",
  onboarding_progress: "user_id",
  onboarding_responses: "user_id",
  user_verifications: "user_id",
  user_levels: "user_id",
  user_progress: "user_id",
  level_completions: "user_id",
  learning_submission_likes: "user_id",
  submission_consents: "user_id",
  message_likes: "user_id",
  message_reactions: "user_id",
  chat_room_reads: "user_id",
  article_opens: "user_id",
  article_reads: "user_id",
  course_enrollments: "user_id",
  module_completions: "user_id",
  notification_preferences: "user_id",
  digest_choices: "user_id",
  push_subscriptions: "user_id",
  profile_choices: "user_id",
  message_choices: "user_id",
  direct_messages: "user_id",
  notifications: "read_at",
  drafts: "owner_id",
  draft_versions: "draft_id",
  draft_comments: "draft_id",
};
/** Tables whose rows members share with one another, or that are the same for all of them. */
const sharedTables: Record<string, string> = {
  level_requirements: "level",
  chat_rooms: "id",
  chat_messages: "id",
  learning_submissions: "id",
  learning_submission_comments: "id",
  subcategories: "id",
  articles: "id",
  courses: "id",
  course_modules: "id",
};
/** Columns that members may read, where they are not all. */
const readableColumns: Record<string, string> = {
  message_choices: "user_id, accepts",
  profile_choices: "user_id, topics, is_listed, shows_submissions, shows_achievements",
  complimentary_memberships: "id, user_id, plan_id, granted_at, ends_at, ended_at",
  digest_choices: "user_id, frequency",
  push_subscriptions: "id, user_id, endpoint, created_at",
};
const rpcs = [
  "dashboard_figures",
  "my_achievements",
  "my_affiliate",
  "my_commissions",
  "my_content_figures",
  "my_reading_trend",
  "my_course_offers",
  "my_courses",
  "courses_on_sale",
  "my_guarantee",
  "my_guarantee_claim",
  "my_today",
  "my_next_room",
  "my_conversations",
  "my_collaboration_posts",
  "unread_conversations",
  "unread_rooms",
  "collaboration_page",
  "report_queue",
  "guarantee_queue",
  "delete_rating",
  "rating_of",
  "ratings_of_text",
  "sources_of_text",
  "waiting_questions",
  "admin_payouts_due",
  "admin_overview",
  "admin_queues",
  "dispute_queue",
  "flagged_accounts",
  "verification_queue",
  "admin_payments",
  "admin_money_figures",
  "admin_money_trend",
  "admin_complimentary_memberships",
  "export_my_data",
  "export_studio",
  "note_my_export",
  "effective_level",
  "engagement_rank",
  "progress_history",
];

describe("a visitor", () => {
  test.for(Object.entries({ ...ownTables, ...sharedTables }))(
    "can neither read nor write %s",
    async ([table, column]) => {
      const rows = () => anonymous().from(table);
      const answers = {
        "select all": await rows().select("*"),
        "select one column": await rows().select(column),
        insert: await rows().insert({ [column]: null }),
        update: await rows()
          .update({ [column]: null })
          .not(column, "is", null),
        delete: await rows().delete().not(column, "is", null),
      };
      for (const [operation, { error }] of Object.entries(answers)) {
        expect.soft(error, operation).toMatchObject({ code: "42501" });
      }
    },
  );

  // What is for sale, who sells it, and on what terms: without an account, to be read alone.
  const openTables = {
    plans: "name",
    legal_texts: "kind",
    business_details: "legal_name",
    vat_settings: "mode",
    billing_rules: "withdrawal_refund",
  };

  test.for(Object.entries(openTables))("can read %s and not write it", async ([table, column]) => {
    const rows = () => anonymous().from(table);
    expect((await rows().select(column)).error).toBeNull();
    for (const { error } of [
      await rows().insert({ [column]: null }),
      await rows()
        .update({ [column]: "forged" })
        .not(column, "is", null),
      await rows().delete().not(column, "is", null),
    ]) {
      expect.soft(error).toMatchObject({ code: "42501" });
    }
  });

  test("is tested against every table", async () => {
    const { rows } = await owner.query<{ name: string }>(
      "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
    );
    const tested = Object.keys({ ...ownTables, ...sharedTables, ...openTables });
    expect(rows.map(({ name }) => name).toSorted()).toEqual(tested.toSorted());
  });

  test.for(rpcs)("may not call %s", async (name) => {
    expect((await anonymous().rpc(name)).error).toMatchObject({ code: "42501" });
  });

  test("gets no list of tables", async () => {
    const { url, anonKey } = inject("host");
    const response = await fetch(`${url}/rest/v1/`, { headers: { apikey: anonKey } });
    expect(await response.text()).not.toContain("user_verifications");
  });
});

describe("a member", () => {
  let victim: Account;
  let mallory: Account;
  beforeAll(async () => {
    [victim, mallory] = [await member(), await member()];
    await victim.client.from("user_progress").insert({ user_id: victim.id });
    const shared = { user_id: victim.id, submission_type: "success", title: "x", content: "x" };
    const submission = victim.client.from("learning_submissions").insert(shared).select("id");
    const { data } = await submission.single();
    await postMessage(victim);
    const like = { user_id: victim.id, submission_id: data?.id as string };
    await victim.client.from("learning_submission_likes").insert(like);
    await victim.client.from("submission_consents").insert(like);
    const message = { message_id: randomUUID(), recipient_id: (await member()).id, content: "x" };
    await victim.client.rpc("send_direct_message", message);
    for (const sql of [
      "level_completions (user_id, level) select $1, 1",
      "message_likes (user_id, message_id) select $1, id from public.chat_messages",
      "message_reactions (user_id, message_id, reaction) select $1, id, 'laugh' from public.chat_messages",
      "chat_room_reads (user_id, chat_room_id, last_read_at) select $1, id, now() from public.chat_rooms",
      "article_opens select $1, id, now() from public.articles",
      "article_reads (user_id, article_id) select $1, id from public.articles",
      "course_enrollments (user_id, course_id) select $1, id from public.courses",
      "module_completions (user_id, module_id) select $1, id from public.course_modules",
      "notification_preferences (user_id, kind, email) select $1, 'tips', true",
      "profile_choices (user_id, topics) select $1, array['Pricing']",
      "message_choices (user_id, accepts) select $1, 'known'",
      "complimentary_memberships (user_id, plan_id, reason) select $1, 'student-access', 'Guest'",
      "digest_choices (user_id, frequency) select $1, 'daily'",
      `push_subscriptions (user_id, session_id, endpoint, p256dh, auth_key)
       select $1, id, 'https://fcm.googleapis.com/' || id, repeat('B', 87), repeat('s', 22) from auth.sessions where user_id = $1`,
      "notifications (user_id, kind, detail) select $1, 'level_up', '2'",
    ]) {
      await owner.query(`insert into public.${sql} limit 1`, [victim.id]);
    }
  });

  test.for(Object.keys(ownTables).filter((table) => ownTables[table] === "user_id"))(
    "reads nothing of another member in %s",
    async (table) => {
      expect(await stored(table, "user_id", victim.id)).not.toEqual([]);
      const columns = readableColumns[table] ?? "*";
      const rows = mallory.client.from(table).select(columns);
      const { data, error } = await rows.eq("user_id", victim.id);
      expect(error).toBeNull();
      expect(data).toEqual([]);
      const count = await mallory.client
        .from(table)
        .select(columns, { count: "exact", head: true })
        .eq("user_id", victim.id);
      expect(count.count).toBe(0);
    },
  );

  test("neither reads nor marks the notifications of another member", async () => {
    expect(await stored("notifications", "user_id", victim.id)).toMatchObject([{ read_at: null }]);
    const rows = () => mallory.client.from("notifications");
    expect((await rows().select("*")).error).toMatchObject({ code: "42501" });
    expect(await rows().select("id").eq("user_id", victim.id)).toMatchObject({ data: [] });
    const bell = await mallory.client.rpc("my_notifications");
    expect(bell.data).toMatchObject({ unread: 0, items: [] });
    const up_to = new Date(Date.now() + 60_000).toISOString();
    for (const { id } of await stored("notifications", "user_id", victim.id)) {
      const marks = { up_to, notification_id: Number(id) };
      expect((await mallory.client.rpc("mark_notifications_read", marks)).error).toBeNull();
    }
    expect((await mallory.client.rpc("mark_notifications_read", { up_to })).error).toBeNull();
    expect(await stored("notifications", "user_id", victim.id)).toMatchObject([{ read_at: null }]);
  });

  test("may not call the administrators' functions", async () => {
    const names = [
      "admin_queues",
      "dispute_queue",
      "flagged_accounts",
      "verification_queue",
      "admin_overview",
    ];
    const [plain, admin] = [await plainAdministrator(), await administrator()];
    for (const name of names) {
      expect((await mallory.client.rpc(name)).error, name).toMatchObject({ code: "FF002" });
      expect((await admin.client.rpc(name)).error, name).toBeNull();
      expect((await plain.client.rpc(name)).error, name).toMatchObject({ code: "FF009" });
    }
  });

  test("who has not onboarded reads only their own profile", async () => {
    const outsider = await newcomer();
    const { data } = await outsider.client.from("profiles").select("id");
    expect(data).toEqual([{ id: outsider.id }]);
  });
});
