import { mkdtemp, rm } from "node:fs/promises";
import { totalmem, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readHostConfig } from "../config.ts";
import { connectOwner } from "./bootstrap.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { memoryFor, readServerMemory, usableMemoryBytes } from "./server-memory.ts";

const gibibyte = 1024 ** 3;

describe("the embedded server's share of the memory", () => {
  it.each([
    [0.5, { sharedBuffersMb: 64, workMemMb: 4, maintenanceWorkMemMb: 32, maxConnections: 100 }],
    [1, { sharedBuffersMb: 128, workMemMb: 4, maintenanceWorkMemMb: 32, maxConnections: 100 }],
    [4, { sharedBuffersMb: 896, workMemMb: 6, maintenanceWorkMemMb: 128, maxConnections: 100 }],
    [16, { sharedBuffersMb: 2048, workMemMb: 13, maintenanceWorkMemMb: 512, maxConnections: 256 }],
    [
      256,
      { sharedBuffersMb: 2048, workMemMb: 64, maintenanceWorkMemMb: 1024, maxConnections: 400 },
    ],
  ])("of %d GB", (gigabytes, share) => {
    expect(memoryFor(gigabytes * gibibyte)).toMatchObject(share);
  });

  it("leaves room for the host and for every connection's statement", () => {
    for (let gigabytes = 1; gigabytes <= 64; gigabytes += 0.5) {
      const { sharedBuffersMb, workMemMb, maxConnections, effectiveCacheSizeMb } = memoryFor(
        gigabytes * gibibyte,
      );
      const total = gigabytes * 1024;
      expect(sharedBuffersMb + 512, `${gigabytes}`).toBeLessThanOrEqual(total * 0.7);
      if (workMemMb > 4) {
        expect(sharedBuffersMb + workMemMb * maxConnections + 512).toBeLessThan(total);
      }
      expect(effectiveCacheSizeMb).toBeLessThanOrEqual(total / 2);
    }
  });

  it("is of what a container or a service may use, when that is less than the machine has", () => {
    const limit = vi.spyOn(process, "constrainedMemory");
    try {
      limit.mockReturnValue(gibibyte);
      expect(usableMemoryBytes()).toBe(gibibyte);
      // Without a limit, kernels and versions of Node.js answer one of these.
      for (const none of [0, 2 ** 64, 2 ** 63 - 4096]) {
        limit.mockReturnValue(none);
        expect(usableMemoryBytes()).toBe(totalmem());
      }
    } finally {
      limit.mockRestore();
    }
  });
});

describe("the settings of an operator", () => {
  it("take the place of what would be taken, one by one", () => {
    const issues: string[] = [];
    const read = readServerMemory({ DATABASE_WORK_MEM: 24 }, issues, 16 * gibibyte);
    expect(read).toEqual({ ...memoryFor(16 * gibibyte), workMemMb: 24 });
    expect(issues).toEqual([]);
    const { serverMemory } = readHostConfig({
      DATABASE_SHARED_BUFFERS: "2GB",
      DATABASE_EFFECTIVE_CACHE_SIZE: "6GB",
      DATABASE_WORK_MEM: "8MB",
      DATABASE_MAINTENANCE_WORK_MEM: "96MB",
      DATABASE_MAX_CONNECTIONS: "150",
      DATABASE_CONNECTIONS: "130",
    });
    expect(serverMemory).toEqual({
      sharedBuffersMb: 2048,
      effectiveCacheSizeMb: 6144,
      workMemMb: 8,
      maintenanceWorkMemMb: 96,
      maxConnections: 150,
    });
  });

  it.each([
    [{ DATABASE_SHARED_BUFFERS: "4 GB" }, "DATABASE_SHARED_BUFFERS: must be a whole number"],
    [{ DATABASE_SHARED_BUFFERS: "8MB" }, "DATABASE_SHARED_BUFFERS: must be at least 16MB"],
    [{ DATABASE_WORK_MEM: "64kB" }, "DATABASE_WORK_MEM: must be a whole number"],
    [{ DATABASE_WORK_MEM: "4MB -c fsync=off" }, "DATABASE_WORK_MEM: must be a whole number"],
    [{ DATABASE_MAX_CONNECTIONS: "55" }, "DATABASE_MAX_CONNECTIONS: must be at least 62"],
    [
      { DATABASE_MAX_CONNECTIONS: "90", DATABASE_CONNECTIONS: "80" },
      "DATABASE_CONNECTIONS: must be at most 70 without DATABASE_URL",
    ],
    [
      { DATABASE_URL: "postgresql://a:b@127.0.0.1/c", DATABASE_WORK_MEM: "8MB" },
      "DATABASE_WORK_MEM: is for the embedded database",
    ],
  ])("refuses %o by name", (env, reason) => {
    expect(() => readHostConfig(env)).toThrow(reason);
  });

  it("leaves them to the server of DATABASE_URL", () => {
    const { serverMemory } = readHostConfig({ DATABASE_URL: "postgresql://a:b@127.0.0.1/c" });
    expect(serverMemory).toBeUndefined();
  });
});

it("starts the server with them, and with others after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "server-memory-"));
  const shown = async (url: string) => {
    const client = await connectOwner(url);
    try {
      const { rows } = await client.query<{ name: string; value: string }>(
        `select name, current_setting(name) as value from pg_settings where name in
           ('shared_buffers', 'effective_cache_size', 'work_mem', 'maintenance_work_mem', 'max_connections')`,
      );
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    } finally {
      await client.end();
    }
  };
  try {
    const place = join(folder, "postgres");
    const small = await startEmbeddedPostgres(place, "password", memoryFor(0.5 * gibibyte));
    expect(await shown(small.url)).toEqual({
      shared_buffers: "64MB",
      effective_cache_size: "256MB",
      work_mem: "4MB",
      maintenance_work_mem: "32MB",
      max_connections: "100",
    });
    await small.stop();
    const large = await startEmbeddedPostgres(place, "password", memoryFor(4 * gibibyte));
    expect(await shown(large.url)).toEqual({
      shared_buffers: "896MB",
      effective_cache_size: "2GB",
      work_mem: "6MB",
      maintenance_work_mem: "128MB",
      max_connections: "100",
    });
    await large.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
