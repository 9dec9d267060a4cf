import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, owner, setSubscriptionStatus, stored } from "./members.ts";

const bucketName = "learning-images";
const page = "<!doctype html><script>alert(document.cookie)</script>";

let ada: Account;
let mallory: Account;
beforeAll(async () => {
  [ada, mallory] = await Promise.all([member(), member()]);
});

let stamp = Date.now();
const nameFor = (account: Account) => `${account.id}-${(stamp += 1)}.png`;

async function upload(
  account: Account,
  bytes: Buffer = onePixelPng,
  name = nameFor(account),
  contentType = "image/png",
) {
  const bucket = account.client.storage.from(bucketName);
  const { error } = await bucket.upload(name, bytes, { contentType });
  return { name, error, url: bucket.getPublicUrl(name).data.publicUrl };
}

/** The spec's insert. @returns the row as stored. */
async function share(account: Account, more: Record<string, unknown> = {}) {
  const row = {
    id: randomUUID(),
    user_id: account.id,
    submission_type: "success",
    title: "Ten clients",
    content: "How it went.",
    image_url: null,
    ...more,
  };
  const { error } = await account.client.from("learning_submissions").insert(row);
  return { id: row.id, error };
}

describe("a member using the app's calls", () => {
  test("uploads a picture, shares it, and reads the feed with its authors, newest first", async () => {
    const picture = await upload(ada);
    expect(picture.error).toBeNull();
    const older = await share(ada);
    const newer = await share(ada, { image_url: picture.url });
    expect([older.error, newer.error]).toEqual([null, null]);
    const { data, error } = await mallory.client
      .from("learning_submissions")
      .select("*, profiles(id, first_name, last_name, role)")
      .in("id", [older.id, newer.id])
      .order("created_at", { ascending: false });
    expect(error).toBeNull();
    expect(data).toMatchObject([
      { id: newer.id, is_featured: false, profiles: { id: ada.id, first_name: "Ada" } },
      { id: older.id, image_url: null },
    ]);
    // Another client shows the picture from what the row says, without knowing the server's address.
    expect(data?.[0]?.image_url).toBe(picture.url);
    const shown = await fetch(String(data?.[0]?.image_url));
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("image/png");
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  });

  test("likes, removes the like and comments, and the counts follow", async () => {
    const { id } = await share(ada);
    const counts = async () =>
      (
        await mallory.client
          .from("learning_submissions")
          .select("like_count, comment_count, likes:learning_submission_likes(user_id)")
          .eq("id", id)
          .single()
      ).data;
    const mine = { user_id: mallory.id, submission_id: id };
    const likes = mallory.client.from("learning_submission_likes");
    expect((await likes.insert(mine)).error).toBeNull();
    expect((await likes.insert(mine)).error).toMatchObject({ code: "23505" });
    const comments = mallory.client.from("learning_submission_comments");
    const said = await comments
      .insert({ ...mine, content: "Well done" })
      .select()
      .single();
    expect(said.error).toBeNull();
    expect(await counts()).toEqual({
      like_count: 1,
      comment_count: 1,
      likes: [{ user_id: mallory.id }],
    });
    expect((await likes.delete().match(mine)).error).toBeNull();
    expect(
      (await mallory.client.rpc("delete_comment", { comment_id: said.data.id })).error,
    ).toBeNull();
    expect(await counts()).toEqual({ like_count: 0, comment_count: 0, likes: [] });
  });

  test("deletes a submission", async () => {
    const { id } = await share(ada);
    expect((await ada.client.rpc("delete_submission", { submission_id: id })).error).toBeNull();
    expect(await stored("learning_submissions", "id", id)).toEqual([]);
  });
});

