import { describe, expect } from "vitest";
import { explanation } from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

const deleteSql = "select public.delete_submission($1)";
const deleteComment = "select public.delete_comment($1)";
const deleteOthers = "select public.delete_submission($1, $2)";
const deleteOthersComment = "select public.delete_comment($1, $2)";
const feature = "select public.feature_submission($1, $2)";
const nothing = "00000000-0000-4000-8000-000000000000";

async function share(world: World, user: string): Promise<unknown> {
  const row = { user_id: user, submission_type: "failure", title: "A lesson", content: "Learned." };
  return (await world.insert(user, "learning_submissions", row))["id"];
}

async function comment(world: World, user: string, submission_id: unknown): Promise<unknown> {
  const row = { user_id: user, submission_id, content: "Thank you" };
  return (await world.insert(user, "learning_submission_comments", row))["id"];
}

async function record(world: World, subject: string): Promise<Row[]> {
  return await world.run(
    "owner",
    "select actor, action, detail from private.audit_log where subject = $1 order by id",
    [subject],
  );
}

describe("a submission", () => {
  const exists = "select from public.learning_submissions where id = $1";

  test("is deleted by its author, with likes and comments", async ({ world }) => {
    const [author, reader] = [await world.member(), await world.member()];
    const id = await share(world, author);
    await comment(world, reader, id);
    await world.insert(reader, "learning_submission_likes", { user_id: reader, submission_id: id });
    await world.run(author, deleteSql, [id]);
    expect(await world.run("owner", exists, [id])).toEqual([]);
    expect(await record(world, author)).toEqual([]);
    await world.refused(author, "FF332", deleteSql, [id]);
  });

  test("cannot be deleted by another member, a mentor, a visitor or the server role", async ({
    world,
  }) => {
    const id = await share(world, await world.member());
    for (const actor of [await world.member(), await world.member("mentor-access")]) {
      await world.refused(actor, "FF332", deleteSql, [id]);
    }
    for (const actor of ["anon", "service_role"])
      await world.refused(actor, "42501", deleteSql, [id]);
    expect(await world.run("owner", exists, [id])).toHaveLength(1);
  });

  test("can be deleted by its author after the membership lapsed", async ({ world }) => {
    const author = await world.member();
    const id = await share(world, author);
    await world.setSubscriptionStatus(author, "canceled");
    await world.run(author, deleteSql, [id]);
    expect(await world.run("owner", exists, [id])).toEqual([]);
  });

  test("is deleted by administrators, audited", async ({ world }) => {
    const [author, admin] = [await world.member(), await world.admin()];
    const id = await share(world, author);
    await world.run(admin, deleteOthers, [id, explanation]);
    expect(await world.run("owner", exists, [id])).toEqual([]);
    expect(await record(world, author)).toEqual([
      {
        actor: admin,
        action: "submission.deleted",
        detail: { submission_id: id, reason: explanation },
      },
    ]);
  });
});

describe("the featured mark", () => {
  const marked = "select is_featured from public.learning_submissions where id = $1";

  test("is set and cleared by administrators, audited", async ({ world }) => {
    const [author, admin] = [await world.member(), await world.admin()];
    const id = await share(world, author);
    await world.run(admin, feature, [id, true]);
    expect(await world.one(author, marked, [id])).toEqual({ is_featured: true });
    await world.run(admin, feature, [id, null]);
    expect(await world.one(author, marked, [id])).toEqual({ is_featured: false });
    expect(await record(world, author)).toEqual([
      {
        actor: admin,
        action: "submission.featured",
        detail: { submission_id: id, before: { featured: false }, after: { featured: true } },
      },
      {
        actor: admin,
        action: "submission.featured",
        detail: { submission_id: id, before: { featured: true }, after: { featured: false } },
      },
    ]);
    await world.refused(admin, "FF332", feature, [nothing, true]);
  });

  test("cannot be set by others", async ({ world }) => {
    const author = await world.member();
    const id = await share(world, author);
    for (const actor of [author, await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", feature, [id, true]);
    }
    for (const actor of ["anon", "service_role"])
      await world.refused(actor, "42501", feature, [id, true]);
    expect(await world.one(author, marked, [id])).toEqual({ is_featured: false });
  });
});

describe("a comment", () => {
  const exists = "select from public.learning_submission_comments where id = $1";

  test("is deleted by its author, and by administrators, audited", async ({ world }) => {
    const [author, reader, admin] = [
      await world.member(),
      await world.member(),
      await world.admin(),
    ];
    const id = await share(world, author);
    const [first, second] = [await comment(world, reader, id), await comment(world, reader, id)];
    await world.run(reader, deleteComment, [first]);
    expect(await record(world, reader)).toEqual([]);
    await world.run(admin, deleteOthersComment, [second, explanation]);
    expect(await record(world, reader)).toEqual([
      {
        actor: admin,
        action: "comment.deleted",
        detail: { comment_id: second, reason: explanation },
      },
    ]);
    for (const gone of [first, second])
      expect(await world.run("owner", exists, [gone])).toEqual([]);
    const count = "select comment_count from public.learning_submissions where id = $1";
    expect(await world.one(author, count, [id])).toEqual({ comment_count: 0 });
  });

  test("cannot be deleted by others, not even by the submission's author", async ({ world }) => {
    const [author, reader] = [await world.member(), await world.member()];
    const written = await comment(world, reader, await share(world, author));
    await world.refused(author, "FF333", deleteComment, [written]);
    await world.refused(reader, "FF333", deleteComment, [nothing]);
    for (const actor of ["anon", "service_role"])
      await world.refused(actor, "42501", deleteComment, [written]);
    expect(await world.run("owner", exists, [written])).toHaveLength(1);
  });
});
