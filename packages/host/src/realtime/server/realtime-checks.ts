// Says how changes reach this host, as parts of its health.

import type { HealthCheck, HealthChecks } from "../../health/health-check.ts";
import type { SourceFigures } from "../shared-log/change-source.ts";

/** As in the alert `ChangesAreLate`. */
const lateMs = 10_000;
/** As in the alert `ReplicationSlotLags`. */
const muchLogBytes = 256 * 1024 * 1024;

function checkChanges(lagMs: number, unconfirmedBytes: number): HealthCheck {
  if (unconfirmedBytes > muchLogBytes) {
    const mib = Math.floor(unconfirmedBytes / 1024 / 1024);
    return { state: "warning", detail: `a reader of the log has left ${mib} MiB unconfirmed` };
  }
  if (lagMs <= lateMs) return { state: "ok" };
  return { state: "warning", detail: `changes are ${Math.round(lagMs / 1000)} s late` };
}

/**
 * How changes reach this host. Without Redis members wait no longer, because each host reads the log for itself.
 * @param unconfirmedBytes most of the write-ahead log that a reader, of any host, has not confirmed
 */
export function realtimeChecks(
  { decoder, lagMs }: SourceFigures,
  unconfirmedBytes: number,
): HealthChecks {
  return {
    changes: checkChanges(lagMs, unconfirmedBytes),
    ...(decoder !== undefined && {
      redis: decoder.isReachable
        ? ({ state: "ok" } as const)
        : ({ state: "warning", detail: "Redis gives no answer" } as const),
    }),
  };
}
