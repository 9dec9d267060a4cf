import { writeFile } from "node:fs/promises";
import { Keys, newSecret } from "basehost";

const usage = "Usage: npm run keys -- FILE, such as npm run keys -- .env";

/** `npm run keys -- FILE`: creates a .env file with a new secret and the two API keys derived from it. */
async function main(): Promise<void> {
  const [path, ...rest] = process.argv.slice(2);
  if (path === undefined || rest.length > 0) throw new Error(usage);
  const jwtSecret = newSecret();
  // Keys are derived from the secret alone; no token is checked here.
  const issuers = { accepts: async () => await Promise.resolve(false) };
  const { api } = await Keys.create({ jwtSecret, issuers, now: Date.now });
  const lines = [
    `SUPABASE_JWT_SECRET=${jwtSecret}`,
    `SUPABASE_ANON_KEY=${api.anonKey}`,
    `SUPABASE_SERVICE_ROLE_KEY=${api.serviceRoleKey}`,
  ];
  try {
    await writeFile(path, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST")
      throw new Error(`${path} cannot be written: ${message}`, { cause: error });
    throw new Error(`${path} is there already; new keys would end every session of its install.`, {
      cause: error,
    });
  }
  process.stdout.write(`Wrote a secret and two keys to ${path}, which only this account reads.\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
