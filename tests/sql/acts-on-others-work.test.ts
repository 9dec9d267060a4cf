import { describe, expect } from "vitest";
import { insertMessage, openRoom } from "./chat-world.ts";
import { explanation, removeMessageSql } from "./report-world.ts";
import { draftedArticle, draftOf, publishDraft, returnDraft, submitDraft } from "./studio-world.ts";
import { test, type World } from "./world.ts";

const deleteSubmission = `select public.delete_submission($1, '${explanation}')`;
const deleteComment = `select public.delete_comment($1, '${explanation}')`;
const withdraw = "select public.withdraw_draft($1, 1)";
const edit = "select public.edit_content_item($1, $2, $3)";
const setLevel = "select public.edit_room($1, min_level_required => $2)";
const comments = JSON.stringify([{ quote: "", comment: "Say why it matters." }]);

async function lesson(world: World, user_id: string): Promise<unknown> {
  const row = { user_id, submission_type: "failure", title: "A lesson", content: "Learned." };
  return (await world.insert(user_id, "learning_submissions", row))["id"];
}

async function actsOf(world: World, actor: string): Promise<unknown[]> {
  const sql = "select action from private.audit_log where actor = $1 order by id";
  return (await world.run("owner", sql, [actor])).map(({ action }) => action);
}

describe("an administrator without a second factor", () => {
  test("deletes nothing of others, and writes nothing", async ({ world }) => {
    const [ada, plain, admin] = [
      await world.member(),
      await world.plainAdmin(),
      await world.admin(),
    ];
    const message = (await insertMessage(world, ada, "Hello"))["id"];
    const submission = await lesson(world, ada);
    const comment = (
      await world.insert(ada, "learning_submission_comments", {
        user_id: ada,
        submission_id: submission,
        content: "Thanks",
      })
    )["id"];
    const acts = [
      [removeMessageSql, message, "FF316"],
      [deleteComment, comment, "FF333"],
      [deleteSubmission, submission, "FF332"],
    ] as const;
    for (const [sql, id, refusal] of acts) await world.refused(plain, refusal, sql, [id]);
    expect(await actsOf(world, plain)).toEqual([]);
    for (const [sql, id] of acts) await world.run(admin, sql, [id]);
    expect(await actsOf(world, admin)).toEqual([
      "message.deleted",
      "comment.deleted",
      "submission.deleted",
    ]);
    await expect(insertMessage(world, plain, "Mine")).rejects.toMatchObject({ code: "FF311" });
  });

  test("publishes, returns and withdraws nobody's draft", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    const plain = await world.plainAdmin();
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.refused(plain, "FF005", publishDraft, [draft, 1]);
    await world.refused(plain, "FF005", returnDraft, [draft, 1, comments]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "submitted" });
    await world.run(admin, publishDraft, [draft, 1]);
    await world.refused(plain, "FF651", withdraw, [draft]);
    const { article_id: article } = await draftOf(world, draft);
    await world.refused(plain, "FF005", edit, ["articles", article, false]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "published" });
    await world.run(admin, withdraw, [draft]);
    await world.refused(plain, "FF005", edit, ["articles", article, true]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "withdrawn" });
  });

  test("opens no room to a lower level", async ({ world }) => {
    const [plain, admin] = [await world.plainAdmin(), await world.admin()];
    const room = await openRoom(world, 3);
    const level = async () =>
      (
        await world.one("owner", "select min_level_required from public.chat_rooms where id = $1", [
          room,
        ])
      )["min_level_required"];
    await world.refused(plain, "FF005", setLevel, [room, 2]);
    expect(await level()).toBe(3);
    await world.run(admin, setLevel, [room, 2]);
    expect(await level()).toBe(2);
  });
});

test("a mentor still withdraws their own draft, and nobody else's", async ({ world }) => {
  const { mentor, admin, draft } = await draftedArticle(world);
  await world.run(mentor, submitDraft, [draft, 1]);
  await world.run(admin, publishDraft, [draft, 1]);
  await world.refused(await world.member("mentor-access"), "FF651", withdraw, [draft]);
  await world.run(mentor, withdraw, [draft]);
  expect(await draftOf(world, draft)).toMatchObject({ status: "withdrawn" });
});
