import { describe, expect, it } from "vitest";
import { restoreActionFor } from "./accepted-paths.ts";

describe("what a restore does with a path of an archive", () => {
  it.each([
    ["postgres", "write"],
    ["postgres/base/1/2", "write"],
    ["postgres/backup_label", "write"],
    ["storage/objects/ab/ab-version", "write"],
    ["secrets.json", "write"],
    ["sandbox.json", "write"],
    ["postgres/postgresql.conf", "replace"],
    ["postgres/postgresql.auto.conf", "replace"],
    ["postgres/pg_hba.conf", "replace"],
    ["postgres/pg_ident.conf", "replace"],
    ["postgres/recovery.signal", "leave out"],
    ["postgres/standby.signal", "leave out"],
    ["postgres/tablespace_map", "leave out"],
    ["postgres/conf.d/evil.conf", "leave out"],
    [".env", "leave out"],
    ["secrets.json.js", "leave out"],
  ])("%s: %s", (path, decision) => {
    expect(restoreActionFor(path, ["sandbox.json"])).toBe(decision);
  });
});
