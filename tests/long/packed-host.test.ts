import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNpmRegistry, type NpmRegistry } from "../support/npm-registry.ts";
import { freePort, projectRoot } from "../support/spawn-product.ts";

const run = promisify(execFile);

let registry: NpmRegistry;
let tarballs: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  registry = await startNpmRegistry();
  tarballs = await mkdtemp(join(tmpdir(), "packed-"));
  const { PATH = "", HOME = "" } = process.env;
  env = {
    // The Node of this process, as the packages need it, and only the registry of this test.
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME,
    npm_config_registry: registry.url,
    npm_config_cache: join(tarballs, "npm-cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
  await run(process.execPath, [join(projectRoot, "tools", "pack.ts"), tarballs], { env });
  folder = await mkdtemp(join(tmpdir(), "empty-folder-"));
  for (const name of await readdir(tarballs)) {
    if (name.endsWith(".tgz")) await run("cp", [join(tarballs, name), folder]);
  }
});

afterAll(async () => {
  await registry.stop();
  await rm(tarballs, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

/** The commands of a README's quick start, with another port: before the server, the server, and after it. */
async function quickStart(name: string, usedPort: string, port: number) {
  const text = await readFile(join(projectRoot, "packages", name, "README.md"), "utf8");
  const commands = /```sh\n([\s\S]*?)```/.exec(text)?.[1]?.replaceAll(usedPort, `${port}`) ?? "";
  const [before = "", server = "", after = ""] = commands.split(/^(npx .*)\n/m);
  return { before, server, after };
}

async function type(commands: string): Promise<string> {
  const args = ["-euo", "pipefail", "-c", commands];
  const { stdout } = await run("bash", args, { cwd: folder, env, maxBuffer: 1024 * 1024 });
  return stdout;
}

/** Types a command that serves until Ctrl-C, waits for what it prints, and runs `work` meanwhile. */
async function whileServing(command: string, ready: string, work: () => Promise<void>) {
  const server = spawn("bash", ["-c", command], { cwd: folder, env, detached: true });
  let output = "";
  const ended = once(server, "exit");
  const isReady = new Promise<void>((resolve) => {
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(ready)) resolve();
    };
    server.stdout.on("data", keep);
    server.stderr.on("data", keep);
  });
  const failed = ended.then(() => {
    throw new Error(`${command} ended:\n${output}`);
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([isReady, failed]);
    await work();
  } finally {
    if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, "SIGINT");
    await ended;
  }
}

it("basehost: its quick start works as typed, and it serves another project", async () => {
  const port = await freePort();
  const { before, server, after } = await quickStart("host", "3000", port);
  expect(before).toContain("npm install ./basehost-");
  await type(before);
  await whileServing(server, "service role key", async () => {
    expect(JSON.parse(await type(after))).toEqual([{ id: 1, title: "Hello" }]);
  });

  const other = join(projectRoot, "tests", "fixtures", "other-project");
  const command = `npx basehost --project ${other} --port ${port} --data other-data`;
  await whileServing(command, "service role key", async () => {
    const url = `http://127.0.0.1:${port}`;
    const config = (await (await fetch(`${url}/config.json`)).json()) as {
      supabaseAnonKey: string;
    };
    const headers = { apikey: config.supabaseAnonKey };
    const hello = await fetch(`${url}/functions/v1/hello`, { method: "POST", headers });
    expect(hello.status).toBe(200);
  });
});

it("basehost: the installed package has built files only, and no door for this repository's tests", async () => {
  const imported = (name: string) =>
    execFileSync(
      process.execPath,
      ["--input-type=module", "-e", `console.log(Object.keys(await import("${name}")).length > 3)`],
      { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    ).trim();
  for (const door of ["basehost", "basehost/accounts", "basehost/database"]) {
    expect(imported(door), door).toBe("true");
  }
  expect(() => imported("basehost/testing")).toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  const files = await readdir(join(folder, "node_modules", "basehost"), { recursive: true });
  const unbuilt = files.filter((path) => /(?<!\.d)\.ts$|\.test\.|testing/.test(path));
  expect(unbuilt.filter((path) => !path.startsWith("node_modules"))).toEqual([]);
});

it("card-sandbox: its quick start works as typed, with its script for browsers", async () => {
  const port = await freePort();
  const { before, server, after } = await quickStart("stripe-sandbox", "12111", port);
  await type(before);
  await whileServing(server, "webhook secret", async () => {
    const prices = JSON.parse(await type(after)) as { data: unknown[] };
    expect(prices.data).toMatchObject([{ id: "price_basic", unit_amount: 500, currency: "gbp" }]);
    const script = await fetch(`http://127.0.0.1:${port}/v3/`);
    expect(await script.text()).toContain("Stripe");
  });
});

it("both packages: their type declarations are complete for a strict TypeScript project", async () => {
  const doors = [
    "basehost",
    "basehost/accounts",
    "basehost/backup",
    "basehost/database",
    "basehost/http-server",
    "card-sandbox",
  ];
  // A declaration that cannot be resolved would make these types `any`, which no option but this reports.
  const source = doors.map(
    (door, at) =>
      `import * as door${at} from "${door}";\nexport type Door${at} = typeof door${at};`,
  );
  await writeFile(join(folder, "consumer.mts"), source.join("\n"));
  const options = ["--module", "nodenext", "--target", "es2024", "--strict", "--noEmit"];
  const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
  const result = await run(process.execPath, [compiler, ...options, "consumer.mts"], {
    cwd: folder,
    env,
  }).catch((error: { stdout: string }) => error);
  const ours = result.stdout
    .split("\n")
    .filter((line) => /^(consumer|node_modules\/(basehost|card-sandbox)\/dist)/.test(line));
  expect(ours).toEqual([]);
});
