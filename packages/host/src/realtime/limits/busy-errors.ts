import pg from "pg";
import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { QueueFullError } from "./fair-queue.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** Turns a statement timeout into {@link DatabaseBusyError}. */
export function toBusyError(error: unknown): unknown {
  return error instanceof pg.DatabaseError && error.code === sqlStates.queryCanceled
    ? new DatabaseBusyError()
    : error;
}

/** True when the database was busy, so that the same query may succeed later. */
export function isBusy(error: unknown): boolean {
  return error instanceof QueueFullError || error instanceof DatabaseBusyError;
}
