import { createClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, plainAdministrator } from "./members.ts";

const bucketName = "profile-pictures";
const png = { contentType: "image/png" };
const why = "Not a picture of a person";

/** A client that keeps its access token after the session has ended. */
function withToken(token: string) {
  const host = inject("host");
  return createClient(host.url, host.anonKey, {
    accessToken: async () => await Promise.resolve(token),
  });
}

let ada: Account;
let mallory: Account;
let stamp = 0;
beforeAll(async () => {
  ada = await member();
  mallory = await member();
});

/** Uploads a picture and shows it. @returns its name and public address. */
async function show(account: Pick<Account, "id" | "client">, bytes = onePixelPng) {
  stamp += 1;
  const name = `${account.id}-${stamp}.png`;
  const bucket = account.client.storage.from(bucketName);
  const { error } = await bucket.upload(name, bytes, png);
  if (error) throw error;
  const { data: former, error: refusal } = await account.client.rpc("set_my_picture", { name });
  if (refusal) throw new Error(refusal.message);
  return { name, former: former as unknown, url: bucket.getPublicUrl(name).data.publicUrl };
}

async function shownOf(reader: Account, { id }: Account): Promise<unknown> {
  const { data } = await reader.client.from("profiles").select("avatar_url").eq("id", id).single();
  return (data as { avatar_url?: unknown } | null)?.avatar_url;
}

describe("a profile picture", () => {
  test("is redrawn, seen by members, and its former object deleted by its owner", async () => {
    const script = Buffer.from("<script>alert(1)</script>");
    const first = await show(ada, Buffer.concat([onePixelPng, script]));
    const stored = Buffer.from(await (await fetch(first.url)).arrayBuffer());
    expect(stored.includes("script")).toBe(false);
    expect(await shownOf(mallory, ada)).toBe(first.url);
    const second = await show(ada);
    expect(second.former).toBe(first.name);
    const bucket = ada.client.storage.from(bucketName);
    expect((await bucket.remove([first.name])).data).toHaveLength(1);
    expect((await fetch(first.url)).status).toBe(400);
    expect((await bucket.list("", { search: ada.id })).data?.map(({ name }) => name)).toEqual([
      second.name,
    ]);
  });

  test("is refused when it is a page, a drawing or too large", async () => {
    const bucket = mallory.client.storage.from(bucketName);
    const name = `${mallory.id}-900.png`;
    const page = Buffer.from("<!doctype html><script>alert(1)</script>");
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const [bytes, contentType] of [
      [page, "image/png"],
      [drawing, "image/png"],
      [drawing, "image/svg+xml"],
    ] as const) {
      const { error } = await bucket.upload(name, bytes, { contentType });
      expect(error).toMatchObject({ statusCode: "415" });
    }
    const large = Buffer.concat([onePixelPng, Buffer.alloc(5 * 1024 * 1024)]);
    expect((await bucket.upload(name, large, png)).error).toMatchObject({ statusCode: "413" });
  });

  test("belongs to its owner: others cannot use, list, replace or delete it", async () => {
    const { name, url } = await show(ada);
    const newMember = await newcomer();
    for (const { client } of [mallory, newMember, await plainAdministrator()]) {
      const bucket = client.storage.from(bucketName);
      expect((await bucket.list("", { search: ada.id })).data ?? []).toEqual([]);
      expect((await bucket.remove([name])).data ?? []).toEqual([]);
      expect((await bucket.move(name, `${ada.id}-901.png`)).error).not.toBeNull();
      const forged = await bucket.upload(`${ada.id}-902.png`, onePixelPng, png);
      expect(forged.error).toMatchObject({ statusCode: "403" });
      const upsert = await bucket.upload(name, onePixelPng, { ...png, upsert: true });
      expect(upsert.error).toMatchObject({ statusCode: "403" });
    }
    const visitor = anonymous().storage.from(bucketName);
    expect((await visitor.list()).data ?? []).toEqual([]);
    expect((await visitor.remove([name])).data ?? []).toEqual([]);
    const stolen = await mallory.client.rpc("set_my_picture", { name });
    expect(stolen.error).toMatchObject({ code: "FF340" });
    const forged = await mallory.client
      .from("profiles")
      .update({ avatar_url: url })
      .eq("id", mallory.id);
    expect(forged.error).toMatchObject({ code: "42501" });
    expect(await shownOf(ada, mallory)).toBeNull();
    expect((await fetch(url)).status).toBe(200);
  });

  test("is removed by an administrator with a second factor, with its object", async () => {
    const { name, url } = await show(ada);
    const act = { member: ada.id, reason: why };
    const refused = await mallory.client.rpc("admin_remove_picture", act);
    expect(refused.error).toMatchObject({ code: "FF002" });
    const { client } = await administrator();
    expect((await client.rpc("admin_remove_picture", act)).data).toBe(name);
    expect((await client.storage.from(bucketName).remove([name])).data).toHaveLength(1);
    expect(await shownOf(ada, ada)).toBeNull();
    expect((await fetch(url)).status).toBe(400);
  });

  test("stays as it is while its owner is suspended, whatever their token asks", async () => {
    const { id, client } = await member();
    const { data } = await client.auth.getSession();
    const token = data.session?.access_token ?? "";
    const eve = { id, client: withToken(token) };
    const { name, url } = await show(eve);
    const { client: admin } = await administrator();
    const suspension = { member: id, reason: why };
    expect((await admin.rpc("suspend_member", suspension)).error).toBeNull();
    const bucket = eve.client.storage.from(bucketName);
    const another = await bucket.upload(`${id}-903.png`, onePixelPng, png);
    expect(another.error).toMatchObject({ statusCode: "403" });
    expect((await bucket.remove([name])).data ?? []).toEqual([]);
    expect((await eve.client.rpc("set_my_picture")).error).toMatchObject({ code: "FF003" });
    expect((await fetch(url)).status).toBe(200);
    // The administrator can still take it off.
    expect((await admin.rpc("admin_remove_picture", suspension)).data).toBe(name);
  });
});
