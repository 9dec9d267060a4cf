import { beforeAll, describe, expect, inject, test } from "vitest";
import { contentPictureAddress } from "../../web/src/domain/content-pictures.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { onePixelPng } from "../../tools/demo/join.ts";
import { member, owner } from "./members.ts";

let mentor: Account;
let mallory: Account;
let name: string;

function bucketOf({ client }: Pick<Account, "client">) {
  return client.storage.from("content-pictures");
}

beforeAll(async () => {
  [mentor, mallory] = await Promise.all([member("mentor-access"), member("mentor-access")]);
  name = `${mentor.id}-${Date.now()}.png`;
  const options = { contentType: "image/png" };
  expect((await bucketOf(mentor).upload(name, onePixelPng, options)).error).toBeNull();
});

describe("a picture of an article or a course", () => {
  test("is read by anyone at its address, as a picture and nothing else", async () => {
    const response = await fetch(`${inject("host").url}${contentPictureAddress(name)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("is nobody else's to list, replace, move or remove", async () => {
    for (const files of [bucketOf(mallory), bucketOf({ client: anonymous() })]) {
      expect((await files.list("", { search: mentor.id })).data ?? []).toEqual([]);
      expect((await files.move(name, `${mallory.id}-1.png`)).error).not.toBeNull();
    }
    for (const account of [mallory, mentor]) {
      const options = { contentType: "image/png", upsert: true };
      const replaced = await bucketOf(account).upload(name, onePixelPng, options);
      expect(replaced.error).not.toBeNull();
      expect((await bucketOf(account).remove([name])).data ?? []).toEqual([]);
    }
    const address = `${inject("host").url}${contentPictureAddress(name)}`;
    expect((await fetch(address)).status).toBe(200);
  });

  test("is no page, no drawing and no student's", async () => {
    const files = bucketOf(mentor);
    const script = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
    for (const [file, contentType] of [
      ["1.png", "image/png"],
      ["2.png", "image/svg+xml"],
      ["3.png", "text/html"],
      ["4.svg", "image/svg+xml"],
      ["5.html", "text/html"],
    ] as const) {
      const sent = await files.upload(`${mentor.id}-${file}`, script, { contentType });
      expect(sent.error, file).not.toBeNull();
    }
    const student = await member();
    const options = { contentType: "image/png" };
    const own = await bucketOf(student).upload(`${student.id}-1.png`, onePixelPng, options);
    expect(own.error?.message).toContain("row-level security");
  });

  test("is the cover of its mentor's drafts alone", async () => {
    const fields = { title: "Mine", cover: contentPictureAddress(name) };
    const taken = await mallory.client.rpc("create_draft", { kind: "article", fields });
    expect(taken.error).toMatchObject({ code: "FF658" });
    const own = await mentor.client.rpc("create_draft", { kind: "article", fields });
    expect(own.error).toBeNull();
    const drafts = mentor.client.from("draft_versions");
    const forged = await drafts.update({ cover: "https://evil.example/x.png" }).neq("version", 0);
    expect(forged.error).toMatchObject({ code: "42501" });
    const read = await mallory.client
      .from("draft_versions")
      .select("cover")
      .eq("draft_id", own.data ?? "");
    expect(read.data).toEqual([]);
  });

  test("is published in its mentor's texts alone", async () => {
    const place = await owner.query<{ id: string }>(
      "select id from public.subcategories where is_active order by id limit 1",
    );
    const submit = async ({ id, client }: Account, content: string) => {
      const fields = {
        title: "Boats",
        slug: `boats-${id}`,
        subcategory_id: place.rows[0]?.id ?? "",
        excerpt: "One sentence.",
        tags: ["boats", "water"],
        content,
      };
      const draft = await client.rpc("create_draft", { kind: "article", fields });
      if (draft.error) throw new Error(draft.error.message);
      return await client.rpc("submit_draft", { draft_id: draft.data, expected_version: 1 });
    };
    const picture = `![Two boats](${contentPictureAddress(name)})`;
    for (const [account, content] of [
      [mallory, picture],
      [mallory, "![Two boats](https://evil.example/x.png)"],
      [mentor, "![Two boats](https://evil.example/x.png)"],
    ] as const) {
      expect((await submit(account, content)).error).toMatchObject({ code: "FF654" });
    }
    expect(await submit(mentor, picture)).toMatchObject({ error: null, data: "submitted" });
  });
});
