// Answers `/healthz` and `/readyz`, which monitoring and load balancers poll.

import { Hono } from "hono";
import type { HostContext } from "../context.ts";
import { checkFailures, worse, type HealthCheck, type HealthChecks } from "./health-check.ts";
import { sharedAnswer } from "./shared-answer.ts";

/** A database that takes longer does not answer, as one that is stopped, or whose machine swaps. */
const longestAnswerMs = 5000;
/** How long an answer is kept: the routes have no rate limit. */
const cacheMs = 1000;

/** What the health of a host is found out from. */
export interface HealthReport {
  /** Why the database server is away, by the watch over it; undefined while it is there. */
  readonly outage: () => string | undefined;
  /** Whether this host is about to stop, and others take its requests. */
  readonly isLeaving: () => boolean;
  /** Failures since the last backup that was made; undefined where none are scheduled. */
  readonly failedBackups: () => number | undefined;
  readonly disk: () => Promise<HealthCheck>;
  readonly jobs: () => HealthCheck;
  readonly realtime: () => HealthChecks;
  /** E-mails of the auth service that failed since one was sent. */
  readonly failedMails: () => number;
  /** Those of the embedding program. */
  readonly programChecks: () => Promise<HealthChecks>;
}

/** The health of a host. */
export interface Health {
  /** Why the database server is away; undefined while it is there. */
  readonly outage: () => string | undefined;
  /** Why this host should get no requests, as fields of an answer; undefined when it should. */
  readonly unready: () => Promise<{ status: string; reason?: string } | undefined>;
  readonly hasFailedBackups: () => boolean;
  /** The state of every part. */
  readonly checks: () => Promise<HealthChecks>;
}

/** A replica that is not used costs the primary its reads, and members nothing. */
function replicaCheck(problem: string | undefined): HealthCheck {
  return problem === undefined ? { state: "ok" } : { state: "warning", detail: problem };
}

/** @param report asked each time */
export function createHealth({ db }: Pick<HostContext, "db">, report: HealthReport): Health {
  const { outage, disk } = report;
  const databaseAnswers = sharedAnswer(
    async () =>
      await db.lookups.query("select 1").then(
        () => true,
        () => false,
      ),
    { late: false, validMs: cacheMs, longestMs: longestAnswerMs },
  );
  const programChecks = sharedAnswer<HealthChecks>(
    async () => await report.programChecks().catch(() => ({})),
    { late: {}, validMs: cacheMs, longestMs: longestAnswerMs },
  );
  return {
    outage,
    unready: async () => {
      if (report.isLeaving()) return { status: "stopping" };
      const [answers, { state, detail }] = await Promise.all([databaseAnswers(), disk()]);
      const reason = outage();
      if (reason !== undefined || !answers)
        return { status: "database unavailable", ...(reason !== undefined && { reason }) };
      if (state === "failing")
        return { status: "disk unavailable", ...(detail !== undefined && { reason: detail }) };
      return undefined;
    },
    hasFailedBackups: () => (report.failedBackups() ?? 0) > 0,
    checks: async () => {
      const [answers, ofDisk, ofProgram] = await Promise.all([
        databaseAnswers(),
        disk(),
        programChecks(),
      ]);
      const reason = outage();
      const isAway = reason !== undefined || !answers;
      const backups = report.failedBackups();
      const checks: Record<string, HealthCheck> = {
        database: isAway
          ? { state: "failing", detail: reason ?? "the database gives no answer" }
          : { state: "ok" },
        disk: ofDisk,
        jobs: report.jobs(),
        ...report.realtime(),
        mail: checkFailures(report.failedMails(), "sending e-mail", 3),
        ...(db.replica !== undefined && { replica: replicaCheck(db.replica.problem) }),
        ...(backups !== undefined && { backups: checkFailures(backups, "a backup", 2) }),
      };
      for (const [name, check] of Object.entries(ofProgram))
        checks[name] = worse(checks[name], check);
      return checks;
    },
  };
}

/**
 * `/healthz`: the process responds, and its database server is there. `/readyz`: the database answers a query, the disk takes
 * writes, and this host is not about to stop beside others; `backups` says when the last scheduled one failed, which is no reason to
 * send members elsewhere. `?verbose` names the state of every part.
 * @param mayAsk whether a request may know more than that this host is ready; the others get the short answer
 */
export function healthRoutes(health: Health, mayAsk: (request: Request) => boolean): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => {
    const reason = health.outage();
    return reason === undefined
      ? c.json({ status: "ok" })
      : c.json({ status: "database unavailable", reason }, 503);
  });
  app.get("/readyz", async (c) => {
    const isVerbose = c.req.query("verbose") !== undefined && mayAsk(c.req.raw);
    const [unready, checks] = await Promise.all([
      health.unready(),
      isVerbose ? health.checks() : undefined,
    ]);
    const answer = unready ?? {
      status: "ready",
      ...(health.hasFailedBackups() && { backups: "failing" }),
    };
    return c.json({ ...answer, ...(checks && { checks }) }, unready ? 503 : 200);
  });
  return app;
}
