/** No connection was free in time. No statement was sent, so trying again is safe. */
export class DatabaseBusyError extends Error {
  override readonly name = "DatabaseBusyError";
  /** Seconds to wait before trying again. */
  readonly retryAfterS = 2;

  constructor() {
    super("No database connection was free in time.");
  }
}
