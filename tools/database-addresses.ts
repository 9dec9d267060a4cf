import { BootError, type HostConfig } from "basehost";
import { checkPool, compareReplica, connectOwner } from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";

/** A lag below this is normal while members write. */
const muchLogBytes = 64 * 1024 * 1024;

/**
 * Whether the pool of DATABASE_URL leads to the server of DATABASE_DIRECT_URL.
 * @throws {BootError} when it does not, or does not keep what it should
 */
export async function checkRequestPool(
  config: Pick<HostConfig, "databaseUrl" | "databasePoolUrl" | "poolKeepsStatements">,
): Promise<CheckAnswer> {
  const { databaseUrl, databasePoolUrl, poolKeepsStatements } = config;
  if (databaseUrl === undefined || databasePoolUrl === undefined)
    return "none: every connection goes to the server itself";
  const server = await connectOwner(databaseUrl);
  try {
    const keepsStatements = await checkPool(databasePoolUrl, server, poolKeepsStatements);
    return keepsStatements
      ? "requests go through it, with prepared statements"
      : "requests go through it, without prepared statements";
  } finally {
    await server.end();
  }
}

/**
 * Whether DATABASE_REPLICA_URL leads to a replica of the server.
 * @throws {BootError} when it does not
 */
export async function checkReplica(
  config: Pick<HostConfig, "databaseUrl" | "databaseReplicaUrl">,
): Promise<CheckAnswer> {
  const { databaseUrl, databaseReplicaUrl } = config;
  if (databaseUrl === undefined || databaseReplicaUrl === undefined)
    return "none: every read goes to the primary";
  const server = await connectOwner(databaseUrl);
  try {
    const bytes = await compareReplica(databaseReplicaUrl, server).catch((error: unknown) => {
      throw new BootError(`DATABASE_REPLICA_URL: ${(error as Error).message}`);
    });
    const text = `${bytes} bytes of the log behind the primary`;
    return bytes > muchLogBytes ? { warning: text } : text;
  } finally {
    await server.end();
  }
}
