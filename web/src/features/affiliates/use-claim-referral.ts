import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
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
    const visit = userId === "" ? null : readStoredVisit(localStorage);
    if (visit === null) return;
    void claimReferral(client, visit).then((heard) => {
      if (heard) storeVisit(localStorage, null);
    });
  }, [client, userId]);
}
