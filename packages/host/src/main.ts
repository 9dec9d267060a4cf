#!/usr/bin/env node
import { parseArgs } from "node:util";
import { pino } from "pino";
import { BootError } from "./boot-error.ts";
import { startHost } from "./start-host.ts";
import { runMain, serveUntilStopped, reportDataFolder } from "./serving-process.ts";

const usage = "Usage: basehost --project DIR [--port N] [--data DIR]";

function readArguments() {
  try {
    return parseArgs({
      options: {
        project: { type: "string" },
        port: { type: "string" },
        data: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new BootError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs the host for a `supabase/` folder, without a web app. */
async function main(): Promise<void> {
  const values = readArguments();
  if (values.project === undefined) throw new BootError(usage);
  const env = { ...process.env };
  if (values.port !== undefined) env["PORT"] = values.port;
  if (values.data !== undefined) env["DATA_DIR"] = values.data;
  reportDataFolder(env);
  const log = pino({ level: env["LOG_LEVEL"] ?? "info" });
  const host = await startHost({ env, root: values.project, log });
  serveUntilStopped(log, { leave: host.leave, stop: host.stop, lost: host.databaseLost });
  const { anonKey, serviceRoleKey } = host.context.keys.api;
  process.stdout.write(`\n${host.url}\nanon key          ${anonKey}\n`);
  process.stdout.write(`service role key  ${serviceRoleKey}\n\n`);
}

await runMain(main);
