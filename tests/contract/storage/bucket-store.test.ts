import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startS3Server, type S3Server } from "../../support/s3-server.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";

type Started = Awaited<ReturnType<typeof startFixtureHost>>;

let server: S3Server;
let hosts: Started[] = [];
const service = (at: number): SupabaseClient => {
  const host = hosts[at];
  if (host === undefined) throw new Error(`there is no host ${at}`);
  return createClient(host.running.url, host.running.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
};

beforeAll(async () => {
  server = await startS3Server();
  // A database of its own that no folder holds files of.
  const first = await startFixtureHost({ ...server.env });
  hosts = [first];
  hosts.push(await startFixtureHost({ ...server.env, DATABASE_URL: first.running.databaseUrl }));
  await service(0).storage.createBucket("files");
});

afterAll(async () => {
  for (const host of hosts.toReversed()) await host.stop();
  await server.remove();
});

describe("two hosts over one bucket", () => {
  it("serve each other's files, whole and in part, and removals of each other", async () => {
    const name = `${randomUUID()}.txt`;
    const [one, other] = [service(0).storage.from("files"), service(1).storage.from("files")];
    const text = "0123456789".repeat(300_000);
    expect((await one.upload(name, text)).error).toBeNull();
    const { data } = await other.download(name);
    expect(await data?.text()).toBe(text);
    const { data: link } = await one.createSignedUrl(name, 60);
    const part = await fetch(link?.signedUrl ?? "", { headers: { range: "bytes=10-14" } });
    expect([part.status, await part.text()]).toEqual([206, "01234"]);
    expect((await other.update(name, "new")).error).toBeNull();
    expect(await (await one.download(name)).data?.text()).toBe("new");
    expect((await one.copy(name, `copy-${name}`)).error).toBeNull();
    expect((await other.remove([name])).error).toBeNull();
    expect((await one.download(name)).error).not.toBeNull();
    expect(await (await other.download(`copy-${name}`)).data?.text()).toBe("new");
  });

  it("go on with each other's resumable uploads, and forget those of yesterday with their parts", async () => {
    const headers = (at: number, more: Record<string, string>) => ({
      "tus-resumable": "1.0.0",
      apikey: hosts[at]?.running.serviceRoleKey ?? "",
      ...more,
    });
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const begin = async (name: string) => {
      const begun = await fetch(`${hosts[0]?.running.url}/storage/v1/upload/resumable`, {
        method: "POST",
        headers: headers(0, {
          "upload-length": "10",
          "upload-metadata": `bucketName ${encode("files")},objectName ${encode(name)}`,
        }),
      });
      return new URL(begun.headers.get("location") ?? "").pathname;
    };
    const patch = async (at: number, path: string, offset: number, body: string) => {
      const answer = await fetch(`${hosts[at]?.running.url}${path}`, {
        method: "PATCH",
        headers: headers(at, {
          "content-type": "application/offset+octet-stream",
          "upload-offset": String(offset),
        }),
        body,
      });
      return answer.status;
    };
    const name = `${randomUUID()}.txt`;
    const path = await begin(name);
    expect(await patch(0, path, 0, "01234")).toBe(204);
    expect(await patch(1, path, 5, "56789")).toBe(204);
    expect(await (await service(0).storage.from("files").download(name)).data?.text()).toBe(
      "0123456789",
    );

    const left = await begin(`${randomUUID()}.txt`);
    expect(await patch(1, left, 0, "01234")).toBe(204);
    const { db } = hosts[0]?.host.context ?? {};
    const partsOf = async () =>
      await db?.admin.query<{ part: string }>(
        "select unnest(parts)::text as part from host.resumable_uploads where finished_at is null",
      );
    const parts = (await partsOf())?.rows.map(({ part }) => part) ?? [];
    expect(parts).toHaveLength(1);
    expect(await server.has(parts[0] ?? "")).toBe(true);
    const tomorrow = await startFixtureHost(
      { ...server.env, DATABASE_URL: hosts[0]?.running.databaseUrl ?? "" },
      undefined,
      { now: () => Date.now() + 25 * 60 * 60 * 1000 },
    );
    try {
      await expect.poll(async () => (await partsOf())?.rows).toEqual([]);
      await expect.poll(async () => await server.has(parts[0] ?? "")).toBe(false);
    } finally {
      await tomorrow.stop();
    }
  });

  it("say so with a code while the bucket is away, write no row, and go on when it is back", async () => {
    const name = `${randomUUID()}.txt`;
    const files = service(0).storage.from("files");
    expect((await files.upload(`${name}.before`, "kept")).error).toBeNull();
    await server.stop();
    const { error } = await files.upload(name, "lost");
    expect(error).toMatchObject({ status: 503, statusCode: "503" });
    expect(error?.message).toBe(
      "The files can't be reached right now. Please try again in a moment.",
    );
    const { error: read } = await files.download(`${name}.before`);
    expect(read).toMatchObject({ status: 503 });
    const { data: listed } = await files.list("", { search: name });
    expect(listed?.map((found) => found.name)).toEqual([`${name}.before`]);
    await server.start();
    expect((await files.upload(name, "found")).error).toBeNull();
    expect(await (await service(1).storage.from("files").download(name)).data?.text()).toBe(
      "found",
    );
    expect(await (await files.download(`${name}.before`)).data?.text()).toBe("kept");
  });
});

describe("a host whose files are elsewhere", () => {
  it("does not start with a folder over a database whose files are in the bucket", async () => {
    const [first] = hosts;
    await expect(
      startFixtureHost({ DATABASE_URL: first?.running.databaseUrl ?? "" }, undefined, {
        sharesFiles: false,
      }).then(async ({ stop }) => await stop()),
    ).rejects.toThrow("does not hold the files of this database");
  });

  it("does not start over a database of its own with the bucket of another, whose files it would sweep away", async () => {
    const begun = startFixtureHost({ ...server.env });
    await expect(begun.then(async ({ stop }) => await stop())).rejects.toThrow(
      "The bucket files holds the files of another database",
    );
  });

  it("does not start while the bucket is away, and says that it may pass", async () => {
    const [first] = hosts;
    await server.stop();
    const begun = startFixtureHost({
      ...server.env,
      DATABASE_URL: first?.running.databaseUrl ?? "",
    });
    await expect(begun.then(async ({ stop }) => await stop())).rejects.toMatchObject({
      name: "RetryableBootError",
      message: expect.stringMatching(/^The bucket files can't be reached: /) as string,
    });
    await server.start();
  });
});
