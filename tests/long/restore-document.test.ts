import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, readDeployDocument, sectionOf } from "../support/deploy-document.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { newEmail, testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { TypedInstall } from "../support/typed-install.ts";

const documentedFolder = "/var/backups/fourfold";

let folder = "";
let install: TypedInstall;
/** The blocks of docs/deploy.md on backups, in their order: making one, by schedule, restoring it. */
let steps: string[] = [];

const client = async () => {
  const config = (await (await fetch(`${install.url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  return createClient(install.url, config.supabaseAnonKey, { auth: { persistSession: false } });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restore-document-"));
  await copyPrepared("product", join(folder, "data"));
  const section = sectionOf(
    await readDeployDocument(),
    "**Backups.**",
    "Restore only archives that you trust",
  );
  steps = blocksOf(section, "sh");
  install = await TypedInstall.make(folder, { [documentedFolder]: join(folder, "backups") });
  await install.keepDataKey();
  await install.start();
}, timeLimitMs(180));
afterAll(async () => {
  await install.stop();
  await rm(folder, { recursive: true, force: true });
});

it(
  "docs/deploy.md backs up a running install, and brings it back as it was",
  { timeout: timeLimitMs(300) },
  async () => {
    const [making, bySchedule, restoring] = steps;
    expect(steps).toHaveLength(3);
    const member = { email: newEmail(), password: testPassword };
    const later = { email: newEmail(), password: testPassword };
    expect((await (await client()).auth.signUp(member)).error).toBeNull();
    await install.typeAll(making ?? "");
    expect((await (await client()).auth.signUp(later)).error).toBeNull();

    // The folder holds an install: the document has `--replace` added to the second line.
    const lines = (restoring ?? "").split("\n");
    const replacing = lines.map((line, at) => (at === 1 ? `${line} --replace` : line));
    expect(await install.typeAll(replacing.join("\n"))).toContain("every checksum right");
    const restored = await client();
    expect((await restored.auth.signInWithPassword(later)).error?.code).toBe("invalid_credentials");
    expect((await restored.auth.signInWithPassword(member)).error).toBeNull();
    expect((await readdir(folder)).filter((name) => name.startsWith("data.before-"))).toHaveLength(
      1,
    );

    // On another machine, where the folder is not there yet, the lines stand as they are, and backups are made by schedule.
    await install.stop();
    await rm(join(folder, "data"), { recursive: true });
    await install.set(bySchedule ?? "");
    expect(await install.typeAll(restoring ?? "")).toContain("every checksum right");
    expect((await (await client()).auth.signInWithPassword(member)).error).toBeNull();
    await expect
      .poll(async () => (await readdir(join(folder, "backups"))).toSorted(), {
        timeout: timeLimitMs(60),
        interval: 500,
      })
      .toEqual([expect.stringMatching(/^backup-\d{8}T/), "before-update.tar.gz"]);
  },
);
