import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VERSION = "3.1.0";
// The release has a package for this platform only in some registries; others fetch it when asked.
const INSTALLED = fileURLToPath(
  new URL("../node_modules/@supabase/cli-linux-x64/bin/supabase", import.meta.url),
);

/**
 * Runs the official Supabase CLI and answers with what it printed.
 * @param env variables on top of this process's own.
 * @throws {Error} with its last words.
 */
export async function runSupabaseCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [command, prefix] = existsSync(INSTALLED)
    ? [INSTALLED, []]
    : ["npx", ["--yes", `supabase@${VERSION}`]];
  const options = {
    cwd: ROOT,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: "1", ...env },
    maxBuffer: 16 * 1024 * 1024,
    timeout: 120_000,
  };
  try {
    const { stdout } = await run(command, [...prefix, ...args], options);
    return stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`supabase ${args[0] ?? ""} ${args[1] ?? ""}: ${stderr?.trim() || message}`, {
      cause: error,
    });
  }
}
