import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
/** The tested version; docs/deploy.md names the same one. */
export const supabaseCliVersion = "3.1.0";
// Only some registries have this release for this platform; otherwise npx downloads it.
const installedCli = fileURLToPath(
  new URL("../node_modules/@supabase/cli-linux-x64/bin/supabase", import.meta.url),
);

/**
 * Runs the official Supabase CLI and returns what it printed.
 * @param env added to this process's variables.
 * @throws {Error} with the end of its output.
 */
export async function runSupabaseCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [command, prefix] = existsSync(installedCli)
    ? [installedCli, []]
    : ["npx", ["--yes", `supabase@${supabaseCliVersion}`]];
  const options = {
    cwd: root,
    env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: "1", ...env },
    maxBuffer: 16 * 1024 * 1024,
    timeout: 120_000,
  };
  try {
    const { stdout } = await run(command, [...prefix, ...args], options);
    return stdout;
  } catch (error) {
    const { stderr, stdout, message } = error as {
      stderr?: string;
      stdout?: string;
      message: string;
    };
    // The advisors print their findings on one stream and the failure on the other.
    const words = `${stderr?.trim() || message}\n${stdout?.trim() ?? ""}`.trim();
    throw new Error(`supabase ${args[0] ?? ""} ${args[1] ?? ""}: ${words}`, { cause: error });
  }
}
