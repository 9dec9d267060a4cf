import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { copyPrepared } from "../support/prepared-folders.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

let folder = "";
let dataDir = "";
let server: S3Server;
let host: Host | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-storage-"));
  dataDir = join(folder, "data");
  await copyPrepared("schema", dataDir);
  server = await startS3Server();
});
afterAll(async () => {
  await host?.stop();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<SupabaseClient> {
  host = await startHost({
    env: { PORT: "0", DATA_DIR: dataDir, ...env },
    root: projectRoot,
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
  return createClient(host.url, host.context.keys.api.serviceRoleKey, {
    auth: { persistSession: false },
  });
}

async function storage(...args: string[]) {
  const env = { DATA_DIR: dataDir, ...server.env };
  const run = spawnScript([join(projectRoot, "tools", "storage.ts"), ...args], env, folder);
  return { code: await run.ended, output: run.output() };
}

describe("moving the files of an install", () => {
  it("to a bucket and back loses none, also of those uploaded meanwhile", async () => {
    const [before, meanwhile, after] = [randomUUID(), randomUUID(), randomUUID()];
    const bucket = "moved";
    const onDisk = await start();
    expect((await onDisk.storage.createBucket(bucket)).error).toBeNull();
    await onDisk.storage.from(bucket).upload(before, "before");
    // The product goes on while most is copied.
    expect(await storage("move", "bucket")).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 files copied and read back, 0 were there") as string,
    });
    await onDisk.storage.from(bucket).upload(meanwhile, "meanwhile");
    await host?.stop();
    expect(await storage("move", "bucket")).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 files copied and read back, 1 were there") as string,
    });

    // Until then the files of the disk count.
    await expect(start(server.env)).rejects.toThrow("does not hold the files of this database");
    expect(await storage("adopt", "bucket")).toMatchObject({ code: 0 });
    await expect(start()).rejects.toThrow("holds the files of another database");
    const inBucket = await start(server.env);
    const files = inBucket.storage.from(bucket);
    expect(await (await files.download(before)).data?.text()).toBe("before");
    expect(await (await files.download(meanwhile)).data?.text()).toBe("meanwhile");
    await files.upload(after, "after");
    await host?.stop();

    expect(await storage("move", "folder")).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 files copied and read back, 2 were there") as string,
    });
    expect(await storage("adopt", "folder")).toMatchObject({ code: 0 });
    const back = await start();
    expect(await (await back.storage.from(bucket).download(after)).data?.text()).toBe("after");
  });

  it("says how it is used, what is missing, and that the bucket is away", async () => {
    expect(await storage("copy", "bucket")).toMatchObject({
      code: 78,
      output: expect.stringContaining("Usage:") as string,
    });
    await server.stop();
    expect(await storage("move", "bucket")).toMatchObject({
      code: 78,
      output: expect.stringContaining("The bucket files can't be reached") as string,
    });
    await server.start();
  });
});
