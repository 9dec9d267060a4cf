import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { BootError, parseSigningKeys, type SigningAlgorithm } from "basehost";
import { readWhole, replaceFile } from "./env-file.ts";

type Jwk = Record<string, unknown>;

/** Halves of a key that only the signer needs, by their names in a JWK. */
const privateParts = new Set(["d", "p", "q", "dp", "dq", "qi"]);

/** A key in standby, which verifies before it signs. */
function newKey(alg: SigningAlgorithm): Jwk {
  const { privateKey } =
    alg === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const numbers = privateKey.export({ format: "jwk" });
  return { kid: randomUUID(), alg, use: "sig", key_ops: ["verify"], ext: true, ...numbers };
}

async function readKeys(path: string): Promise<{ keys: Jwk[]; stateOf: (key: Jwk) => string }> {
  const text = await readWhole(path);
  const { keys } = parseSigningKeys(text, path);
  const stateOf = (key: Jwk) => keys.get(String(key["kid"]))?.state ?? "";
  return { keys: JSON.parse(text) as Jwk[], stateOf };
}

async function writeKeys(path: string, keys: readonly Jwk[]): Promise<void> {
  const text = `${JSON.stringify(keys, null, 2)}\n`;
  // Whatever a command makes of the file, a start must be able to use it.
  parseSigningKeys(text, path);
  await replaceFile(path, text);
}

/** Adds a standby key, to a new file when there is none. */
export async function addSigningKey(path: string, alg: SigningAlgorithm): Promise<string> {
  const standby = newKey(alg);
  const said = `${String(standby["kid"])}, a standby key, is in ${path}. It is published from the next start on.`;
  try {
    const text = `${JSON.stringify([standby], null, 2)}\n`;
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
    return said;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new BootError(`${path} cannot be written: ${message}`);
  }
  const { keys, stateOf } = await readKeys(path);
  if (keys.some((key) => stateOf(key) === "standby")) {
    throw new BootError(`${path} has a standby key already; rotate to it first.`);
  }
  await writeKeys(path, [...keys, standby]);
  return said;
}

/** Lets the standby key sign. The key in use becomes a previous one and loses its private half. */
export async function rotateSigningKey(path: string): Promise<string> {
  const { keys, stateOf } = await readKeys(path);
  const next = keys.find((key) => stateOf(key) === "standby");
  if (next === undefined) {
    throw new BootError(`${path} has no standby key; npm run keys -- add signing-key ${path}`);
  }
  const turned = keys.map((key) => {
    if (key === next) return { ...key, key_ops: ["sign", "verify"] };
    if (stateOf(key) !== "in_use") return key;
    const entries = Object.entries(key).filter(([name]) => !privateParts.has(name));
    return { ...Object.fromEntries(entries), key_ops: ["verify"] };
  });
  await writeKeys(path, turned);
  return `From the next start on ${String(next["kid"])} signs. What the key before it signed is accepted until it is revoked.`;
}

/** Takes the previous keys out of the file, so that what they signed is refused. */
export async function revokeSigningKey(path: string): Promise<string> {
  const { keys, stateOf } = await readKeys(path);
  const left = keys.filter((key) => stateOf(key) !== "previous");
  const revoked = keys.length - left.length;
  if (revoked === 0) throw new BootError(`${path} has no previous key.`);
  await writeKeys(path, left);
  return `Revoked ${revoked === 1 ? "a previous key" : `${revoked} previous keys`}: from the next start on tokens they signed are refused.`;
}
