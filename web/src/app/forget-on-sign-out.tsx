import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { sessionStrings, useSession } from "@/features/session/index.ts";
import { onSessionEnded } from "@/lib/session-errors.ts";
import { toast } from "@/ui/toast.tsx";

/**
 * Throws away what was cached for a member as soon as somebody else, or nobody, is signed in, and says so when the
 * server ended the session.
 */
export function ForgetOnSignOut() {
  const { user } = useSession();
  const queries = useQueryClient();
  const userId = user?.id ?? null;
  const before = useRef(userId);
  useEffect(() => {
    if (before.current !== null && before.current !== userId) {
      const former = before.current;
      queries.removeQueries({ predicate: (query) => query.queryKey.includes(former) });
    }
    before.current = userId;
  }, [queries, userId]);
  useEffect(() => onSessionEnded(() => toast.info(sessionStrings.sessionEnded)), []);
  return null;
}
