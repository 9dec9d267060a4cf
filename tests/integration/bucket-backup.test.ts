import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHost, type Host } from "basehost";
import { copyPrepared } from "../support/prepared-folders.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

let folder = "";
let server: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-bucket-backup-"));
  await copyPrepared("schema", join(folder, "data"));
  server = await startS3Server();
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function start(dataDir: string, s3: Record<string, string> = server.env): Promise<Host> {
  return await startHost({
    env: { PORT: "0", DATA_DIR: dataDir, ...s3 },
    root: projectRoot,
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
}

const storageOf = ({ url, context }: Host) =>
  createClient(url, context.keys.api.serviceRoleKey, { auth: { persistSession: false } }).storage;

async function command(name: "backup" | "restore", dataDir: string): Promise<string> {
  const args = [join(projectRoot, "tools", `${name}.ts`), join(folder, "backup.tar.gz")];
  const run = spawnScript(args, { DATA_DIR: dataDir, ...server.env }, folder);
  expect(await run.ended, run.output()).toBe(0);
  return run.output();
}

describe("a backup of an install whose files are in a bucket", () => {
  it("is restored elsewhere and serves the bucket's files, but for those deleted since", async () => {
    const [kept, deleted, later] = [randomUUID(), randomUUID(), randomUUID()];
    const [data, elsewhere] = [join(folder, "data"), join(folder, "elsewhere")];
    const before = await start(data);
    expect((await storageOf(before).createBucket("members")).error).toBeNull();
    const files = storageOf(before).from("members");
    for (const name of [kept, deleted]) {
      expect((await files.upload(name, `of ${name}`)).error).toBeNull();
    }
    expect(await command("backup", data)).toContain(
      "The stored files are not in it: they are in the bucket files, by the versions that the database names.",
    );
    expect((await files.upload(later, "after the backup")).error).toBeNull();
    expect((await files.remove([deleted])).error).toBeNull();
    await before.stop();

    const restored = await command("restore", elsewhere);
    expect(restored).toContain(
      "Its stored files are in the bucket files and not in the archive: start it with S3_BUCKET.",
    );
    expect(restored).not.toContain("Missing");
    await expect(start(elsewhere, {})).rejects.toThrow("set S3_BUCKET on each of them");
    const after = await start(elsewhere);
    const theirs = storageOf(after).from("members");
    expect(await (await theirs.download(kept)).data?.text()).toBe(`of ${kept}`);
    // Its row is back. A bucket with versions has its bytes too; this one has none.
    expect((await theirs.list()).data?.map(({ name }) => name).toSorted()).toEqual(
      [kept, deleted].toSorted(),
    );
    expect((await theirs.download(deleted)).error).toMatchObject({ statusCode: "404" });
    expect((await theirs.upload(later, "again")).error).toBeNull();
    expect(await (await theirs.download(later)).data?.text()).toBe("again");
    await after.stop();
  });
});
