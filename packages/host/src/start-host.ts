import { readHostConfig } from "./config.ts";
import type { Host, HostOptions } from "./host.ts";

/**
 * Starts a host for a `supabase/` folder: database, API, functions and, if given, a web app.
 * Its parts are loaded by the first call: an operator's command that only reads settings does not wait for a thousand
 * modules, nor does a start whose settings are wrong.
 * @throws {BootError} with a message for the operator; nothing is left running.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  readHostConfig(options.env);
  const host = await import("./host.ts");
  return await host.openHost(options);
}