describe("a tampering client", () => {
  test.each(["is_featured", "like_count", "comment_count", "created_at"])(
    "cannot send %s",
    async (column) => {
      const value =
        column === "created_at" ? "2001-01-01T00:00:00Z" : column === "is_featured" ? true : 9;
      const { id, error } = await share(mallory, { [column]: value });
      expect(error).toMatchObject({ code: "42501" });
      expect(await stored("learning_submissions", "id", id)).toEqual([]);
    },
  );

  test("cannot change a submission, not even the member's own", async () => {
    const [theirs, mine] = [await share(ada), await share(mallory)];
    for (const { id } of [theirs, mine]) {
      const before = await stored("learning_submissions", "id", id);
      const table = mallory.client.from("learning_submissions");
      for (const forged of [{ like_count: 9999 }, { is_featured: true }, { content: "mine" }]) {
        expect((await table.update(forged).eq("id", id)).error).toMatchObject({ code: "42501" });
      }
      const upsert = { id, user_id: mallory.id, submission_type: "pact", title: "x", content: "x" };
      expect((await table.upsert(upsert)).error).toMatchObject({ code: "42501" });
      expect((await table.delete().eq("id", id)).error).toMatchObject({ code: "42501" });
      expect(await stored("learning_submissions", "id", id)).toEqual(before);
    }
    const taken = await mallory.client.rpc("delete_submission", { submission_id: theirs.id });
    expect(taken.error).toMatchObject({ code: "FF332" });
    const marked = { submission_id: mine.id, featured: true };
    expect((await mallory.client.rpc("feature_submission", marked)).error).toMatchObject({
      code: "FF002",
    });
    const admin = await administrator();
    expect((await admin.client.rpc("feature_submission", marked)).error).toBeNull();
    expect(await stored("learning_submissions", "id", mine.id)).toMatchObject([
      { is_featured: true },
    ]);
  });

  test("cannot act as another member", async () => {
    const { id } = await share(ada);
    expect((await share(mallory, { user_id: ada.id })).error).toMatchObject({ code: "42501" });
    const forged = { user_id: ada.id, submission_id: id };
    const { client } = mallory;
    const like = await client.from("learning_submission_likes").insert(forged);
    expect(like.error).toMatchObject({ code: "42501" });
    const comment = await client
      .from("learning_submission_comments")
      .insert({ ...forged, content: "I agree" });
    expect(comment.error).toMatchObject({ code: "42501" });
    await ada.client.from("learning_submission_likes").insert(forged);
    const { data } = await client
      .from("learning_submission_likes")
      .select("*")
      .eq("submission_id", id);
    expect(data).toEqual([]);
    await client.from("learning_submission_likes").delete().eq("submission_id", id);
    expect(await stored("learning_submissions", "id", id)).toMatchObject([{ like_count: 1 }]);
  });

  test("can use only the member's own pictures, stored on this server", async () => {
    const theirs = await upload(ada);
    expect((await share(mallory, { image_url: theirs.url })).error).toMatchObject({
      code: "FF331",
    });
    const nowhere = `https://elsewhere.test/${mallory.id}-1.png`;
    expect((await share(mallory, { image_url: nowhere })).error).toMatchObject({ code: "FF331" });
    const mine = await upload(mallory);
    const tracked = `https://elsewhere.test/storage/v1/object/public/${bucketName}/${mine.name}`;
    const { id } = await share(mallory, { image_url: tracked });
    expect(await stored("learning_submissions", "id", id)).toMatchObject([{ image_url: mine.url }]);
  });

  test("of a lapsed member can neither share, like, comment nor upload, and reads only its own", async () => {
    const lapsed = await member();
    const [{ id: own }, { id }] = [await share(lapsed), await share(ada)];
    await setSubscriptionStatus(lapsed.id, "canceled");
    const { client } = lapsed;
    expect((await share(lapsed)).error).toMatchObject({ code: "42501" });
    const mine = { user_id: lapsed.id, submission_id: id };
    const like = await client.from("learning_submission_likes").insert(mine);
    expect(like.error).toMatchObject({ code: "42501" });
    const comment = await client
      .from("learning_submission_comments")
      .insert({ ...mine, content: "x" });
    expect(comment.error).toMatchObject({ code: "42501" });
    expect((await upload(lapsed)).error).toMatchObject({ statusCode: "403" });
    const { data } = await client.from("learning_submissions").select("id");
    expect(data).toEqual([{ id: own }]);
    expect((await client.from("learning_submission_comments").select("id")).data).toEqual([]);
  });

  test("is limited to ten submissions an hour, and the error says how long to wait", async () => {
    const eager = await member();
    for (let n = 0; n < 10; n += 1) expect((await share(eager)).error).toBeNull();
    const { error } = await share(eager);
    expect(error).toMatchObject({ code: "FF300" });
    expect(Number(error?.details)).toBeGreaterThan(3000);
    const { rows } = await owner.query(
      "select count(*)::int as shared from public.learning_submissions where user_id = $1",
      [eager.id],
    );
    expect(rows).toEqual([{ shared: 10 }]);
  });
});

