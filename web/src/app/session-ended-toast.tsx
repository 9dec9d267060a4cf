import { useEffect, useRef } from "react";
import { sessionStrings, useSession } from "@/features/session/index.ts";
import { onSessionEnded } from "@/lib/session-errors.ts";
import { onSignOutElsewhere } from "@/lib/sign-out-broadcast.ts";
import { toast } from "@/ui/toast.tsx";

/** Tells the member once why the session of this tab is over: the server ended it, or they signed out in another tab. */
export function SessionEndedToast() {
  const { user } = useSession();
  // Outlives the session itself, which may be gone before the reason is known.
  const hadSession = useRef(false);
  useEffect(() => {
    if (user !== null) hadSession.current = true;
  }, [user]);
  useEffect(
    () =>
      onSessionEnded(() => {
        hadSession.current = false;
        toast.info(sessionStrings.sessionEnded);
      }),
    [],
  );
  useEffect(
    () =>
      onSignOutElsewhere(() => {
        if (!hadSession.current) return;
        hadSession.current = false;
        toast.info(sessionStrings.signedOutElsewhere);
      }),
    [],
  );
  return null;
}
