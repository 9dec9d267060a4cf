import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { applyMigrations } from "basehost/database";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAccounts, demoPassword } from "../../tools/demo/accounts.ts";
import { startProduct } from "../../tools/product.ts";
import { schemaDifference } from "../../tools/schema/schema-difference.ts";
import { openScratchServer } from "../../tools/schema/scratch-server.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const releases = join(projectRoot, "tests", "fixtures", "releases");
const archives = (await readdir(releases)).filter((name) => name.endsWith(".tar.gz"));
/** Made of other migrations, before history began anew. */
const ofOldHistory = ["0.2.0.tar.gz"];

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-upgrade-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a data folder of an earlier release", () => {
  it.each(ofOldHistory)("%s is refused, and nothing is put in place", async (archive) => {
    const dataDir = join(folder, archive);
    const file = join(releases, archive);
    const restore = spawnScript(
      [join(projectRoot, "tools", "restore.ts"), file],
      { DATA_DIR: dataDir },
      folder,
    );
    expect(await restore.ended, restore.output()).not.toBe(0);
    expect(restore.output()).toContain(
      `${file} was made by another version of this software (migrations/20261121090000_foundations.sql is not part of this one)`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  const opened = archives.filter((name) => !ofOldHistory.includes(name));
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
      const scratch = await openScratchServer();
      try {
        const made = await scratch.createDatabase("made_anew", async (client) => {
          await applyMigrations(client, join(projectRoot, "supabase", "migrations"));
        });
        const { statements } = await schemaDifference(product.host.context.db.url, made);
        expect(statements).toEqual([]);
      } finally {
        await scratch.close();
      }
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
