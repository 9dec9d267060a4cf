// The reads that a replica may answer, and how one is asked: whatever it does not answer is asked of the primary.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BootError, formatIssues } from "../boot-error.ts";
import type { Caller } from "../keys.ts";
import type { ConnectionSource } from "../postgres/database.ts";
import { afterWriteHeader, type Replica } from "../postgres/replica.ts";
import type { Project } from "../project.ts";
import type { Transaction, TransactionResult } from "./execute/transaction.ts";
import { runTransaction } from "./execute/transaction.ts";
import type { ActionPlan } from "./plan/action-plan.ts";

const replicaReadsFile = z.array(z.string());

/** The functions that `replica-reads.json` names; none where the project has no such file. */
export type ReplicaReads = ReadonlySet<string>;

/** @throws {BootError} when the file is not a list of names. */
export async function readReplicaReads(project: Project): Promise<ReplicaReads> {
  const path = join(project.folder, "replica-reads.json");
  const text = await readFile(path, "utf8").catch(() => "[]");
  let parsed;
  try {
    parsed = replicaReadsFile.safeParse(JSON.parse(text));
  } catch {
    throw new BootError(`${path} is not valid JSON.`);
  }
  if (!parsed.success)
    throw new BootError(`${path} is not usable: ${formatIssues(parsed.error)[0]}`);
  return new Set(parsed.data);
}

/** Whether a replica may answer: a call of a named function of the first schema, which promises not to write. */
export function mayLag(
  plan: Pick<ActionPlan, "routine" | "readOnly" | "isolation">,
  names: ReplicaReads,
  firstSchema: string,
): boolean {
  const { routine, readOnly, isolation } = plan;
  return (
    readOnly &&
    isolation === undefined &&
    routine !== undefined &&
    routine.volatility !== "volatile" &&
    routine.schema === firstSchema &&
    names.has(routine.name)
  );
}

/**
 * Asks the replica, where it may answer this caller now.
 * @returns undefined when the primary has to be asked. That is so after every error, too: a replica that is behind may refuse a
 *   member who has just paid, lack a function, or cancel a read, and the primary then gives the answer that counts.
 */
export async function askReplica(
  replica: Replica,
  caller: Caller,
  headers: Headers,
  transaction: Transaction,
  run: (
    pool: ConnectionSource,
    transaction: Transaction,
  ) => Promise<TransactionResult> = runTransaction,
): Promise<TransactionResult | undefined> {
  const source = replica.sourceFor(caller, headers.get(afterWriteHeader) === "true");
  if (source === undefined) return undefined;
  try {
    const result = await run(source, transaction);
    replica.reads.replica++;
    return result;
  } catch (error) {
    // Nobody waits for an answer any more.
    if (transaction.signal?.aborted === true) throw error;
    replica.reads.failed++;
    return undefined;
  }
}
