import type { Project } from "../project.ts";
import { settingsAt } from "../project.ts";

/** What config.toml says about the API, in `[api]`. */
export interface RestSettings {
  /** Schemas that requests may name; the first one is the default. */
  schemas: readonly [string, ...string[]];
  /** Schemas that functions and types are also looked up in. */
  extraSearchPath: readonly string[];
  /** Most rows an answer holds. */
  maxRows: number;
  /** Most bytes an answer holds. */
  maxAnswerBytes: number;
}

const defaultMaxRows = 1000;

function names(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((name): name is string => typeof name === "string" && name !== "")
    : [];
}

export function readRestSettings(project: Project, maxAnswerBytes: number): RestSettings {
  const api = settingsAt(project, "api");
  const [first, ...others] = names(api["schemas"]);
  const maxRows = api["max_rows"];
  return {
    maxAnswerBytes,
    schemas: [first ?? "public", ...others],
    extraSearchPath:
      api["extra_search_path"] === undefined
        ? ["public", "extensions"]
        : names(api["extra_search_path"]),
    maxRows: typeof maxRows === "number" && maxRows > 0 ? Math.floor(maxRows) : defaultMaxRows,
  };
}
