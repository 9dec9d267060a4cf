import type { Logger } from "pino";
import { skippedFunctions } from "./functions/function-registry.ts";
import { ignoredSettings } from "./ignored-settings.ts";
import type { Project } from "./project.ts";

/** Logs what the project asks for and does not get: a setting or a function that is left out fails silently later. */
export function warnOfIgnored(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): void {
  for (const setting of ignoredSettings(project, env)) {
    log.warn({ setting }, `config.toml sets ${setting}, which has no effect on this host`);
  }
  for (const name of skippedFunctions(project)) {
    log.warn({ function: name }, `function ${name} is not served: it has no usable handler.ts`);
  }
}
