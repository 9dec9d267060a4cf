import { BootError, derivedKeys, Keys, newSecret } from "basehost";
import { readSecrets } from "basehost/database";
import { derivedPushKeys } from "../push-keys.ts";
import { changeEnvFile, readEnvFile, type EnvChanges } from "./env-file.ts";

/** A new JWT secret and the two API keys that it signs. */
export async function newJwtSecret(dataKey: string): Promise<Record<string, string>> {
  const jwtSecret = newSecret();
  // Keys are derived from the secrets alone; no token is checked here.
  const issuers = { accepts: async () => await Promise.resolve(false) };
  const dataKeys = { current: dataKey };
  const { api } = await Keys.create({ jwtSecret, dataKeys, issuers, now: Date.now });
  return {
    SUPABASE_JWT_SECRET: jwtSecret,
    SUPABASE_ANON_KEY: api.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: api.serviceRoleKey,
  };
}

type EnvFile = Record<string, string | undefined>;

function refuseWhileRotating(path: string, env: EnvFile, name: string, what: string): void {
  if (env[name] === undefined) return;
  throw new BootError(
    `${path} has ${name}, so the last rotation is not over: npm run keys -- revoke ${what} ${path} first.`,
  );
}

/** The data key of the install of a `.env` file, which is its JWT secret where no start has kept another. */
async function dataKeyOf(env: EnvFile, jwtSecret: string): Promise<string> {
  const { DATA_KEY: given, DATA_DIR: dataDir = "./data" } = env;
  if (given !== undefined) return given;
  const kept = await readSecrets(dataDir);
  return kept?.dataKey ?? jwtSecret;
}

/**
 * Puts a new JWT secret and API keys into a `.env` file and the old secret beside it, so that its tokens stay good. The data
 * key is written down as well: it must not follow the secret.
 */
export async function rotateJwtSecret(path: string): Promise<string> {
  const env = await readEnvFile(path);
  refuseWhileRotating(path, env, "SUPABASE_JWT_SECRET_PREVIOUS", "jwt-secret");
  const { SUPABASE_JWT_SECRET: old } = env;
  if (old === undefined) throw new BootError(`${path} has no SUPABASE_JWT_SECRET.`);
  const dataKey = await dataKeyOf(env, old);
  const made = await newJwtSecret(dataKey);
  await changeEnvFile(path, {
    ...made,
    SUPABASE_JWT_SECRET_PREVIOUS: old,
    DATA_KEY: dataKey,
  });
  return `Wrote a new JWT secret and two API keys to ${path}. Tokens and keys of the old secret are accepted until it is revoked.`;
}

/**
 * Puts a new data key into a `.env` file and the old one beside it. The pair for push messages follows from the data key
 * where none is set; it is written down, because a new pair would end every subscription.
 */
export async function rotateDataKey(path: string): Promise<string> {
  const env = await readEnvFile(path);
  refuseWhileRotating(path, env, "DATA_KEY_PREVIOUS", "data-key");
  const { SUPABASE_JWT_SECRET: jwtSecret } = env;
  if (jwtSecret === undefined) throw new BootError(`${path} has no SUPABASE_JWT_SECRET.`);
  const old = await dataKeyOf(env, jwtSecret);
  const changes: EnvChanges = { DATA_KEY: newSecret(), DATA_KEY_PREVIOUS: old };
  const push = derivedPushKeys(derivedKeys({ current: old }));
  await changeEnvFile(path, {
    ...changes,
    ...(env["VAPID_PRIVATE_KEY"] === undefined && {
      VAPID_PUBLIC_KEY: push.publicKey,
      VAPID_PRIVATE_KEY: push.privateKey,
    }),
  });
  return `Wrote a new data key to ${path}. The next start encrypts with it what the old one encrypted.`;
}

/** Takes the previous one of a secret out of a `.env` file. */
export async function revokePrevious(path: string, name: string): Promise<string> {
  const env = await readEnvFile(path);
  if (env[name] === undefined) throw new BootError(`${path} has no ${name}.`);
  await changeEnvFile(path, { [name]: undefined });
  return `Took ${name} out of ${path}: from the next start on what was made with it is refused.`;
}
