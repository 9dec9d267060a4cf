import { randomBytes, randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startS3Server, type S3Server } from "../../support/s3-server.ts";
import { fixtureJwtSecret, startFixtureHost } from "../../support/start-fixture-host.ts";
import { tokenFor } from "./accounts.ts";

const large = randomBytes(1024 * 1024);
const small = Buffer.from("small");
const ada = randomUUID();

let server: S3Server;
let host: Awaited<ReturnType<typeof startFixtureHost>>;
beforeAll(async () => {
  server = await startS3Server();
  host = await startFixtureHost({ ...server.env, S3_DOWNLOAD_LINKS: "1" });
  const { storage } = createClient(host.running.url, host.running.serviceRoleKey);
  for (const [bucket, isPublic] of [
    ["open", true],
    ["closed", false],
  ] as const) {
    await storage.createBucket(bucket, { public: isPublic });
    const options = { contentType: "text/html", cacheControl: "60" };
    for (const [name, bytes] of [
      ["large", large],
      ["small", small],
    ] as const) {
      const { error } = await storage.from(bucket).upload(name, bytes, options);
      expect(error).toBeNull();
    }
  }
  const policy = `create policy closed_ada on storage.objects for select to authenticated
    using (bucket_id = 'closed' and (select auth.uid()) = '${ada}')`;
  await host.host.context.db.admin.query(policy);
});
afterAll(async () => {
  await host.stop();
  await server.remove();
});

async function get(path: string, sub: string | undefined, init: RequestInit = {}) {
  const token = sub === undefined ? undefined : await tokenFor(sub, {}, fixtureJwtSecret);
  return await fetch(`${host.running.url}/storage/v1/object/${path}`, {
    redirect: "manual",
    ...init,
    headers: {
      apikey: host.running.anonKey,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
}

it("a large private file comes from the bucket by a link of a minute, to whom the policies let read it", async () => {
  const answer = await get("authenticated/closed/large", ada);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([302, "private, no-store"]);
  const link = new URL(answer.headers.get("location") ?? "");
  expect(link.origin).toBe(server.env.S3_ENDPOINT);
  expect(link.searchParams.get("X-Amz-Expires")).toBe("60");
  // As the host would: no page of a member's making.
  expect(link.searchParams.get("response-content-type")).toBe("text/plain");
  const file = await fetch(link);
  expect(Buffer.from(await file.arrayBuffer()).equals(large)).toBe(true);
  expect(file.headers.get("content-type")).toContain("text/plain");
  const part = await fetch(link, { headers: { range: "bytes=10-19" } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(large.subarray(10, 20))).toBe(true);
});

it("nobody else is shown the way: another account, a visitor, and a link that was changed", async () => {
  for (const [path, sub] of [
    ["authenticated/closed/large", randomUUID()],
    ["closed/large", undefined],
    ["public/closed/large", ada],
    ["sign/closed/large?token=guessed", undefined],
  ] as const) {
    const answer = await get(path, sub);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("location")).toBeNull();
  }
  const answer = await get("authenticated/closed/large", ada);
  const link = new URL(answer.headers.get("location") ?? "");
  link.pathname = link.pathname.replace(/[^/]+$/, randomUUID());
  expect((await fetch(link)).status).toBeGreaterThanOrEqual(400);
});

it("small files, public ones and what is not a download come from the host", async () => {
  for (const [path, init] of [
    ["authenticated/closed/small", {}],
    ["public/open/large", {}],
    ["authenticated/closed/large", { method: "HEAD" }],
  ] as const) {
    expect((await get(path, ada, init)).status).toBe(200);
  }
});

it("an address of a public file that names its version is kept for good, and no other", async () => {
  const { storage } = createClient(host.running.url, host.running.serviceRoleKey);
  const { data } = await storage.from("open").info("small");
  const cacheOf = async (path: string) => (await get(path, ada)).headers.get("cache-control");
  const version = (data as { version?: string } | null)?.version ?? "";
  expect(await cacheOf(`public/open/small?version=${version}`)).toBe(
    "public, max-age=31536000, immutable",
  );
  expect(await cacheOf("public/open/small")).toBe("max-age=60");
  expect(await cacheOf(`public/open/small?version=${randomUUID()}`)).toBe("max-age=60");
  const closed = await storage.from("closed").info("small");
  const secret = (closed.data as { version?: string } | null)?.version ?? "";
  expect(await cacheOf(`authenticated/closed/small?version=${secret}`)).toBe("private, max-age=60");
});
