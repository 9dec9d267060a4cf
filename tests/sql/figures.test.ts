import { describe, expect } from "vitest";
import { test } from "./world.ts";

describe("a member's figures", () => {
  const figures = "select * from public.dashboard_figures()";

  test("are the caller's own, also when they are 0", async ({ world }) => {
    const id = await world.member();
    const row = await world.one(id, figures);
    expect(row).toMatchObject({
      level: 1,
      effective_level: 1,
      onboarding_complete: true,
      likes_received: 0,
      lessons_completed: 0,
      affiliate_links: 0,
      profits_pence: 0,
    });
    const account = await world.one("owner", "select created_at from auth.users where id = $1", [
      id,
    ]);
    expect(row["member_since"]).toEqual(account["created_at"]);
    await world.setSubscriptionStatus(id, "canceled");
    expect(await world.one(id, figures)).toMatchObject({ level: 1, effective_level: 0 });
  });

  test("count likes from others, of messages and submissions, and finished lessons", async ({
    world,
  }) => {
    const [id, reader, other] = [await world.member(), await world.member(), await world.member()];
    const said = { user_id: id, chat_room_id: "general", content: "Hello" };
    const { id: message } = await world.insert(id, "chat_messages", said);
    const kept = await world.insert(id, "chat_messages", { ...said, content: "To be deleted" });
    const shared = { user_id: id, submission_type: "success", title: "x", content: "x" };
    const { id: submission } = await world.insert(id, "learning_submissions", shared);
    const like = async (user: string, message_id: unknown) =>
      await world.insert(user, "message_likes", { user_id: user, message_id });
    const praise = async (user: string) =>
      await world.insert(user, "learning_submission_likes", {
        user_id: user,
        submission_id: submission,
      });
    for (const user of [id, reader, other]) await like(user, message);
    for (const user of [id, reader]) await like(user, kept["id"]);
    for (const user of [id, reader]) await praise(user);
    expect(await world.one(id, figures)).toMatchObject({ likes_received: 4 });
    expect(await world.one(reader, figures)).toMatchObject({ likes_received: 0 });
    await world.run(id, "select public.delete_message($1)", [kept["id"]]);
    expect(await world.one(id, figures)).toMatchObject({ likes_received: 3 });
    const lesson = `with shelf as (
        insert into public.subcategories (main_category, slug, name) values ('general', $2, $2) returning id
      ), course as (
        insert into public.courses (subcategory_id, slug, title) select id, 'c', 'c' from shelf returning id
      )
      insert into public.course_modules (course_id, slug, title, module_order) select id, 'm', 'm', 1 from course
        returning $1::uuid as user_id, id as module_id`;
    const { module_id } = await world.one("owner", lesson, [id, `shelf-${id}`]);
    await world.run(
      "owner",
      "insert into public.module_completions (user_id, module_id) values ($1, $2)",
      [id, module_id],
    );
    expect(await world.one(id, figures)).toMatchObject({ lessons_completed: 1 });
    expect(await world.one(reader, figures)).toMatchObject({ lessons_completed: 0 });
  });

  test("of a newcomer start at level 0", async ({ world }) => {
    expect(await world.one(await world.newcomer(), figures)).toMatchObject({
      level: 0,
      effective_level: 0,
      onboarding_complete: false,
    });
  });

  test("need a signed-in account", async ({ world }) => {
    await world.run(
      "owner",
      "grant execute on function public.dashboard_figures() to service_role",
    );
    await world.run(
      "owner",
      "grant execute on function private.dashboard_figures() to service_role",
    );
    await world.refused("service_role", "FF001", figures);
  });

  test("are refused for visitors", async ({ world }) => {
    await world.refused("anon", "42501", figures);
  });
});

describe("an export", () => {
  test("holds everything about the caller and nothing about other members", async ({ world }) => {
    const [id, other] = [await world.member(), await world.member()];
    await world.upsert(id, "onboarding_progress", { user_id: id, current_step: 9 });
    await world.insert(id, "user_progress", { user_id: id });
    const shared = { user_id: id, submission_type: "success", title: "Mine", content: "x" };
    const { id: submission_id } = await world.insert(id, "learning_submissions", shared);
    await world.insert(id, "learning_submission_likes", { user_id: id, submission_id });
    const said = { user_id: id, submission_id, content: "And my comment" };
    await world.insert(id, "learning_submission_comments", said);
    await world.run(
      "owner",
      "insert into public.level_completions (user_id, level) values ($1, 1)",
      [id],
    );
    const { data } = await world.one(id, "select public.export_my_data() as data");
    expect(data).toMatchObject({
      account: { id, email: `${id}@example.test` },
      profile: { id, first_name: "Ada" },
      customers: [{ user_id: id }],
      subscriptions: [{ customer_id: `cus_${id}`, status: "active" }],
      onboarding_progress: { user_id: id, current_step: 9 },
      verifications: [{ user_id: id, status: "pending" }],
      level: { user_id: id, current_level: 1 },
      progress: { user_id: id, message_engagements: 0 },
      level_completions: [{ user_id: id, level: 1 }],
      progress_events: [{ user_id: id, kind: "submission", reference: submission_id }],
      submissions: [{ user_id: id, title: "Mine" }],
      submission_likes: [{ user_id: id, submission_id }],
      submission_comments: [{ user_id: id, content: "And my comment" }],
    });
    expect((data as { onboarding_responses: unknown[] }).onboarding_responses).toHaveLength(9);
    expect(JSON.stringify(data)).not.toContain(other);
  });

  test("of a new account is empty, and is refused for visitors", async ({ world }) => {
    const id = await world.account();
    const { data } = await world.one(id, "select public.export_my_data() as data");
    expect(data).toMatchObject({ profile: null, customers: [], verifications: [] });
    await world.refused("anon", "42501", "select public.export_my_data()");
  });
});
