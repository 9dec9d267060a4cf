// Finds the edge functions in `supabase/functions`, with their settings from config.toml, and loads their code.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { settingsAt, type Project } from "../project.ts";

/** Variables a function sees. */
export type FunctionEnv = Readonly<Record<string, string>>;

/** What `handler.ts` of a function exports by default. */
export type Handler = (
  request: Request,
  deps: { env: FunctionEnv },
) => Promise<Response> | Response;

/** A function of the project. */
export interface ProjectFunction {
  name: string;
  /** True when only requests with a valid JWT reach it. */
  verifyJwt: boolean;
  /** Loads the code the first time it is called. */
  load: () => Promise<Handler>;
}

const namePattern = /^[A-Za-z0-9][\w-]*$/;

async function importHandler(path: string): Promise<Handler> {
  const module: unknown = await import(pathToFileURL(path).href);
  const handler = (module as { default?: unknown }).default;
  if (typeof handler !== "function") throw new TypeError(`${path} has no default export to call`);
  return handler as Handler;
}

/**
 * The project's functions: every folder with a `handler.ts`, except folders that start with `_`. The list is made
 * once, so a request's path is never looked up on the disk.
 */
export function listFunctions(project: Project): ReadonlyMap<string, ProjectFunction> {
  const folder = join(project.folder, "functions");
  const functions = new Map<string, ProjectFunction>();
  if (!existsSync(folder)) return functions;
  for (const name of readdirSync(folder).toSorted()) {
    const path = join(folder, name, "handler.ts");
    if (!namePattern.test(name) || !existsSync(path)) continue;
    const settings = settingsAt(project, `functions.${name}`);
    if (settings["enabled"] === false) continue;
    let handler: Promise<Handler> | undefined;
    const load = async () => {
      handler ??= importHandler(path);
      return await handler;
    };
    functions.set(name, { name, verifyJwt: settings["verify_jwt"] !== false, load });
  }
  return functions;
}

/** Names of the folders and of the `[functions.<name>]` settings that are no function of this host. */
export function skippedFunctions(project: Project): string[] {
  const folder = join(project.folder, "functions");
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^[_.]|^node_modules$/.test(entry.name))
    .map(({ name }) => name);
  const served = listFunctions(project);
  return [...new Set([...folders, ...Object.keys(settingsAt(project, "functions"))])]
    .filter((name) => !served.has(name))
    .filter((name) => settingsAt(project, `functions.${name}`)["enabled"] !== false)
    .toSorted();
}

/** The variables functions get: frozen, and without the JWT signing secret. */
export function buildFunctionEnv(env: Readonly<Record<string, string>>): FunctionEnv {
  const { SUPABASE_JWT_SECRET: _, ...rest } = env;
  return Object.freeze(rest);
}
