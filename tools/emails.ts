import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BootError, readHostConfig, runMain } from "basehost";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";

const usage =
  "Usage: npm run emails -- pause | resume | discard (resume sends what waited, discard does not)";
const migrations = join(fileURLToPath(new URL("..", import.meta.url)), "supabase", "migrations");

/** `npm run emails -- COMMAND`: stops the e-mails to members, or lets them go out again, such as after a restore. */
async function main(): Promise<void> {
  const [command = "", ...rest] = process.argv.slice(2);
  if (!["pause", "resume", "discard"].includes(command) || rest.length > 0)
    throw new BootError(usage);
  const config = readHostConfig(await readEnvironment(process.cwd(), process.env));
  const said = await withInstanceDatabase(config, migrations, async (pool) => {
    if (command === "pause") {
      await pool.query("select private.pause_emails('paused by the operator')");
      return "Emails are paused. New ones wait.";
    }
    const { rows } = await pool.query<{ waiting: number }>(
      "select private.resume_emails($1) as waiting",
      [command === "resume"],
    );
    const waiting = rows[0]?.waiting ?? 0;
    return `Emails are sent again. ${waiting} that waited ${command === "resume" ? "go out now" : "are discarded"}.`;
  });
  process.stdout.write(`${said}\n`);
}

await runMain(main);
