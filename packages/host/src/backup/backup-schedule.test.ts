import { describe, expect, it } from "vitest";
import { readHostConfig } from "../config.ts";
import { backupName, backupTime, waitMs } from "./backup-schedule.ts";

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 10, 22, 12, 34, 56);

describe("when the next backup is due", () => {
  it("follows from the newest name", () => {
    const names = [backupName(new Date(noon - 30 * hourMs)), backupName(new Date(noon - hourMs))];
    expect(names[1]).toBe("backup-20261122T113456Z.tar.gz");
    expect(backupTime(names[1] ?? "")).toBe(noon - hourMs);
    expect(waitMs(names, 24, noon)).toBe(23 * hourMs);
  });

  it("is now without a backup, after a missed one, and never later than an interval", () => {
    expect(waitMs([], 24, noon)).toBe(0);
    expect(waitMs(["notes.txt"], 24, noon)).toBe(0);
    expect(waitMs([backupName(new Date(noon - 25 * hourMs))], 24, noon)).toBe(0);
    expect(waitMs([backupName(new Date(noon + 1000 * hourMs))], 24, noon)).toBe(24 * hourMs);
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
