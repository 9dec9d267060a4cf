// Figures of a read replica.

import { Counter, type Gauge, type Registry } from "prom-client";
import type { Replica } from "../postgres/replica.ts";

/** @returns what reads the figures anew at each scrape; without a replica they have no values */
export function replicaFigures(
  replica: Replica | undefined,
  gauge: (name: string, help: string) => Gauge,
  registers: Registry[],
): () => void {
  const used = gauge("postgres_replica_used", "1 while the read replica answers reads.");
  const lag = gauge(
    "postgres_replica_lag_seconds",
    "How far the read replica may be behind the primary; infinite while that is not known.",
  );
  const reads = new Counter({
    name: "postgres_replica_reads_total",
    help: "Reads that may lag, by what became of them; all but replica were asked of the primary.",
    labelNames: ["outcome"],
    registers,
  });
  return () => {
    if (replica === undefined) {
      // They begin as 0, which would set off the alert.
      for (const figure of [used, lag]) figure.remove();
      return;
    }
    used.set(replica.problem === undefined ? 1 : 0);
    lag.set(replica.lagMs === undefined ? Number.POSITIVE_INFINITY : replica.lagMs / 1000);
    reads.reset();
    for (const [outcome, count] of Object.entries(replica.reads)) reads.inc({ outcome }, count);
  };
}
