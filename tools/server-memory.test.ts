import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readHostConfig } from "basehost";
import { loadSecrets, startEmbeddedPostgres } from "basehost/database";
import { checkServerMemory } from "./server-memory.ts";

it("says what a start would take, what is in use, and which setting counts only after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "doctor-memory-"));
  const DATA_DIR = join(folder, "data");
  const check = async (env: Record<string, string>) =>
    await checkServerMemory(readHostConfig({ DATA_DIR, ...env }), env);
  const small = { DATABASE_SHARED_BUFFERS: "64MB" };
  try {
    expect(await check(small)).toMatch(
      /^max_connections \d+, shared_buffers 64MB, .* from the next start on, of \d+MB/,
    );
    const { databasePassword } = await loadSecrets(DATA_DIR);
    const { serverMemory } = readHostConfig({ DATA_DIR, ...small });
    const place = join(DATA_DIR, "postgres");
    const server = await startEmbeddedPostgres(place, databasePassword, serverMemory);
    try {
      expect(await check(small)).toMatch(/\bshared_buffers 64MB\b.* in use$/);
      // The limit of a service is none of this command's: what nobody set is no reason to restart.
      expect(await check({})).toMatch(/\bshared_buffers 64MB\b.* in use$/);
      expect(await check({ DATABASE_SHARED_BUFFERS: "96MB" })).toEqual({
        warning: expect.stringMatching(
          /\bshared_buffers 64MB\b.* in use; DATABASE_SHARED_BUFFERS counts once the product was restarted$/,
        ) as string,
      });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("warns of buffers that leave too little for everything else", async () => {
  const env = { DATABASE_SHARED_BUFFERS: "1000GB", DATA_DIR: "/nowhere" };
  expect(await checkServerMemory(readHostConfig(env), env)).toEqual({
    warning: expect.stringContaining("DATABASE_SHARED_BUFFERS is more than half") as string,
  });
});

it("leaves the server of DATABASE_URL to its own settings", async () => {
  const config = readHostConfig({ DATABASE_URL: "postgresql://a:b@127.0.0.1/c" });
  expect(await checkServerMemory(config, {})).toBe("set in the server of DATABASE_URL");
});
