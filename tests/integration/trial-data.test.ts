import { access, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAccounts, demoPassword } from "../../tools/demo/accounts.ts";
import { startProduct } from "../../tools/product.ts";
import { freePort, projectRoot, spawnScript } from "../support/spawn-product.ts";

const serveScript = join(projectRoot, "tools", "serve.ts");
const jwtSecret = "trial-test-secret-of-at-least-thirty-two-characters";
const adminEmail = demoAccounts.find(({ role }) => role === "admin")?.email ?? "";

/** The variables that production requires; these tests call none of the services. */
const productionEnv = {
  PUBLIC_URL: "https://members.example.test",
  SUPABASE_JWT_SECRET: jwtSecret,
  SUPABASE_ANON_KEY: "sb_publishable_trial_data_test_key",
  SUPABASE_SERVICE_ROLE_KEY: "sb_secret_trial_data_test_key",
  STRIPE_SECRET_KEY: "sk_live_trialdatatest",
  STRIPE_PUBLISHABLE_KEY: "pk_live_trialdatatest",
  STRIPE_WEBHOOK_SECRET: "whsec_trialdatatest",
  STRIPE_PRICE_STUDENT: "price_student_live",
  STRIPE_PRICE_MENTOR: "price_mentor_live",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "hello@members.example.test",
};

let folder = "";
let dataDir = "";

/** A local install as `npm start` makes it, demo accounts included. */
async function tryLocally(): Promise<{ inboxFromTunnel: number; inbox: number }> {
  const product = await startProduct({
    env: { PORT: "0", DATA_DIR: dataDir, SUPABASE_JWT_SECRET: jwtSecret, DEMO: "1" },
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
  try {
    return {
      inbox: await statusOf(`${product.url}/dev/inbox`, {}),
      inboxFromTunnel: await statusOf(`${product.url}/dev/inbox`, { host: "tunnel.example.test" }),
    };
  } finally {
    await product.stop();
  }
}

/** A production start that is expected to work; the work is done while it serves. */
async function serveProduction(data: string, work: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const env = { ...productionEnv, DATA_DIR: join(folder, data), PORT: `${port}` };
  const product = spawnScript([serveScript], env, folder);
  await product.says("Fourfold is ready");
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    product.child.kill("SIGTERM");
  }
  expect(await product.ended).toBe(0);
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return await new Promise((resolve, reject) => {
    const call = request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once("error", reject);
    call.end();
  });
}

async function refusal(env: Record<string, string>): Promise<string> {
  const spawned = spawnScript([serveScript], { DATA_DIR: dataDir, PORT: "0", ...env }, folder);
  const code = await spawned.ended;
  expect(spawned.output()).not.toContain("    at ");
  expect(code).not.toBe(0);
  return spawned.output();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-trial-"));
  dataDir = join(folder, "data");
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("an install that others can reach is production", () => {
  it.each([
    ["a public PUBLIC_URL", { PUBLIC_URL: "http://members.example.test" }, "PUBLIC_URL: can be"],
    ["a HOST that listens for others", { HOST: "0.0.0.0" }, "HOST: can be reached"],
    [
      "a HOST that listens for others, whatever PUBLIC_URL says,",
      { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" },
      "HOST: can be reached",
    ],
  ])("%s needs all that production needs", async (_, env, reason) => {
    const output = await refusal({ ...env, DEMO: "1" });
    expect(output).toContain(reason);
    for (const name of ["SUPABASE_JWT_SECRET", "STRIPE_SECRET_KEY", "SMTP_URL", "DEMO"]) {
      expect(output).toContain(`${name}: `);
    }
    // It is refused before anything is made.
    await expect(access(dataDir)).rejects.toThrow();
  });
});

describe("production over the data of a trial", () => {
  it("is refused for demo accounts and test payments, and starts without them", async () => {
    expect(await tryLocally()).toEqual({ inbox: 200, inboxFromTunnel: 403 });

    const both = await refusal(productionEnv);
    expect(both).toContain("demo accounts, whose password is public");
    expect(both).toContain("memberships paid with test cards");
    expect(both).toContain("npm run db:reset");

    // What remains in the folder does not matter: the database says what it was used for.
    await rm(join(dataDir, "sandbox.json"));
    await rm(join(dataDir, "demo.json"));
    expect(await refusal({ ...productionEnv, NODE_ENV: "production" })).toBe(both);
  });

  it("serves neither caught e-mail nor the card sandbox, and starts with accounts that signed up", async () => {
    await serveProduction("clean", async (url) => {
      expect(await statusOf(`${url}/readyz`, {})).toBe(200);
      for (const path of ["/dev/inbox", "/sandbox/stripe/v3/"]) {
        const response = await fetch(`${url}${path}`);
        // Unknown addresses are served by the web app, which has no such page either.
        expect(await response.text()).not.toMatch(/inbox|window\.Stripe/i);
      }
      const anonymousClient = createClient(url, productionEnv.SUPABASE_ANON_KEY);
      await anonymousClient.auth.signUp({ email: adminEmail, password: demoPassword });
      const service = createClient(url, productionEnv.SUPABASE_SERVICE_ROLE_KEY);
      const { data } = await service.auth.admin.listUsers();
      expect(data.users.map(({ email }) => email)).toEqual([adminEmail]);
    });
    await serveProduction("clean", async (url) => {
      expect(await statusOf(`${url}/readyz`, {})).toBe(200);
    });
  });
});
