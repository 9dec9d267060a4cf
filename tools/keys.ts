import { writeFile } from "node:fs/promises";
import { newSecret, type SigningAlgorithm } from "basehost";
import {
  newJwtSecret,
  revokePrevious,
  rotateDataKey,
  rotateJwtSecret,
} from "./keys/rotate-secrets.ts";
import { addSigningKey, revokeSigningKey, rotateSigningKey } from "./keys/signing-key-file.ts";

const usage = `Usage, such as with .env as FILE:
  npm run keys -- FILE                             begins a .env file with new secrets and keys
  npm run keys -- rotate jwt-secret|data-key FILE  a new one; the old one is accepted beside it
  npm run keys -- revoke jwt-secret|data-key FILE  takes the old one away
  npm run keys -- add signing-key FILE [ES256|RS256]
  npm run keys -- rotate signing-key FILE          the standby key signs, the one before it is accepted
  npm run keys -- revoke signing-key FILE          takes the previous signing keys away`;

/** Creates a `.env` file with new secrets and the two API keys derived from them. */
async function beginFile(path: string): Promise<string> {
  const dataKey = newSecret();
  const values = { ...(await newJwtSecret(dataKey)), DATA_KEY: dataKey };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  try {
    await writeFile(path, lines.join(""), { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST")
      throw new Error(`${path} cannot be written: ${message}`, { cause: error });
    throw new Error(
      `${path} is there already; new keys would end every session of its install. To replace its secret: npm run keys -- rotate jwt-secret ${path}`,
      { cause: error },
    );
  }
  return `Wrote two secrets and two keys to ${path}, which only this account reads.`;
}

const algorithms: readonly string[] = ["ES256", "RS256"] satisfies SigningAlgorithm[];
const isAlgorithm = (text: string): text is SigningAlgorithm => algorithms.includes(text);

const commands: Readonly<Record<string, (path: string) => Promise<string>>> = {
  "rotate jwt-secret": rotateJwtSecret,
  "revoke jwt-secret": async (path) => await revokePrevious(path, "SUPABASE_JWT_SECRET_PREVIOUS"),
  "rotate data-key": rotateDataKey,
  "revoke data-key": async (path) => await revokePrevious(path, "DATA_KEY_PREVIOUS"),
  "add signing-key": async (path) => await addSigningKey(path, "ES256"),
  "rotate signing-key": rotateSigningKey,
  "revoke signing-key": revokeSigningKey,
};

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const [first = "", second = "", path = "", algorithm = "", ...rest] = args;
  const command = commands[`${first} ${second}`];
  let said: string;
  if (args.length === 1 && !first.startsWith("-")) said = await beginFile(first);
  else if (args.length === 3 && command !== undefined) said = await command(path);
  else if (`${first} ${second}` === "add signing-key" && isAlgorithm(algorithm) && !rest.length)
    said = await addSigningKey(path, algorithm);
  else throw new Error(usage);
  process.stdout.write(`${said}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
