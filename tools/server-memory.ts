import { join } from "node:path";
import type { HostConfig } from "basehost";
import {
  connectOwner,
  findEmbeddedPostgres,
  memorySettings,
  readSecrets,
  usableMemoryBytes,
} from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";

const mebibyte = 1024 * 1024;
/** Above this share of the memory the buffers leave too little for the host and for what each connection needs. */
const mostBuffers = 0.5;

/** The settings of a server that runs over the folder, as PostgreSQL shows them; undefined when none runs. */
async function runningSettings(
  dataDir: string,
  names: readonly string[],
): Promise<Record<string, string> | undefined> {
  const secrets = await readSecrets(dataDir);
  if (secrets === undefined) return undefined;
  const folder = join(dataDir, "postgres");
  const running = await findEmbeddedPostgres(folder, secrets.databasePassword);
  if (running === undefined) return undefined;
  const client = await connectOwner(running.url);
  try {
    const { rows } = await client.query<{ name: string; value: string }>(
      "select name, current_setting(name) as value from pg_settings where name = any ($1)",
      [names],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  } finally {
    await client.end();
  }
}

/** A size as PostgreSQL or an operator writes it, in MB; a number without a unit as it is. */
const amount = (text: string | undefined) =>
  Number.parseInt(text ?? "", 10) * (text?.endsWith("GB") === true ? 1024 : 1);

/** The variable of a setting, such as `DATABASE_WORK_MEM`. */
const variableOf = (name: string) => `DATABASE_${name.toUpperCase()}`;

/**
 * What the embedded server takes of the machine: a running one what it was started with, which may be less than this command
 * would count, because a service or a container has a limit of its own.
 */
export async function checkServerMemory(
  { dataDir, serverMemory }: Pick<HostConfig, "dataDir" | "serverMemory">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckAnswer> {
  if (serverMemory === undefined) return "set in the server of DATABASE_URL";
  const wanted = memorySettings(serverMemory);
  const running = await runningSettings(dataDir, Object.keys(wanted));
  const usableMb = Math.floor(usableMemoryBytes() / mebibyte);
  const listed = Object.entries(running ?? wanted).map(([name, value]) => `${name} ${value}`);
  const text = `${listed.join(", ")} ${running === undefined ? `from the next start on, of ${usableMb}MB that this command may use` : "in use"}`;
  const outdated = Object.entries(running ?? {}).filter(
    ([name, value]) => env[variableOf(name)] && amount(value) !== amount(wanted[name]),
  );
  const doubts = [
    ...outdated.map(([name]) => `${variableOf(name)} counts once the product was restarted`),
    ...(serverMemory.sharedBuffersMb > usableMb * mostBuffers
      ? ["DATABASE_SHARED_BUFFERS is more than half of the memory"]
      : []),
  ];
  return doubts.length === 0 ? text : { warning: [text, ...doubts].join("; ") };
}
