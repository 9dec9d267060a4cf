import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readHostConfig } from "basehost";
import { loadSecrets, startEmbeddedPostgres } from "basehost/database";
import { checkServerMemory } from "./server-memory.ts";

it("says what a start would take, and that a running server was started with less", async () => {
  const folder = await mkdtemp(join(tmpdir(), "doctor-memory-"));
  const DATA_DIR = join(folder, "data");
  const small = readHostConfig({ DATA_DIR, DATABASE_SHARED_BUFFERS: "64MB" });
  try {
    const shown = await checkServerMemory(small);
    expect(shown).toMatch(
      /^max_connections \d+, shared_buffers 64MB, .* of \d+MB that may be used$/,
    );
    const { databasePassword } = await loadSecrets(DATA_DIR);
    const server = await startEmbeddedPostgres(
      join(DATA_DIR, "postgres"),
      databasePassword,
      small.serverMemory,
    );
    try {
      expect(await checkServerMemory(small)).toBe(shown);
      const larger = readHostConfig({ DATA_DIR, DATABASE_SHARED_BUFFERS: "96MB" });
      expect(await checkServerMemory(larger)).toEqual({
        warning: expect.stringContaining(
          "the running server still has shared_buffers 64MB: restart the product",
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
  const config = readHostConfig({ DATABASE_SHARED_BUFFERS: "1000GB", DATA_DIR: "/nowhere" });
  expect(await checkServerMemory(config)).toEqual({
    warning: expect.stringContaining("DATABASE_SHARED_BUFFERS is more than half") as string,
  });
});

it("leaves the server of DATABASE_URL to its own settings", async () => {
  const config = readHostConfig({ DATABASE_URL: "postgresql://a:b@127.0.0.1/c" });
  expect(await checkServerMemory(config)).toBe("set in the server of DATABASE_URL");
});
