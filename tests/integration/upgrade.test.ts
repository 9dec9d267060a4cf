import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAccounts, demoPassword } from "../../tools/demo/accounts.ts";
import { startProduct } from "../../tools/product.ts";
import { renderSchema } from "../../tools/schema-file.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const releases = join(projectRoot, "tests", "fixtures", "releases");
const archives = (await readdir(releases)).filter((name) => name.endsWith(".tar.gz"));
/** Made with the locale C, before databases knew letters beyond A to Z. */
const withoutLetters = ["0.2.0.tar.gz"];

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-upgrade-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a data folder of an earlier release", () => {
  it.each(withoutLetters)("%s is refused, and nothing is put in place", async (archive) => {
    const dataDir = join(folder, archive);
    const file = join(releases, archive);
    const restore = spawnScript(
      [join(projectRoot, "tools", "restore.ts"), file],
      { DATA_DIR: dataDir },
      folder,
    );
    expect(await restore.ended, restore.output()).not.toBe(0);
    expect(restore.output()).toContain(
      `${file} was made by another version of this software (its database knows no letters beyond A to Z).`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  const opened = archives.filter((name) => !withoutLetters.includes(name));
  it.each(opened)("%s opens with this version, complete and with its schema", async (archive) => {
    const dataDir = join(folder, archive);
    const restore = spawnScript(
      [join(projectRoot, "tools", "restore.ts"), join(releases, archive)],
      { DATA_DIR: dataDir },
      folder,
    );
    // Also refuses an archive made of SQL files that have changed since.
    expect(await restore.ended, restore.output()).toBe(0);

    const product = await startProduct({
      env: { PORT: "0", DATA_DIR: dataDir, DEMO: "1" },
      log: pino({ level: "silent" }),
      runSchedules: false,
    });
    try {
      const owner = await product.host.context.db.admin.connect();
      const schema = await renderSchema(owner, join(projectRoot, "supabase", "migrations"));
      owner.release();
      expect(schema).toBe(await readFile(join(projectRoot, "supabase", "schema.sql"), "utf8"));
      for (const { email, level } of demoAccounts) {
        const member = createClient(product.url, product.host.context.keys.api.anonKey, {
          auth: { persistSession: false },
        });
        const { data } = await member.auth.signInWithPassword({ email, password: demoPassword });
        expect(data.user?.email).toBe(email);
        const levels = await member.from("user_levels").select("current_level").single();
        expect([email, levels.data?.current_level]).toEqual([email, level]);
        const rooms = await member.from("chat_rooms").select("id");
        expect(rooms.data?.length, email).toBeGreaterThan(0);
      }
    } finally {
      await product.stop();
    }
  });
});
