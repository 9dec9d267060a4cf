import { isUuid } from "@/lib/uuid.ts";

/** Where the browser keeps the id of a visit by a member's link, with consent only. */
const visitKey = "affiliate-visit";

/** The id of the visit that is remembered in this browser, or null. */
export function readStoredVisit(storage: Pick<Storage, "getItem">): string | null {
  try {
    const visit = storage.getItem(visitKey) ?? "";
    return isUuid(visit) ? visit : null;
  } catch {
    return null;
  }
}

/** Remembers a visit, or forgets it with null. A blocked storage remembers nothing. */
export function storeVisit(
  storage: Pick<Storage, "setItem" | "removeItem">,
  visit: string | null,
): void {
  try {
    if (visit === null) storage.removeItem(visitKey);
    else storage.setItem(visitKey, visit);
  } catch {
    // Nothing was kept, so nothing has to go.
  }
}
