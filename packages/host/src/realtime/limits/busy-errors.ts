import pg from "pg";
import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { QueueFullError } from "./fair-queue.ts";

/** PostgreSQL's code for a statement that took longer than it may. */
const queryCanceled = "57014";

/** Turns a statement that took too long into {@link DatabaseBusyError}: it says nothing about what was asked. */
export function toBusyError(error: unknown): unknown {
  return error instanceof pg.DatabaseError && error.code === queryCanceled
    ? new DatabaseBusyError()
    : error;
}

/** True when the database could not be asked in time; the same question may be answered a moment later. */
export function isBusy(error: unknown): boolean {
  return error instanceof QueueFullError || error instanceof DatabaseBusyError;
}
