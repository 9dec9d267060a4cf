import { useEffect, useRef } from "react";
import { useSubscription } from "@/features/billing/index.ts";
import { useLevel } from "@/features/levels/index.ts";
import { useBell } from "@/features/notifications/index.ts";

/**
 * Reads subscription and level again when the bell tells that the membership has ended or its payment failed: the open page
 * then says so at once, and not by refusing what the member does next. Use it once, in the shell.
 */
export function useLostMembership(): void {
  const { data } = useBell();
  const { refresh: refreshSubscription } = useSubscription();
  const { refresh: refreshLevel } = useLevel();
  const told = data?.pages[0]?.items.find(
    ({ kind, unread }) => unread && (kind === "membership_ended" || kind === "payment_failed"),
  )?.id;
  const known = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (told === undefined || told === known.current) return;
    known.current = told;
    refreshSubscription().catch((error: unknown) => {
      console.error("The subscription was not read again", error);
    });
    void refreshLevel();
  }, [told, refreshSubscription, refreshLevel]);
}
