import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAccount } from "./server-account.ts";

/** Configuration files of a data folder. Settings that a start decides are given on the command line, which comes before these. */
const configuration: Readonly<Record<string, string>> = {
  "postgresql.conf": `max_wal_size = 1GB
min_wal_size = 80MB
datestyle = 'iso, mdy'
lc_messages = C
lc_monetary = C
lc_numeric = C
lc_time = C
default_text_search_config = 'pg_catalog.english'
`,
  "postgresql.auto.conf": "",
  "pg_hba.conf": `host all all 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
`,
  "pg_ident.conf": "",
};

/** True for a file at the top of a data folder that {@link writeServerConfiguration} writes. */
export function isServerConfiguration(name: string): boolean {
  return Object.hasOwn(configuration, name);
}

/** Writes PostgreSQL's configuration files, so that none of a data folder from elsewhere is obeyed: they can name programs to run. */
export async function writeServerConfiguration(
  folder: string,
  account: ServerAccount,
): Promise<void> {
  for (const [name, text] of Object.entries(configuration)) {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (account.kind === "account") await chown(path, account.uid, account.gid);
  }
}
