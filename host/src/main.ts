import { parseArgs } from "node:util";
import { BootError } from "./config.ts";
import { startHost } from "./host.ts";
import { onStop } from "./on-stop.ts";

const USAGE = "Usage: npm run host -- --project DIR [--port N] [--data DIR]";

/** The host alone over any `supabase/` folder: no web app, no card-provider sandbox. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      project: { type: "string" },
      port: { type: "string" },
      data: { type: "string" },
    },
  });
  if (values.project === undefined) throw new BootError(USAGE);
  const env = { ...process.env };
  if (values.port !== undefined) env["PORT"] = values.port;
  if (values.data !== undefined) env["DATA_DIR"] = values.data;
  const host = await startHost({ env, root: values.project });
  const { anonKey, serviceRoleKey } = host.context.keys.api;
  process.stdout.write(`\n${host.url}\nanon key          ${anonKey}\n`);
  process.stdout.write(`service role key  ${serviceRoleKey}\n\n`);
  onStop(host.stop);
}

await main().catch((error: unknown) => {
  const known =
    error instanceof BootError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${known ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exit(1);
});
