import { stat } from "node:fs/promises";
import { Keys, loadSigningKeys, readHostConfig, signingKeysPath, type Project } from "basehost";
import { readSecrets } from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";
import { readProductConfig } from "./product-config.ts";

const stateNames = { standby: "standby", in_use: "in use", previous: "previous" } as const;

type Env = Readonly<Record<string, string | undefined>>;

/** What signs, one sentence for each key; a file that others can read is as good as published. */
async function describeSigningKeys(project: Project, env: Env) {
  const path = signingKeysPath(project, env);
  if (path === undefined) return { said: ["the JWT secret signs"], warnings: [] };
  const { keys, signer } = await loadSigningKeys(project, env);
  const { mode } = await stat(path);
  return {
    said: [
      ...(signer ? [] : ["the JWT secret signs"]),
      ...[...keys.values()].map(
        ({ kid, alg, state }) => `signing key ${kid} (${alg}) is ${stateNames[state]}`,
      ),
    ],
    warnings: (mode & 0o077) === 0 ? [] : [`${path} can be read by other accounts: chmod 600`],
  };
}

/** Names of settings that hold the previous one of a secret as well. */
function previousSecrets(env: Env): string[] {
  const { previousJwtSecret, previousDataKey } = readHostConfig(env);
  const { stripe } = readProductConfig(env);
  return [
    ...(previousJwtSecret === undefined ? [] : ["SUPABASE_JWT_SECRET_PREVIOUS is set"]),
    ...(previousDataKey === undefined ? [] : ["DATA_KEY_PREVIOUS is set"]),
    ...(stripe?.webhookSecret.includes(",") === true ? ["STRIPE_WEBHOOK_SECRET holds two"] : []),
  ];
}

/** Legacy API keys of the environment that the JWT secret did not sign: as tokens they end with the secret that did. */
async function staleApiKeys(env: Env): Promise<string[]> {
  const { jwtSecret, anonKey, serviceRoleKey } = readHostConfig(env);
  if (jwtSecret === undefined) return [];
  const issuers = { accepts: async () => await Promise.resolve(true) };
  const dataKeys = { current: jwtSecret };
  const keys = await Keys.create({ jwtSecret, dataKeys, issuers, now: Date.now });
  const given = { SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey };
  const stale: string[] = [];
  for (const [name, key] of Object.entries(given)) {
    if (key?.startsWith("ey") !== true || (await keys.roleOfKey(key)) !== undefined) continue;
    stale.push(`${name} was not made with SUPABASE_JWT_SECRET`);
  }
  return stale;
}

/** Where the data key is. */
async function describeDataKey(env: Env): Promise<string> {
  const { dataKey, dataDir, jwtSecret } = readHostConfig(env);
  if (dataKey !== undefined) return "the data key is DATA_KEY";
  const kept = (await readSecrets(dataDir))?.dataKey;
  if (kept === undefined) return "the first start keeps a data key in DATA_DIR";
  return kept === jwtSecret
    ? "the data key, in DATA_DIR, is still the JWT secret"
    : "the data key is in DATA_DIR";
}

/**
 * Says which keys sign, what is being rotated, and what would go on being accepted.
 * @throws {BootError} when the signing keys cannot be used
 */
export async function checkKeys(project: Project, env: Env): Promise<CheckAnswer> {
  const signing = await describeSigningKeys(project, env);
  const rotating = previousSecrets(env);
  const said = [...signing.said, await describeDataKey(env)];
  const warnings = [
    ...signing.warnings,
    ...(await staleApiKeys(env)),
    ...(rotating.length === 0 ? [] : [`in rotation: ${rotating.join(", ")}`]),
  ];
  if (warnings.length === 0) return said.join("; ");
  return { warning: [...warnings, ...said].join("; ") };
}
