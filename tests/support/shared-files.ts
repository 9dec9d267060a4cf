import { join } from "node:path";
import pg from "pg";
import { openDiskBlobStore } from "basehost/testing";

/** Gives a host's folder the files of a database that another host serves, as if they were on a disk that both have. */
export async function shareFiles(url: string | undefined, dataDir: string): Promise<void> {
  if (url === undefined) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: found } = await client.query<{ known: boolean }>(
      "select to_regclass('host.file_store') is not null as known",
    );
    if (found[0]?.known !== true) return;
    const { rows } = await client.query<{ id: string }>("select id::text from host.file_store");
    if (rows[0] !== undefined)
      await openDiskBlobStore(join(dataDir, "storage", "objects")).writeMarker(rows[0].id);
  } finally {
    await client.end();
  }
}
