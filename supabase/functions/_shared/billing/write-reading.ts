import type { BillingDatabase, EventReference } from "./billing-database.ts";

/** Readings in a row that others may overlap; a webhook that meets more is sent again by the provider. */
const maxReadings = 10;

/**
 * Reads an object of the provider and writes what was read, in the order of the provider's changes. Two readings that overlap
 * cannot be put in order; where another one that differs was written meanwhile, the object is read again.
 * @param read reads and writes under the version it is given, and says what came of it.
 * @returns null when the event was applied before.
 * @throws what `read` throws, and an error when the object was changed during every one of ten readings.
 */
export async function writeReading<Reading extends { outcome: string }>(
  database: Pick<BillingDatabase, "nextVersion">,
  event: EventReference | undefined,
  read: (version: number) => Promise<Reading>,
): Promise<Reading | null> {
  for (let readings = 0; readings < maxReadings; readings += 1) {
    const version = await database.nextVersion(event?.id);
    if (version === null) return null;
    const reading = await read(version);
    if (reading.outcome !== "overlapping") return reading;
  }
  throw new Error("it changed during each of ten readings");
}
