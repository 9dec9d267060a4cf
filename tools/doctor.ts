import { access, constants, mkdir, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { Stripe } from "stripe";
import { BootError, openProject, probeRedis, readHostConfig } from "basehost";
import { openBucket } from "basehost/files";
import {
  assertNoPool,
  assertUsable,
  chooseServerAccount,
  connectOwner,
  findBinaries,
} from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";
import { readEnvironment } from "./environment.ts";
import { checkBucket } from "./bucket-access.ts";
import { checkKeys } from "./keys-in-rotation.ts";
import { checkMailLogin } from "./mail-login.ts";
import { checkReplica, checkRequestPool } from "./database-addresses.ts";
import { readProductConfig } from "./product-config.ts";
import {
  checkAccount,
  checkPermissions,
  checkWallets,
  checkWebhook,
  readingsOf,
} from "./provider-account.ts";
import { settleWithProvider } from "./provider-afternoon.ts";
import { checkPrices } from "./provider-prices.ts";
import { checkRedis } from "./redis-access.ts";
import { checkServerMemory } from "./server-memory.ts";
import { checkServerRoom } from "./server-room.ts";
import { checkPlaceholders } from "./setting-placeholders.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const migrationsFolder = join(root, "supabase", "migrations");
/** The prices that the migrations store. A running install also compares its own every five minutes. */
const studentPrice = { amount: 5000, currency: "gbp" };
const mentorPrice = { amount: 10_000, currency: "gbp" };
const minFreeBytes = 1024 ** 3;

async function portIsFree(port: number, host: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

const sandboxAnswers = "the sandbox needs none";

/** The real card provider's client; undefined where a sandbox is used. */
function provider(env: NodeJS.ProcessEnv): { stripe: Stripe; key: string } | undefined {
  const { stripe: keys, sharedSandbox } = readProductConfig(env);
  if (keys === undefined || sharedSandbox !== undefined) return undefined;
  const stripe = new Stripe(keys.secretKey, { maxNetworkRetries: 1, timeout: 10_000 });
  return { stripe, key: keys.secretKey };
}

/** What can keep the product from starting, and how each is checked. */
const questions: [question: string, ask: (env: NodeJS.ProcessEnv) => Promise<CheckAnswer>][] = [
  [
    "environment",
    async (env) => {
      const { stripe, sharedSandbox } = readProductConfig(env);
      const isReal = stripe !== undefined && sharedSandbox === undefined;
      return await Promise.resolve(isReal ? "real card provider" : "card-provider sandbox");
    },
  ],
  [
    "database",
    async (env) => {
      const { databaseUrl, dataDir } = readHostConfig(env);
      if (databaseUrl === undefined) {
        const { postgres } = await findBinaries();
        const { kind } = await chooseServerAccount(join(dataDir, "postgres"), [postgres]);
        return `embedded (${kind})`;
      }
      const client = await connectOwner(databaseUrl);
      try {
        const { databasePoolUrl } = readHostConfig(env);
        await assertNoPool(client, databasePoolUrl !== undefined);
        await assertUsable(client, migrationsFolder);
        const { rows } = await client.query<{ version: string; login: string }>(
          "select current_setting('server_version') as version, current_user as login",
        );
        return `PostgreSQL ${rows[0]?.version}, which the login ${rows[0]?.login} can use`;
      } finally {
        await client.end();
      }
    },
  ],
  ["settings", async (env) => await Promise.resolve(checkPlaceholders(env))],
  ["keys", async (env) => await checkKeys(await openProject(root), env)],
  [
    "server room",
    async (env) => {
      const config = readHostConfig(env);
      if (config.databaseUrl === undefined) return "the embedded server serves one host";
      const client = await connectOwner(config.databaseUrl);
      try {
        return await checkServerRoom(client, config);
      } finally {
        await client.end();
      }
    },
  ],
  ["memory", async (env) => await checkServerMemory(readHostConfig(env), env)],
  ["pool", async (env) => await checkRequestPool(readHostConfig(env))],
  ["replica", async (env) => await checkReplica(readHostConfig(env))],
  ["mail", async (env) => await checkMailLogin(readHostConfig(env).smtpUrl)],
  [
    "prices",
    async (env) => {
      const { prices } = readProductConfig(env);
      const real = provider(env);
      if (real === undefined) return "the sandbox has those of the catalogue";
      const isLive = /^(?:sk|rk)_live_/.test(real.key);
      return await checkPrices(
        async (id) => await real.stripe.prices.retrieve(id),
        [
          { plan: "student-access", priceId: prices["student-access"], ...studentPrice },
          { plan: "mentor-access", priceId: prices["mentor-access"], ...mentorPrice },
        ],
        isLive,
      );
    },
  ],
  [
    "card account",
    async (env) => {
      const real = provider(env);
      if (real === undefined) return sandboxAnswers;
      return await checkAccount(async () => await real.stripe.accounts.retrieveCurrent());
    },
  ],
  [
    "webhook",
    async (env) => {
      const real = provider(env);
      if (real === undefined) return sandboxAnswers;
      const { publicUrl } = readHostConfig(env);
      if (publicUrl === undefined) return { warning: "not looked at: PUBLIC_URL is not set" };
      const list = async () => (await real.stripe.webhookEndpoints.list({ limit: 100 })).data;
      return await checkWebhook(list, publicUrl);
    },
  ],
  [
    "wallets",
    async (env) => {
      const real = provider(env);
      if (real === undefined) return sandboxAnswers;
      const { publicUrl } = readHostConfig(env);
      if (publicUrl === undefined) return { warning: "not looked at: PUBLIC_URL is not set" };
      const list = async () => (await real.stripe.paymentMethodDomains.list({ limit: 100 })).data;
      return await checkWallets(list, publicUrl);
    },
  ],
  [
    "card key",
    async (env) => {
      const real = provider(env);
      if (real === undefined) return sandboxAnswers;
      return await checkPermissions(readingsOf(real.stripe), real.key.startsWith("rk_"));
    },
  ],
  [
    "data folder",
    async (env) => {
      const { dataDir } = readHostConfig(env);
      await mkdir(dirname(dataDir), { recursive: true });
      await access(dirname(dataDir), constants.W_OK);
      const { bavail, bsize } = await statfs(dirname(dataDir));
      if (bavail * bsize < minFreeBytes) throw new BootError("less than 1 GiB of disk is free");
      return dataDir;
    },
  ],
  [
    "files",
    async (env) => {
      const { s3 } = readHostConfig(env);
      if (s3 === undefined)
        return "on the disk of DATA_DIR, so for one host, or a disk that all share";
      return await checkBucket(await openBucket(s3, pino({ level: "silent" })));
    },
  ],
  [
    "redis",
    async (env) => {
      const { redisUrl } = readHostConfig(env);
      if (redisUrl === undefined) return "none: each host reads the log for itself";
      return await checkRedis(async () => await probeRedis(redisUrl));
    },
  ],
  [
    "backups",
    async (env) => {
      const { backups, databaseUrl } = readHostConfig(env);
      if (backups === undefined) {
        return databaseUrl === undefined
          ? { warning: "none are scheduled: BACKUP_DIR is not set" }
          : "left to the tools of the server of DATABASE_URL";
      }
      await mkdir(backups.folder, { recursive: true, mode: 0o700 });
      await access(backups.folder, constants.W_OK);
      return `every ${backups.everyHours} h to ${backups.folder}, ${backups.keep} are kept`;
    },
  ],
  [
    "port",
    async (env) => {
      const { port, host } = readHostConfig(env);
      if (await portIsFree(port, host)) return `${host}:${port} is free`;
      throw new BootError(`${host}:${port} is taken: the product is running, or another program`);
    },
  ],
];

const usage = "Usage: npm run doctor [-- --strict | --afternoon]";

/** Asks an account of the card provider in test mode what only it can settle, which takes a while. */
async function settle(env: NodeJS.ProcessEnv): Promise<void> {
  const real = provider(env);
  if (real === undefined) {
    throw new BootError("--afternoon asks a real account: set the card provider's test keys");
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const open = await settleWithProvider(real.stripe, real.key, say);
  if (open > 0) process.exitCode = 1;
}

/** Asks everything, and says whether there were warnings. */
async function main(env: NodeJS.ProcessEnv, isStrict: boolean): Promise<void> {
  const say = (question: string, text: string) =>
    process.stdout.write(`${question.padEnd(13)}${text}\n`);
  say("node", process.version);
  let warnings = 0;
  for (const [question, ask] of questions) {
    try {
      const answer = await ask(env);
      if (typeof answer === "string") say(question, answer);
      else {
        warnings += 1;
        say(question, `WARNING: ${answer.warning}`);
      }
    } catch (error) {
      process.exitCode = 1;
      say(question, `PROBLEM: ${(error as Error).message}`);
    }
  }
  if (isStrict && warnings > 0) process.exitCode = 1;
}

try {
  const [flag, ...rest] = process.argv.slice(2);
  const isKnown = flag === undefined || flag === "--strict" || flag === "--afternoon";
  if (!isKnown || rest.length > 0) throw new BootError(usage);
  const env = await readEnvironment(process.cwd(), process.env);
  if (flag === "--afternoon") await settle(env);
  else await main(env, flag === "--strict");
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
