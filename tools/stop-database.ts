import { runMain } from "basehost";
import { stopOrphanedDatabase } from "basehost/database";

/** Exit code when another host uses the folder. */
const inUseExitCode = 3;

// `node tools/stop-database.ts DATA_FOLDER`: stops the database that a killed process left behind.
await runMain(async () => {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("The data folder is missing.");
  if (!(await stopOrphanedDatabase(folder))) process.exitCode = inUseExitCode;
});
