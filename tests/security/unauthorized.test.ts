import { beforeAll, describe, expect, inject, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, owner } from "./members.ts";

const TABLES = [
  "profiles",
  "stripe_customers",
  "stripe_subscriptions",
  "onboarding_progress",
  "onboarding_responses",
  "user_verifications",
  "user_levels",
  "user_progress",
  "level_completions",
  "learning_submission_likes",
  "article_opens",
  "article_reads",
  "course_enrollments",
  "module_completions",
];
/** What members share with one another, or what is the same for all of them. */
const SHARED_TABLES = [
  "level_requirements",
  "learning_submissions",
  "learning_submission_comments",
  "subcategories",
  "articles",
  "courses",
  "course_modules",
];
const RPCS = [
  "dashboard_figures",
  "admin_figures",
  "verification_queue",
  "export_my_data",
  "effective_level",
  "engagement_rank",
  "progress_history",
];

describe("a visitor", () => {
  test.for([...TABLES, ...SHARED_TABLES])("neither reads nor writes %s", async (table) => {
    const client = anonymous();
    expect((await client.from(table).select("*")).error).toMatchObject({ code: "42501" });
    expect((await client.from(table).insert({})).error).not.toBeNull();
    expect((await client.from(table).delete().not("updated_at", "is", null)).error).not.toBeNull();
  });

  test.for(RPCS)("may not call %s", async (name) => {
    expect((await anonymous().rpc(name)).error).toMatchObject({ code: "42501" });
  });

  test("is not told what tables there are", async () => {
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
    const like = { user_id: victim.id, submission_id: data?.id as string };
    await victim.client.from("learning_submission_likes").insert(like);
    for (const sql of [
      "article_opens select $1, id, now() from public.articles",
      "article_reads (user_id, article_id) select $1, id from public.articles",
      "course_enrollments (user_id, course_id) select $1, id from public.courses",
      "module_completions (user_id, module_id) select $1, id from public.course_modules",
    ]) {
      await owner.query(`insert into public.${sql} limit 1`, [victim.id]);
    }
  });

  test.for(TABLES.filter((table) => table !== "profiles" && table !== "stripe_subscriptions"))(
    "reads nothing of another member in %s",
    async (table) => {
      const { data, error } = await mallory.client.from(table).select("*").eq("user_id", victim.id);
      expect(error).toBeNull();
      expect(data).toEqual([]);
      const count = await mallory.client
        .from(table)
        .select("*", { count: "exact", head: true })
        .eq("user_id", victim.id);
      expect(count.count).toBe(0);
    },
  );

  test("is refused the administrators' functions", async () => {
    for (const name of ["admin_figures", "verification_queue"]) {
      expect((await mallory.client.rpc(name)).error).toMatchObject({ code: "FF002" });
    }
    const figures = await (await administrator()).client.rpc("admin_figures").single();
    expect(figures.error).toBeNull();
  });

  test("who has not onboarded reads no profile but their own", async () => {
    const outsider = await newcomer();
    const { data } = await outsider.client.from("profiles").select("id");
    expect(data).toEqual([{ id: outsider.id }]);
  });
});
