import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHostConfig } from "../config.ts";
import { backupName, backupTime, prune, waitMs } from "./backup-schedule.ts";

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 10, 22, 12, 34, 56);

describe("when the next backup is due", () => {
  it("follows from the newest name", () => {
    const names = [backupName(new Date(noon - 30 * hourMs)), backupName(new Date(noon - hourMs))];
    expect(names[1]).toBe("backup-20261122T113456Z.tar.gz");
    expect(backupTime(names[1] ?? "")).toBe(noon - hourMs);
    expect(waitMs(names, 24, noon)).toBe(23 * hourMs);
  });

  it("is now without a backup, after a missed one, and when the only one has a date in the future", () => {
    expect(waitMs([], 24, noon)).toBe(0);
    expect(waitMs(["notes.txt"], 24, noon)).toBe(0);
    expect(waitMs([backupName(new Date(noon - 25 * hourMs))], 24, noon)).toBe(0);
    expect(waitMs([backupName(new Date(noon + 1000 * hourMs))], 24, noon)).toBe(0);
  });
});

describe("pruning", () => {
  it("keeps the newest past backups and future ones, and removes what a killed process left", async () => {
    const folder = await mkdtemp(join(tmpdir(), "prune-"));
    const name = (hours: number) => backupName(new Date(noon + hours * hourMs));
    const partial = `${name(-4)}.partial`;
    const names = [name(-3), name(-2), name(-1), name(1000), name(2000), partial, "mine.partial"];
    try {
      for (const one of names) await writeFile(join(folder, one), "");
      await prune(folder, 2, noon);
      const left = [name(-2), name(-1), name(1000), name(2000), "mine.partial"];
      expect((await readdir(folder)).toSorted()).toEqual(left);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("the settings of backups", () => {
  it("have defaults once there is a folder", () => {
    expect(readHostConfig({}).backups).toBeUndefined();
    expect(readHostConfig({ BACKUP_DIR: "/b" }).backups).toEqual({
      folder: "/b",
      everyHours: 24,
      keep: 7,
    });
  });

  it.each([
    [{ BACKUP_EVERY_HOURS: "6" }, "BACKUP_EVERY_HOURS: needs BACKUP_DIR"],
    [{ BACKUP_KEEP: "6" }, "BACKUP_KEEP: needs BACKUP_DIR"],
    [{ BACKUP_DIR: "/b", BACKUP_EVERY_HOURS: "0" }, "BACKUP_EVERY_HOURS: "],
    [{ BACKUP_DIR: "/b", BACKUP_KEEP: "none" }, "BACKUP_KEEP: "],
    [{ DATA_DIR: "/d", BACKUP_DIR: "/d" }, "BACKUP_DIR: must be outside DATA_DIR"],
    [{ DATA_DIR: "/d", BACKUP_DIR: "/d/backups" }, "BACKUP_DIR: must be outside DATA_DIR"],
    [
      { BACKUP_DIR: "/b", DATABASE_URL: "postgres://h/d" },
      "BACKUP_DIR: a database of DATABASE_URL",
    ],
  ])("are refused when they would make no backup: %j", (env, issue) => {
    expect(() => readHostConfig(env)).toThrow(issue);
  });
});
