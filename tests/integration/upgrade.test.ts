import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { applyMigrations } from "basehost/database";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAccounts, demoAuthenticatorKey, demoPassword } from "../../tools/demo/accounts.ts";
import { startProduct } from "../../tools/product.ts";
import { schemaDifference } from "../../tools/schema/schema-difference.ts";
import { openScratchServer } from "../../tools/schema/scratch-server.ts";
import { codesOf, enterCode } from "../support/second-factor.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const releases = join(projectRoot, "tests", "fixtures", "releases");
const archives = (await readdir(releases)).filter((name) => name.endsWith(".tar.gz"));

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-upgrade-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a data folder of an earlier release", () => {
  it.each(archives)("%s opens with this version, complete and with its schema", async (archive) => {
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
        const factor = data.user?.factors?.[0];
        if (factor) await enterCode(member, factor.id, codesOf(demoAuthenticatorKey)());
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
