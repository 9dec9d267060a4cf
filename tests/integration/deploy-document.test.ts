import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSupabaseCli, supabaseCliVersion } from "../../tools/supabase-cli.ts";
import { blocksOf, readDeployDocument } from "../support/deploy-document.ts";
import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { freePort, projectRoot, spawnScript } from "../support/spawn-product.ts";

let text = "";
let folder = "";
let mail: SmtpSink;
beforeAll(async () => {
  text = await readDeployDocument();
  folder = await mkdtemp(join(tmpdir(), "deploy-document-"));
  mail = await startSmtpSink();
});
afterAll(async () => {
  await mail.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a tool in the folder of the install and answers with what it said. */
async function command(args: string[]): Promise<{ code: unknown; output: string }> {
  const [script = "", ...rest] = args;
  const spawned = spawnScript([join(projectRoot, "tools", script), ...rest], {}, folder);
  return { code: await spawned.ended, output: spawned.output() };
}

describe("docs/deploy.md", () => {
  it("starts an install for one machine in production, with the .env it gives", async () => {
    expect(await command(["keys.ts", ".env"])).toMatchObject({ code: 0 });
    const keys = await readFile(join(folder, ".env"), "utf8");
    const block =
      blocksOf(text, "sh").find((lines) => lines.startsWith("NODE_ENV=production")) ?? "";
    const port = await freePort();
    const settings = block
      .replace(/^DATA_DIR=.*/m, `DATA_DIR=${join(folder, "data")}`)
      .replace(/^SMTP_URL=.*/m, `SMTP_URL=${mail.url}`);
    expect(settings).not.toBe(block);
    await writeFile(join(folder, ".env"), `${keys}${settings}\nPORT=${port}\n`);

    expect(await command(["keys.ts", ".env"])).toMatchObject({ code: 1 });
    const doctor = await command(["doctor.ts"]);
    expect(doctor.output).not.toContain("PROBLEM");
    expect(doctor.code).toBe(0);
    const strict = await command(["doctor.ts", "--strict"]);
    expect(strict.output).toContain("WARNING: still as in the documents: MAIL_FROM, PUBLIC_URL, ");
    expect(strict.output).toContain("takes mail without a login");
    expect(strict.output).not.toContain("sk_live_YOURS");
    expect(strict.code).toBe(1);
    expect((await command(["doctor.ts", "--stict"])).output).toContain("Usage: ");

    const product = spawnScript([join(projectRoot, "tools", "serve.ts")], {}, folder);
    await product.says("Fourfold is ready");
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const admin = await command(["admin.ts", "create", "you@example.org"]);
    expect(admin.output).toContain("One-time password: ");
    product.child.kill("SIGTERM");
    expect(await product.ended).toBe(0);
  });

  it("gives a unit that starts the product, and that systemd takes where it is installed", async () => {
    const unit = blocksOf(text, "ini").find((lines) => lines.startsWith("[Unit]")) ?? "";
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/npm start$/m);
    expect(unit).toMatch(/^LimitNOFILE=\d+$/m);
    expect(unit).toMatch(/^MemoryMax=\d+%$/m);
    const file = join(folder, "fourfold.service");
    await writeFile(file, `${unit.replace("/usr/bin/npm", process.execPath)}\n`);
    const systemd = "/usr/bin/systemd-analyze";
    if (!existsSync(systemd)) return;
    // It names what it does not know on standard error, and still ends with 0.
    const { status, stderr } = spawnSync(systemd, ["verify", file], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it("ends every command that cannot work with a sentence, never with a stack trace", async () => {
    const nowhere = `postgresql://nobody:nothing@127.0.0.1:${await freePort()}/nowhere`;
    for (const args of [
      ["doctor.ts"],
      ["admin.ts", "create", "you@example.org"],
      ["content.ts", "import"],
      ["serve.ts"],
    ]) {
      const [script = "", ...rest] = args;
      const env = { DATABASE_URL: nowhere, DATA_DIR: join(folder, "elsewhere"), PORT: "0" };
      const place = await mkdtemp(join(folder, "place-"));
      const spawned = spawnScript([join(projectRoot, "tools", script), ...rest], env, place);
      // 75 tells a supervisor that the database may answer later.
      expect(await spawned.ended, script).toBe(script === "serve.ts" ? 75 : 1);
      expect(spawned.output(), script).toContain("cannot be reached");
      expect(spawned.output(), script).not.toMatch(/^\s+at /m);
    }
  });

  it("names the CLI that is tried, with flags that CLI has", async () => {
    const calls = [...text.matchAll(/npx supabase@(\S+) ([a-z ]+?)(?= -| [A-Z]|\n)([^\n]*)/g)];
    expect(calls.length).toBeGreaterThan(8);
    const helps = new Map<string, string>();
    for (const [call, version, words = "", rest = ""] of calls) {
      expect(version, call).toBe(supabaseCliVersion);
      const help =
        helps.get(words) ?? (await runSupabaseCli([...words.trim().split(" "), "--help"]));
      helps.set(words, help);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(help, call).toContain(flag);
    }
    // Without a target the CLI uses the local stack.
    for (const [, , words, rest] of calls) {
      if (words?.startsWith("db ")) expect(rest).toContain("--remote");
    }
  });
});
