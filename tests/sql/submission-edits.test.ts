import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { userProgressOf } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const editSql = "select public.edit_submission($1, $2, $3)";
const readSql = `select submission_type, title, content, image_url, is_featured, like_count, comment_count, created_at, edited_at
  from public.learning_submissions where id = $1`;

async function share(world: World, user: string): Promise<Row> {
  const row = { user_id: user, submission_type: "success", title: "Ten clients", content: "How." };
  return await world.insert(user, "learning_submissions", row);
}

describe("an edit of a submission", () => {
  test("changes title and text, trimmed, and nothing else", async ({ world }) => {
    const [author, reader] = [await world.member(), await world.member()];
    const { id } = await share(world, author);
    const { edited_at: never, ...before } = await world.one(reader, readSql, [id]);
    expect(never).toBeNull();
    await world.run(
      "owner",
      "update public.learning_submissions set is_featured = true where id = $1",
      [id],
    );
    await world.run(author, editSql, [id, "  Eleven clients\n", "\u00a0This is how.\t "]);
    const { edited_at: at, ...after } = await world.one(reader, readSql, [id]);
    expect(after).toEqual({ ...before, title: "Eleven clients", content: "This is how." });
    expect(Number(at)).toBeGreaterThanOrEqual(Number(before["created_at"]));
    // Sending it again, as after a lost answer, is no further edit.
    await world.run(author, editSql, [id, "Eleven clients", "This is how. "]);
    expect((await world.one(reader, readSql, [id]))["edited_at"]).toEqual(at);
  });

  test("counts towards no level", async ({ world }) => {
    const author = await world.member();
    const { id } = await share(world, author);
    const before = await userProgressOf(world, author);
    const events = "select count(*)::integer as n from private.progress_ledger where user_id = $1";
    const counted = await world.one("owner", events, [author]);
    await world.run(author, editSql, [id, "Eleven clients", "How."]);
    expect(await userProgressOf(world, author)).toEqual(before);
    expect(await world.one("owner", events, [author])).toEqual(counted);
  });

  test("is found by the search, and the old text no longer is", async ({ world }) => {
    const author = await world.member();
    const { id } = await share(world, author);
    await world.run(author, editSql, [id, "Zebrafish", "Quagga"]);
    expect(
      await world.one(
        "owner",
        "select title, excerpt from private.search_documents where kind = 'submission' and id = $1",
        [id],
      ),
    ).toEqual({ title: "Zebrafish", excerpt: "Quagga" });
  });

  test("keeps the limits of a new one, as errors of its own", async ({ world }) => {
    const author = await world.member();
    const { id } = await share(world, author);
    for (const blank of [null, "", "  \n ", "\u200b\u200d", "\u3000"]) {
      await world.refused(author, "FF330", editSql, [id, blank, "x"]);
      await world.refused(author, "FF330", editSql, [id, "x", blank]);
    }
    await world.refused(author, "FF760", editSql, [id, "x".repeat(151), "x"]);
    await world.refused(author, "FF760", editSql, [id, "x", "x".repeat(10_001)]);
    await world.run(author, editSql, [id, "é".repeat(150), "x".repeat(10_000)]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'edit_submission'",
    );
    await world.refused(author, "FF300", editSql, [id, "Once more", "x"]);
  });

  test("is the author's alone, while a member", async ({ world }) => {
    const [author, other, newcomer] = [
      await world.member(),
      await world.member("mentor-access"),
      await world.newcomer(),
    ];
    const { id } = await share(world, author);
    for (const actor of [other, await world.admin()]) {
      await world.refused(actor, "FF332", editSql, [id, "Mine", "Now"]);
    }
    for (const missing of [randomUUID(), null]) {
      await world.refused(author, "FF332", editSql, [missing, "Mine", "Now"]);
    }
    await world.refused(newcomer, "FF761", editSql, [id, "Mine", "Now"]);
    for (const actor of ["anon", "service_role"]) {
      await world.refused(actor, "42501", editSql, [id, "Mine", "Now"]);
    }
    const direct = "update public.learning_submissions set edited_at = now() where id = $1";
    await world.refused(author, "42501", direct, [id]);
    await world.setSubscriptionStatus(author, "past_due");
    await world.refused(author, "FF761", editSql, [id, "Late", "Change"]);
    expect(await world.one("owner", readSql, [id])).toMatchObject({
      title: "Ten clients",
      content: "How.",
      edited_at: null,
    });
  });
});
