/** A membership that an administrator has given without payment. */
export interface Complimentary {
  readonly planId: string;
  /** When it ends, epoch milliseconds; null while it is open-ended. */
  readonly endsAt: number | null;
}

/** True while it gives access. */
export function isRunning(complimentary: Complimentary | null, now: number): boolean {
  return complimentary !== null && (complimentary.endsAt === null || complimentary.endsAt > now);
}
