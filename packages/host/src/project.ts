import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import { BootError } from "./boot-error.ts";

/** A `supabase/` folder in the layout of the official CLI. */
export interface Project {
  /** Absolute path of the folder that holds config.toml, migrations/ and functions/. */
  folder: string;
  /** config.toml, parsed; empty when the project has none. */
  settings: Readonly<Record<string, unknown>>;
}

/**
 * Opens `<root>/supabase`.
 * @throws {BootError} when config.toml is not valid TOML.
 */
export async function openProject(root: string): Promise<Project> {
  const folder = resolve(root, "supabase");
  const text = await readFile(join(folder, "config.toml"), "utf8").catch(() => "");
  try {
    return { folder, settings: parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new BootError(`${join(folder, "config.toml")} is not valid: ${reason}`);
  }
}

/** The table at `path` (such as `functions.hello`), or an empty one. */
export function settingsAt(project: Project, path: string): Readonly<Record<string, unknown>> {
  let table: unknown = project.settings;
  for (const name of path.split(".")) {
    table = typeof table === "object" && table !== null ? Reflect.get(table, name) : undefined;
  }
  return typeof table === "object" && table !== null ? (table as Record<string, unknown>) : {};
}
