import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { anonymous } from "../../support/clients.ts";
import { createClient } from "@supabase/supabase-js";
import { createStorageAccount, tokenFor, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
let path: string;

beforeAll(async () => {
  ada = await createStorageAccount();
  path = `${ada.id}/linked file.txt`;
  await ada.client.storage.from("documents").upload(path, "linked", { contentType: "text/plain" });
  await ada.client.storage
    .from("documents")
    .upload(`${ada.id}/other.txt`, "other", { contentType: "text/plain" });
});

async function link(seconds = 60, options = {}): Promise<string> {
  const { data } = await ada.client.storage
    .from("documents")
    .createSignedUrl(path, seconds, options);
  if (data === null) throw new Error("no link");
  return data.signedUrl;
}

async function sign(claims: Record<string, unknown>, secret = inject("host").jwtSecret) {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));
}

function withToken(url: string, token: string): string {
  const changed = new URL(url);
  changed.searchParams.set("token", token);
  return changed.href;
}

describe("a link to read", () => {
  test("needs no key and may name the file", async () => {
    const plain = await fetch(await link());
    expect([plain.status, await plain.text()]).toEqual([200, "linked"]);
    expect(plain.headers.get("cache-control")).toContain("private");
    const named = await fetch(await link(60, { download: "Mein Brief.txt" }));
    expect(named.headers.get("content-disposition")).toBe(
      "attachment; filename=\"Mein%20Brief.txt\"; filename*=UTF-8''Mein%20Brief.txt",
    );
  });

  test("expires after the requested time", async () => {
    const token = new URL(await link(90)).searchParams.get("token") ?? "";
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
      iat: number;
      exp: number;
    };
    expect(claims.exp - claims.iat).toBe(90);
    const nowS = Math.floor(Date.now() / 1000);
    const url = `documents/${path}`;
    const expired = await sign({ url, scope: "download", iat: nowS - 60, exp: nowS - 1 });
    const answer = await fetch(withToken(await link(), expired));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ statusCode: "400", error: "InvalidJWT" });
  });

  test.each([
    [
      "for another object",
      () => sign({ url: `documents/${ada.id}/other.txt`, scope: "download", exp: 9e9 }),
    ],
    ["for an upload", () => sign({ url: `documents/${path}`, scope: "upload", exp: 9e9 })],
    ["without an end", () => sign({ url: `documents/${path}`, scope: "download" })],
    [
      "signed with another key",
      () => sign({ url: `documents/${path}`, scope: "download", exp: 9e9 }, "x".repeat(40)),
    ],
    ["that is a session", () => tokenFor(ada.id, { url: `documents/${path}`, scope: "download" })],
    ["that is missing", () => Promise.resolve("")],
  ])("does not open with a token %s", async (_, token) => {
    const answer = await fetch(withToken(await link(), await token()));
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain("linked");
  });

  test("is not an access token", async () => {
    const token = new URL(await link()).searchParams.get("token") ?? "";
    const { url, anonKey } = inject("host");
    const answer = await fetch(`${url}/storage/v1/bucket`, {
      headers: { apikey: anonKey, authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toMatchObject({ statusCode: "403" });
  });

  test("several are returned in the requested order", async () => {
    const paths = [path, `${ada.id}/absent.txt`, `${ada.id}/other.txt`];
    const { data } = await ada.client.storage.from("documents").createSignedUrls(paths, 60);
    expect(data?.map((entry) => [entry.path, entry.error === null])).toEqual([
      [paths[0], true],
      [paths[1], false],
      [paths[2], true],
    ]);
    const answer = await fetch(data?.[2]?.signedUrl ?? "");
    expect(await answer.text()).toBe("other");
  });
});

describe("a link to write", () => {
  test("stores one file owned by the account that signed it", async () => {
    const name = `${ada.id}/${randomUUID()}.txt`;
    const { data } = await ada.client.storage.from("documents").createSignedUploadUrl(name);
    const visitor = anonymous().storage.from("documents");
    const up = await visitor.uploadToSignedUrl(name, data?.token ?? "", "sent", {
      contentType: "text/plain",
    });
    expect(up.data).toMatchObject({ path: name, fullPath: `documents/${name}` });
    const again = await visitor.uploadToSignedUrl(name, data?.token ?? "", "twice", {
      contentType: "text/plain",
    });
    expect(again.error).toMatchObject({ statusCode: "409" });
    const removed = await ada.client.storage.from("documents").remove([name]);
    expect(removed.data).toMatchObject([{ owner_id: ada.id }]);
  });

  test("is for one name, for writing, and keeps the bucket's limits", async () => {
    const name = `${ada.id}/${randomUUID()}.txt`;
    const { data } = await ada.client.storage.from("documents").createSignedUploadUrl(name);
    const visitor = anonymous().storage.from("documents");
    const options = { contentType: "text/plain" };
    const token = data?.token ?? "";
    const elsewhere = await visitor.uploadToSignedUrl(`${name}.bak`, token, "x", options);
    expect(elsewhere.error).toMatchObject({ status: 400, statusCode: "400" });
    const reading = new URL(await link()).searchParams.get("token") ?? "";
    const withReading = await visitor.uploadToSignedUrl(path, reading, "x", options);
    expect(withReading.error).toMatchObject({ status: 400 });
    const type = await visitor.uploadToSignedUrl(name, token, "x", { contentType: "video/mp4" });
    expect(type.error).toMatchObject({ statusCode: "415" });
  });
});

describe("a link to write, when it is used", () => {
  const put = async (name: string, token: string | undefined, text: string) =>
    (
      await anonymous()
        .storage.from("limited")
        .uploadToSignedUrl(name, token ?? "", text, { contentType: "text/plain" })
    ).error;

  /** An account whose claims the policies of `limited` ask for. */
  async function teammate(claims: Record<string, unknown> = {}) {
    const { url, anonKey } = inject("host");
    const id = randomUUID();
    const token = await tokenFor(id, { team: "red", ...claims });
    const client = createClient(url, anonKey, { accessToken: () => Promise.resolve(token) });
    return { id, files: client.storage.from("limited") };
  }

  test("is checked against the current policies as the account that signed it", async () => {
    const { id, files } = await teammate();
    const names = [1, 2, 3, 4, 5].map((n) => `red/${id}/${n}.txt`);
    const links = [];
    for (const name of names) links.push((await files.createSignedUploadUrl(name)).data?.token);
    const outcomes = [];
    for (const [n, name] of names.entries()) outcomes.push(await put(name, links[n], `${n}`));
    expect(outcomes.slice(0, 3)).toEqual([null, null, null]);
    for (const refusal of outcomes.slice(3)) expect(refusal).toMatchObject({ statusCode: "403" });
    expect((await files.list(`red/${id}`)).data).toHaveLength(3);
  });

  test("replaces only what its signer may replace now", async () => {
    const { id, files } = await teammate();
    const name = `red/${id}/1.txt`;
    const { data } = await files.createSignedUploadUrl(name, { upsert: true });
    expect(await put(name, data?.token, "first")).toBeNull();
    expect(await put(name, data?.token, "second")).toMatchObject({ statusCode: "403" });
    expect(await (await files.download(name)).data?.text()).toBe("first");
  });

  test("does not reveal its signer's claims", async () => {
    const { id, files } = await teammate({ email: "ada@example.test" });
    const { data } = await files.createSignedUploadUrl(`red/${id}/1.txt`);
    const body = (data?.token ?? "").split(".")[1] ?? "";
    const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as { caller: string };
    expect(Object.keys(claims).sort()).toEqual(["caller", "exp", "iat", "scope", "upsert", "url"]);
    expect(Buffer.from(claims.caller, "base64url").toString("latin1")).not.toContain("example");
  });

  test("ends with the session that signed it", async () => {
    const { url, anonKey } = inject("host");
    const account = createClient(url, anonKey, { auth: { persistSession: false } });
    const signedUp = await account.auth.signUp({
      email: `${randomUUID()}@example.test`,
      password: "A-long-enough-Passw0rd!",
    });
    const id = signedUp.data.user?.id ?? "";
    const files = account.storage.from("documents");
    const [kept, ended] = [`${id}/kept.txt`, `${id}/ended.txt`];
    const links = {
      kept: (await files.createSignedUploadUrl(kept)).data?.token ?? "",
      ended: (await files.createSignedUploadUrl(ended)).data?.token ?? "",
    };
    const bare = anonymous().storage.from("documents");
    const options = { contentType: "text/plain" };
    expect((await bare.uploadToSignedUrl(kept, links.kept, "a", options)).error).toBeNull();
    await account.auth.signOut();
    expect((await bare.uploadToSignedUrl(ended, links.ended, "b", options)).error).toMatchObject({
      statusCode: "403",
    });
  });

  test("requires an unaltered signer", async () => {
    const name = `${ada.id}/${randomUUID()}.txt`;
    const url = `documents/${name}`;
    const bare = anonymous().storage.from("documents");
    for (const caller of [undefined, "nobody", ada.id]) {
      const forged = await sign({ url, scope: "upload", upsert: true, exp: 9e9, caller });
      const { error } = await bare.uploadToSignedUrl(name, forged, "x");
      expect(error).toMatchObject({ statusCode: "400", message: "Invalid signature" });
    }
  });
});
