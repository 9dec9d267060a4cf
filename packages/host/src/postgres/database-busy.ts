/** No connection was free in time. Nothing was asked of the database, so trying again is safe. */
export class DatabaseBusyError extends Error {
  override readonly name = "DatabaseBusyError";
  /** Whole seconds until trying again makes sense. */
  readonly retryAfterS = 2;

  constructor() {
    super("No database connection was free in time.");
  }
}
