import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { claimReferral } from "./api/visits.ts";
import { readStoredVisit, storeVisit } from "./model/stored-visit.ts";

/**
 * Says once by which link a new account came, before its first payment. The database decides whether that counts; the
 * browser forgets the visit as soon as it was heard.
 */
export function useClaimReferral(): void {
  const { client } = useBackend();
  const userId = useUserId();
  useEffect(() => {
    const visit = userId === "" ? null : readStoredVisit(browserStorage);
    if (visit === null) return;
    void claimReferral(client, visit).then((heard) => {
      if (heard) storeVisit(browserStorage, null);
    });
  }, [client, userId]);
}