describe("the bucket for pictures", () => {
  test.each([
    ["a page", Buffer.from(page), "image/png"],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image/png"],
    [
      "a drawing with its own type",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "image/svg+xml",
    ],
    ["a document", Buffer.from("%PDF-1.7"), "application/pdf"],
  ])("refuses %s", async (_, bytes, contentType) => {
    const { error, url } = await upload(mallory, bytes, nameFor(mallory), contentType);
    expect(error).toMatchObject({ statusCode: "415" });
    expect((await fetch(url)).status).toBe(400);
  });

  test("refuses another kind of picture, a broken one and one over 5 MB", async () => {
    const webp = await sharp(onePixelPng).webp().toBuffer();
    expect((await upload(mallory, webp)).error).toMatchObject({ statusCode: "415" });
    const broken = onePixelPng.subarray(0, 40);
    expect((await upload(mallory, broken)).error).toMatchObject({ statusCode: "400" });
    const large = Buffer.concat([onePixelPng, Buffer.alloc(5 * 1024 * 1024)]);
    expect((await upload(mallory, large)).error).toMatchObject({ statusCode: "413" });
  });

  test("stores the pixels only", async () => {
    const { url, error } = await upload(mallory, Buffer.concat([onePixelPng, Buffer.from(page)]));
    expect(error).toBeNull();
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(bytes.includes("script")).toBe(false);
  });

  test("takes the caller's own names, once, from members only", async () => {
    const { name } = await upload(ada);
    for (const forged of [
      nameFor(ada),
      `${mallory.id}-1.html`,
      `x/${mallory.id}-1.png`,
      `${mallory.id}-x.png`,
    ]) {
      const { error } = await upload(mallory, onePixelPng, forged);
      expect(error).toMatchObject({ statusCode: "403" });
    }
    const visitor = anonymous().storage.from(bucketName);
    const options = { contentType: "image/png" };
    expect((await visitor.upload(nameFor(ada), onePixelPng, options)).error).toMatchObject({
      statusCode: "403",
    });
    const own = ada.client.storage.from(bucketName);
    expect((await own.upload(name, onePixelPng, options)).error).toMatchObject({
      statusCode: "409",
    });
    const upsert = { ...options, upsert: true };
    expect((await own.upload(name, onePixelPng, upsert)).error).toMatchObject({
      statusCode: "403",
    });
  });

  test("cannot be listed, emptied or rearranged", async () => {
    const { name, url } = await upload(ada);
    for (const client of [ada.client, mallory.client, anonymous()]) {
      const bucket = client.storage.from(bucketName);
      expect((await bucket.list()).data ?? []).toEqual([]);
      expect((await bucket.list("", { search: ada.id })).data ?? []).toEqual([]);
      expect((await bucket.remove([name])).data ?? []).toEqual([]);
      expect((await bucket.move(name, `${ada.id}-9.png`)).error).toMatchObject({
        statusCode: "404",
      });
    }
    expect((await fetch(url)).status).toBe(200);
  });
});
