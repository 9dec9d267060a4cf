import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { derivedKeys, parseSigningKeys } from "basehost";
import { derivedPushKeys } from "../push-keys.ts";
import { readEnvFile } from "./env-file.ts";
import { revokePrevious, rotateDataKey, rotateJwtSecret } from "./rotate-secrets.ts";
import { addSigningKey, revokeSigningKey, rotateSigningKey } from "./signing-key-file.ts";

const jwtSecret = "first-secret-0123456789-abcdefghijkl";
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rotate-keys-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A `.env` file of an install, whose data folder may have been used. */
async function install(kept?: Record<string, string>): Promise<string> {
  const place = await mkdtemp(join(folder, "install-"));
  const dataDir = join(place, "data");
  await mkdir(dataDir);
  if (kept) await writeFile(join(dataDir, "secrets.json"), JSON.stringify(kept));
  const path = join(place, ".env");
  await writeFile(
    path,
    `# ours\nSUPABASE_JWT_SECRET=${jwtSecret}\nDATA_DIR=${dataDir}\nPORT=3000\n`,
  );
  return path;
}

const secretsOf = (more: Record<string, string>) => ({
  jwtSecret: "generated-and-unused-0123456789-abcd",
  databasePassword: "of-the-embedded-database",
  ...more,
});

describe("a new JWT secret", () => {
  it.each([
    [
      "the data key that a start has kept",
      secretsOf({ dataKey: "kept-".repeat(8) }),
      "kept-".repeat(8),
    ],
    ["the old secret, where an older version ran", secretsOf({}), jwtSecret],
    ["the old secret, where the folder is elsewhere", undefined, jwtSecret],
  ])("leaves the old one beside it, and writes down %s", async (_, kept, dataKey) => {
    const path = await install(kept);
    await rotateJwtSecret(path);
    const env = await readEnvFile(path);
    expect(env).toMatchObject({
      SUPABASE_JWT_SECRET_PREVIOUS: jwtSecret,
      DATA_KEY: dataKey,
      PORT: "3000",
    });
    expect(env["SUPABASE_JWT_SECRET"]).not.toBe(jwtSecret);
    expect(await readFile(path, "utf8")).toMatch(/^# ours\n/);
    // A second rotation would forget the first secret while its tokens are still used.
    await expect(rotateJwtSecret(path)).rejects.toThrow(/the last rotation is not over/);
    await revokePrevious(path, "SUPABASE_JWT_SECRET_PREVIOUS");
    expect(await readEnvFile(path)).not.toHaveProperty("SUPABASE_JWT_SECRET_PREVIOUS");
    await expect(revokePrevious(path, "SUPABASE_JWT_SECRET_PREVIOUS")).rejects.toThrow(/has no/);
    await rotateJwtSecret(path);
    expect(await readEnvFile(path)).toMatchObject({ DATA_KEY: dataKey });
  });
});

it("a new data key keeps the pair of push messages, which followed from the old one", async () => {
  const path = await install();
  await rotateDataKey(path);
  const env = await readEnvFile(path);
  const { publicKey, privateKey } = derivedPushKeys(derivedKeys({ current: jwtSecret }));
  expect(env).toMatchObject({
    DATA_KEY_PREVIOUS: jwtSecret,
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  });
  await expect(rotateDataKey(path)).rejects.toThrow(/the last rotation is not over/);
  await revokePrevious(path, "DATA_KEY_PREVIOUS");
  await rotateDataKey(path);
  expect(await readEnvFile(path)).toMatchObject({ VAPID_PRIVATE_KEY: privateKey });
});

it("signing keys go through their states, and a previous one has no private half", async () => {
  const path = join(folder, "signing_keys.json");
  const states = async () => {
    const text = await readFile(path, "utf8");
    const { keys } = parseSigningKeys(text, path);
    return [...keys.values()].map(({ alg, state }) => `${alg} ${state}`);
  };
  await expect(rotateSigningKey(path)).rejects.toThrow(/cannot be read/);
  await addSigningKey(path, "RS256");
  expect(await states()).toEqual(["RS256 standby"]);
  await rotateSigningKey(path);
  expect(await states()).toEqual(["RS256 in_use"]);
  await expect(rotateSigningKey(path)).rejects.toThrow(/no standby key/);
  await expect(revokeSigningKey(path)).rejects.toThrow(/no previous key/);
  await addSigningKey(path, "ES256");
  expect(await states()).toEqual(["RS256 in_use", "ES256 standby"]);
  await expect(addSigningKey(path, "ES256")).rejects.toThrow(/has a standby key already/);
  await rotateSigningKey(path);
  expect(await states()).toEqual(["RS256 previous", "ES256 in_use"]);
  const [previous] = JSON.parse(await readFile(path, "utf8")) as object[];
  expect(Object.keys(previous ?? {}).toSorted()).toEqual(
    ["alg", "e", "ext", "key_ops", "kid", "kty", "n", "use"].toSorted(),
  );
  await revokeSigningKey(path);
  expect(await states()).toEqual(["ES256 in_use"]);
});
