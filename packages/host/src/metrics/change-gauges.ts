import { Gauge, type Registry } from "prom-client";
import type { SourceFigures } from "../realtime/shared-log/change-source.ts";

const roles = ["decoder", "standby", "follower", "own"] as const;

/** Gauges of how changes reach this host. Those of the shared log are there with REDIS_URL only. */
export function changeGauges(registry: Registry): (figures: SourceFigures) => void {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const received = gauge("realtime_changes_received_total", "Changes this host has read.");
  const lag = gauge(
    "realtime_changes_lag_seconds",
    "From the commit of the last change until this host had it.",
  );
  const isUp = gauge("redis_up", "1 while Redis answers.");
  const role = gauge("realtime_log_role", "What this host does for the log that hosts share.", [
    "role",
  ]);
  const published = gauge("realtime_log_published_total", "Changes this host has read for all.");
  const unpublished = gauge(
    "realtime_log_lag_bytes",
    "Write-ahead log that this host has read for all and not published yet.",
  );
  // No values without REDIS_URL.
  for (const one of [isUp, published, unpublished]) one.remove();
  return ({ decoder, isOwn, received: count, lagMs }) => {
    received.set(count);
    lag.set(lagMs / 1000);
    if (decoder === undefined) return;
    isUp.set(decoder.isReachable ? 1 : 0);
    published.set(decoder.published);
    unpublished.set(decoder.lagBytes);
    for (const name of roles) {
      const isIt = name === "own" ? isOwn : name === decoder.role;
      role.set({ role: name }, isIt ? 1 : 0);
    }
  };
}
