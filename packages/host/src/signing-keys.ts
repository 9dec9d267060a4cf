// Asymmetric signing keys, as `signing_keys_path` of config.toml names them: a JSON array of JWKs, each with a `kid`.

import {
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type JsonWebKeyInput,
  type KeyObject,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { keptAuthSettings } from "./auth/settings.ts";
import { BootError, formatIssues } from "./boot-error.ts";
import { withoutEmpty } from "./config.ts";
import type { Project } from "./project.ts";

/** Algorithms of signing keys, those that the official CLI makes. */
export type SigningAlgorithm = "ES256" | "RS256";

/** A key is `standby` before it signs, `in_use` while it does, and `previous` afterwards. A revoked one is not in the file. */
export type SigningKeyState = "standby" | "in_use" | "previous";

/** A key that tokens are verified with. */
export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  state: SigningKeyState;
  publicKey: KeyObject;
  /** As `/auth/v1/.well-known/jwks.json` publishes it. */
  publicJwk: Readonly<Record<string, unknown>>;
}

/** The signing keys of an install. */
export interface SigningKeys {
  readonly keys: ReadonlyMap<string, SigningKey>;
  /** The one key that signs; undefined when the JWT secret does. */
  readonly signer: { kid: string; alg: SigningAlgorithm; privateKey: KeyObject } | undefined;
}

/** Without signing keys the JWT secret signs. */
export const noSigningKeys: SigningKeys = { keys: new Map(), signer: undefined };

/** Smaller keys are refused by the libraries that verify (RFC 7518). */
const minRsaBits = 2048;

const text = z.string().min(1);
const operations = z.array(z.enum(["sign", "verify"])).min(1);
const jwk = z.discriminatedUnion("alg", [
  z.object({
    alg: z.literal("ES256"),
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    kid: text.max(256),
    key_ops: operations,
    x: text,
    y: text,
    d: text.optional(),
  }),
  z.object({
    alg: z.literal("RS256"),
    kty: z.literal("RSA"),
    kid: text.max(256),
    key_ops: operations,
    n: text,
    e: text,
    d: text.optional(),
    p: text.optional(),
    q: text.optional(),
    dp: text.optional(),
    dq: text.optional(),
    qi: text.optional(),
  }),
]);
type Jwk = z.infer<typeof jwk>;

function publicJwkOf(key: Jwk): Record<string, unknown> {
  const { kid, alg, kty } = key;
  const numbers =
    key.alg === "ES256" ? { crv: key.crv, x: key.x, y: key.y } : { n: key.n, e: key.e };
  return { kid, alg, kty, use: "sig", key_ops: ["verify"], ...numbers };
}

function stateOf(key: Jwk): SigningKeyState {
  if (key.key_ops.includes("sign")) return "in_use";
  return key.d === undefined ? "previous" : "standby";
}

function keyObjects(key: Jwk): { publicKey: KeyObject; privateKey: KeyObject | undefined } {
  const publicJwk = publicJwkOf(key);
  const publicKey = createPublicKey({ format: "jwk", key: publicJwk });
  if (key.alg === "RS256" && (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits) {
    throw new Error(`has fewer than ${minRsaBits} bits`);
  }
  const privateKey =
    key.d === undefined
      ? undefined
      : createPrivateKey({ format: "jwk", key: key as JsonWebKeyInput["key"] });
  // A private half of another key would sign what nobody can verify. Its import alone does not show it.
  const probe = Buffer.from(key.kid);
  if (privateKey && !verify("sha256", probe, publicKey, sign("sha256", probe, privateKey))) {
    throw new Error("has the private half of another key");
  }
  return { publicKey, privateKey };
}

/**
 * Reads a set of signing keys. As for the auth service of hosted projects, the one with `sign` in `key_ops` signs. There may
 * be none: then the JWT secret signs, and a first key can be published before it does.
 * @throws {BootError} with a sentence that names `place` and never contains a key
 */
export function parseSigningKeys(json: string, place: string): SigningKeys {
  const refuse = (reason: string) => new BootError(`The signing keys in ${place} ${reason}.`);
  let values: unknown;
  try {
    values = JSON.parse(json);
  } catch {
    throw refuse("are not valid JSON");
  }
  const parsed = z.array(jwk).min(1).safeParse(values);
  if (!parsed.success) {
    throw refuse(
      `must be a JSON array of JWKs for ES256 or RS256, with kid, alg and key_ops: ${formatIssues(parsed.error).join("; ")}`,
    );
  }
  const keys = new Map<string, SigningKey>();
  const signers: NonNullable<SigningKeys["signer"]>[] = [];
  for (const one of parsed.data) {
    const { kid, alg } = one;
    if (keys.has(kid)) throw refuse(`name ${kid} twice`);
    try {
      const { publicKey, privateKey } = keyObjects(one);
      const state = stateOf(one);
      keys.set(kid, { kid, alg, state, publicKey, publicJwk: publicJwkOf(one) });
      if (state !== "in_use") continue;
      if (privateKey === undefined) throw new Error("is to sign and has no private half");
      signers.push({ kid, alg, privateKey });
    } catch (error) {
      throw refuse(`are not usable: ${kid} ${(error as Error).message}`);
    }
  }
  if (signers.length > 1) {
    throw refuse(`must have "sign" in key_ops of one key alone, and ${signers.length} have it`);
  }
  return { keys, signer: signers[0] };
}

/**
 * Path of the file with signing keys: `SUPABASE_AUTH_SIGNING_KEYS_PATH`, by which the official CLI overrides config.toml, or
 * `signing_keys_path`; both from the folder of config.toml. Undefined when neither is set.
 */
export function signingKeysPath(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { signing_keys_path: configured } = keptAuthSettings(project, env);
  const path = withoutEmpty(env)["SUPABASE_AUTH_SIGNING_KEYS_PATH"] ?? configured;
  return typeof path === "string" && path !== "" ? resolve(project.folder, path) : undefined;
}

/**
 * The signing keys of a project.
 * @throws {BootError} when the file cannot be read or used
 */
export async function loadSigningKeys(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SigningKeys> {
  const path = signingKeysPath(project, env);
  if (path === undefined) return noSigningKeys;
  const json = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new BootError(`The signing keys in ${path} cannot be read: ${error.message}`);
  });
  return parseSigningKeys(json, path);
}
