import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { fixtureJwtSecret, startFixtureHost } from "../../support/start-fixture-host.ts";
import { call } from "./requests.ts";
import { rejectionsOf } from "./token-statuses.ts";

type Fixture = Awaited<ReturnType<typeof startFixtureHost>>;

const next = "the-next-secret-of-several-hosts-0123456789";
let folder = "";
let notYet: Fixture;
let already: Fixture;

/** Two hosts over one database in the middle of a round of restarts: only the second signs with the new key. */
async function start(before: Record<string, string>, after: Record<string, string>): Promise<void> {
  notYet = await startFixtureHost(before);
  already = await startFixtureHost({ ...after, DATABASE_URL: notYet.running.databaseUrl });
}

async function stop(): Promise<void> {
  await already.stop();
  await notYet.stop();
}

async function tokens(): Promise<string[]> {
  const email = newEmail();
  await call(notYet.running, "/signup", { body: { email, password: testPassword } });
  const answers = await Promise.all(
    [notYet, already].map(
      async ({ running }) =>
        await call(running, "/token?grant_type=password", {
          body: { email, password: testPassword },
        }),
    ),
  );
  return answers.map(({ body }) => String(body["access_token"]));
}

async function expectAcceptedByBoth(found: readonly string[]): Promise<void> {
  for (const { running } of [notYet, already]) {
    for (const token of found) expect(await rejectionsOf(running, token)).toEqual([]);
  }
}

describe("while one of two hosts signs with the next JWT secret", () => {
  beforeAll(async () => {
    await start(
      { SUPABASE_JWT_SECRET: fixtureJwtSecret, SUPABASE_JWT_SECRET_PREVIOUS: next },
      { SUPABASE_JWT_SECRET: next, SUPABASE_JWT_SECRET_PREVIOUS: fixtureJwtSecret },
    );
  });
  afterAll(stop);

  test("both accept the tokens and API keys of both", async () => {
    await expectAcceptedByBoth(await tokens());
    for (const { running } of [notYet, already]) {
      for (const { anonKey } of [notYet.running, already.running]) {
        expect((await call({ url: running.url, anonKey }, "/settings")).status).toBe(200);
      }
    }
    expect(notYet.running.anonKey).not.toBe(already.running.anonKey);
  });
});

describe("while one of two hosts signs with the first signing key", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rolling-rotation-"));
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = { kid: "first", alg: "ES256", ...privateKey.export({ format: "jwk" }) };
    const env = async (name: string, operations: string[]) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify([{ ...key, key_ops: operations }]));
      return { SUPABASE_AUTH_SIGNING_KEYS_PATH: path };
    };
    await start(
      await env("standby.json", ["verify"]),
      await env("in-use.json", ["sign", "verify"]),
    );
  });
  afterAll(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("both accept the tokens of both", async () => {
    const found = await tokens();
    expect(found.map((token) => decodeProtectedHeader(token).alg)).toEqual(["HS256", "ES256"]);
    await expectAcceptedByBoth(found);
  });
});
