import pg from "pg";
import { DatabaseBusyError } from "../postgres/database-busy.ts";
import { QueueFull } from "./fair-queue.ts";

/** PostgreSQL's code for a statement that took longer than it may. */
const TIMED_OUT = "57014";

/** Turns a statement that took too long into {@link DatabaseBusyError}: it says nothing about what was asked. */
export function busyOrItself(error: unknown): unknown {
  return error instanceof pg.DatabaseError && error.code === TIMED_OUT
    ? new DatabaseBusyError()
    : error;
}

/** True when the database could not be asked in time; the same question may be answered a moment later. */
export function isBusy(error: unknown): boolean {
  return error instanceof QueueFull || error instanceof DatabaseBusyError;
}
