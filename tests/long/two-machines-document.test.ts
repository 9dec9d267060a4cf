import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { prepareBalancer } from "../scale/balancers.ts";
import { followRoom, postTo } from "../scale/troubles/messages.ts";
import { BillingFixture, studentPlan, type Payer } from "../support/billing.ts";
import { startCleanCluster, type CleanCluster } from "../support/clean-cluster.ts";
import { blocksOf, readDeployDocument, sectionOf } from "../support/deploy-document.ts";
import { findRedisServer, startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { startSharedSandbox, type SharedSandbox } from "../support/shared-sandbox.ts";
import { freePort, projectRoot } from "../support/spawn-product.ts";
import { ensureSystemPostgres } from "../support/system-postgres.ts";
import { testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { TypedInstall } from "../support/typed-install.ts";

/** What docs/deploy.md has an operator type and these tests do not, and where it is tried. */
const leftOut: Readonly<Record<string, string>> = {
  "npm run scale -- --haproxy": "npm run test:long runs its short form",
  "npm run scale -- --nginx": "npm run scale runs it",
  "npm run db:reset": "deletes DATA_DIR; said here of a database that it leaves alone",
  "S3_FORCE_PATH_STYLE=0": "needs a name for each bucket; read in s3-settings.test.ts",
  "S3_DOWNLOAD_LINKS=1": "tests/contract/storage/download-links.test.ts",
};
const metricsToken = "two-machines-token-of-thirty-two-characters";
const pictures = "profile-pictures";

let text = "";
let folder = "";
let cluster: CleanCluster;
let bucket: S3Server;
let redis: RedisServer | undefined;
let provider: SharedSandbox;
let one: TypedInstall;
let two: TypedInstall;
let billing: BillingFixture;
let ada: Payer;
/** A picture as it is stored, which is not as it was sent. */
let picture: Buffer;
const closing: (() => Promise<unknown>)[] = [];
/** What these sections have an operator type, and what these tests did of it. */
const wanted = new Set<string>();
const done = new Set<string>();

/** Notes that a documented line is done here. */
function documented(line: string): string {
  if (!wanted.has(line)) throw new Error(`docs/deploy.md has no line ${line}`);
  done.add(line);
  return line;
}

/** The documented line that begins so. */
function lineOf(start: string): string {
  return documented([...wanted].find((line) => line.startsWith(start)) ?? start);
}

/** Runs a documented line of the shell, as the account it names. */
async function shell(line: string): Promise<void> {
  const { port, username, password } = new URL(cluster.url());
  const env = {
    PATH: [folder, dirname(ensureSystemPostgres().postgres), process.env["PATH"]].join(delimiter),
    PGHOST: "127.0.0.1",
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  };
  await promisify(execFile)("sh", ["-ec", line], { cwd: projectRoot, env });
}

/** Does one documented line of a host. */
async function type(host: TypedInstall, line: string): Promise<string> {
  return await host.type(documented(line));
}

async function upload(account: Payer): Promise<string> {
  const name = `${account.id}-${Date.now()}.png`;
  const body = new Blob([onePixelPng], { type: "image/png" });
  const { error } = await account.client.storage.from(pictures).upload(name, body);
  expect(error).toBeNull();
  return name;
}

async function download(account: Payer, name: string): Promise<Buffer> {
  const { data, error } = await account.client.storage.from(pictures).download(name);
  expect(error).toBeNull();
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
}

/** The same account with a session of its own at another address. */
async function at(url: string, account: Payer): Promise<Payer> {
  const anonKey = await one.setting("SUPABASE_ANON_KEY");
  const auth = { persistSession: false, autoRefreshToken: false };
  const client = createClient(url, anonKey, { auth });
  const credentials = { email: account.email, password: testPassword };
  expect((await client.auth.signInWithPassword(credentials)).error).toBeNull();
  return { ...account, client };
}

async function metric(host: TypedInstall, pattern: RegExp, token = metricsToken) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${host.url}/metrics`, { headers });
  return pattern.exec(await answer.text())?.[1];
}

beforeAll(async () => {
  text = await readDeployDocument();
  const sections = [
    sectionOf(text, "**Several hosts.**", "### A release archive"),
    sectionOf(text, "### Stored files in a bucket", "### In containers"),
    sectionOf(text, "### A PostgreSQL of your own", "### A pool, and a replica"),
  ];
  for (const section of sections) {
    for (const block of blocksOf(section, "sh"))
      for (const line of block.split("\n")) wanted.add(line);
    for (const language of ["haproxy", "nginx"])
      if (blocksOf(section, language).length > 0) wanted.add(`the block of ${language}`);
    const typed = /`((?:[A-Z][A-Z0-9_]*=|npm run |sudo |curl |host all|move |adopt )[^`]*)`/g;
    for (const [, line = ""] of section.matchAll(typed)) wanted.add(line);
  }
  folder = await mkdtemp(join(tmpdir(), "two-machines-"));
  closing.push(async () => await rm(folder, { recursive: true, force: true }));
  // In the place of sudo, which changes the account.
  await writeFile(join(folder, "sudo"), '#!/bin/sh\nshift 2\nexec "$@"\n', { mode: 0o755 });
  cluster = await startCleanCluster(ensureSystemPostgres());
  closing.push(async () => await cluster.stop());
  bucket = await startS3Server("fourfold-files");
  closing.push(async () => await bucket.remove());
  provider = await startSharedSandbox();
  closing.push(async () => await provider.sandbox.stop());
  if ((await findRedisServer()) !== undefined) {
    redis = await startRedisServer("PASSWORD");
    closing.push(async () => await redis?.remove());
  }
  for (const name of ["one", "two"]) await mkdir(join(folder, name));
  const port = Number(provider.port);
  const places = {
    "YOUR-PASSWORD": "a-password-of-our-own",
    "127.0.0.1:5432": `127.0.0.1:${new URL(cluster.url()).port}`,
    "10.0.0.11:3000": `127.0.0.1:${port}`,
    "10.0.0.11/32": "127.0.0.1/32",
    "10.0.0.9:6379": `127.0.0.1:${redis?.port}`,
    "https://s3.example.org": bucket.env.S3_ENDPOINT,
    "YOUR-KEY-ID": bucket.env.S3_ACCESS_KEY_ID,
    "YOUR-SECRET": bucket.env.S3_SECRET_ACCESS_KEY,
  };
  one = await TypedInstall.make(join(folder, "one"), places, port);
  closing.push(async () => await one.stop());
  // Both hosts are on one machine, where pages of two ports have one address; members pay at a sandbox.
  const sandbox = Object.entries(provider.env).map(([name, value]) => `${name}=${value}`);
  await one.set(...sandbox, `METRICS_TOKEN=${metricsToken}`, "TRUSTED_PROXY=127.0.0.1");
}, timeLimitMs(180));
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

describe("docs/deploy.md, typed for two machines", { timeout: timeLimitMs(300) }, () => {
  it("makes the login that a host needs on a PostgreSQL of one's own", async () => {
    await shell(one.own(lineOf("sed 's/CHANGE-ME/")));
    documented("sudo systemctl restart postgresql");
    await cluster.restart();
    // Nobody but the superuser is let in otherwise.
    const hba = join(folder, "pg_hba.conf");
    await shell(`psql --tuples-only --no-align --output=${hba}.path --command='show hba_file'`);
    const rules = `host all postgres 127.0.0.1/32 scram-sha-256\n${one.own(lineOf("host all,"))}\n`;
    await writeFile((await readFile(`${hba}.path`, "utf8")).trim(), rules);
    await cluster.run(["select pg_reload_conf()"]);
    await one.set(lineOf("DATABASE_URL="), "HOST=127.0.0.1");
    documented("npm run doctor");
    expect(await one.doctor()).toContain("which the login fourfold can use");
    await one.start();
  });

  it("moves the files of a running install into a bucket", async () => {
    const { url } = one;
    const host = {
      url,
      anonKey: await one.setting("SUPABASE_ANON_KEY"),
      serviceRoleKey: await one.setting("SUPABASE_SERVICE_ROLE_KEY"),
      publishableKey: "",
      secretKey: "",
      jwtSecret: await one.setting("SUPABASE_JWT_SECRET"),
      databaseUrl: await one.setting("DATABASE_URL"),
      dataDir: join(one.folder, "data"),
    };
    const { env, publishableKey, sandbox } = provider;
    billing = new BillingFixture(host, {
      apiBase: sandbox.apiBase,
      controlBase: `${sandbox.apiBase}/control`,
      secretKey: env["STRIPE_SECRET_KEY"] ?? "",
      publishableKey,
      webhookSecret: env["STRIPE_WEBHOOK_SECRET"] ?? "",
    });
    closing.push(async () => await billing.close());
    ada = await billing.payer();
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    await billing.deliverWebhooks();
    const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };
    await finishOnboarding(ada.client, ada.id, person);
    const before = await upload(ada);
    picture = await download(ada, before);
    expect(picture.length).toBeGreaterThan(0);

    const [settings = "", moving = ""] = blocksOf(
      sectionOf(text, "### Stored files in a bucket", "### In containers"),
      "sh",
    );
    await one.set(...settings.split("\n").map(documented));
    expect(await one.doctor()).toContain("The bucket fourfold-files takes files");
    const [move = "", stop = "", moveRest = "", adopt = "", start = "", ...rest] =
      moving.split("\n");
    expect(rest).toEqual([]);
    expect(await type(one, move)).toMatch(/[1-9]\d* files copied and read back, 0 were there/);
    const meanwhile = await upload(ada);
    await type(one, stop);
    expect(await type(one, moveRest)).toContain("1 files copied and read back, ");
    await expect(one.start()).rejects.toThrow("does not hold the files of this database");
    await type(one, adopt);
    await type(one, start);
    await rm(join(one.folder, "data", "storage", "objects"), { recursive: true });
    for (const name of [before, meanwhile]) expect(await download(ada, name)).toEqual(picture);
  });

  it("starts a second host, and files of either are read through the other", async () => {
    two = await one.copyTo(join(folder, "two"));
    closing.push(async () => await two.stop());
    await two.start();
    await shell(one.own(lineOf("curl --fail http://10.0.0.11")));
    expect((await fetch(`${two.url}/readyz`)).status).toBe(200);
    const adaAtTwo = await at(two.url, ada);
    expect(await download(adaAtTwo, await upload(ada))).toEqual(picture);
    expect(await download(ada, await upload(adaAtTwo))).toEqual(picture);
  });

  it.each(["haproxy", "nginx"] as const)(
    "keeps members signed in behind %s while each host restarts",
    async (name) => {
      documented(`the block of ${name}`);
      const port = await freePort();
      const prepared = await prepareBalancer(name, port, [one.port, two.port], folder).catch(
        (error: unknown) => String(error),
      );
      if (typeof prepared === "string") {
        expect(prepared).toContain("is not installed");
        return;
      }
      const balancer = spawn(prepared.program, prepared.args, { stdio: "ignore" });
      try {
        const url = `http://127.0.0.1:${port}`;
        const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
        await expect.poll(isReady).toBe(true);
        const member = await at(url, ada);
        const over = new AbortController();
        const answers: Record<string, number> = {};
        const reading = (async () => {
          while (!over.signal.aborted) {
            const { error, status } = await member.client
              .from("stripe_subscriptions")
              .select("status");
            const answer = error === null ? "read" : `${status} ${error.message}`;
            answers[answer] = (answers[answer] ?? 0) + 1;
            await sleep(100);
          }
        })();
        for (const host of [one, two]) {
          await host.restart();
          // The balancer has to see that it is back.
          await sleep(7000);
        }
        over.abort();
        await reading;
        expect(answers).toEqual({ read: expect.any(Number) as number });
        expect((await member.client.auth.refreshSession()).error).toBeNull();
        expect(await download(member, await upload(member))).toEqual(picture);
      } finally {
        balancer.kill("SIGTERM");
        await once(balancer, "close");
      }
    },
  );

  it("lets one host read the log for both through Redis", async () => {
    const setting = lineOf("REDIS_URL=");
    if (redis === undefined) return;
    for (const host of [one, two]) {
      await host.set(setting);
      await host.restart();
    }
    expect(await one.doctor()).toContain("answers and keeps what hosts put there");
    const members = [await at(one.url, ada), await at(two.url, ada)];
    const readers = await Promise.all(members.map(async (member) => await followRoom(member)));
    const roles = async () =>
      await Promise.all(
        [one, two].map(
          async (host) => await metric(host, /^realtime_log_role\{role="(\w+)"\} 1$/m),
        ),
      );
    await expect.poll(async () => new Set(await roles())).toEqual(new Set(["decoder", "standby"]));
    for (const host of [one, two]) expect(await metric(host, /^redis_up (\d)$/m)).toBe("1");
    const written: string[] = [];
    for (const member of members) written.push((await postTo(member)).id);
    const isTold = () => readers.every((reader) => written.every((id) => reader.has(id)));
    await expect.poll(isTold).toBe(true);
    expect(readers.flatMap((reader) => reader.lost(written))).toEqual([]);
    for (const reader of readers) await reader.close();
  });

  it("turns the password of the database and the token of the figures", async () => {
    expect(text).toContain("`alter role fourfold password '…'` in `psql`");
    const { href, password } = new URL(await one.setting("DATABASE_URL"));
    const [turned, token] = ["another-password", `${metricsToken}-next`];
    await cluster.run([`alter role fourfold password '${turned}'`]);
    const signIn = `PGUSER=fourfold PGPASSWORD=${password} psql --dbname=postgres --command='\\q'`;
    await expect(shell(signIn)).rejects.toThrow("password authentication failed");
    for (const host of [one, two]) {
      await host.unset("DATABASE_URL", "METRICS_TOKEN");
      await host.set(`DATABASE_URL=${href.replace(password, turned)}`, `METRICS_TOKEN=${token}`);
      await host.restart();
      expect(await metric(host, /^# (TYPE) /m)).toBeUndefined();
      expect(await metric(host, /^# (TYPE) /m, token)).toBe("TYPE");
      const member = await at(host.url, ada);
      expect(await download(member, await upload(member))).toEqual(picture);
    }
  });

  it("leads back to the disk", async () => {
    const name = await upload(ada);
    for (const host of [two, one]) await host.stop();
    for (const command of ["move folder", "adopt folder"])
      await one.run("storage.ts", ...documented(command).split(" "));
    const { S3_REGION, ...others } = { S3_REGION: "", ...bucket.env };
    await one.unset(...Object.keys({ S3_REGION, ...others }));
    await one.start();
    expect(await download(ada, name)).toEqual(picture);
    await expect(two.start()).rejects.toThrow("holds the files of another database");
  });

  it("has no line that is not typed here, but those that are tried elsewhere", () => {
    expect([...wanted].filter((line) => !done.has(line)).toSorted()).toEqual(
      Object.keys(leftOut).toSorted(),
    );
  });
});
