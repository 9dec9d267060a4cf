import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pino, type Logger } from "pino";
import type { TestProject } from "vitest/node";
import { startHost } from "basehost";
import { leaveNoFolder, leaveNothingRunning } from "../../tools/leave-nothing.mjs";
import { startProduct, type Product } from "../../tools/product.ts";
import type { RunningHost, RunningSandbox } from "./running.ts";
import { copyPrepared, prepareFolder } from "./prepared-folders.ts";
import { shareFiles } from "./shared-files.ts";
import { projectRoot } from "./spawn-product.ts";
import { highRequestBudgets } from "./start-fixture-host.ts";

/** Of every product that tests start. */
export const productJwtSecret = "product-test-secret-of-at-least-thirty-two-characters";

/** The log of a test product: a file beside its data folder with everything, or standard output when `LOG_LEVEL` is set. */
function logTo(dest: string): Logger {
  const { LOG_LEVEL: level } = process.env;
  if (level !== undefined) return pino({ level });
  return pino({ level: "debug" }, pino.destination({ dest, sync: true }));
}

/** Starts the whole product on a free port, without demo accounts and schedules. */
async function startOver(folder: string, env: Record<string, string> = {}): Promise<Product> {
  return await startProduct({
    env: {
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      SUPABASE_JWT_SECRET: productJwtSecret,
      DEMO: "0",
      ...highRequestBudgets,
      ...env,
    },
    log: logTo(join(folder, "host.log")),
    // Scheduled functions read all members and would disturb tests; tests call them themselves.
    runSchedules: false,
    // A run makes more sign-ups in five minutes than one address may.
    authRateLimits: { sign_in_sign_ups: 100_000 },
  });
}

/** The whole product on a free port and a new folder, or a copy of the one that this run has prepared. */
export async function startTestProduct(env: Record<string, string> = {}): Promise<{
  product: Product;
  running: RunningHost;
  sandbox: RunningSandbox;
  stop: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-test-"));
  leaveNoFolder(folder);
  if (env["DATABASE_URL"] === undefined) {
    await copyPrepared("product", env["DATA_DIR"] ?? join(folder, "data"));
  }
  await shareFiles(env["DATABASE_URL"], env["DATA_DIR"] ?? join(folder, "data"));
  const product = await startOver(folder, env);
  const { host, sandbox } = product;
  const shared = env["STRIPE_API_BASE"];
  const apiBase = sandbox?.apiBase ?? shared;
  if (apiBase === undefined) throw new Error("a test product runs with a sandbox");
  return {
    product,
    running: {
      url: product.url,
      ...host.context.keys.api,
      jwtSecret: productJwtSecret,
      databaseUrl: host.context.db.url,
      dataDir: host.context.config.dataDir,
    },
    sandbox: {
      apiBase,
      controlBase: `${shared ?? `${product.url}/sandbox/stripe`}/control`,
      ...product.stripe,
    },
    stop: async () => {
      await product.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the data folders whose copies the products of this run start over; what it returns removes them. */
export async function prepareTestProduct(): Promise<() => Promise<void>> {
  const removeSchema = await prepareFolder("schema", async (dataDir) => {
    const env = { PORT: "0", DATA_DIR: dataDir };
    const log = pino({ level: "silent" });
    const { context, stop } = await startHost({ env, root: projectRoot, log, runSchedules: false });
    return { databaseUrl: context.db.url, stop };
  });
  const removeProduct = await prepareFolder("product", async (dataDir) => {
    await copyPrepared("schema", dataDir);
    const { host, stop } = await startOver(dirname(dataDir));
    return { databaseUrl: host.context.db.url, stop };
  });
  return async () => {
    await removeProduct();
    await removeSchema();
  };
}

/** One product for all SQL, security and integration tests. Each test creates its own accounts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  leaveNothingRunning();
  const removePrepared = await prepareTestProduct();
  const { running, sandbox, stop } = await startTestProduct();
  project.provide("host", running);
  project.provide("sandbox", sandbox);
  return async () => {
    await stop();
    await removePrepared();
  };
}
