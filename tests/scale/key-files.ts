import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keys, newSecret } from "basehost";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { changeEnvFile, readEnvFile } from "../../tools/keys/env-file.ts";
import { revokePrevious, rotateJwtSecret } from "../../tools/keys/rotate-secrets.ts";
import {
  addSigningKey,
  revokeSigningKey,
  rotateSigningKey,
} from "../../tools/keys/signing-key-file.ts";

/** One change of the files, after which all hosts are restarted in turn. */
export interface KeyStep {
  name: string;
  change: () => Promise<unknown>;
  /** What signs new tokens afterwards. */
  signer: string;
  /** What signed those that are refused afterwards. */
  revokes?: string;
}

/** The `.env` and the file of signing keys that all hosts have. */
export interface KeyFiles {
  /** Settings of a host that starts now. */
  settings: () => Promise<Record<string, string>>;
  /** The keys that follow from the data key, as the web app has them, and go on when secrets are replaced. */
  publishableKey: string;
  secretKey: string;
  /** Both rotations of docs/deploy.md for several hosts, in their order; what may share a round of restarts does. */
  steps: readonly KeyStep[];
  /** What signed a token: the first or second secret or key. */
  signerOf: (token: string) => Promise<string>;
  remove: () => Promise<void>;
}

const ordinals = ["first", "second"];

async function signedWith(token: string, secret: string): Promise<boolean> {
  return await jwtVerify(token, new TextEncoder().encode(secret)).then(
    () => true,
    () => false,
  );
}

/** Begins a `.env` with new secrets, and changes it from then on with what `npm run keys` does. */
export async function beginKeyFiles(): Promise<KeyFiles> {
  const folder = await mkdtemp(join(tmpdir(), "key-files-"));
  const [envFile, keyFile] = [join(folder, ".env"), join(folder, "signing_keys.json")];
  const [jwtSecret, dataKey] = [newSecret(), newSecret()];
  await writeFile(envFile, `SUPABASE_JWT_SECRET=${jwtSecret}\nDATA_KEY=${dataKey}\n`);
  const issuers = { accepts: async () => await Promise.resolve(false) };
  const dataKeys = { current: dataKey };
  const { api } = await Keys.create({ jwtSecret, dataKeys, issuers, now: Date.now });
  const secrets = [jwtSecret];
  const keys: string[] = [];

  const exchange = async () => {
    const env = await readEnvFile(envFile);
    await changeEnvFile(envFile, {
      SUPABASE_JWT_SECRET: env["SUPABASE_JWT_SECRET_PREVIOUS"],
      SUPABASE_JWT_SECRET_PREVIOUS: env["SUPABASE_JWT_SECRET"],
    });
  };
  const makeSecret = async () => {
    await rotateJwtSecret(envFile);
    secrets.push((await readEnvFile(envFile))["SUPABASE_JWT_SECRET"] ?? "");
    await exchange();
  };
  const addKey = async () => {
    await addSigningKey(keyFile, "ES256");
    await changeEnvFile(envFile, { SUPABASE_AUTH_SIGNING_KEYS_PATH: keyFile });
    const all = JSON.parse(await readFile(keyFile, "utf8")) as { kid: string }[];
    keys.push(all.at(-1)?.kid ?? "");
  };
  const rotateKey = async () => await rotateSigningKey(keyFile);
  return {
    settings: async () => {
      const env = Object.entries(await readEnvFile(envFile));
      return Object.fromEntries(
        env.flatMap(([name, value = ""]) => (value ? [[name, value]] : [])),
      );
    },
    publishableKey: api.publishableKey,
    secretKey: api.secretKey,
    steps: [
      { name: "all know the next secret", change: makeSecret, signer: "first secret" },
      {
        name: "the next secret signs, and a key stands by",
        change: async () => {
          await exchange();
          await addKey();
        },
        signer: "second secret",
      },
      {
        name: "the first secret is revoked, the key signs, and the next one stands by",
        change: async () => {
          await revokePrevious(envFile, "SUPABASE_JWT_SECRET_PREVIOUS");
          await rotateKey();
          await addKey();
        },
        signer: "first key",
        revokes: "first secret",
      },
      { name: "the next key signs", change: rotateKey, signer: "second key" },
      {
        name: "the first key is revoked",
        change: async () => await revokeSigningKey(keyFile),
        signer: "second key",
        revokes: "first key",
      },
    ],
    signerOf: async (token) => {
      const { kid } = decodeProtectedHeader(token);
      if (kid !== undefined) return `${ordinals[keys.indexOf(kid)] ?? "unknown"} key`;
      for (const [at, secret] of secrets.entries())
        if (await signedWith(token, secret)) return `${ordinals[at]} secret`;
      return "unknown secret";
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}
