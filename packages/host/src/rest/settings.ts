import type { Project } from "../project.ts";
import { settingsAt } from "../project.ts";

/** The `[api]` section of config.toml. */
export interface RestSettings {
  /** Schemas that requests may name; the first one is the default. */
  schemas: readonly [string, ...string[]];
  /** Schemas in which functions and types are looked up as well. */
  extraSearchPath: readonly string[];
  /** Most rows in a response. */
  maxRows: number;
  /** Most bytes in a response body. */
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
