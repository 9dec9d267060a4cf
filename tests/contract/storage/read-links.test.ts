import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { serviceRole, signUp } from "../../support/clients.ts";
import { signInAgain } from "../../support/sessions.ts";
import { createStorageAccount, picture, type TestAccount } from "./accounts.ts";

const hourS = 3600;
const century = 100 * 365 * 24 * hourS;
const plain = { contentType: "text/plain" };

let ada: TestAccount;
let path: string;

beforeAll(async () => {
  ada = await createStorageAccount();
  path = `${ada.id}/letter.txt`;
  await ada.client.storage.from("documents").upload(path, "private words", plain);
});

async function sign(claims: Record<string, unknown>) {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(inject("host").jwtSecret));
}

function linkOf(token: string, name = `documents/${path}`): string {
  return `${inject("host").url}/storage/v1/object/sign/${name}?token=${token}`;
}

function claimsOf(link: string): Record<string, unknown> {
  const token = new URL(link).searchParams.get("token") ?? "";
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >;
}

/** An account with a session of the host, and a link to a file of its own. */
async function signedIn() {
  const account = await signUp();
  const files = account.client.storage.from("documents");
  const name = `${account.id}/own.txt`;
  await files.upload(name, "own words", plain);
  const { data } = await files.createSignedUrl(name, 60);
  return { ...account, files, name, link: data?.signedUrl ?? "" };
}

async function refused(link: string): Promise<unknown> {
  const answer = await fetch(link);
  const text = await answer.text();
  expect([answer.status, text.includes("words")]).toEqual([400, false]);
  return JSON.parse(text);
}

describe("the lifetime of a link to read", () => {
  test("is an hour at most in a private bucket, for every signer", async () => {
    for (const client of [ada.client, serviceRole()]) {
      const files = client.storage.from("documents");
      const hour = await files.createSignedUrl(path, hourS);
      expect((await fetch(hour.data?.signedUrl ?? "")).status).toBe(200);
      for (const seconds of [hourS + 1, century]) {
        const one = await files.createSignedUrl(path, seconds);
        const several = await files.createSignedUrls([path], seconds);
        for (const { error, data } of [one, several]) {
          expect(data).toBeNull();
          expect(error).toMatchObject({
            statusCode: "400",
            message:
              "body/expiresIn must be <= 3600: a link to a private bucket lasts at most an hour",
          });
        }
      }
    }
  });

  test("does not reveal a file to those who may not sign it", async () => {
    const bob = await createStorageAccount();
    const files = bob.client.storage.from("documents");
    expect((await files.createSignedUrl(path, century)).error).toMatchObject({ statusCode: "404" });
    const several = await files.createSignedUrls([path], century);
    expect(several.data).toMatchObject([{ path, signedUrl: null }]);
  });

  test("is free in a public bucket, and ends when the bucket becomes private", async () => {
    const admin = serviceRole();
    const id = `open-${randomUUID()}`;
    await admin.storage.createBucket(id, { public: true });
    const files = admin.storage.from(id);
    await files.upload("a.png", await picture(), { contentType: "image/png" });
    const long = (await files.createSignedUrl("a.png", century)).data?.signedUrl ?? "";
    const short = (await files.createSignedUrl("a.png", 60)).data?.signedUrl ?? "";
    expect([(await fetch(long)).status, (await fetch(short)).status]).toEqual([200, 200]);
    await admin.storage.updateBucket(id, { public: false });
    expect(await refused(long)).toMatchObject({ error: "InvalidSignature" });
    expect((await fetch(short)).status).toBe(200);
  });
});

describe("a link to read, when it is used", () => {
  test("ends with the session that signed it, and with no other", async () => {
    const account = await signedIn();
    await (await signInAgain(account)).auth.signOut({ scope: "local" });
    expect(await (await fetch(account.link)).text()).toBe("own words");
    await account.client.auth.signOut();
    expect(await refused(account.link)).toMatchObject({
      statusCode: "403",
      message: "The session that signed this link has ended",
    });
  });

  test.each([
    ["banned", { ban_duration: "24h" }],
    ["deleted", undefined],
  ])("ends with the account when it is %s", async (_, change) => {
    const account = await signedIn();
    const { admin } = serviceRole().auth;
    expect((await fetch(account.link)).status).toBe(200);
    const { error } =
      change === undefined
        ? await admin.deleteUser(account.id, true)
        : await admin.updateUserById(account.id, change);
    expect(error).toBeNull();
    expect(await refused(account.link)).toMatchObject({ statusCode: "403" });
  });

  test("follows the policies as the account that signed it", async () => {
    const admin = serviceRole().storage.from("shared");
    const name = `${randomUUID()}.txt`;
    expect((await admin.upload(name, "shared words", plain)).error).toBeNull();
    const shared = await ada.client.storage.from("shared").createSignedUrl(name, 60);
    expect((await fetch(shared.data?.signedUrl ?? "")).status).toBe(200);
    // The same name in a bucket that shows Ada nothing.
    const { caller } = claimsOf(shared.data?.signedUrl ?? "");
    const nowS = Math.floor(Date.now() / 1000);
    await serviceRole().storage.from("drop-box").upload(name, "hidden words", plain);
    const url = `drop-box/${name}`;
    const genuine = { url, scope: "download", caller, iat: nowS, exp: nowS + 60 };
    expect(await refused(linkOf(await sign(genuine), url))).toMatchObject({
      statusCode: "404",
      message: "Object not found",
    });
  });

  test("needs its signer unaltered, and an hour at most between signing and end", async () => {
    const files = ada.client.storage.from("documents");
    const link = (await files.createSignedUrl(path, 60)).data?.signedUrl ?? "";
    const { caller } = claimsOf(link);
    const url = `documents/${path}`;
    const nowS = Math.floor(Date.now() / 1000);
    const genuine = { url, scope: "download", caller, iat: nowS, exp: nowS + 60 };
    expect((await fetch(linkOf(await sign(genuine)))).status).toBe(200);
    for (const change of [
      { caller: undefined },
      { caller: "nobody" },
      { caller: ada.id },
      { iat: undefined },
      { iat: nowS - 10, exp: nowS + hourS },
      { exp: 9e9 },
    ]) {
      const forged = await sign({ ...genuine, ...change });
      expect(await refused(linkOf(forged))).toMatchObject({ error: "InvalidSignature" });
    }
  });

  test("hides who signed it", async () => {
    const account = await signedIn();
    const claims = claimsOf(account.link);
    expect(Object.keys(claims).sort()).toEqual(["caller", "exp", "iat", "scope", "url"]);
    const hidden = Buffer.from(String(claims["caller"]), "base64url").toString("latin1");
    expect(`${account.link} ${hidden}`).not.toContain(account.email);
  });

  test("is served in parts", async () => {
    const account = await signedIn();
    const part = await fetch(account.link, { headers: { range: "bytes=4-8" } });
    expect([part.status, await part.text()]).toEqual([206, "words"]);
    expect(part.headers.get("content-range")).toBe("bytes 4-8/9");
  });
});
