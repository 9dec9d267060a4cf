import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BootError, readHostConfig } from "basehost";
import { AuthError, parseEmail } from "basehost/accounts";
import type { AdminCall, AdminCommand } from "./admin/command.ts";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const usage =
  "Usage: npm run admin -- create EMAIL | remove EMAIL | delete EMAIL --yes [--owed-is-paid] | export FOLDER | sign-out all --yes";

/** Each is loaded when it is asked for: only one of them needs the card provider's library. */
const commands: ReadonlyMap<string, () => Promise<AdminCommand>> = new Map([
  ["create", async () => (await import("./admin/appoint.ts")).appoint],
  ["remove", async () => (await import("./admin/remove.ts")).remove],
  ["delete", async () => (await import("./admin/delete.ts")).deletePerson],
]);

/** `npm run admin -- COMMAND`: what only the operator may do to accounts, and everything as CSV. */
async function main(): Promise<string> {
  const [name = "", subject, ...flags] = process.argv.slice(2);
  const isForAll = name === "sign-out" && subject === "all" && flags[0] === "--yes";
  const isConfirmed = isForAll || (name === "delete" && flags[0] === "--yes");
  const isOwedPaid = name === "delete" && isConfirmed && flags[1] === "--owed-is-paid";
  const command = commands.get(name);
  const isKnown = command !== undefined || name === "export" || isForAll;
  if (!isKnown || !subject || flags.length > Number(isConfirmed) + Number(isOwedPaid))
    throw new BootError(usage);
  const email = command && parseEmail(subject);
  const env = await readEnvironment(process.cwd(), process.env);
  const config = readHostConfig(env);
  const withDatabase: AdminCall["withDatabase"] = async (work) =>
    await withInstanceDatabase(config, join(root, "supabase", "migrations"), work);
  if (isForAll) {
    const { signOutAll } = await import("./admin/sign-out-all.ts");
    const sessions = await withDatabase(signOutAll);
    return `${sessions} sessions are ended: everyone signs in once more.`;
  }
  if (command === undefined || email === undefined) {
    const { exportCsv } = await import("./admin/export-csv.ts");
    const { tables, rows } = await withDatabase(async (pool) => await exportCsv(pool, subject));
    return `${rows} rows of ${tables} tables are in ${subject}, without passwords, tokens and keys. Stored files are not among them.`;
  }
  const work = await command();
  return await work({ email, isConfirmed, isOwedPaid, env, config, root, withDatabase });
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  const known = error instanceof BootError || error instanceof AuthError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
}
