/**
 * The door of the package: a host for any `supabase/` folder, and what a program needs to run one.
 * Narrower doors: `basehost/accounts`, `basehost/backup`, `basehost/database`, `basehost/http-server`.
 */

// The host
export { startHost } from "./start-host.ts";
export type { Host, HostOptions } from "./host.ts";
export type { HostExtensions, SharedByRoutes } from "./host-extensions.ts";
export type { HostContext } from "./context.ts";
export { hostName } from "./host-name.ts";

// Its configuration
export { BootError, RetryableBootError, formatIssues } from "./boot-error.ts";
export {
  isLoopbackHost,
  readHostConfig,
  reasonForProduction,
  withoutEmpty,
  type HostConfig,
} from "./config.ts";
export type { HealthCheck, HealthChecks } from "./health/health-check.ts";
export type { ProgramFigure } from "./metrics/metrics.ts";
export type { LimitOverrides } from "./limits/limits.ts";
export type { AuthRateLimitOverrides } from "./auth/settings.ts";
export type { RealtimeLimits } from "./realtime/limits/realtime-limits.ts";
export { Keys, newSecret, type ApiKeys } from "./keys.ts";
export { derivedKeys, type DataKeys, type DerivedKeys } from "./data-keys.ts";
export {
  loadSigningKeys,
  parseSigningKeys,
  signingKeysPath,
  type SigningAlgorithm,
  type SigningKeys,
} from "./signing-keys.ts";

// The Redis that several hosts share
export { probeRedis, type RedisProbe } from "./redis/probe-redis.ts";

// The project it serves
export { openProject, settingsAt, type Project } from "./project.ts";
export { listFunctions } from "./functions/function-registry.ts";

// E-mails that were kept because no mail server is configured
export { createInboxApp } from "./mail/inbox.ts";
export { createMailCatcherApp } from "./mail/mail-catcher.ts";
export type { CaughtMail } from "./mail/mailer.ts";

// A process that serves until a signal stops it
export { reportDataFolder, runMain, serveUntilStopped } from "./serving-process.ts";
